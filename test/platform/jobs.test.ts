// The scheduler of jobs, on a real PostgreSQL and a clock that is turned by hand: once for all processes, again after
// failures, after restarts.
import { TestClock } from "pg-boss";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { compareWithModels } from "#src/cli/database/schema-engine.ts";
import { type Database, openDatabase } from "#src/db/connection/database.ts";
import { FolderStore } from "#src/files/folder-store.ts";
import { countDeadLetters, deadLetterQueue, type Job } from "#src/jobs/job.ts";
import { type JobsOptions, type RunningJobs, startJobs, startJobsInTime } from "#src/jobs/start-jobs.ts";
import { layDatabaseCable } from "#test/live/cable.ts";
import { createTestDatabase, type TestDatabase } from "#test/support/test-database.ts";

const second = 1000;
const minute = 60 * second;

let throwAway: TestDatabase;
let database: Database;
let timers: TestClock;
let lines: { level: number; msg: string; job?: string; attempt?: number; of?: number; err?: { message: string } }[];
let started: RunningJobs[];
/** What came of each run. */
let outcomes: string[];

beforeAll(async () => {
  throwAway = await createTestDatabase();
  database = openDatabase({ url: throwAway.url });
});

afterAll(async () => {
  await database.close();
  await throwAway.drop();
});

beforeEach(() => {
  outcomes = [];
  timers = new TestClock(new Date("2026-03-02T09:59:30Z"));
  lines = [];
  started = [];
});

afterEach(async () => {
  for (const running of started) await running.stop({ graceMs: 0 });
  await database.pool.query("drop schema if exists pgboss cascade"); // the next one begins without any jobs
});

const start = (...jobs: Job[]) => startOn(timers, jobs);

/** A process with these jobs; without a clock, time passes for it by itself. */
async function startOn(schedulerClock: TestClock | undefined, jobs: Job[]): Promise<RunningJobs> {
  const running = await startJobs(optionsOf(schedulerClock, jobs));
  started.push(running);
  return running;
}

function optionsOf(schedulerClock: TestClock | undefined, jobs: Job[]): JobsOptions {
  return {
    url: throwAway.url,
    database,
    files: new FolderStore("/nowhere"), // no job here asks for it
    fetch: () => Promise.reject(new Error("no job here asks for anything")),
    clock: { now: () => new Date(timers.now()) },
    log: pino({}, { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) }), // what pino writes
    readTxtRecords: () => Promise.resolve([]), // nor for these
    jobs,
    onRun: ({ outcome }) => void outcomes.push(outcome),
    ...(schedulerClock && { schedulerClock }),
  };
}

/** An hourly job that keeps when it ran. */
function hourly(body: (attempt: number) => Promise<void> = () => Promise.resolve()) {
  const runs: string[] = [];
  const begun: (() => void)[] = [];
  const job: Job = {
    name: "thing.count",
    schedule: "0 * * * *",
    async run({ clock }) {
      runs.push(clock.now().toISOString().slice(11, 16));
      for (const tell of begun.splice(0)) tell();
      await body(runs.length);
    },
  };
  return { job, runs, begins: () => new Promise<void>((resolve) => begun.push(resolve)) };
}

/** Lets minutes pass, of which only the last seconds of each are played. */
async function passMinutes(count: number): Promise<void> {
  for (let passed = 0; passed < count; passed++) {
    await timers.setTime(new Date(timers.now() + minute - 5 * second));
    await timers.tick(5 * second);
  }
}

/** Jumps to a time of the day and lets the minute pass. */
async function passMinuteAt(time: string): Promise<void> {
  await timers.setTime(new Date(`2026-03-02T${time}Z`));
  await timers.tick(minute);
}

async function states(queue: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ state: string }>(
    "select state from pgboss.job where name = $1 order by created_on",
    [queue],
  );
  return rows.map(({ state }) => state);
}

test("a job runs at its hour, by the clock that it is given, and logs it", async () => {
  const { job, runs } = hourly();
  await start(job);
  await timers.tick(20 * second);
  expect(runs).toEqual([]);
  await timers.tick(minute);
  expect(runs).toEqual(["10:00"]);
  await passMinuteAt("10:30:00");
  await passMinuteAt("10:59:30");
  expect(runs).toEqual(["10:00", "11:00"]);
  expect(lines).toMatchObject([
    { job: "thing.count", msg: "job done" },
    { job: "thing.count", msg: "job done" },
  ]);
});

test("of several processes one runs an occurrence, no matter which started first, and also when one of them has stopped", async () => {
  const { job, runs } = hourly();
  const [first] = [await start(job), await start(job), await start(job)];
  await timers.tick(3 * minute);
  expect(runs).toEqual(["10:00"]);
  await first.stop();
  await passMinuteAt("10:59:30");
  await timers.tick(minute);
  expect(runs).toEqual(["10:00", "11:00"]);
  expect(await states(job.name)).toEqual(["completed", "completed"]);
});

test("several processes may start together on a database without any jobs", async () => {
  const processes = await Promise.all(Array.from({ length: 5 }, () => startOn(undefined, [hourly().job])));
  const { rows } = await database.pool.query("select name from pgboss.schedule");
  expect(rows).toEqual([{ name: "thing.count" }]);
  expect(lines).toEqual([]);
  await Promise.all(processes.map((running) => running.stop()));
});

