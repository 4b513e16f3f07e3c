// The section on the outbox: two million events an hour for three hours, their size, the cost of removing them, and the
// effect of that and of the number of segments on readers and writers.
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { percentile, table } from "#test/bench/figures.ts";
import { withOwnDatabase } from "#test/bench/own-database.ts";
import { type Database, openDatabase, sql } from "#src/db/connection/database.ts";
import { Feed } from "#src/events/event-log.ts";
import { findEnd, readOutbox } from "#src/events/read-outbox.ts";
import { beginSegment, trimOutbox } from "#src/events/segments.ts";
import { silentWakeups } from "#src/events/wakeups.ts";
import type { JobContext } from "#src/jobs/job.ts";
import { times } from "#test/support/world.ts";

const [perHour, hours] = [2_000_000, 3] as const;

/** The largest duration of the removal, and delay of an event meanwhile, in milliseconds. */
const targets = { drop: 5000, pause: 1000 } as const;

/** Numbers of segments for which the cost of a poll is compared; the job keeps up to 15. */
const segmentCounts = [2, 15, 50] as const;

type Figure = readonly [what: string, figure: string];

interface Place {
  readonly database: Database;
  readonly say: (line: string) => void;
  readonly figures: Figure[];
  readonly missed: string[];
}

/** Makes a table of events, and measures on it. */
export async function measureOutbox(
  serverUrl: string,
  say: (line: string) => void,
): Promise<{ text: string; missed: string[] }> {
  return withOwnDatabase(serverUrl, "outbox", async (url) => {
    const database = openDatabase({ url, wires: false });
    const place: Place = { database, say, figures: [], missed: [] };
    try {
      await fill(place);
      await remove(place);
      await compareLooks(place);
      await compareWrites(place);
    } finally {
      await database.close();
    }
    const lines = [
      "## (outbox) Two million events an hour, for three hours",
      "",
      `The figures are of the table of events, its feed in a process and one writer, on one machine. Targets: a segment is dropped within ${targets.drop} ms, and no event comes later than ${targets.pause} ms meanwhile.`,
      "",
      ...table(["", ""], place.figures),
    ];
    return { text: lines.join("\n"), missed: place.missed };
  });
}

function note({ say, figures }: Place, what: string, figure: string): void {
  figures.push([what, figure]);
  say(`  ${what}: ${figure}`);
}

