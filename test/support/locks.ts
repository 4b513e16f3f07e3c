// A second session that holds locks, so that a test can stop a transaction at a chosen step and inspect it.
import pg from "pg";
import type { TestApp } from "#test/support/app.ts";

export interface LockHolder extends AsyncDisposable {
  /** Runs statements such as `lock table …` in the transaction that holds the locks; can be repeated. */
  hold(...statements: readonly string[]): Promise<void>;
  /**
   * Waits until `count` other sessions of the database wait for a lock, with a statement that is like `pattern` (of
   * SQL).
   */
  waiters(count: number, pattern?: string): Promise<void>;
  /** The number of sessions that wait now. */
  waiting(pattern?: string): Promise<number>;
  /** Releases all locks. */
  release(): Promise<void>;
}

/** Waits until no session of the database waits for a lock. */
export async function untilNobodyWaits({ database }: Pick<TestApp, "database">): Promise<void> {
  const text =
    "select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  let count = 1;
  while (count > 0) [{ count = 0 } = {}] = await database.vital.query<{ count: number }>({ text, values: [] });
}

/** Opens the session. It may lose its connection when a test ends the server. */
export async function lockHolder(url: string): Promise<LockHolder> {
  const [holder, watcher] = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })];
  for (const client of [holder, watcher]) {
    client.on("error", () => {});
    await client.connect();
  }
  const waiting = async (pattern = "%") => {
    const { rows } = await watcher.query<{ count: number }>(
      `select count(*)::int from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query ilike $1`,
      [pattern],
    );
    return rows[0]?.count ?? 0;
  };
  let isHolding = false;
  return {
    waiting,
    async hold(...statements) {
      if (!isHolding) await holder.query("begin");
      isHolding = true;
      for (const statement of statements) await holder.query(statement);
    },
    async waiters(count, pattern) {
      // The pauses leave CPU time to sessions about to wait for the lock.
      while ((await waiting(pattern)) < count) await watcher.query("select pg_sleep(0.005)");
    },
    async release() {
      await holder.query("commit");
      isHolding = false;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([holder.end(), watcher.end()]);
    },
  };
}
