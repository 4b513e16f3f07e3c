// The series that are read from the parts of the application: database, feed, streams, deliveries and jobs.
import { Counter, Gauge, type Registry } from "prom-client";
import { cacheLoads } from "#src/runtime/cache-budget.ts";
import type { Database } from "#src/db/connection/database.ts";
import type { Replicas } from "#src/db/replicas/replicas.ts";
import type { Feed } from "#src/events/event-log.ts";
import { verifiedBlobs } from "#src/features/content/commands/blobs.ts";
import type { DeliveryCounts } from "#src/features/integrations/commands/runs/host.ts";
import type { CostQuotas } from "#src/domain/quota.ts";
import { type Backlog, readBacklog } from "#src/server/process/metrics/backlog.ts";
import type { Hub } from "#src/server/live/hub.ts";

export interface WatchedParts {
  readonly database: Pick<Database, "vital" | "counts" | "loads">;
  readonly replicas: Pick<Replicas<unknown>, "states" | "replicas"> | undefined;
  readonly feed: Pick<Feed, "reads" | "lagSeconds">;
  readonly hub: Pick<Hub, "counts">;
  readonly costQuotas: Pick<CostQuotas, "slots" | "points" | "refusals">;
  readonly deliveries: DeliveryCounts;
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** A series that is read when it is asked for. */
interface Series {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  readonly read: () => readonly Sample[];
}

const one = (value: number): readonly Sample[] => [[{}, value]];
const known = (value: number | null | undefined): readonly Sample[] => (value == null ? [] : one(value));

/** Registers them. What it returns asks the database for its part, and is to be awaited before they are read. */
export function registerParts(registry: Registry, parts: WatchedParts): () => Promise<void> {
  let backlog: Backlog | null = null;
  const gauges = [
    ...databaseGauges(parts),
    ...replicaGauges(parts),
    ...streamGauges(parts),
    ...operationGauges(parts),
    ...cacheGauges(),
    ...backlogGauges(() => backlog),
  ];
  const settingsOf = ({ name, help, labels = [] }: Series) => ({
    name,
    help,
    labelNames: labels,
    registers: [registry],
  });
  for (const series of gauges)
    new Gauge({
      ...settingsOf(series),
      collect() {
        this.reset();
        for (const [of, value] of series.read()) this.set(of, value);
      },
    });
  for (const series of countersOf(parts))
    new Counter({
      ...settingsOf(series),
      collect() {
        this.reset();
        for (const [of, value] of series.read()) this.inc(of, value);
      },
    });
  let reading: Promise<void> | undefined; // one for all who ask at the same time
  const read = async () => {
    backlog = await readBacklog(parts.database.vital);
  };
  return () => (reading ??= read().finally(() => (reading = undefined)));
}

function databaseGauges({ database, replicas }: WatchedParts): Series[] {
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

function replicaGauges({ replicas }: WatchedParts): Series[] {
  const states = () => replicas?.states ?? [];
  return [
    {
      name: "docgraph_replica_lag_seconds",
      help: "How far a replica of DATABASE_READ_URL is behind the primary.",
      labels: ["replica"],
      read: () => states().flatMap(({ name, lagSeconds }) => (lagSeconds === null ? [] : [sampleOf(name, lagSeconds)])),
    },
    {
      name: "docgraph_replica_used",
      help: "1 while queries read from a replica; 0 while it is away or too far behind.",
      labels: ["replica"],
      read: () => states().map(({ name, isUsed }) => sampleOf(name, isUsed ? 1 : 0)),
    },
  ];
}

const sampleOf = (replica: string, value: number): Sample => [{ replica }, value];

function streamGauges({ feed, hub }: WatchedParts): Series[] {
  return [
    {
      name: "docgraph_feed_lag_seconds",
      help: "For how long there have been events that the feed could not read, since a transaction is open.",
      read: () => one(feed.lagSeconds),
    },
    {
      name: "docgraph_streams_open",
      help: "Subscriptions that are open.",
      labels: ["transport"],
      read: () => Object.entries(hub.counts).map(([transport, { open }]) => [{ transport }, open] as const),
    },
  ];
}

function operationGauges({ costQuotas: { slots } }: WatchedParts): Series[] {
  return [
    {
      name: "docgraph_operations",
      help: "Operations that run, and that wait for a place.",
      labels: ["state"],
      read: () => [
        [{ state: "running" }, slots.taken],
        [{ state: "waiting" }, slots.waiting],
      ],
    },
  ];
}

function cacheGauges(): Series[] {
  return [
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
}

/** What the database says; nothing while it does not answer. */
function backlogGauges(backlog: () => Backlog | null): Series[] {
  return [
    {
      name: "docgraph_database_up",
      help: "1 while the database answers within a second.",
      read: () => one(backlog() ? 1 : 0),
    },
    {
      name: "docgraph_consumer_lag_seconds",
      help: "The age of the oldest event that a consumer of events has not taken; of deliveries, that is not delivered.",
      labels: ["consumer"],
      read: () => Object.entries(backlog()?.lagSeconds ?? {}).map(([consumer, lag]) => [{ consumer }, lag] as const),
    },
    {
      name: "docgraph_integration_events_waiting",
      help: "Events that wait to be delivered to installations.",
      read: () => known(backlog()?.eventsWaiting),
    },
    {
      name: "docgraph_job_dead_letters",
      help: "Runs of jobs that were given up in the last 14 days.",
      read: () => known(backlog()?.deadLetters),
    },
  ];
}

function costCounters(costQuotas: WatchedParts["costQuotas"]): Series[] {
  return [
    {
      name: "docgraph_points_total",
      help: "What operations have cost, in points.",
      read: () => one(costQuotas.points),
    },
    {
      name: "docgraph_limit_refusals_total",
      help: "Operations that a limit has refused: by their estimate, the points of the minute, too many at a time, or too much work for threads.",
      labels: ["limit"],
      read: () => Object.entries(costQuotas.refusals).map(([limit, count]) => [{ limit }, count] as const),
    },
  ];
}

const blobCounter: Series = {
  name: "docgraph_blobs_verified_total",
  help: "Files that the nightly check has compared with their hashes: ok, missing or damaged.",
  labels: ["state"],
  read: () => Object.entries(verifiedBlobs).map(([state, count]) => [{ state }, count] as const),
};

function countersOf({ database, replicas, feed, hub, costQuotas, deliveries }: WatchedParts): Series[] {
  const counts = (name: "sent" | "failed" | "timedOut") => {
    const all = [database, ...(replicas?.replicas ?? []).map(({ reads }) => reads)];
    return one(all.reduce((sum, each) => sum + each.counts[name], 0));
  };
  return [
    ...costCounters(costQuotas),
    blobCounter,
    { name: "docgraph_statements_total", help: "Statements sent to the database.", read: () => counts("sent") },
    {
      name: "docgraph_statement_errors_total",
      help: "Statements that the database refused, or whose connection was lost.",
      read: () => counts("failed"),
    },
    {
      name: "docgraph_statement_timeouts_total",
      help: "Statements among the errors that took, or waited for a lock, too long.",
      read: () => counts("timedOut"),
    },
    { name: "docgraph_feed_reads_total", help: "Looks of the feed into the outbox.", read: () => one(feed.reads) },
    {
      name: "docgraph_stream_messages_total",
      help: "Messages sent to subscriptions.",
      labels: ["transport"],
      read: () => Object.entries(hub.counts).map(([transport, { messages }]) => [{ transport }, messages] as const),
    },
    {
      name: "docgraph_integration_deliveries_total",
      help: "Tries to deliver an event to an installation: ok, retried (failed, tried again) or given_up.",
      labels: ["outcome"],
      read: () => [
        [{ outcome: "ok" }, deliveries.ok],
        [{ outcome: "retried" }, deliveries.retried],
        [{ outcome: "given_up" }, deliveries.givenUp],
      ],
    },
  ];
}
