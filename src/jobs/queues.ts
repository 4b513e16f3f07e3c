// The age of the oldest item that is due in each queue: rows of features, and jobs of the scheduler.
import { joinSql, type Queries, type Sql, sql } from "#src/db/connection/database.ts";
import { metricsRead } from "#src/db/connection/time-limit.ts";
import { deadLetterQueue } from "#src/jobs/job.ts";
import type { Series } from "#src/runtime/series.ts";

/** Rows that wait for a job or a process. */
export interface Queue {
  /** Its noun, such as `imports`. */
  readonly name: string;
  /** Selects since when the oldest row that is due waits, by an index; null or no row if none waits. */
  readonly oldest: Sql;
}

/** The condition that no process has a valid lease of the row. */
export const isUnclaimed = sql`("leaseUntil" is null or "leaseUntil" < now())`;

/** Ages in seconds; 0 if nothing waits. Jobs have their names, and are absent until a process ran jobs. */
export async function readQueues(database: Queries, queues: readonly Queue[]): Promise<Record<string, number>> {
  const [table] = await database.query<{ isThere: boolean }>(
    sql`select to_regclass('pgboss.job') is not null as "isThere"`,
  );
  // An index has the jobs that have not begun; those of a stopped process return to it after a minute.
  const jobs = sql`select q.name, (select min(j.start_after) from pgboss.job j
      where j.name = q.name and j.state < 'active' and j.start_after <= now()) as at
    from pgboss.queue q where q.name <> ${deadLetterQueue} and q.name not like '\\_\\_pgboss%'`;
  const rows = queues.map(({ name, oldest }) => sql`select ${name}::text as name, (${oldest}) as at`);
  const all = joinSql(table?.isThere ? [...rows, jobs] : rows, " union all ");
  const ages = await database.query<{ name: string; age: number }>(
    sql`select a.name, coalesce(extract(epoch from now() - a.at), 0)::float as age from (${all}) a`,
  );
  return Object.fromEntries(ages.map(({ name, age }) => [name, Math.max(0, age)]));
}

/** The series of all queues. */
export function queueSeries(database: Queries, queues: readonly Queue[]): Series {
  const read = metricsRead(() => readQueues(database, queues));
  return {
    name: "docgraph_queue_oldest_seconds",
    help: "For how long the oldest item of a queue is due: rows that wait for a process, and jobs by their names; 0 if none waits.",
    ofWorkers: "max",
    labels: ["queue"],
    read: async () => Object.entries((await read()) ?? {}).map(([queue, age]) => [{ queue }, age] as const),
  };
}
