// Failures stay isolated: locks, a read-only, full or unavailable database, more requests than connections.
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { sql } from "#src/db/connection/database.ts";
import { answerOf } from "#src/db/connection/database-errors.ts";
import { textFile, uploadDocument } from "#test/features/content/uploads.ts";
import { startDatabaseProxy } from "#test/live/network-proxy.ts";
import { type OwnPostgres, startOwnPostgres } from "#test/live/postgres.ts";
import { type TestApp, testApp, useApp } from "#test/support/app.ts";
import { lockHolder } from "#test/support/locks.ts";
import { createWorld, times, type World } from "#test/support/world.ts";

// On its own database: locks whole tables, cuts connections, and counts lines of the log.
const { app, world } = await useApp({ own: true });
const { space, comment, admin, creator, reviewer, editor, commenter, reader, teamOwner } = await world.comment();

const others: AsyncDisposable[] = [];
afterEach(async () => {
  // The last first: a database is dropped when those beside its owner have left it.
  for (const other of others.splice(0).toReversed()) await other[Symbol.asyncDispose]();
});

/** Another gateway on the database of this file, with its log lines. */
async function gateway(options: Parameters<typeof testApp>[0] = {}) {
  const lines: { level: number; msg: string; code?: string }[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) }); // pino's form
  const other = await testApp({ beside: app, log, ...options });
  others.push(other);
  return { other, lines, as: other.as(admin.token) };
}

const both = `query ($id: ID!) { present: space(id: $id) { title } locked: space(id: $id) { comments { nodes { id } } } }`;
const rename = `mutation ($id: ID!) { updateSpace(input: { spaceId: $id, title: "Renamed" }) { space { title } } }`;
const postComment = `mutation ($id: ID!) { createComment(input: { contentOf: { spaceId: $id }, text: { markdown: "Hi" } }) { comment { id } } }`;
const id = space.id;

describe("a locked table", () => {
  const limits = { lockTimeoutMs: 100 };

  test("is an error in its field, and other fields of the response are returned", async () => {
    const { as, other } = await gateway({ limits });
    const { pool, wires } = other.database;
    if (!wires) throw new Error("It has no connections for hot reads");
    const sent = [vi.spyOn(pool, "query"), vi.spyOn(wires, "query")];
    await using holder = await lockHolder(app.databaseUrl);
    await holder.hold(`lock table "Comment"`);
    const { status, data, errors } = await as.graphql(both, { id });
    expect([status, data]).toEqual([200, { present: { title: space.title }, locked: null }]);
    expect(errors).toMatchObject([{ path: ["locked", "comments"], extensions: { code: "TIMEOUT" } }]);
    const texts = sent.flatMap(({ mock }) => mock.calls.map((call: unknown[]) => JSON.stringify(call)));
    expect(texts.filter((text) => text.includes(`from \\"Comment\\"`))).toHaveLength(1); // not repeated
  });

  test("returns 503 with Retry-After in /v1, and other tables respond", async () => {
    const { as } = await gateway({ limits });
    await using holder = await lockHolder(app.databaseUrl);
    await holder.hold(`lock table "Comment"`);
    const { status, headers, body } = await as.rest("GET", `/v1/spaces/${id}/comments`);
    expect([status, headers.get("retry-after"), body]).toMatchObject([503, "1", { error: { code: 503 } }]);
    expect((await as.rest("GET", "/v1/orgs")).status).toBe(200);
  });

  test("makes a waiting mutation time out without writing anything", async () => {
    const { as } = await gateway({ requestTimeoutMs: 300, limits: { lockTimeoutMs: 60_000 } });
    await using holder = await lockHolder(app.databaseUrl);
    await holder.hold(`lock table "Comment"`);
    const count = () => app.database.prisma.comment.count();
    expect(await as.refusal(`query ($id: ID!) { comment(id: $id) { id } }`, { id: comment.id })).toBe("TIMEOUT");
    expect(await as.refusal(postComment, { id })).toBe("TIMEOUT");
    await holder.release();
    expect(await count()).toBe(2);
  });
});

describe("the last use of a locked token", () => {
  const lastUse = async () =>
    (await app.database.prisma.apiToken.findFirstOrThrow({ where: { userId: editor.id } })).lastUsedAt;

  test("is written later without delaying requests", async () => {
    const other = await testApp({ beside: app });
    await using holder = await lockHolder(app.databaseUrl);
    await holder.hold(`lock table "ApiToken" in share mode`);
    expect(await other.as(editor.token).query("{ viewer { id } }")).toEqual({ viewer: { id: editor.id } });
    expect(await lastUse()).toBeNull();
    await holder.release();
    await other.close();
    expect(await lastUse()).toBeInstanceOf(Date);
  });
});