/** Durations in milliseconds. */
async function clocked(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const ms = (figure: number) => `${figure.toFixed(2)} ms`;

/** Events of three hours, a day ago, in the first segment. */
async function fill(place: Place): Promise<void> {
  const { database } = place;
  const batch = 20_000;
  const took = await clocked(async () => {
    for (const from of times((perHour * hours) / batch, (index) => index * batch)) {
      if (from > 0 && from % 1_000_000 === 0) place.say(`  ${from} events are written`);
      await database.pool
        .query(`insert into "OutboxEvent" (type, "subjectId", "organizationId", "spaceId", "actorId", payload, "createdAt")
        select 'comment.created', 'cmt_' || n, 'org_' || n % 50, 'spc_' || n % 5000, 'usr_' || n % 3000,
          jsonb_build_object('commentId', 'cmt_' || n, 'changeRequestId', 'chr_' || n % 20000),
          now() - interval '28 hours' + n * interval '1 hour' / ${perHour}
        from generate_series(${from + 1}, ${from + batch}) n`);
    }
  });
  await database.pool.query(`analyze "OutboxEvent"`);
  const [size] = await database.query<{ bytes: number }>(
    sql`select sum(pg_total_relation_size(relid))::bigint as bytes from pg_partition_tree('"OutboxEvent"')`,
  );
  const megabytes = (size?.bytes ?? 0) / 1e6;
  note(place, `${perHour * hours} events, written in batches of ${batch}`, seconds(took));
  note(
    place,
    "their size with all indexes",
    `${megabytes.toFixed(0)} MB, ${((megabytes * 1e6) / (perHour * hours)).toFixed(0)} bytes each`,
  );
}

/** Transactions of one event, into a new segment and into a new table that is not partitioned, as before; in turn. */
async function compareWrites(place: Place): Promise<void> {
  const { database } = place;
  await database.pool.query(`create table former (like "OutboxEvent" including all);
    alter table former drop constraint former_pkey, add primary key (id); create index on former ("createdAt")`);
  await goOn(database);
  const costs = new Map<string, number[]>([
    ["former", []],
    [`"OutboxEvent"`, []],
  ]);
  for (let round = 0; round < 20; round++)
    for (const [name, of] of costs)
      for (let turn = 0; turn < 100; turn++)
        of.push(
          await clocked(() =>
            database.query({
              text: `insert into ${name} (type, "subjectId", "organizationId", "spaceId", payload, "createdAt")
                values ('comment.created', $1, 'org_1', 'spc_1', '{"commentId": "cmt_1"}', clock_timestamp())`,
              values: [`cmt_${turn}`],
            }),
          ),
        );
  await database.pool.query(`drop table former`);
  const [before, after] = [...costs.values()].map((of) => ms(percentile(of, 50)));
  note(place, "an event is written and committed, p50: one table / in segments", `${before} / ${after}`);
}

/** The job passes the events of three hours, and drops their segment when they have expired. */
async function remove(place: Place): Promise<void> {
  const { database, missed } = place;
  await goOn(database); // new events go to another segment
  const passed = await listening(place, () => trim(place));
  note(
    place,
    "the mark passes all of them",
    `${seconds(passed.took)}; an event comes later by ${ms(passed.pause)} at most`,
  );
  const begun = await listening(place, () => goOn(database));
  note(place, "a segment is begun", `${ms(begun.took)}; an event comes later by ${ms(begun.pause)} at most`);
  await database.query(sql`update "OutboxSegment" set "begunAt" = now() - interval '91 days' where id = 2`);
  const dropped = await listening(place, () => trim(place));
  note(place, "their segment is dropped", `${ms(dropped.took)}; an event comes later by ${ms(dropped.pause)} at most`);
  if (dropped.took > targets.drop) missed.push(`(outbox) a segment is dropped in ${ms(dropped.took)}`);
  for (const { pause } of [passed, begun, dropped])
    if (pause > targets.pause) missed.push(`(outbox) an event came ${ms(pause)} later`);
  const left = await countSegments(database);
  if (left !== 2) throw new Error(`${left} segments are left instead of 2`);
}

async function trim({ database }: Place): Promise<void> {
  const clock = { now: () => new Date() };
  const context: Pick<JobContext, "database" | "clock" | "log"> = { database, clock, log: pino({ level: "silent" }) };
  await trimOutbox.run(context as JobContext); // all that it uses
}

/** The duration of `work`, and the longest time from before an event is written until it is delivered. */
async function listening({ database }: Place, work: () => Promise<unknown>): Promise<{ took: number; pause: number }> {
  const feed = new Feed({ database, wakeups: silentWakeups, log: pino({ level: "silent" }), pollMs: 20 });
  let pause = 0;
  feed.listen((events) => {
    for (const { subjectId } of events) pause = Math.max(pause, performance.now() - Number(subjectId));
  });
  await feed.start();
  let isOver = false;
  const writing = (async () => {
    while (!isOver) {
      await database.query(sql`insert into "OutboxEvent" (type, "subjectId", "spaceId")
        values ('test.done', ${String(performance.now())}, 'spc_1')`);
      feed.wake();
      await sleep(5);
    }
  })();
  const took = await clocked(work).finally(() => (isOver = true));
  await writing;
  await feed.flush({ waits: true });
  await feed.stop();
  return { took, pause };
}

/** Polls without new events. */
async function compareLooks(place: Place): Promise<void> {
  const { database } = place;
  const costs: string[] = [];
  for (const count of segmentCounts) {
    while ((await countSegments(database)) < count) await goOn(database);
    await database.query(
      sql`insert into "OutboxEvent" (type, "subjectId", "spaceId") values ('test.done', 'last', 'spc_1')`,
    );
    const after = await findEnd(database);
    let { segment } = await readOutbox(database, { after, limit: 1000 });
    const look = async () => ({ segment } = await readOutbox(database, { after, limit: 1000, segment }));
    const looks: number[] = [];
    for (let turn = 0; turn < 1100; turn++) looks.push(await clocked(look));
    costs.push(ms(percentile(looks.slice(100), 50)));
  }
  note(place, `a look that finds nothing, p50, with ${segmentCounts.join(" / ")} segments`, costs.join(" / "));
}

const goOn = (database: Database) => beginSegment(database, new Date(Date.now() + 60_000));

async function countSegments(database: Database): Promise<number> {
  const [found] = await database.query<{ count: number }>(sql`select count(*)::int as count from "OutboxSegment"`);
  return found?.count ?? 0;
}
