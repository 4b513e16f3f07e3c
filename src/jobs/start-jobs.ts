// The scheduler: cron schedules and queues in PostgreSQL (pg-boss, schema `pgboss`), with this process as a worker.
import { setTimeout as wait } from "node:timers/promises";
import { type Clock as BossClock, type JobWithMetadata, PgBoss, type QueueOptions } from "pg-boss";
import type { Logger } from "pino";
import { DatabaseClient } from "#src/db/connection/client.ts";
import { RepeatedWarning } from "#src/runtime/repeated-warning.ts";
import { spanned, type Tracer } from "#src/runtime/spans.ts";
import { answerOf, isOutage } from "#src/db/connection/database-errors.ts";
import { deadLetterQueue, type Job, type JobContext } from "#src/jobs/job.ts";
import type { Emails } from "#src/jobs/emails.ts";

/** How often a failed run is retried: after about 1, 2, 4 and 8 minutes. A dead process misses its heartbeat. */
const scheduledQueue: QueueOptions & { deadLetter: string } = {
  retryLimit: 4,
  retryDelay: 60,
  retryBackoff: true,
  expireInSeconds: 15 * 60,
  heartbeatSeconds: 60,
  deadLetter: deadLetterQueue,
};

/** Messages are retried for about a day, at last every half hour, and kept for an hour after their end. */
const messageQueue: QueueOptions & { deadLetter: string } = {
  retryLimit: 56,
  retryBackoff: true,
  retryDelayMax: 1800,
  deadLetter: deadLetterQueue,
  expireInSeconds: 60,
  heartbeatSeconds: 60,
  deleteAfterSeconds: 3600,
};

/** How many messages of one queue a process works on concurrently. */
const messagesAtOnce = 3;

/** Notifies other processes of long work that one has left, so that they need not poll for it. */
const resumeText = "resume";

/** A statement of the scheduler without a response for so long, in milliseconds, has lost its connection. */
const mostAnswerMs = 60_000;

/** Texts between processes. */
interface Notifications {
  publish(text: string): void;
  subscribe(subscriber: { readonly onText: (text: string) => void; readonly onOpen: () => void }): void;
}

export interface JobsOptions extends JobContext {
  /** Of the database: the scheduler has two connections of its own, so requests and jobs do not wait for each other. */
  readonly url: string;
  readonly jobs: readonly Job[];
  readonly emails?: Emails | undefined;
  /** Notifications between processes: without them, the others poll for long work that one has left. */
  readonly wakeups?: Notifications | undefined;
  /** The clock of the schedules, retries and heartbeats. Tests pass one that they set. */
  readonly schedulerClock?: BossClock;
  /** The wait before the start is retried while the database is unreachable; by default a second. */
  readonly retryMs?: number;
  /** How long a statement of the scheduler may take, in milliseconds; by default a minute. */
  readonly answerLimitMs?: number;
  /** How long a message waits for its first retry; by default 5 seconds. */
  readonly messageRetrySeconds?: number | undefined;
  /** The polling interval of workers, in seconds; by default 10. Schedules have a resolution of minutes. */
  readonly pollingIntervalSeconds?: number | undefined;
  /** Called before each run of a job that deletes by age: false skips this run. */
  readonly isTimeRight?: (() => Promise<boolean>) | undefined;
  readonly onRun?: ((run: JobRun) => void) | undefined;
  readonly tracing?: Tracer | undefined;
}

type Running = Pick<
  JobsOptions,
  "onRun" | "tracing" | "isTimeRight" | "messageRetrySeconds" | "pollingIntervalSeconds"
>;

/** A finished run of a job: `failed` is retried, `dead` was the last try. */
export interface JobRun {
  readonly job: string;
  readonly outcome: "ok" | "failed" | "dead";
  readonly seconds: number;
}

export interface RunningJobs {
  send(job: string, message: object): Promise<void>;
  /**
   * Lets runs finish for `graceMs`; longer ones return to the queue. Messages can be sent until `senders` settles.
   * Long work is handed over when `released` settles, and what has been left since then at the end.
   */
  stop(options?: { graceMs?: number; senders?: Promise<unknown>; released?: Promise<unknown> }): Promise<void>;
}

/** Starts them as soon as the database is reachable, during a failover too; null if `stopping` is aborted before. */
export async function startJobsInTime(options: JobsOptions, stopping: AbortSignal): Promise<RunningJobs | null> {
  const message = "jobs cannot start while the database is unreachable: the start is retried";
  const failures = new RepeatedWarning(options.log, message);
  while (!stopping.aborted) {
    try {
      return await startJobs(options);
    } catch (error) {
      if (!isOutage(error)) throw error;
      failures.log(error);
      await wait(options.retryMs ?? 1000, undefined, { signal: stopping }).catch(() => {});
    }
  }
  return null;
}

/**
 * Writes the schedules and works on them beside other processes: each occurrence runs once, one run of a job at a time,
 * and occurrences missed meanwhile run once at the next start. Unknown schedules stay: newer processes may need them.
 */
