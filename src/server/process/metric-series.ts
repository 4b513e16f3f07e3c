// The series of /metrics that are read from the parts of the gateway: database, event log, streams, quotas and jobs.
import type { Database } from "#src/db/connection/database.ts";
import { metricsRead } from "#src/db/connection/time-limit.ts";
import type { Replicas } from "#src/db/replicas/replicas.ts";
import type { CostQuotas } from "#src/domain/quota.ts";
import type { Feed } from "#src/events/event-log.ts";
import { countDeadLetters } from "#src/jobs/job.ts";
import { cacheLoads } from "#src/runtime/cache-budget.ts";
import { type Sample, sampleOf, samplesBy, type Series } from "#src/runtime/series.ts";
import type { Hub } from "#src/server/live/hub.ts";

export interface ObservedParts {
  readonly database: Pick<Database, "vital" | "counts" | "loads">;
  readonly replicas: Pick<Replicas<unknown>, "states" | "replicas"> | undefined;
  readonly feed: Pick<Feed, "reads" | "lagSeconds">;
  readonly hub: Pick<Hub, "counts">;
  readonly costQuotas: Pick<CostQuotas, "slots" | "points" | "refusals">;
}

export const seriesOf = (parts: ObservedParts): Series[] => [
  ...connectionSeries(parts),
  ...statementSeries(parts),
  ...replicaSeries(parts),
  ...streamSeries(parts),
  ...quotaSeries(parts),
  ...cacheSeries(),
  ...jobSeries(parts),
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
      help: "Connections to the database, in_use or idle, by pool: requests, vital (tokens, feed, health) and reads; of a replica with its name.",
      labels: ["pool", "state"],
      read: () =>
        loads().flatMap(({ pool, inUse, idle }): Sample[] => [
          [{ pool, state: "in_use" }, inUse],
          [{ pool, state: "idle" }, idle],
        ]),
    },
    {
      name: "docgraph_database_connections_max",
      help: "The most connections that a pool may have.",
      labels: ["pool"],
      read: () => loads().map(({ pool, most }) => [{ pool }, most] as const),
    },
    {
      name: "docgraph_database_waiting",
      help: "Statements that wait for a connection, or on one for those before them.",
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
      help: "Statements that the database refused, or whose connection was lost.",
      read: () => count("failed"),
    },
    {
      name: "docgraph_statement_timeouts_total",
      help: "Statements among the errors that took, or waited for a lock, too long.",
      read: () => count("timedOut"),
    },
  ];
}

function replicaSeries({ replicas }: ObservedParts): Series[] {
  const states = () => replicas?.states ?? [];
  return [
    {
      name: "docgraph_replica_lag_seconds",
      help: "How far a replica of DATABASE_READ_URL is behind the primary.",
      labels: ["replica"],
      read: () =>
        states().flatMap(({ name: replica, lagSeconds }): Sample[] =>
          lagSeconds === null ? [] : [[{ replica }, lagSeconds]],
        ),
    },
    {
      name: "docgraph_replica_used",
      help: "1 while queries read from a replica; 0 while it is away or too far behind.",
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
      help: "For how long there have been events that the feed could not read, since a transaction is open.",
      read: () => sampleOf(feed.lagSeconds),
    },
    { name: "docgraph_feed_reads_total", help: "Looks of the feed into the outbox.", read: () => sampleOf(feed.reads) },
    {
      name: "docgraph_streams_open",
      help: "Subscriptions that are open.",
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
    help: "Operations that run, and that wait for a place.",
    labels: ["state"],
    read: () => samplesBy("state", { running: costQuotas.slots.taken, waiting: costQuotas.slots.waiting }),
  },
  {
    name: "docgraph_points_total",
    help: "What operations have cost, in points.",
    read: () => sampleOf(costQuotas.points),
  },
  {
    name: "docgraph_limit_refusals_total",
    help: "Operations that a limit has refused: by their estimate, the points of the minute, too many at a time, or too much work for threads.",
    labels: ["limit"],
    read: () => samplesBy("limit", costQuotas.refusals),
  },
];

const cacheSeries = (): Series[] => [
  {
    name: "docgraph_cache_bytes",
    help: "Bytes that a cache holds, more or less.",
    labels: ["cache"],
    read: () => cacheLoads().map(({ name: cache, bytes }) => [{ cache }, bytes] as const),
  },
  {
    name: "docgraph_cache_bytes_max",
    help: "The most bytes that a cache may hold: its share of CACHE_MB.",
    labels: ["cache"],
    read: () => cacheLoads().map(({ name: cache, most }) => [{ cache }, most] as const),
  },
];

/** The database counts as up where it answers the count of dead letters, which is null before any process ran jobs. */
function jobSeries({ database }: ObservedParts): Series[] {
  const read = metricsRead(async () => ({ deadLetters: await countDeadLetters(database.vital) }));
  return [
    {
      name: "docgraph_database_up",
      help: "1 while the database answers within a second.",
      read: async () => sampleOf((await read()) ? 1 : 0),
    },
    {
      name: "docgraph_job_dead_letters",
      help: "Runs of jobs that were given up in the last 14 days.",
      read: async () => sampleOf((await read())?.deadLetters),
    },
  ];
}