test("a start while the database cannot be reached goes on once it can be, and ends when it is told to stop", async () => {
  await using cable = await layDatabaseCable(throwAway.url);
  cable.pull();
  const options = { ...optionsOf(undefined, [hourly().job]), url: cable.url, retryMs: 1 };
  const { promise: failed, resolve: tell } = Promise.withResolvers<void>();
  const log = pino({}, { write: (line) => (line.includes("it is tried again") ? tell() : undefined) });
  const stopping = new AbortController();
  const running = startJobsInTime({ ...options, log }, stopping.signal);
  await failed;
  cable.mend();
  await (await running)?.stop();
  expect(await states(hourly().job.name)).toEqual([]);

  cable.pull();
  const never = startJobsInTime(options, stopping.signal);
  stopping.abort();
  expect(await never).toBeNull();
});

test("a failed run is tried again, later each time, and the failures are logged", async () => {
  const { job, runs } = hourly((run) => (run < 3 ? Promise.reject(new Error("no luck")) : Promise.resolve()));
  await start(job);
  await passMinutes(20);
  expect(runs).toHaveLength(3);
  expect(lines).toMatchObject([
    {
      level: 40,
      job: "thing.count",
      msg: "job failed, and will be retried",
      attempt: 1,
      of: 5,
      err: { message: "no luck" },
    },
    { level: 40, attempt: 2 },
    { level: 30, msg: "job done" },
  ]);
  expect(await states(job.name)).toEqual(["completed"]);
  expect(await states(deadLetterQueue)).toEqual([]);
});

test("a run that fails at every attempt goes to the dead letters, and the next occurrence runs nevertheless", async () => {
  const { job, runs } = hourly((run) => (run <= 5 ? Promise.reject(new Error("no luck")) : Promise.resolve()));
  await start(job);
  await passMinutes(50);
  expect(runs).toHaveLength(5);
  expect(lines.at(-1)).toMatchObject({ level: 50, msg: "job failed for good", attempt: 5, of: 5 });
  expect(await states(deadLetterQueue)).toEqual(["created"]);
  expect(outcomes).toEqual(["failed", "failed", "failed", "failed", "dead"]);
  expect(await countDeadLetters(database)).toBe(1);
  const { rows } = await database.pool.query("select source_name from pgboss.job where name = $1", [deadLetterQueue]);
  expect(rows).toEqual([{ source_name: "thing.count" }]);
  await passMinuteAt("10:59:30");
  expect(runs.slice(5)).toEqual(["11:00"]);
  expect(await states(job.name)).toEqual(["failed", "completed"]);
});

test("a schedule survives a restart: what came due while nobody was there runs once, and then it goes on", async () => {
  const { job, runs } = hourly();
  const first = await start(job);
  await first.stop();
  await passMinuteAt("14:20:00");
  expect(runs).toEqual([]);
  await start(job);
  await timers.tick(minute);
  expect(runs).toEqual(["14:21"]);
  await passMinuteAt("14:59:30");
  expect(runs).toEqual(["14:21", "15:00"]);
});

test("the next occurrence is left out while a run is still in progress", async () => {
  let finish = () => {};
  const { job, runs } = hourly(() => new Promise((resolve) => (finish = resolve)));
  await start({ ...job, schedule: "* * * * *" });
  await timers.tick(5 * minute);
  expect(runs).toEqual(["10:00"]);
  finish();
  await timers.tick(minute);
  expect(runs).toHaveLength(2);
});

test("stopping waits for the run in progress, and takes no more", async () => {
  const order: string[] = [];
  let finish = () => {};
  const { job, runs, begins } = hourly(async () => {
    await new Promise<void>((resolve) => (finish = resolve));
    order.push("run finished");
  });
  const running = await start(job);
  const begun = begins();
  await timers.tick(minute);
  await begun;
  const stopped = running.stop().then(() => order.push("stopped"));
  await database.pool.query("select"); // time enough for a stop that does not wait
  finish();
  await stopped;
  expect(order).toEqual(["run finished", "stopped"]);
  expect(await states(job.name)).toEqual(["completed"]);
  await passMinuteAt("10:59:30");
  expect(runs).toHaveLength(1);
});

test("a run that takes longer than the stop allows is given back, and another process does it", async () => {
  const { job, runs, begins } = hourly((run) => (run === 1 ? new Promise(() => {}) : Promise.resolve()));
  const running = await start(job);
  const begun = begins();
  await timers.tick(minute);
  await begun;
  await running.stop({ graceMs: 0 });
  expect(await states(job.name)).toEqual(["retry"]);
  await start(job);
  await timers.tick(5 * minute);
  expect(runs).toHaveLength(2);
  expect(await states(job.name)).toEqual(["completed"]);
});

test("the run of a process that died is found by its missing heartbeat", async () => {
  const { job, runs } = hourly();
  await start(job);
  await timers.tick(minute);
  const died = "update pgboss.job set state = 'active', heartbeat_on = $2 where name = $1";
  await database.pool.query(died, [job.name, new Date(timers.now())]);
  await passMinutes(10);
  expect(runs).toHaveLength(2);
});

test("a changed schedule replaces the old one", async () => {
  const { job, runs } = hourly();
  const first = await start(job);
  await first.stop();
  await start({ ...job, schedule: "30 12 * * *" });
  await timers.tick(2 * minute);
  expect(runs).toEqual([]);
  const { rows } = await database.pool.query("select name, cron, timezone from pgboss.schedule");
  expect(rows).toEqual([{ name: "thing.count", cron: "30 12 * * *", timezone: "UTC" }]);
});

test("the scheduler's own tables are out of the way of the migrations", async () => {
  await start(hourly().job);
  expect(await compareWithModels(throwAway.url)).toEqual({ agrees: true, script: "" });
});

test("a schedule that is no cron expression fails the start", async () => {
  await expect(start({ ...hourly().job, schedule: "now and then" })).rejects.toThrow("cannot resolve alias");
});