test("six users whose operations wait for a lock leave connections to a seventh who reads and writes", async () => {
  const { other } = await gateway({ limits: { lockTimeoutMs: 60_000, statementTimeoutMs: 60_000 } });
  await using holder = await lockHolder(app.databaseUrl);
  await holder.hold(`lock table "Comment"`);
  const six = [editor, creator, reviewer, commenter, reader, teamOwner];
  const slow = six.flatMap(({ token }) => times(10, () => other.as(token).graphql(both, { id })));
  // Four connections for hot reads, one of each user, and a third of the ten beside these.
  await expect.poll(() => holder.waiting(), { timeout: 20_000 }).toBeGreaterThanOrEqual(4 + six.length + 3);
  const seventh = other.as(admin.token);
  const read = `query ($id: ID!) { space(id: $id) { title } }`;
  const reads = times(5, () => seventh.query(read, { id }));
  expect(await Promise.all(reads)).toEqual(times(5, () => ({ space: { title: space.title } })));
  expect(await seventh.query(rename, { id })).toEqual({ updateSpace: { space: { title: "Renamed" } } });
  expect(await holder.waiting()).toBe(4 + six.length + 3);
  await holder.release();
  for (const { errors } of await Promise.all(slow)) expect(errors).toBeUndefined();
});

test("a read-only database serves reads and returns UNAVAILABLE for mutations", async () => {
  const own = await testApp();
  others.push(own);
  const made = await createWorld(own.database).space();
  const name = new URL(own.databaseUrl).pathname.slice(1);
  await own.database.pool.query(`alter database ${name} set default_transaction_read_only = on`);
  const { lines, other } = await gateway({ beside: own });
  const caller = other.as(made.admin.token);
  expect((await caller.graphql(both, { id: made.space.id })).errors).toBeUndefined();
  expect(await caller.refusal(rename, { id: made.space.id })).toBe("UNAVAILABLE");
  expect((await caller.rest("PATCH", `/v1/spaces/${made.space.id}`, { body: { title: "No" } })).status).toBe(503);
  expect(await (await fetch(`${other.url}/readyz`)).json()).toMatchObject({ status: "ok", isReadOnly: true });
  expect(lines.filter(({ level }) => level > 40)).toEqual([]);
});

test("returns UNAVAILABLE on every transport while the database is down, and recovers", async () => {
  await using proxy = await startDatabaseProxy(app.databaseUrl);
  const { as, lines, other } = await gateway({ beside: { databaseUrl: proxy.url } });
  await as.query("{ viewer { id } }");
  proxy.disconnect();
  const { status, headers, errors } = await as.graphql("{ viewer { id } }");
  expect([status, headers.get("retry-after"), errors?.[0]?.extensions.code]).toEqual([503, "1", "UNAVAILABLE"]);
  expect((await as.rest("GET", `/v1/spaces/${id}`)).status).toBe(503);
  expect((await fetch(`${other.url}/readyz`)).status).toBe(503);
  expect((await fetch(`${other.url}/healthz`)).status).toBe(200);
  proxy.reconnect();
  expect(await as.query("{ viewer { id } }")).toEqual({ viewer: { id: admin.id } });
  const [requests, causes] = [/^request$/, /^(?!request$)/].map((of) =>
    lines.filter(({ code, msg }) => code === "UNAVAILABLE" && of.test(msg)).map(({ level }) => level),
  );
  expect(requests).toEqual([30, 30]);
  expect(new Set(causes)).toEqual(new Set([40])); // a line a second
  expect(lines.filter(({ level }) => level > 40)).toEqual([]);
});

