// Data derived from texts when the event log reports them.
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import type { FeedListener } from "#src/events/event-log.ts";
import type { StoredEvent } from "#src/events/event.ts";
import { outboxStart } from "#src/events/outbox-position.ts";
import { indexKinds } from "#src/features/content/commands/index-kinds.ts";
import { contentEvents } from "#src/features/content/events.ts";
import { spaceEvents } from "#src/features/spaces/events.ts";
import { indexFollower } from "#src/features/content/follow.ts";
import { giveContent } from "#test/features/content/factory.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

const eventOf = (type: StoredEvent["type"], subjectId: string, payload: StoredEvent["payload"]): StoredEvent => ({
  position: outboxStart,
  type,
  subjectId,
  organizationId: null,
  spaceId: null,
  actorId: null,
  segment: 1,
  occurredAt: "2026-06-01T12:00:00.000Z",
  payload,
});

async function isIndexed(text: string): Promise<boolean> {
  const { rowCount } = await app.database.pool.query(
    `select from "DerivedText" t join "ContentDocument" d using (hash) where d.markdown = $1`,
    [text],
  );
  return rowCount === indexKinds.size;
}

/** Derives data for events; the test writes events and derived texts. */
function startDeriving() {
  let tell: FeedListener = () => {};
  const deriving = indexFollower({ database: app.database, log: pino({ level: "silent" }) });
  deriving.start({ listen: (listener) => ((tell = listener), () => {}) });
  return { tell: (event: StoredEvent) => tell([event]), [Symbol.asyncDispose]: () => deriving.stop() };
}

test("derives data from later texts after events without texts", async () => {
  const { space } = await world.space();
  await using deriving = startDeriving();
  for (const text of ["The first text\n", "The second text\n"]) {
    await deriving.tell(eventOf(spaceEvents.updated, space.id, { changes: [] }));
    await giveContent(app.database, space.revisionId, [text.trim()], text); // writes no event and derives nothing
    expect(await isIndexed(text)).toBe(false);
    await deriving.tell(eventOf(contentEvents.ofSpaceUpdated, space.id, { revisionId: space.revisionId }));
    await vi.waitFor(async () => expect(await isIndexed(text)).toBe(true), { timeout: 10_000 });
  }
});

test("skips texts that their writer has already processed", async () => {
  await using deriving = startDeriving();
  const tellOf = async (text: string, payload: StoredEvent["payload"]) => {
    const { space } = await world.space();
    await giveContent(app.database, space.revisionId, [text.trim()], text);
    await deriving.tell(eventOf(contentEvents.ofSpaceUpdated, space.id, { revisionId: space.revisionId, ...payload }));
  };
  await tellOf("A text that was derived from\n", { isIndexed: true });
  await tellOf("A text after it\n", {});
  await vi.waitFor(async () => expect(await isIndexed("A text after it\n")).toBe(true), { timeout: 10_000 });
  expect(await isIndexed("A text that was derived from\n")).toBe(false);
});