export async function startJobs(options: JobsOptions): Promise<RunningJobs> {
  const { url, emails, wakeups, schedulerClock, onRun, tracing, isTimeRight, ...others } = options;
  const { answerLimitMs = mostAnswerMs, messageRetrySeconds, pollingIntervalSeconds, ...given } = others;
  const stopping = new AbortController();
  const context = { ...given, stopping: stopping.signal };
  // `Client` is passed on to the pool of `pg`, like all settings.
  const opening = { connectionString: url, max: 2, query_timeout: answerLimitMs, Client: DatabaseClient };
  const boss = new PgBoss({ ...opening, ...(schedulerClock && { clock: schedulerClock }) });
  const { log } = context;
  const jobs = emails ? [...options.jobs, emails.job] : options.jobs;
  const failures = new RepeatedWarning({ warn: log.error.bind(log) }, "error in the job scheduler");
  boss.on("error", (error) => {
    if (!isClosed(error) && !answerOf(withoutQueue(error), log)) failures.log(error);
  });
  boss.on("warning", (warning) => log.warn(warning, "warning of the job scheduler"));
  const workers = new Map<string, readonly string[]>();
  try {
    await boss.start();
    await boss.createQueue(deadLetterQueue);
    const running = { onRun, tracing, isTimeRight, messageRetrySeconds, pollingIntervalSeconds };
    await Promise.all(jobs.map(async (job) => workers.set(job.name, await startJob(boss, job, context, running))));
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
  const queues = queuesOf(boss, { jobs, workers, stopping, wakeups });
  emails?.open(queues);
  return queues;
}

/** An error as the database gave it: pg-boss adds the queue to its message, by which errors of `pg` are known. */
const withoutQueue = (error: Error): Error =>
  new Error(error.message.replace(/ \(Queue: [^]*\)$/, ""), { cause: error });

/** True of errors of workers that were about to run a statement when the scheduler closed its connections. */
const isClosed = (error: Error): boolean => error.message.startsWith("Database not opened");

interface Started {
  readonly jobs: readonly Job[];
  /** The ids of the workers of each job. */
  readonly workers: ReadonlyMap<string, readonly string[]>;
  readonly stopping: AbortController;
  readonly wakeups: JobsOptions["wakeups"];
}

function queuesOf(boss: PgBoss, { jobs, workers, stopping, wakeups }: Started): RunningJobs {
  const resuming = jobs.filter(({ resumes }) => resumes);
  const wake = (job: string) => workers.get(job)?.forEach((worker) => boss.notifyWorker(worker));
  const resume = () => resuming.forEach(({ name }) => wake(name));
  wakeups?.subscribe({ onText: (text) => text === resumeText && resume(), onOpen: resume });
  /** Has another process resume long work that this one has left; the next start does it if this is the only one. */
  async function handOver(): Promise<void> {
    await Promise.all(resuming.map(({ name }) => boss.send(name)));
    wakeups?.publish(resumeText);
  }
  return {
    async send(job, message) {
      await boss.send(job, message);
      wake(job);
    },
    async stop({ graceMs = 10_000, senders, released } = {}) {
      const limit = new AbortController();
      stopping.abort(new Error("The process stops."));
      const end = (ended: readonly Job[]) => Promise.all(ended.map(({ name }) => boss.offWork(name, { wait: true })));
      const left = Promise.allSettled([end(resuming), released]);
      const idle = Promise.all([end(jobs), left.then(handOver).catch(() => {})]);
      await Promise.race([idle, wait(graceMs, undefined, { signal: limit.signal }).catch(() => {})]);
      limit.abort();
      await senders?.catch(() => {});
      await handOver().catch(() => {}); // its schedule resumes the work within a minute
      await boss.stop({ graceful: false });
    },
  };
}

/** Returns the ids of its workers. */
async function startJob(boss: PgBoss, job: Job, context: JobContext, running: Running): Promise<string[]> {
  const { name, schedule, atStart } = job;
  const { messageRetrySeconds: retryDelay = 5, pollingIntervalSeconds = 10 } = running;
  const isScheduled = schedule !== null;
  const options = isScheduled ? scheduledQueue : { ...messageQueue, retryDelay };
  // "exclusive": an occurrence while the last run is waiting or in progress is skipped. `createQueue` does not change
  // an existing queue, hence the update.
  await boss.createQueue(name, { ...options, policy: isScheduled ? "exclusive" : "standard" });
  await boss.updateQueue(name, options);
  if (isScheduled) await boss.schedule(name, schedule, null, { tz: "UTC", missed: "once" });
  if (atStart) await boss.send(name); // ignored if a run is waiting or in progress
  const workers: string[] = [];
  while (workers.length < (isScheduled ? 1 : messagesAtOnce)) {
    const worker = await boss.work(name, { pollingIntervalSeconds, includeMetadata: true }, async ([attempt]) => {
      if (!attempt) return;
      if (!isScheduled) boss.notifyWorker(worker); // there may be more messages
      await run(job, attempt, context, running);
    });
    workers.push(worker);
  }
  return workers;
}

type Attempt = Pick<JobWithMetadata<unknown>, "data" | "retryCount" | "retryLimit">;

/** One attempt; a failure is logged and thrown, so that the queue counts it. */
async function run(job: Job, attempt: Attempt, context: JobContext, running: Running): Promise<void> {
  const { onRun, tracing, isTimeRight } = running;
  const log: Logger = context.log.child({ job: job.name });
  const started = performance.now();
  const tell = (outcome: JobRun["outcome"]) =>
    onRun?.({ job: job.name, outcome, seconds: (performance.now() - started) / 1000 });
  try {
    if (job.removesByAge && (await isTimeRight?.()) === false) log.warn("job skipped: the clock is wrong");
    else {
      await spanned({ name: `job ${job.name}`, tracer: tracing }, () => job.run({ ...context, log }, attempt.data));
      log.info({ ms: Math.round(performance.now() - started) }, "job done");
    }
    tell("ok");
  } catch (error) {
    const failed = { err: error, attempt: attempt.retryCount + 1, of: attempt.retryLimit + 1 };
    const isLast = attempt.retryCount >= attempt.retryLimit;
    if (isLast) log.error(failed, "job failed for good");
    else log.warn(failed, "job failed, and will be retried");
    tell(isLast ? "dead" : "failed");
    throw error;
  }
}
