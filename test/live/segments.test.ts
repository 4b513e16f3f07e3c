// Segments of the outbox: streams and event lists continue from one to the next under concurrent writes, and old
// segments are dropped as a whole.
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { sql } from "#src/db/connection/database.ts";
import { beginSegment, trimOutbox } from "#src/events/segments.ts";
import { eventCursor, post } from "#test/live/requests.ts";
import { readTable, settled } from "#test/live/outbox.ts";
import { openStream } from "#test/live/stream.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { lockHolder } from "#test/support/locks.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp({ pollMs: 20 });
const { database } = app;
const day = 24 * 3_600_000;

/** Makes the outbox begin another segment, by ageing the last one. */
const goOn = (on = database) => beginSegment(on, new Date(Date.now() + day));

/** Runs the job as if `days` days later. */
const trimLater = (days: number, on = database) =>
  trimOutbox.run({
    database: on,
    files: app.files,
    fetch: app.fetch,
    log: pino({ level: "silent" }),
    clock: { now: () => new Date(Date.now() + days * day) },
    readTxtRecords: () => Promise.resolve([]),
  });

async function segments(): Promise<number[]> {
  const rows = await database.query<{ id: number; table: string | null }>(
    sql`select s.id, to_regclass(format('%I', 'OutboxEvent_' || s.id))::text as table from "OutboxSegment" s order by s.id`,
  );
  expect(rows.map(({ table }) => table)).toEqual(rows.map(({ id }) => `"OutboxEvent_${id}"`));
  return rows.map(({ id }) => id);
}

/** The segments of the events of a space, in outbox order. */
async function placesOf(spaceId: string): Promise<number[]> {
  const rows = await database.query<{ segment: number }>(
    sql`select segment from "OutboxEvent" where "spaceId" = ${spaceId} order by "transactionId", id`,
  );
  return rows.map(({ segment }) => segment);
}

interface Page {
  readonly space: {
    readonly activity: {
      readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
      readonly nodes: readonly { readonly comment: { readonly id: string } | null }[];
    };
  };
}

/** The comments in the activity of a space, newest first, page by page; `between` runs after each page. */
async function commentsIn(token: string, spaceId: string, between: () => Promise<unknown> = () => Promise.resolve()) {
  const query = `query ($id: ID!, $after: String) { space(id: $id) { activity(first: 2, after: $after) {
    pageInfo { endCursor hasNextPage } nodes { ... on CommentPosted { comment { id } } } } } }`;
  const seen: (string | undefined)[] = [];
  for (let after: string | null = null, isLast = false; !isLast;) {
    const { space }: Page = await app.as(token).query<Page>(query, { id: spaceId, after });
    seen.push(...space.activity.nodes.map(({ comment }) => comment?.id));
    after = space.activity.pageInfo.endCursor;
    isLast = !space.activity.pageInfo.hasNextPage;
    await between();
  }
  return seen;
}

afterEach(() => settled(database.pool));

test("streams and event lists continue across outbox segments, live and by cursor", async () => {
  const { editor, space } = await world.space();
  const { token } = editor;
  const begin = await eventCursor(app, token);
  const live = await openStream(app.url, token, { space: space.id });
  await live.next();
  const ids: string[] = [];
  for (const turn of times(4, (index) => index)) {
    ids.push(await post(app, token, space.id), await post(app, token, space.id));
    if (turn < 3) expect(await goOn()).toBe(true);
  }
  expect(new Set(await placesOf(space.id)).size).toBe(4);
  const cursors = await live.cursors(8);
  live.end();
  expect(cursors).toEqual(
    (await readTable(database.pool, { spaceId: space.id, types: ["comment"] })).map((e) => e.cursor),
  );

  await using late = await testApp({ beside: app }); // which has nothing in memory
  for (const [index, after] of [begin, ...cursors.slice(0, -1)].entries()) {
    const stream = await openStream(late.url, token, { space: space.id, after });
    await stream.next();
    expect(await stream.cursors(8 - index)).toEqual(cursors.slice(index));
    stream.end();
  }
  expect(await commentsIn(token, space.id)).toEqual(ids.toReversed());
  expect(await commentsIn(token, space.id, goOn)).toEqual(ids.toReversed());
});

