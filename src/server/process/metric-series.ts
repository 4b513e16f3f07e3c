// The series of /metrics that are read from the parts of the gateway: database, event log, streams, quotas and jobs.
import type { Database } from "#src/db/connection/database.ts";
import { metricsRead } from "#src/db/connection/time-limit.ts";
import type { Replicas } from "#src/db/replicas/replicas.ts";
import type { CostQuotas } from "#src/domain/quota.ts";
import type { Feed } from "#src/events/event-log.ts";
import { countDeadLetters } from "#src/jobs/job.ts";
import { type Queue, queueSeries } from "#src/jobs/queues.ts";
import { longWorkEnds } from "#src/jobs/long-work.ts";
import { threadMemory } from "#src/runtime/memory.ts";
import { cacheLoads } from "#src/runtime/cache-budget.ts";
import { type Sample, sampleOf, samplesBy, type Series } from "#src/runtime/series.ts";
import type { Hub } from "#src/server/live/hub.ts";

export interface ObservedParts {
  readonly database: Pick<Database, "vital" | "counts" | "loads">;
  readonly replicas: Pick<Replicas<unknown>, "states" | "replicas"> | undefined;
  readonly feed: Pick<Feed, "reads" | "lagSeconds">;
  readonly hub: Pick<Hub, "counts">;
  readonly costQuotas: Pick<CostQuotas, "slots" | "points" | "refusals">;
  readonly queues: readonly Queue[];
}

export const seriesOf = (parts: ObservedParts): Series[] => [
  ...connectionSeries(parts),
  ...statementSeries(parts),
  ...replicaSeries(parts),
  ...streamSeries(parts),
  ...quotaSeries(parts),
  ...cacheSeries(),
  ...jobSeries(parts),
  queueSeries(parts.database.vital, parts.queues),
  ...workSeries(),
];

function connectionSeries({ database, replicas }: ObservedParts): Series[] {
  const loads = () => [
    ...database.loads(),
    ...(replicas?.replicas ?? []).flatMap(({ name, reads }) =>
      reads.loads().map((load) => ({ ...load, pool: `${load.pool} of ${name}` })),
    ),
  ];
  return [
    {
      name: "docgraph_database_connections",
      help: "Connections to the database, in_use or idle, by pool: requests, vital (tokens, event log, health) and reads; of a replica with its name.",
      labels: ["pool", "state"],
      read: () =>
        loads().flatMap(({ pool, inUse, idle }): Sample[] => [
          [{ pool, state: "in_use" }, inUse],
          [{ pool, state: "idle" }, idle],
        ]),
    },
    {
      name: "docgraph_database_connections_max",
      help: "The maximum number of connections of a pool.",
      labels: ["pool"],
      read: () => loads().map(({ pool, most }) => [{ pool }, most] as const),
    },
    {
      name: "docgraph_database_waiting",
      help: "Statements waiting for a connection, or for earlier statements on one.",
      labels: ["pool"],
      read: () => loads().map(({ pool, waiting }) => [{ pool }, waiting] as const),
    },
  ];
}

function statementSeries({ database, replicas }: ObservedParts): Series[] {
  const count = (name: "sent" | "failed" | "timedOut") => {
    const all = [database, ...(replicas?.replicas ?? []).map(({ reads }) => reads)];
    return sampleOf(all.reduce((sum, each) => sum + each.counts[name], 0));
  };
  return [
    { name: "docgraph_statements_total", help: "Statements sent to the database.", read: () => count("sent") },
    {
      name: "docgraph_statement_errors_total",
      help: "Statements that failed in the database, or whose connection was lost.",
      read: () => count("failed"),
    },
    {
      name: "docgraph_statement_timeouts_total",
      help: "Statements among the errors that timed out, while running or waiting for a lock.",
      read: () => count("timedOut"),
    },
  ];
}