describe("a PostgreSQL of this file, since others would wait for it:", () => {
  let postgres: OwnPostgres;
  let own: TestApp;
  let made: Awaited<ReturnType<World["space"]>>;
  beforeAll(async () => {
    postgres = await startOwnPostgres();
    const limits = { statementTimeoutMs: 600_000 };
    own = await testApp({ beside: { databaseUrl: postgres.url }, requestTimeoutMs: 4_000, limits });
    made = await createWorld(own.database).space();
  });
  afterAll(async () => {
    await own.close();
    await postgres[Symbol.asyncDispose]();
  });

  test("times out a mutation when the database freezes", async () => {
    await using holder = await lockHolder(postgres.url);
    await holder.hold(`lock table "Comment"`);
    const refused = own.as(made.editor.token).refusal(postComment, { id: made.space.id });
    await holder.waiters(1, `%"Comment"%`);
    const waiting = sql`select pid from pg_stat_activity where wait_event_type = 'Lock' and query ilike '%"Comment"%'`;
    const [session] = await own.database.vital.query<{ pid: number }>(waiting);
    if (!session) throw new Error("Nobody waits for the lock");
    process.kill(session.pid, "SIGSTOP");
    try {
      expect(await refused).toBe("UNAVAILABLE");
    } finally {
      process.kill(session.pid, "SIGCONT");
    }
  });

  test("does not acknowledge a mutation before a standby confirms it", async () => {
    const isDone = async (markdown: string) => {
      const query = `mutation ($id: ID!, $markdown: String!) { createComment(input: { contentOf: { spaceId: $id }, text: { markdown: $markdown } }) { __typename } }`;
      const { errors } = await own.as(made.editor.token).graphql(query, { id: made.space.id, markdown });
      if (errors) expect(errors).toMatchObject([{ extensions: { code: "UNAVAILABLE" } }]);
      return !errors;
    };
    await postgres.pool.query("alter system set synchronous_standby_names = 'away'");
    await postgres.pool.query("select pg_reload_conf()");
    let count = 1;
    while (await isDone(`${count}`)) count++; // until the setting takes effect
    await postgres.pool.query("alter system reset synchronous_standby_names");
    await postgres.pool.query("select pg_reload_conf()");
    await expect.poll(() => own.database.prisma.comment.count()).toBe(count);
  });
});

test("refuses requests beyond the connection queue at once, except token lookups and health checks", async () => {
  const { as, other } = await gateway({ limits: { poolSize: 1 } });
  const held = await other.database.pool.connect();
  const waiting = times(200, () => other.database.pool.connect().then((client) => client.release()));
  expect(await as.refusal(rename, { id })).toBe("UNAVAILABLE");
  expect((await fetch(`${other.url}/readyz`)).status).toBe(200);
  held.release();
  await Promise.all(waiting);
});

test("returns 507 for a file if the disk is full", async () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  const spy = vi.spyOn(app.files, "receive").mockRejectedValueOnce(full);
  const input = { contentOf: { spaceId: id }, file: textFile() };
  const { status, errors } = await app.as(admin.token).graphql(uploadDocument, { input });
  spy.mockRestore();
  expect([status, errors?.[0]?.extensions.code]).toEqual([507, "STORAGE_FULL"]);
});

describe("internal errors", () => {
  /** As Prisma wraps an error of PostgreSQL. */
  const ofPrisma = (code: string) =>
    Object.assign(new Error("Raw query failed"), {
      code: "P2010",
      meta: { driverAdapterError: Object.assign(new Error(), { cause: { originalCode: code, kind: "postgres" } }) },
    });
  const withCode = (code: string) => Object.assign(new Error("no luck"), { code });

  test.each([
    ["TIMEOUT", withCode("57014")],
    ["TIMEOUT", ofPrisma("57014")],
    ["TIMEOUT", withCode("P2028")],
    ["TIMEOUT", ofPrisma("55P03")],
    ["TIMEOUT", ofPrisma("40P01")],
    ["UNAVAILABLE", withCode("P1008")],
    ["UNAVAILABLE", ofPrisma("53100")],
    ["UNAVAILABLE", withCode("53300")],
    ["UNAVAILABLE", withCode("57P01")],
    ["UNAVAILABLE", new AggregateError([withCode("ECONNREFUSED")])],
    ["UNAVAILABLE", new Error("Connection terminated unexpectedly")],
    ["STORAGE_FULL", withCode("ENOSPC")],
    [undefined, ofPrisma("42601")],
    ["UNAVAILABLE", Object.assign(new Error("connect ENOENT /run/.s.PGSQL.5432"), { code: "ENOENT" })],
    [undefined, Object.assign(new Error("ENOENT: no such file"), { code: "ENOENT" })],
    [undefined, new Error("a bug")],
    [undefined, "no error at all"],
  ])("maps a database error to the code %s (%#)", (code, error) => {
    expect(answerOf(error)?.code).toBe(code);
  });

  test("repeated internal errors are logged once a second with their count", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const lines: unknown[] = [];
    const log = { warn: (line: object) => void lines.push(line) };
    for (const code of ["57014", "53100", "57014", "57014"]) answerOf(withCode(code), log);
    vi.advanceTimersByTime(1001);
    answerOf(withCode("57014"), log);
    vi.useRealTimers();
    expect(lines).toMatchObject([{ code: "TIMEOUT" }, { code: "UNAVAILABLE" }, { code: "TIMEOUT", othersBefore: 2 }]);
  });
});
