// Transactions that delay events: only our own event-writing ones, and no others of the server.
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase, sql, type Statement } from "#src/db/connection/database.ts";
import { defineEvents } from "#src/events/declared.ts";
import type { StoredEvent } from "#src/events/event.ts";
import type { OutboxPosition } from "#src/events/outbox-position.ts";
import { appendEvents } from "#src/events/outbox.ts";
import { safePosition } from "#src/events/safe-position.ts";
import { findEnd, readOutbox } from "#src/events/read-outbox.ts";
import { beginSegment } from "#src/events/segments.ts";
import { lockHolder } from "#test/support/locks.ts";
import { createTestDatabase, type TestDatabase } from "#test/support/test-database.ts";
import { times } from "#test/support/world.ts";

const { happened } = defineEvents({ happened: "horizon.happened" });

let here: TestDatabase;
let elsewhere: TestDatabase;
let database: Database;

beforeAll(async () => {
  [here, elsewhere] = [await createTestDatabase(), await createTestDatabase({ empty: true })];
  database = openDatabase({ url: here.url });
});
afterAll(async () => {
  await database.close();
  await Promise.all([here.drop(), elsewhere.drop()]);
});

/** A session of another program. */
async function openSession(url: string, name: string | undefined): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: name });
  await client.connect();
  return client;
}

/** Begins a transaction with an id that stays open. */
async function beginToWrite(url: string, name: string | undefined): Promise<pg.Client> {
  const client = await openSession(url, name);
  await client.query("begin; select pg_current_xact_id()");
  return client;
}

/** Commits an event as commands do; `held` runs while its transaction is open. */
const writeEvent = (subjectId: string, held?: () => Promise<unknown>) =>
  database.prisma.$transaction(async (transaction) => {
    await appendEvents(transaction, null, [{ type: happened, subjectId }]);
    await held?.();
  });

/** The readable events after a position, and whether later ones are delayed. */
async function readAfter(after: OutboxPosition): Promise<{ subjects: string[]; isWaiting: boolean }> {
  const { events, isWaiting } = await readOutbox(database, { after, limit: 100 });
  return { subjects: events.map(({ subjectId }) => subjectId), isWaiting };
}

/**
 * The position of the last event, once it can be read. Any transaction that ends during a poll counts until the
 * next poll, and tests of other files have many.
 */
async function lastPosition(): Promise<OutboxPosition> {
  for (;;) {
    const end = await findEnd(database);
    const { subjects, isWaiting } = await readAfter(end);
    if (!isWaiting && subjects.length === 0) return end;
  }
}

const outsiders: readonly [string, () => Promise<() => Promise<unknown>>][] = [
  [
    "a session of somebody else",
    async () => {
      const client = await beginToWrite(here.url, "psql");
      return () => client.end();
    },
  ],
  [
    "a session of another database, whatever its name",
    async () => {
      const clients = [await beginToWrite(elsewhere.url, undefined), await beginToWrite(elsewhere.url, "docgraph")];
      return () => Promise.all(clients.map((client) => client.end()));
    },
  ],
  [
    "a writer of events of another database",
    async () => {
      const other = openDatabase({ url: elsewhere.url });
      const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const transaction = other.prisma.$transaction(async (inside) => {
        await inside.$queryRaw`select pg_current_xact_id()::text`;
        begun.resolve();
        await ended.promise;
      });
      await begun.promise;
      return async () => {
        ended.resolve();
        await transaction;
        await other.close();
      };
    },
  ],
  [
    "a prepared transaction",
    async () => {
      const client = await beginToWrite(here.url, "psql");
      await client.query("prepare transaction 'orphan'");
      await client.end();
      return () => database.pool.query("rollback prepared 'orphan'");
    },
  ],
];

test.each(outsiders)("%s does not delay events", async (_who, begin) => {
  const after = await lastPosition();
  const end = await begin();
  try {
    await writeEvent("told at once");
    await expect.poll(() => readAfter(after)).toEqual({ subjects: ["told at once"], isWaiting: false });
    await expect.poll(() => findEnd(database)).not.toEqual(after);
  } finally {
    await end();
  }
});

test("an open event-writing transaction delays later events", async () => {
  const after = await lastPosition();
  const other = await beginToWrite(here.url, "psql");
  await writeEvent("first", async () => {
    await writeEvent("second");
    expect(await readAfter(after)).toEqual({ subjects: [], isWaiting: true });
    await expect.poll(() => findEnd(database)).toEqual(after);
  });
  await expect.poll(() => readAfter(after)).toEqual({ subjects: ["first", "second"], isWaiting: false });
  await other.end();
});

test("an open event-writing transaction of the previous release delays later events", async () => {
  const after = await lastPosition();
  const old = await beginToWrite(here.url, undefined);
  await writeEvent("later");
  expect(await readAfter(after)).toEqual({ subjects: [], isWaiting: true });
  await old.end();
  await expect.poll(() => readAfter(after)).toEqual({ subjects: ["later"], isWaiting: false });
});

