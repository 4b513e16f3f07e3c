// The jobs that a start of docgraph runs in the background: a measurement waits for their end, or measures them along.
import { query } from "#test/bench/server.ts";

/** How long the jobs may take, in milliseconds: those of the first start index all texts of the generated data. */
const limitMs = 600_000;

/** The time of the database, by which the jobs of later starts are known. */
export async function databaseTime(url: string): Promise<string> {
  const [row] = await query<{ now: string }>(url, "select now()::text as now");
  return row?.now ?? "now";
}

/**
 * Waits until a start after `since` has indexed all texts, and no job of its queues is due. Throws if that takes too
 * long. An earlier release leaves `others`: queues that it does not know.
 */
export async function untilJobsAreDone(url: string, since: string, others: boolean): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await areJobsDone(url, since, others))) {
    if (performance.now() > deadline) throw new Error("docgraph did not finish the jobs of its start");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function areJobsDone(url: string, since: string, others: boolean): Promise<boolean> {
  const [table] = await query<{ exists: boolean }>(url, "select to_regclass('pgboss.job') is not null as exists");
  if (!table?.exists) return false;
  const [row] = await query<{ isDone: boolean }>(
    url,
    `select exists (select from pgboss.job where name = 'content.derive' and state = 'completed' and completed_on > $1::timestamptz)
       and ($2 or not exists (select from pgboss.job where state < 'completed' and start_after <= now())) as "isDone"`,
    [since, others],
  );
  return row?.isDone === true;
}
