// A gateway that runs translations automatically after edits of the source; one that is killed during a run
// continues after the restart.
import { afterAll, expect, test } from "vitest";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { serveEngine } from "#test/features/translations/engine-server.ts";
import { openDesk } from "#test/features/translations/running.ts";
import { listen } from "#test/live/kinds.ts";
import { useApp } from "#test/support/app.ts";
import { startGateway, stopStarted } from "#test/support/docgraph-process.ts";

const sent: string[] = [];
const asked = Promise.withResolvers<void>();
/** Delays responses to the second page until released. */
let isHeld = true;
const never = new Promise<never>(() => {});

/** It has the API of LibreTranslate. */
const url = await serveEngine(({ path, body }) => {
  if (path.startsWith("/languages")) return { json: [{ code: "en", name: "English", targets: ["es"] }] };
  const { q } = JSON.parse(body) as { q: string[] };
  if (isHeld && q.includes("Second")) {
    asked.resolve();
    return never;
  }
  sent.push(...q);
  return { json: { translatedText: q.map((text) => text.toUpperCase()) } };
});

// Has its own database: gateways run everything that is due in the whole database.
const { app, world } = await useApp({ own: true, pollMs: 20 });
afterAll(stopStarted);

const gateway = () => startGateway(app, { env: { TRANSLATION_URL: `libretranslate+${url}` } });

test(
  "a translation run whose gateway was killed continues after the restart, and sends no segment twice",
  { timeout: 90_000 },
  async () => {
    const { prisma } = app.database;
    const first = gateway();
    const [, { organization, space, admin }] = await Promise.all([first.ready(), world.space()]);
    await editAs(app.as(admin.token), { spaceId: space.id }, newPage("First").edit, newPage("Second").edit);
    const desk = await openDesk(app, { organizationId: organization.id, spaceId: space.id, person: admin });
    await asked.promise;
    first.signal("SIGKILL");
    await first.ended;
    expect(sent).toEqual(["First"]);
    expect(await desk.see()).toMatchObject({ status: "RUNNING", result: { revisionId: null } });

    const stream = await listen(app, admin, `translationEvents(of: { translationId: "${desk.id}" })`);
    isHeld = false;
    await prisma.translation.updateMany({ data: { leaseUntil: new Date(0) } }); // a minute later
    gateway();
    // The number of progress events before it is not specified.
    const events = await stream.until("TranslationCompleted");
    expect(events.slice(0, 2)).toMatchObject([
      { __typename: "TranslationProgressed", actor: null, facts: { status: "RUNNING" } },
      { __typename: "TranslationProgressed", actor: null, facts: { status: "RUNNING", donePages: 0, pages: 2 } },
    ]);
    expect(events.at(-1)).toMatchObject({ actor: null, facts: { words: 2, pages: 2, changeRequestId: null } });
    stream.raw.socket.terminate();
    expect(sent).toEqual(["First", "Second"]);
    expect((await desk.pages()).map(({ title }) => title)).toEqual(["FIRST", "SECOND"]);
    expect(await desk.see()).toMatchObject({ status: "COMPLETED", stats: { runs: 1, totalWords: 2 } });
  },
);