test("a transaction that ended after the reader's snapshot delays later events", async () => {
  await using gate = await lockHolder(here.url);
  await gate.hold("select pg_advisory_xact_lock(1)");
  let horizonThen: Promise<{ horizon: number }[]> | undefined;
  let writer = 0;
  await database.prisma.$transaction(async (transaction) => {
    await appendEvents(transaction, null, [{ type: happened, subjectId: "just missed" }]);
    [{ id: writer } = { id: 0 }] = await transaction.$queryRaw<
      { id: number }[]
    >`select pg_current_xact_id()::text::int as id`;
    await writeEvent("later");
    horizonThen = database.query<{ horizon: number }>(sql`with ${safePosition}
      select (select pg_advisory_xact_lock_shared(1)::text) as gate, (select h.id from horizon h) as horizon`);
    await gate.waiters(1);
  });
  await gate.release();
  expect((await horizonThen)?.[0]?.horizon).toBeLessThanOrEqual(writer); // an older one of another file may have ended
});

test("sessions have the application_name docgraph or the one in the database URL", async () => {
  const nameOf = async ({ url }: { url: string }) => {
    const named = openDatabase({ url });
    const [row] = await named.query<{ name: string }>({
      text: "select current_setting('application_name') as name",
      values: [],
    });
    await named.close();
    return row?.name;
  };
  expect(await nameOf(here)).toBe("docgraph");
  expect(await nameOf({ url: `${here.url}&application_name=docs` })).toBe("docs");
});

test("a reader gets every event once and in order for any overlap of transactions", async () => {
  const after = await lastPosition();
  const others = await Promise.all([openSession(here.url, "psql"), openSession(elsewhere.url, undefined)]);
  let isWriting = true;
  const writing = Promise.all(
    times(6, async (writer) => {
      for (let turn = 0; turn < 20; turn++) await writeEvent(`${writer}.${turn}`, () => sleep((writer * turn) % 4));
    }),
  ).finally(() => (isWriting = false));
  const disturbing = others.map(async (client) => {
    while (isWriting) await client.query("select pg_current_xact_id(), pg_sleep(random() / 300)");
  });
  const read: StoredEvent[] = [];
  let position = after;
  for (let isDone = false; !isDone;) {
    isDone = !isWriting;
    const reading = await readOutbox(database, { after: position, limit: 100 });
    read.push(...reading.events);
    position = reading.position;
    if (reading.isWaiting) isDone = false;
  }
  await Promise.all([writing, ...disturbing]);
  const { rows } = await database.pool.query<{ id: string }>(
    `select id from "OutboxEvent" where ("transactionId", id) > ($1, $2) order by "transactionId", id`,
    [after.transaction, after.id],
  );
  expect(read.map(({ position: { id } }) => `${id}`)).toEqual(rows.map(({ id }) => id));
  expect(rows).toHaveLength(6 * 20);
  await Promise.all(others.map((client) => client.end()));
});

/** The plans of the statements sent by `work`. */
async function plansOf(work: (asking: Pick<Database, "query">) => Promise<unknown>): Promise<string[]> {
  const asked: Statement[] = [];
  const query = <Row extends object>(statement: Statement) => {
    asked.push(statement);
    return database.query<Row>(statement);
  };
  await work({ query });
  const plans = asked.map(async ({ text }) => {
    const { rows } = await database.pool.query<{ "QUERY PLAN": string }>(`explain (costs off, generic_plan) ${text}`);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
  return Promise.all(plans);
}

test("a poll costs the same for any number of events", async () => {
  await database.query(
    sql`insert into "OutboxEvent" (type, "subjectId") select 'horizon.old', n::text from generate_series(1, 3000) n`,
  );
  await database.query(sql`analyze "OutboxEvent"`);
  const plans = await plansOf(async (asking) => readOutbox(asking, { after: await findEnd(asking), limit: 1000 }));
  expect(plans).toHaveLength(2);
  for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on "OutboxEvent/);
});

test("a poll costs the same for any number of segments: only recent ones are planned", async () => {
  const goOn = () => beginSegment(database, new Date(Date.now() + 60_000));
  for (const _ of times(3, () => 0)) {
    await goOn();
    await writeEvent("in a segment");
  }
  const after = await lastPosition();
  const { segment } = await readOutbox(database, { after, limit: 10 });
  const partitions = async () => {
    const [plan = ""] = await plansOf((asking) => readOutbox(asking, { after, limit: 10, segment }));
    return [...new Set(plan.match(/OutboxEvent_\d+(?=")/g))];
  };
  expect(await partitions()).toEqual(["OutboxEvent_4"]);
  await goOn();
  expect((await partitions()).toSorted()).toEqual(["OutboxEvent_4", "OutboxEvent_5"]);
  await writeEvent("in the next one");
  await expect.poll(() => readAfter(after)).toMatchObject({ subjects: ["in the next one"] });
  const { segment: next } = await readOutbox(database, { after: await lastPosition(), limit: 10, segment });
  expect(next.id).toBe(5);
});
