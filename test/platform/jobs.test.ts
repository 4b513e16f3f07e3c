// The job scheduler with a real PostgreSQL and a manual clock: one run for all processes, retries, and restarts. At the
// small size the last seconds of a minute, or of three, are simulated, and most retries of a message are skipped.
import { TestClock } from "pg-boss";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { compareWithModels } from "#src/cli/database/schema-engine.ts";
import { type Database, openDatabase } from "#src/db/connection/database.ts";
import { FolderStore } from "#src/files/folder-store.ts";
import { countDeadLetters, deadLetterQueue, type Job } from "#src/jobs/job.ts";
import { type JobsOptions, type RunningJobs, startJobs, startJobsInTime } from "#src/jobs/start-jobs.ts";
import type { TextSubscriber } from "#src/events/wakeups.ts";
import { startDatabaseProxy } from "#test/live/network-proxy.ts";
import { isFullSize, sized } from "#test/support/runs.ts";
import { createTestDatabase, type TestDatabase } from "#test/support/test-database.ts";

const second = 1000;
const minute = 60 * second;

let throwAway: TestDatabase;
let database: Database;
let timers: TestClock;
let lines: { level: number; msg: string }[];
let started: RunningJobs[];
/** The outcome of each run. */
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
  await database.pool.query("drop schema if exists pgboss cascade"); // the next test begins without jobs
});

const start = (...jobs: Job[]) => startOn(timers, jobs);

/** A process with these jobs; without a clock it uses real time. */
async function startOn(schedulerClock: TestClock | undefined, jobs: Job[]): Promise<RunningJobs> {
  const running = await startJobs(optionsOf(schedulerClock, jobs));
  started.push(running);
  return running;
}

function optionsOf(schedulerClock: TestClock | undefined, jobs: Job[]): JobsOptions {
  return {
    url: throwAway.url,
    database,
    files: new FolderStore("/nowhere"), // not used by these jobs
    fetch: () => Promise.reject(new Error("no job here asks for anything")),
    clock: { now: () => new Date(timers.now()) },
    log: pino({}, { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) }), // what pino writes
    readTxtRecords: () => Promise.resolve([]), // not used by these jobs
    jobs,
    onRun: ({ outcome }) => void outcomes.push(outcome),
    ...(schedulerClock && { schedulerClock }),
  };
}

/** An hourly job that records its run times. */
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

/** Advances the clock by minutes, simulating only the last seconds of each, or of each `step` minutes. */
async function passMinutes(count: number, step = 1): Promise<void> {
  for (let passed = 0; passed < count; passed += step) {
    await timers.setTime(new Date(timers.now() + step * minute - 5 * second));
    await timers.tick(5 * second);
  }
}

/** Advances the clock by minutes, simulating each second: of all of them at full size, otherwise of the first one. */
const pass = (minutes: number): Promise<void> =>
  isFullSize ? timers.tick(minutes * minute) : timers.tick(minute).then(() => passMinutes(minutes - 1));

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

test("runs a job at its hour of the given clock, and logs it", async () => {
  const { job, runs } = hourly();
  await start(job);
  await timers.tick(20 * second);
  expect(runs).toEqual([]);
  await timers.tick(minute);
  expect(runs).toEqual(["10:00"]);
  await passMinuteAt("10:30:00");
  await passMinuteAt("10:59:30");
  expect(runs).toEqual(["10:00", "11:00"]);
  const done = { job: "thing.count", msg: "job done" };
  expect(lines).toMatchObject([done, done]);
});

test("exactly one of several processes runs each occurrence, also after one has stopped", async () => {
  const { job, runs } = hourly();
  const [first] = [await start(job), await start(job), await start(job)];
  await pass(3);
  expect(runs).toEqual(["10:00"]);
  await first.stop();
  await passMinuteAt("10:59:30");
  await pass(1);
  expect(runs).toEqual(["10:00", "11:00"]);
  expect(await states(job.name)).toEqual(["completed", "completed"]);
});

