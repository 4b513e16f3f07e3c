// Slow readers of past events: the gateway waits for them with a bounded buffer, and others do not wait. Slow readers
// of new events are tested in transports.test.ts.
import { setImmediate as turn } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { addComment } from "#test/features/comments/factory.ts";
import { readTable } from "#test/live/outbox.ts";
import { openStream, type TestStream } from "#test/live/stream.ts";
import { watchServedSockets } from "#test/live/served-sockets.ts";
import { useApp } from "#test/support/app.ts";

/**
 * Limits of the gateway: buffered bytes when a message is added, and bytes of the messages that are added
 * together.
 */
const bound = 1024 * 1024 + 512 * 1024;

/** Far more than the kernel buffers of an unread connection. */
const flood = { events: 300, bytesEach: 100_000 };

const served = watchServedSockets();
// A client that does not read does not answer pings.
const { app, world } = await useApp({ pollMs: 20, keepAliveMs: 600_000 });

/** The largest buffer of a connection in the gateway, in bytes. */
const backlog = () => Math.max(0, ...[...served].map((socket) => socket.writableLength));

let token: string;
let place: { id: string; organizationId: string };
let commentId: string;

/** A space with one long comment. */
beforeEach(async () => {
  const { editor, organization, space } = await world.space();
  token = editor.token;
  place = { id: space.id, organizationId: organization.id };
  const comment = await world.insert((rows) =>
    addComment(rows, { spaceId: space.id, postedById: editor.id, markdown: "x".repeat(5000) }),
  );
  commentId = comment.id;
});

/** Writes many events of the comment at once, as after a large import. */
const happen = (count: number) =>
  app.database.pool.query(
    `insert into "OutboxEvent" (type, "subjectId", "spaceId", "organizationId")
      select 'comment.updated', $1, $2, $3 from generate_series(1, $4::int)`,
    [commentId, place.id, place.organizationId, count],
  );

const repeated = Array.from({ length: flood.bytesEach / 5000 }, (_, index) => `text${index}: body { markdown }`).join(
  " ",
);
const query = `subscription ($space: ID!, $after: String) { commentEvents(of: { spaceId: $space }, after: $after) {
  __typename ... on StreamMessage { cursor } ... on Resync { reason from to } ... on CommentEdited { comment { ${repeated} } } } }`;

/** A reader, after its Ready. */
async function listen(after?: string): Promise<TestStream> {
  const stream = await openStream(app.url, token, { space: place.id, after }, query);
  await stream.next();
  return stream;
}

const eventsOfSpace = async () =>
  (await readTable(app.database.pool, { spaceId: place.id, types: ["comment"] })).map(({ cursor }) => cursor);

test("a subscriber that reads a long backlog slowly receives all of it", async () => {
  const { eventCursor } = await app.as(token).query<{ eventCursor: string }>("{ eventCursor }");
  const early = await listen();
  await happen(flood.events);
  await early.cursors(flood.events); // now these are past events
  const slow = await listen(eventCursor);
  slow.raw.socket.pause();
  while (backlog() < 1024 * 1024) await turn(); // until the gateway waits for it
  await happen(1);
  const all = await eventsOfSpace();
  expect(await early.cursors(1)).toEqual(all.slice(-1)); // others do not wait
  expect(backlog()).toBeLessThan(bound);
  slow.raw.socket.resume();
  expect(await slow.cursors(all.length)).toEqual(all);
  for (const stream of [slow, early]) stream.end();
}, 120_000);
