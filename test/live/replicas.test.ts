// Queries read from streaming replicas: clients read their own writes, and a lagging, unavailable or
// promoted replica is skipped.
import { afterAll, beforeEach, expect, test } from "vitest";
import { openReads, sql } from "#src/db/connection/database.ts";
import { readingDatabase } from "#src/db/replicas/reading-database.ts";
import { goOn, hasReplayed, holdBack, placeInLog, startReplica, startStranger } from "#test/live/clusters.ts";
import { eventCursor, post } from "#test/live/requests.ts";
import { Subscriber } from "#test/live/subscriber.ts";
import { type TestApp, testApp } from "#test/support/app.ts";
import { createWorld } from "#test/support/world.ts";

const primary = await startStranger(); // to the server of the tests
const replica = await startReplica(primary);
const reads = openReads({ url: replica.url });
const patient = {
  beside: { databaseUrl: primary.url },
  readReplicas: [{ name: "copy", reads }],
  mostBehindMs: 600_000,
};
const app = await testApp(patient);
const world = createWorld(app.database);
const { admin, editor, creator, reader, space } = await world.space({ space: { title: "Before" } });

afterAll(async () => {
  await app.close();
  await reads.close();
  await Promise.all([replica[Symbol.asyncDispose](), primary[Symbol.asyncDispose]()]);
});

beforeEach(async () => {
  await goOn(replica);
  await rename("Before");
  await hasReplayed(replica, await placeInLog(primary));
});

/** Changes the title directly in the primary. */
const rename = (title: string) => app.database.prisma.space.update({ where: { id: space.id }, data: { title } });

const titleOf = `{ space(id: "${space.id}") { title } }`;
const titleFor = async (of: TestApp, token: string) =>
  (await of.as(token).query<{ space: { title: string } }>(titleOf)).space.title;

interface Told {
  readonly status: string;
  readonly replicas: readonly { readonly name: string; readonly isUsed: boolean; readonly reason?: string }[];
}
const readiness = async (of: TestApp) => (await of.as(null).rest<Told>("GET", "/readyz")).body;

/** Waits until a gateway reports the expected state of its replica. */
async function untilTold(of: TestApp, expected: object): Promise<void> {
  await expect.poll(async () => (await readiness(of)).replicas, { timeout: 60_000 }).toMatchObject([expected]);
}

test("GraphQL and REST queries read from the replica; tokens are read from the primary", async () => {
  await untilTold(app, { name: "copy", isUsed: true });
  await holdBack(replica);
  await rename("After");
  expect(await titleFor(app, reader.token)).toBe("Before");
  const { body } = await app.as(reader.token).rest("GET", `/v1/spaces/${space.id}`);
  expect(body).toMatchObject({ title: "Before" });
  await app.database.prisma.apiToken.updateMany({ where: { userId: creator.id }, data: { revokedAt: new Date() } });
  expect(await app.as(creator.token).refusal(titleOf)).toBe("UNAUTHENTICATED");
});

test("a client reads its own writes at once, also at another gateway if it sends the header of the response", async () => {
  await using other = await testApp(patient);
  await untilTold(other, { isUsed: true });
  await holdBack(replica);
  const path = `/v1/spaces/${space.id}`;
  const written = await app.as(admin.token).rest("PATCH", path, { body: { title: "Mine" } });
  expect(written).toMatchObject({ status: 200, body: { title: "Mine" } });
  const position = written.headers.get("x-docgraph-consistency") ?? "";
  expect(position).toMatch(/^[0-9A-F]+\/[0-9A-F]+$/);
  expect(await titleFor(app, admin.token)).toBe("Mine");
  expect(await titleFor(app, reader.token)).toBe("Before");
  expect(await titleFor(other, admin.token)).toBe("Before");
  const headers = { "x-docgraph-consistency": position };
  expect(await other.as(admin.token).rest("GET", path, { headers })).toMatchObject({ body: { title: "Mine" } });
  await goOn(replica);
  await hasReplayed(replica, await placeInLog(primary));
  await expect.poll(() => titleFor(other, reader.token)).toBe("Mine");
});

test("a writer reads from the replica again once that has caught up with the write", async () => {
  await app.as(admin.token).rest("PATCH", `/v1/spaces/${space.id}`, { body: { title: "Mine" } });
  await expect
    .poll(async () => {
      await goOn(replica);
      await rename("Mine");
      await hasReplayed(replica, await placeInLog(primary));
      await holdBack(replica);
      await rename("Later");
      return titleFor(app, admin.token);
    })
    .toBe("Mine");
});