test("several processes can start at once on a database without jobs", async () => {
  const processes = await Promise.all(Array.from({ length: 5 }, () => startOn(undefined, [hourly().job])));
  const { rows } = await database.pool.query("select name from pgboss.schedule");
  expect(rows).toEqual([{ name: "thing.count" }]);
  expect(lines).toEqual([]);
  await Promise.all(processes.map((running) => running.stop()));
});

test("a start without a reachable database retries until it succeeds or is stopped", async () => {
  await using proxy = await startDatabaseProxy(throwAway.url);
  proxy.disconnect();
  const options = { ...optionsOf(undefined, [hourly().job]), url: proxy.url, retryMs: 1 };
  const { promise: failed, resolve: tell } = Promise.withResolvers<void>();
  const log = pino({}, { write: (line) => (line.includes("the start is retried") ? tell() : undefined) });
  const stopping = new AbortController();
  const running = startJobsInTime({ ...options, log }, stopping.signal);
  await failed;
  proxy.reconnect();
  await (await running)?.stop();
  expect(await states(hourly().job.name)).toEqual([]);

  proxy.disconnect();
  const never = startJobsInTime(options, stopping.signal);
  stopping.abort();
  expect(await never).toBeNull();
});

test("messages are sent again after connections were lost without a word, and no error is logged", async () => {
  await using proxy = await startDatabaseProxy(throwAway.url);
  const { job } = hourly();
  const running = await startJobs({ ...optionsOf(undefined, [job]), url: proxy.url, answerLimitMs: 1_000 });
  const sent = () => "sent";
  const send = () => running.send(job.name, {}).then(sent, String);
  expect(await send()).toBe("sent");
  proxy.dropTraffic();
  await expect.poll(send, { timeout: 30_000 }).toBe("sent");
  await expect.poll(() => lines).not.toEqual([]); // of its worker, whose statement took too long, too
  await running.stop();
  expect(lines.filter(({ level }) => level > 40)).toEqual([]);
});

test("retries a failed run with growing delays, and logs the failures", async () => {
  const { job, runs } = hourly((run) => (run < 3 ? Promise.reject(new Error("no luck")) : Promise.resolve()));
  await start(job);
  await passMinutes(2);
  await passMinutes(18, sized(3, 1));
  expect(runs).toHaveLength(3);
  const retried = { level: 40, job: "thing.count", msg: "job failed, and will be retried" };
  expect(lines).toMatchObject([
    { ...retried, attempt: 1, of: 5, err: { message: "no luck" } },
    { level: 40, attempt: 2 },
    { level: 30, msg: "job done" },
  ]);
  expect(await states(job.name)).toEqual(["completed"]);
  expect(await states(deadLetterQueue)).toEqual([]);
});

test("a run that fails at every attempt is moved to the dead letters, and the next occurrence runs", async () => {
  const { job, runs } = hourly((run) => (run <= 5 ? Promise.reject(new Error("no luck")) : Promise.resolve()));
  await start(job);
  await passMinutes(2);
  await passMinutes(48, sized(3, 1));
  expect(runs).toHaveLength(5);
  expect(lines.at(-1)).toMatchObject({ level: 50, msg: "job failed for good", attempt: 5, of: 5 });
  expect(await states(deadLetterQueue)).toEqual(["created"]);
  expect(outcomes).toEqual(["failed", "failed", "failed", "failed", "dead"]);
  expect(await countDeadLetters(database)).toMatchObject({ all: 1 });
  const { rows } = await database.pool.query("select source_name from pgboss.job where name = $1", [deadLetterQueue]);
  expect(rows).toEqual([{ source_name: "thing.count" }]);
  await passMinuteAt("10:59:30");
  expect(runs.slice(5)).toEqual(["11:00"]);
  expect(await states(job.name)).toEqual(["failed", "completed"]);
});