function replicaSeries({ replicas }: ObservedParts): Series[] {
  const states = () => replicas?.states ?? [];
  return [
    {
      name: "docgraph_replica_lag_seconds",
      help: "How many seconds a replica of DATABASE_READ_URL is behind the primary.",
      ofWorkers: "max",
      labels: ["replica"],
      read: () =>
        states().flatMap(({ name: replica, lagSeconds }): Sample[] =>
          lagSeconds === null ? [] : [[{ replica }, lagSeconds]],
        ),
    },
    {
      name: "docgraph_replica_used",
      help: "1 while queries read from a replica; 0 while it is unreachable or too far behind.",
      ofWorkers: "min",
      labels: ["replica"],
      read: () => states().map(({ name: replica, isUsed }): Sample => [{ replica }, isUsed ? 1 : 0]),
    },
  ];
}

function streamSeries({ feed, hub }: ObservedParts): Series[] {
  const counts = (name: "open" | "messages") =>
    Object.entries(hub.counts).map(([transport, count]): Sample => [{ transport }, count[name]]);
  return [
    {
      name: "docgraph_feed_lag_seconds",
      help: "For how many seconds the event log reader has been blocked by an open transaction.",
      ofWorkers: "max",
      read: () => sampleOf(feed.lagSeconds),
    },
    {
      name: "docgraph_feed_reads_total",
      help: "Reads of the outbox by the event log reader.",
      read: () => sampleOf(feed.reads),
    },
    {
      name: "docgraph_streams_open",
      help: "Open subscriptions.",
      labels: ["transport"],
      read: () => counts("open"),
    },
    {
      name: "docgraph_stream_messages_total",
      help: "Messages sent to subscriptions.",
      labels: ["transport"],
      read: () => counts("messages"),
    },
  ];
}

const quotaSeries = ({ costQuotas }: ObservedParts): Series[] => [
  {
    name: "docgraph_operations",
    help: "Operations that are running, and operations waiting for a slot.",
    labels: ["state"],
    read: () => samplesBy("state", { running: costQuotas.slots.taken, waiting: costQuotas.slots.waiting }),
  },
  {
    name: "docgraph_points_total",
    help: "Total cost of operations, in points.",
    read: () => sampleOf(costQuotas.points),
  },
  {
    name: "docgraph_limit_refusals_total",
    help: "Operations rejected by a limit: the estimate, the points per minute, concurrency, or work for threads.",
    labels: ["limit"],
    read: () => samplesBy("limit", costQuotas.refusals),
  },
];

const cacheSeries = (): Series[] => [
  {
    name: "docgraph_cache_bytes",
    help: "Bytes used by a cache (approximate).",
    labels: ["cache"],
    read: () => cacheLoads().map(({ name: cache, bytes }) => [{ cache }, bytes] as const),
  },
  {
    name: "docgraph_cache_bytes_max",
    help: "The maximum size of a cache in bytes: its share of CACHE_MB.",
    labels: ["cache"],
    read: () => cacheLoads().map(({ name: cache, most }) => [{ cache }, most] as const),
  },
];

/** The database counts as up if it returns the count of dead jobs, which is null before any process ran jobs. */
function jobSeries({ database }: ObservedParts): Series[] {
  const read = metricsRead(async () => ({ deadLetters: await countDeadLetters(database.vital) }));
  return [
    {
      name: "docgraph_database_up",
      help: "1 if the database responds within a second, else 0.",
      ofWorkers: "min",
      read: async () => sampleOf((await read()) ? 1 : 0),
    },
    {
      name: "docgraph_job_dead_letters",
      help: "Runs of jobs that failed for good in the last 14 days.",
      ofWorkers: "max",
      read: async () => sampleOf((await read())?.deadLetters?.all),
    },
    {
      name: "docgraph_job_dead_letters_last_hour",
      help: "Runs of jobs that failed for good in the last hour.",
      ofWorkers: "max",
      read: async () => sampleOf((await read())?.deadLetters?.lastHour),
    },
  ];
}

const workSeries = (): Series[] => [
  {
    name: "docgraph_long_work_ended_total",
    help: "Ends of long work, such as an import, by outcome: done, failed, or handed over by a process that stops.",
    labels: ["work", "outcome"],
    read: longWorkEnds,
  },
  {
    name: "docgraph_thread_memory_bytes",
    help: "The memory that threads for large work may use now.",
    read: () => sampleOf(threadMemory.taken * 1024 * 1024),
  },
  {
    name: "docgraph_thread_memory_waiting",
    help: "Threads waiting for memory.",
    read: () => sampleOf(threadMemory.waiting),
  },
];