test("refuses a consistency header that docgraph did not issue", async () => {
  for (const sent of ["", "now", "0/", "0/0/0", "1", "0/123456789"]) {
    const headers = { "x-docgraph-consistency": sent };
    const { status, body } = await app.as(reader.token).rest("GET", `/v1/spaces/${space.id}`, { headers });
    expect({ sent, status, body }).toMatchObject({ status: 400, body: { error: { code: 400 } } });
  }
});

test("a subscriber reads the state after an event, also at another gateway if it sends the event's cursor", async () => {
  await using other = await testApp(patient);
  await untilTold(other, { isUsed: true });
  const field = `commentEvents(of: { spaceId: "${space.id}" })`;
  const of = { gateway: () => app.url, token: reader.token, field, over: "socket" } as const;
  const subscriber = await new Subscriber(of).start();
  await holdBack(replica);
  const comment = await post(app, editor.token, space.id);
  await subscriber.until(() => subscriber.received.some((event) => event.comment?.id === comment));
  const path = `/v1/spaces/${space.id}/comments/${comment}`;
  const statusOf = async (at: TestApp, token: string, headers = {}) =>
    (await at.as(token).rest("GET", path, { headers })).status;
  expect(await statusOf(app, reader.token)).toBe(200);
  expect(await statusOf(app, admin.token)).toBe(404); // from the replica
  expect(await statusOf(other, reader.token)).toBe(404);
  const headers = { "x-docgraph-consistency": subscriber.received.at(-1)?.cursor ?? "" };
  expect(await statusOf(other, reader.token, headers)).toBe(200);
  await subscriber.stop();
});

test("eventCursor of a replica read is not ahead of the replica, so a stream from it misses nothing", async () => {
  await holdBack(replica);
  const comment = await post(app, editor.token, space.id);
  const cursor = await eventCursor(app, reader.token);
  const subscriber = new Subscriber({
    gateway: () => app.url,
    token: reader.token,
    field: `commentEvents(of: { spaceId: "${space.id}" })`,
    over: "events",
    after: cursor,
  });
  await subscriber.start();
  await subscriber.until(() => subscriber.received.some((event) => event.comment?.id === comment));
  await subscriber.stop();
  expect(subscriber.faults).toEqual([]);
});

test("a statement that the replica refuses because it writes is sent to the primary", async () => {
  const { database } = app;
  const reading = readingDatabase(database, reads, () => {});
  const write = sql`update "Space" set title = ${"Written"} where id = ${space.id} returning title`;
  expect(await reading.query(write)).toEqual([{ title: "Written" }]);
  expect(await reading.query(sql`select pg_is_in_recovery() as "isCopy"`)).toEqual([{ isCopy: false }]);
});

test("an operation that has used Prisma reads from the primary from then on", async () => {
  const reading = readingDatabase(app.database, reads, () => {});
  const where = sql`select pg_is_in_recovery() as "isCopy"`;
  expect(await reading.query(where)).toEqual([{ isCopy: true }]);
  await reading.prisma.space.count();
  expect(await reading.query(where)).toEqual([{ isCopy: false }]);
});

test("a lagging replica is skipped until it has caught up", async () => {
  await using hurried = await testApp({ ...patient, mostBehindMs: 3_000 });
  await untilTold(hurried, { isUsed: true });
  await holdBack(replica);
  await rename("After");
  expect(await titleFor(hurried, reader.token)).toBe("Before");
  await untilTold(hurried, { isUsed: false, reason: "it is too far behind the primary" });
  expect(await titleFor(hurried, reader.token)).toBe("After");
  await goOn(replica);
  await untilTold(hurried, { isUsed: true });
});

test("a database of another cluster or one that is not a replica is not used", async () => {
  const stranger = openReads({ url: app.databaseUrl });
  await using lonely = await testApp({ ...patient, readReplicas: [{ name: "itself", reads: stranger }] });
  await untilTold(lonely, { name: "itself", isUsed: false, reason: "it is not a replica" });
  await using elsewhere = await testApp({ readReplicas: [{ name: "foreign", reads }] });
  await untilTold(elsewhere, {
    name: "foreign",
    isUsed: false,
    reason: "it belongs to another cluster than the primary",
  });
  expect(await titleFor(lonely, reader.token)).toBe("Before");
  await stranger.close();
});

test("queries go to the primary without errors while the replica is unavailable", async () => {
  await untilTold(app, { isUsed: true });
  await replica.stop();
  expect(await titleFor(app, reader.token)).toBe("Before");
  await untilTold(app, { isUsed: false, reason: "it does not respond" });
  expect(await titleFor(app, reader.token)).toBe("Before");
});
