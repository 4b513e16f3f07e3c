// The event log reader with a real PostgreSQL: one order for all readers in any commit order, no gap after lost
// connections, and cursors.
import fc from "fast-check";
import pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "#src/db/connection/database.ts";
import { defineEvents } from "#src/events/declared.ts";
import type { StoredEvent } from "#src/events/event.ts";
import { Feed } from "#src/events/event-log.ts";
import { comparePositions, decodeEventCursor, encodeEventCursor, outboxStart } from "#src/events/outbox-position.ts";
import { PostgresWakeups, silentWakeups, type Wakeups } from "#src/events/wakeups.ts";
import { type EventScope, findEnd, readOutbox } from "#src/events/read-outbox.ts";
import { trimOutbox } from "#src/events/segments.ts";
import { FolderStore } from "#src/files/folder-store.ts";
import { settled } from "#test/live/outbox.ts";
import { createTestDatabase, type TestDatabase } from "#test/support/test-database.ts";

const log = pino({ level: "silent" });
const start = outboxStart;

let throwAway: TestDatabase;
let database: Database;

beforeAll(async () => {
  throwAway = await createTestDatabase();
  database = openDatabase({ url: throwAway.url });
});
afterAll(async () => {
  await database.close();
  await throwAway.drop();
});

/** Writes an event, identified by its subject. */
const write = (client: pg.ClientBase | pg.Pool, subject: string, spaceId = "spc_one") =>
  client.query(
    `insert into "OutboxEvent" (type, "subjectId", "spaceId", "organizationId") values ('test.done', $1, $2, 'org_one')`,
    [subject, spaceId],
  );

/** A new event log reader, with its delivered events and a way to wait for the event of a subject. */
async function openFeed(wakeups: Wakeups = silentWakeups, pollMs = 60_000) {
  const feed = new Feed({ database, wakeups, log, pollMs });
  const delivered: StoredEvent[] = [];
  const waiting = new Map<string, () => void>();
  feed.listen((events) => {
    delivered.push(...events);
    for (const { subjectId } of events) waiting.get(subjectId)?.();
  });
  await feed.start();
  const received = (subject: string) =>
    new Promise<void>((resolve) => {
      if (delivered.some(({ subjectId }) => subjectId === subject)) resolve();
      else waiting.set(subject, resolve);
    });
  return { feed, delivered, received, subjects: () => delivered.map(({ subjectId }) => subjectId) };
}

async function allEvents(): Promise<StoredEvent[]> {
  await settled(database.pool);
  const { events } = await readOutbox(database, { after: start, limit: 100_000 });
  return [...events];
}