test("events of a transaction that began before the segment appear in their order", async () => {
  const { editor, space } = await world.space();
  const stream = await openStream(app.url, editor.token, { space: space.id });
  await stream.next();
  const written: number[] = [];
  const write = (transaction: Pick<typeof database.prisma, "$executeRaw">, subjectId: string) =>
    transaction.$executeRaw(sql`insert into "OutboxEvent" (type, "subjectId", "spaceId", "organizationId")
      values ('comment.deleted', ${subjectId}, ${space.id}, ${space.organizationId})`);
  await database.prisma.$transaction(async (slow) => {
    await slow.$executeRaw(sql`select pg_current_xact_id()`);
    await write(database.prisma, "later, and in the segment before");
    await goOn();
    await write(database.prisma, "later");
    await write(slow, "first");
    written.push(...(await placesOf(space.id)));
  });
  const order = await readTable(database.pool, { spaceId: space.id, types: ["comment"] });
  expect(order.map(({ subjectId }) => subjectId)).toEqual(["first", "later, and in the segment before", "later"]);
  const [first, before, after] = await placesOf(space.id);
  expect([written.length, first, before]).toEqual([2, after, (after ?? 0) - 1]);
  expect(await stream.cursors(3)).toEqual(order.map(({ cursor }) => cursor));
  stream.end();
  const again = await openStream(app.url, editor.token, { space: space.id, after: order[0]?.cursor });
  await again.next();
  expect(await again.cursors(2)).toEqual(order.slice(1).map(({ cursor }) => cursor));
  again.end();
});

test("a new segment begins after all transactions that wrote events have committed", async () => {
  const { editor, space } = await world.space();
  await using locks = await lockHolder(app.databaseUrl);
  await locks.hold(
    `insert into "OutboxEvent" (type, "subjectId", "spaceId") values ('comment.deleted', 'cmt_held', '${space.id}')`,
  );
  const before = await segments();
  const beginning = goOn();
  await locks.waiters(1, "do $alone$%");
  const posting = post(app, editor.token, space.id); // it waits only as long as the segment does
  await posting;
  expect(await segments()).toEqual(before);
  await locks.release();
  expect(await beginning).toBe(true);
  expect((await segments()).length).toBe(before.length + 1);
  expect(new Set(await placesOf(space.id))).toEqual(new Set(before.slice(-1)));
  await database.query(sql`update "OutboxSegment" set "begunAt" = now() - interval '8 days'`);
  const weekAgo = new Date(Date.now() - 7 * day);
  expect(await Promise.all(times(4, () => beginSegment(database, weekAgo)))).toEqual([true, true, true, true]);
  expect((await segments()).length).toBe(before.length + 2);
  await database.query(sql`update "OutboxSegment" set "begunAt" = now()`);
});

test("a segment is dropped after 90 days, and cursors into it get Resync", async () => {
  const { editor, space } = await world.space();
  const { token } = editor;
  const old = await eventCursor(app, token);
  await post(app, token, space.id);
  await goOn();
  const before = await segments();
  await trimLater(6);
  expect(await segments()).toEqual(before); // younger than a week
  await trimLater(89);
  const [last = 0] = before.slice(-1);
  expect(await segments()).toEqual([...before, last + 1]);
  expect(await commentsIn(token, space.id)).toHaveLength(1);
  await trimLater(91);
  expect(await segments()).toEqual([last + 2]);
  const young = await post(app, token, space.id);
  expect(await commentsIn(token, space.id)).toEqual([young]);
  await using late = await testApp({ beside: app });
  const stream = await openStream(late.url, token, { space: space.id, after: old });
  await stream.next();
  expect(await stream.next()).toMatchObject({ __typename: "Resync", reason: "EXPIRED", from: old });
  stream.end();
});

test("a segment with an event that a cursor may still resume from is kept", async () => {
  const { editor, space } = await world.space();
  await post(app, editor.token, space.id);
  await goOn();
  const before = await segments();
  await database.query(sql`update "OutboxSegment" set "begunAt" = now() - interval '100 days'`);
  await trimLater(0);
  const [last = 0] = before.slice(-1);
  expect(await segments()).toEqual(expect.arrayContaining([last - 1, last, last + 1]));
  expect(await commentsIn(editor.token, space.id)).toHaveLength(1);
});