test("a message is retried for a day, and then becomes a dead letter", async () => {
  const send: Job = { name: "thing.send", schedule: null, run: () => Promise.reject(new Error("no luck")) };
  const running = await start(send);
  await running.send(send.name, { to: "someone" });
  const passHalfHours = async (count: number) => {
    for (let passed = 0; passed < count && outcomes.at(-1) !== "dead"; passed++) {
      await timers.setTime(new Date(timers.now() + 30 * minute));
      await timers.tick(15 * second);
    }
  };
  await passHalfHours(sized(6, 2 * 12));
  expect([await states(send.name), outcomes.includes("dead")]).toEqual([["retry"], false]);
  if (!isFullSize) await database.pool.query("update pgboss.job set retry_count = retry_limit - 3");
  await passHalfHours(2 * 24);
  expect(await states(deadLetterQueue)).toEqual(["created"]);
  const text = "select source_name, data from pgboss.job where name = $1";
  const { rows } = await database.pool.query(text, [deadLetterQueue]);
  expect(rows).toEqual([{ source_name: send.name, data: { to: "someone" } }]);
});

test("an occurrence missed during downtime runs once after the restart", async () => {
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

test("skips an occurrence while the previous run is in progress", async () => {
  let finish = () => {};
  const { job, runs } = hourly(() => new Promise((resolve) => (finish = resolve)));
  await start({ ...job, schedule: "* * * * *" });
  await pass(5);
  expect(runs).toEqual(["10:00"]);
  finish();
  await timers.tick(minute);
  expect(runs).toHaveLength(2);
});

test("stopping waits for the current run and starts no other", async () => {
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

test("a run that outlasts the stop timeout is released and run by another process", async () => {
  const { job, runs, begins } = hourly((run) => (run === 1 ? new Promise(() => {}) : Promise.resolve()));
  const running = await start(job);
  const begun = begins();
  await timers.tick(minute);
  await begun;
  await running.stop({ graceMs: 0 });
  expect(await states(job.name)).toEqual(["retry"]);
  await start(job);
  await pass(5);
  expect(runs).toHaveLength(2);
  expect(await states(job.name)).toEqual(["completed"]);
});

test("a stopping process hands over its long work before its last requests end, and wakes the others", async () => {
  const subscribers: TextSubscriber[] = [];
  const wakeups = {
    publish: (text: string) => subscribers.forEach(({ onText }) => onText(text)),
    subscribe: (subscriber: TextSubscriber) => void subscribers.push(subscriber),
  };
  const { job, runs, begins } = hourly();
  const begin = async () => {
    const running = await startJobs({ ...optionsOf(timers, [{ ...job, resumes: true }]), wakeups });
    started.push(running);
    return running;
  };
  const [first] = [await begin(), await begin()];
  const [released, senders, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), begins()];
  const stopped = first.stop({ senders: senders.promise, released: released.promise });
  await database.pool.query("select");
  expect(runs).toEqual([]);
  released.resolve();
  await begun; // the clock does not pass: the other process does not poll
  senders.resolve();
  await stopped;
});

test("a run of a dead process is recovered by its missing heartbeat", async () => {
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
  await pass(2);
  expect(runs).toEqual([]);
  const { rows } = await database.pool.query("select name, cron, timezone from pgboss.schedule");
  expect(rows).toEqual([{ name: "thing.count", cron: "30 12 * * *", timezone: "UTC" }]);
});

test("the tables of the scheduler do not affect migrations", async () => {
  await start(hourly().job);
  expect(await compareWithModels(throwAway.url)).toEqual({ agrees: true, script: "" });
});

test("a schedule that is not a cron expression fails the start, and other jobs end without an error", async () => {
  const { job } = hourly();
  const others = Array.from("abcdefghijklmnop", (at) => ({ ...job, name: `test.${at}` as const, schedule: null }));
  await expect(startOn(undefined, [...others, { ...job, schedule: "now and then" }])).rejects.toThrow("cannot resolve");
  await database.pool.query("select"); // time enough for a fetch without connections
  expect(lines.filter(({ level }) => level >= 40)).toEqual([]);
});