describe("the order of events", () => {
  test("keeps an event that commits after a newer one", async () => {
    const { feed, subjects, received } = await openFeed();
    const slow = await database.pool.connect();
    await slow.query("begin");
    await write(slow, "slow");
    await write(database.pool, "quick");
    feed.wake();
    const waiting = await readOutbox(database, { after: start, limit: 10 });
    expect(waiting).toMatchObject({ isWaiting: true });
    expect(waiting.events.map(({ subjectId }) => subjectId)).not.toContain("quick");
    await slow.query("commit");
    slow.release();
    // There is a notification for neither: the reader waits for the older transaction by itself.
    await Promise.all([received("slow"), received("quick")]);
    expect(subjects()).toEqual(["slow", "quick"]);
    await feed.stop();
  });

  test("does not wait long for a transaction that rolls back", async () => {
    const { feed, received } = await openFeed();
    const slow = await database.pool.connect();
    await slow.query("begin");
    await write(slow, "never");
    await write(database.pool, "after the rollback");
    feed.wake();
    await slow.query("rollback");
    slow.release();
    await received("after the rollback");
    await feed.stop();
  });

  test("is the same for all readers and has every event once under concurrent writers", async () => {
    const step = fc.record({
      writer: fc.integer({ min: 0, max: 4 }),
      act: fc.constantFrom("write", "write", "commit", "rollback"),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        run++;
        await settled(database.pool); // including work of the server itself, which delays events while it writes
        const before = await findEnd(database);
        const readers = await Promise.all([openFeed(), openFeed(), openFeed()]);
        const writers = await Promise.all(Array.from({ length: 5 }, () => database.pool.connect()));
        const open = new Map<number, string[]>();
        const committed: string[] = [];
        for (const [index, { writer, act }] of steps.entries()) {
          const client = writers[writer];
          if (!client) continue;
          const own = open.get(writer);
          if (act === "write") {
            if (!own) await client.query("begin");
            const subject = `${run}/${index}`;
            await write(client, subject);
            open.set(writer, [...(own ?? []), subject]);
          } else if (own) {
            await client.query(act);
            open.delete(writer);
            if (act === "commit") committed.push(...own);
          }
          readers[index % 3]?.feed.wake();
        }
        for (const [writer, own] of open) {
          await writers[writer]?.query("commit");
          committed.push(...own);
        }
        for (const client of writers) client.release();
        await write(database.pool, `${run}/end`);
        for (const { feed } of readers) feed.wake();
        await Promise.all(readers.map(({ received }) => received(`${run}/end`)));
        await settled(database.pool);
        const { events } = await readOutbox(database, { after: before, limit: 1000 });
        const table = events.map(({ subjectId }) => subjectId);
        for (const { subjects } of readers) expect(subjects()).toEqual(table);
        expect(table.toSorted()).toEqual([...committed, `${run}/end`].toSorted());
        await Promise.all(readers.map(({ feed }) => feed.stop()));
      }),
      { numRuns: 30 },
    );
  });
});

