// The scheduler: cron schedules and queues in PostgreSQL (pg-boss, schema `pgboss`), and this process as one of their
// workers.
import { setTimeout as wait } from "node:timers/promises";
import { type Clock as BossClock, type JobWithMetadata, PgBoss, type QueueOptions } from "pg-boss";
import type { Logger } from "pino";
import { DatabaseClient } from "#src/db/connection/client.ts";
import { spanned, type Tracer } from "#src/runtime/spans.ts";
import { answerOf, isOutage } from "#src/db/connection/database-errors.ts";
import { deadLetterQueue } from "#src/jobs/dead-letters.ts";
import type { Job, JobContext } from "#src/jobs/job.ts";

/** How often a failed run is tried again: after about 1, 2, 4 and 8 minutes. A dead process misses its heartbeat. */
const queueOptions: QueueOptions & { deadLetter: string } = {
  retryLimit: 4,
  retryDelay: 60,
  retryBackoff: true,
  expireInSeconds: 15 * 60,
  heartbeatSeconds: 60,
  deadLetter: deadLetterQueue,
};

/** How long the start waits before it tries again, in milliseconds, while the database cannot be reached. */
const defaultRetryMs = 1000;

/** How long a due run waits at most until a worker looks for it. Schedules count in minutes. */
const pollingIntervalSeconds = 10;

export interface JobsOptions extends JobContext {
  /** Of the database: the scheduler has two connections of its own, so requests and jobs do not wait for each other. */
  readonly url: string;
  readonly jobs: readonly Job[];
  /** The clock of the schedules, retries and heartbeats. Tests give one that they set by hand. */
  readonly schedulerClock?: BossClock;
  readonly retryMs?: number;
  /** Asked before each run of a job that removes by age: false has it left out this time. */
  readonly isTimeRight?: (() => Promise<boolean>) | undefined;
  /** Hears of each run. */
  readonly onRun?: ((run: JobRun) => void) | undefined;
  readonly tracing?: Tracer | undefined;
}

type Running = Pick<JobsOptions, "onRun" | "tracing" | "isTimeRight">;

/** A run of a job that has ended: `failed` is tried again, `dead` was the last try. */
export interface JobRun {
  readonly job: string;
  readonly outcome: "ok" | "failed" | "dead";
  readonly seconds: number;
}

export interface RunningJobs {
  /** Takes no more runs and lets one finish for `graceMs`; a longer one is given back, for another attempt. */
  stop(options?: { graceMs?: number }): Promise<void>;
}

/**
 * Starts them as soon as the database can be reached: a gateway whose database fails over while it starts goes on.
 * Gives null when `stopping` is aborted before that.
 */
export async function startJobsInTime(options: JobsOptions, stopping: AbortSignal): Promise<RunningJobs | null> {
  while (!stopping.aborted) {
    try {
      return await startJobs(options);
    } catch (error) {
      if (!isOutage(error)) throw error;
      options.log.warn(
        { err: error },
        "jobs cannot be started while the database cannot be reached: it is tried again",
      );
      await wait(options.retryMs ?? defaultRetryMs, undefined, { signal: stopping }).catch(() => {});
    }
  }
  return null;
}

/**
 * Writes the schedules down and starts to work on them, beside any number of other processes: each occurrence runs
 * once, one run of a job at a time. Schedules survive restarts; what came due while no process was there runs once at
 * the next start.
 *
 * A schedule that is no longer in `jobs` stays, since a newer process beside this one may know it.
 */
export async function startJobs(options: JobsOptions): Promise<RunningJobs> {
  const { url, jobs, schedulerClock, onRun, tracing, isTimeRight, ...context } = options;
  // `Client` goes on to the pool of `pg`, as all settings do.
  const opening = { connectionString: url, max: 2, Client: DatabaseClient };
  const boss = new PgBoss({ ...opening, ...(schedulerClock && { clock: schedulerClock }) });
  const { log } = context;
  boss.on("error", (error) => {
    if (!answerOf(error, log)) log.error({ err: error }, "error in the scheduler of jobs");
  });
  boss.on("warning", (warning) => log.warn(warning, "warning of the scheduler of jobs"));
  try {
    await boss.start();
    await boss.createQueue(deadLetterQueue);
    await Promise.all(jobs.map((job) => startJob(boss, job, context, { onRun, tracing, isTimeRight })));
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
  return {
    async stop({ graceMs = 10_000 } = {}) {
      const limit = new AbortController();
      const idle = Promise.all(jobs.map(({ name }) => boss.offWork(name, { wait: true })));
      await Promise.race([idle, wait(graceMs, undefined, { signal: limit.signal }).catch(() => {})]);
      limit.abort();
      await boss.stop({ graceful: false });
    },
  };
}

async function startJob(boss: PgBoss, job: Job, context: JobContext, running: Running): Promise<void> {
  const { name, schedule, atStart } = job;
  // "exclusive": what comes due while the last run is waiting or in progress is skipped. `createQueue` does not change
  // an existing queue, hence the update.
  await boss.createQueue(name, { ...queueOptions, policy: "exclusive" });
  await boss.updateQueue(name, queueOptions);
  await boss.schedule(name, schedule, null, { tz: "UTC", missed: "once" });
  if (atStart) await boss.send(name); // nothing where a run is waiting or in progress
  await boss.work(name, { pollingIntervalSeconds, includeMetadata: true }, async ([attempt]) => {
    if (attempt) await run(job, attempt, context, running);
  });
}

type Attempt = Pick<JobWithMetadata, "retryCount" | "retryLimit">;

/** One attempt; a failure is logged and thrown, so that the queue counts it. */
async function run(job: Job, attempt: Attempt, context: JobContext, running: Running): Promise<void> {
  const { onRun, tracing, isTimeRight } = running;
  const log: Logger = context.log.child({ job: job.name });
  const started = performance.now();
  const tell = (outcome: JobRun["outcome"]) =>
    onRun?.({ job: job.name, outcome, seconds: (performance.now() - started) / 1000 });
  try {
    if (job.removesByAge && (await isTimeRight?.()) === false) log.warn("job left out: the clock is wrong");
    else {
      await spanned({ name: `job ${job.name}`, tracer: tracing }, () => job.run({ ...context, log }));
      log.info({ ms: Math.round(performance.now() - started) }, "job done");
    }
    tell("ok");
  } catch (error) {
    const failed = { err: error, attempt: attempt.retryCount + 1, of: attempt.retryLimit + 1 };
    const isLast = attempt.retryCount >= attempt.retryLimit;
    if (isLast) log.error(failed, "job failed for good");
    else log.warn(failed, "job failed, and is tried again");
    tell(isLast ? "dead" : "failed");
    throw error;
  }
}