describe("PostgreSQL notifications", () => {
  test("reach readers in other processes", async () => {
    const [here, there] = await Promise.all([
      openFeed(new PostgresWakeups({ url: throwAway.url, log })),
      openFeed(new PostgresWakeups({ url: throwAway.url, log })),
    ]);
    await listening(2);
    await write(database.pool, "from here");
    here.feed.wake();
    await Promise.all([here.received("from here"), there.received("from here")]);
    await Promise.all([here.feed.stop(), there.feed.stop()]);
  });

  test("resume after a lost connection, with the events of the gap", async () => {
    const { feed, received } = await openFeed(new PostgresWakeups({ url: throwAway.url, log, heartbeatMs: 100 }));
    await listening(1);
    await database.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and (query like 'listen docgraph%' or query = 'select 1')`);
    await write(database.pool, "meanwhile"); // no notification is sent
    await received("meanwhile");
    await feed.stop();
  });

  async function listening(count: number): Promise<void> {
    for (;;) {
      const { rowCount } = await database.pool.query(
        `select from pg_stat_activity where datname = current_database() and (query like 'listen docgraph%' or query = 'select 1')`,
      );
      if ((rowCount ?? 0) >= count) return;
    }
  }
});

/** The result of a replay that must not be refused. */
function partOf(replayed: Awaited<ReturnType<Feed["replay"]>>) {
  if (typeof replayed === "string") throw new Error(replayed);
  return replayed;
}

describe("reading after a cursor", () => {
  test("returns the same later events in its scope from memory and from the table", async () => {
    await settled(database.pool);
    const early = await openFeed();
    const after = early.feed.position;
    await write(database.pool, "a", "spc_a");
    await write(database.pool, "b", "spc_b");
    await write(database.pool, "c", "spc_a");
    early.feed.wake();
    await early.received("c");
    await settled(database.pool);
    const late = await openFeed();
    for (const { feed } of [early, late]) {
      const until = feed.position;
      const subjects = async (scope: EventScope) =>
        partOf(await feed.replay(after, until, scope)).events.map(({ subjectId }) => subjectId);
      expect(await subjects({ by: "spaceId", ids: ["spc_a"] })).toEqual(["a", "c"]);
      expect(await subjects({ by: "organizationId", ids: ["org_one"] })).toEqual(["a", "b", "c"]);
      expect(await subjects({ by: "spaceId", ids: ["spc_none"] })).toEqual([]);
      expect(await subjects({ by: "spaceId", ids: ["spc_b", "spc_a"] })).toEqual(["a", "b", "c"]);
      await feed.stop();
    }
  });

  test("stops at the requested position after any number of batches", async () => {
    const first = (await allEvents()).at(-1)?.position ?? start;
    await database.pool.query(
      `insert into "OutboxEvent" (type, "subjectId", "spaceId") select 'test.done', 'n' || n, 'spc_many' from generate_series(1, 2500) n`,
    );
    await settled(database.pool);
    const { feed } = await openFeed();
    const until = feed.position;
    await write(database.pool, "too late", "spc_many");
    const subjects: string[] = [];
    for (let at = first; comparePositions(at, until) < 0;) {
      const part = partOf(await feed.replay(at, until, { by: "spaceId", ids: ["spc_many"] }));
      subjects.push(...part.events.map(({ subjectId }) => subjectId));
      at = part.position;
    }
    expect(subjects).toEqual(Array.from({ length: 2500 }, (_, index) => `n${index + 1}`));
    await feed.stop();
  });
});

describe("old events", () => {
  test("notifies readers of events older than a day, and then removes transient ones", async () => {
    defineEvents({ passed: "test.passed" }, { isPassing: true });
    await write(database.pool, "ancient");
    await database.pool.query(`update "OutboxEvent" set "createdAt" = now() - interval '91 days'`);
    await write(database.pool, "passing");
    await database.pool.query(
      `update "OutboxEvent" set "createdAt" = now() - interval '25 hours', type = 'test.passed' where "subjectId" = 'passing'`,
    );
    await write(database.pool, "old");
    await database.pool.query(
      `update "OutboxEvent" set "createdAt" = now() - interval '25 hours' where "subjectId" = 'old'`,
    );
    await write(database.pool, "young");
    const all = await allEvents();
    const [old, young] = [all.at(-2), all.at(-1)];
    const { feed } = await openFeed();
    await trimOutbox.run({
      database,
      files: new FolderStore("/nowhere"),
      fetch: () => Promise.reject(new Error("it asks for nothing")),
      log,
      clock: { now: () => new Date() },
      readTxtRecords: () => Promise.resolve([]),
    });
    expect((await allEvents()).map(({ subjectId }) => subjectId).slice(-3)).toEqual(["ancient", "old", "young"]);
    expect(await feed.replay(start, feed.position)).toBe("expired");
    expect(await feed.replay(old?.position ?? start, feed.position)).toMatchObject({
      events: [{ subjectId: "young" }],
    });
    expect(await feed.replay(young?.position ?? start, feed.position)).toMatchObject({ events: [] });
    await feed.stop();
  });
});

describe("cursors", () => {
  test("round-trip", () => {
    const number = fc.nat({ max: Number.MAX_SAFE_INTEGER });
    const epoch = fc.stringMatching(/^[0-9a-f]{1,8}$/);
    const full = fc.record({ epoch, transaction: number, id: number, at: fc.nat({ max: 8.64e15 }) });
    const former = fc.record({ epoch: fc.constant("0"), transaction: number, id: number, at: fc.constant(null) });
    fc.assert(
      fc.property(fc.oneof(full, former), (position) => {
        expect(decodeEventCursor(encodeEventCursor(position), "after")).toEqual(position);
      }),
    );
  });

  test.each(["", "x", "ZTEuMg==", "ZTEuMg\u0000", "e1.2", "9".repeat(100)])("refuses the cursor %j", (text) => {
    expect(() => decodeEventCursor(text, "after")).toThrow(expect.objectContaining({ code: "INVALID_INPUT" }));
  });
});
