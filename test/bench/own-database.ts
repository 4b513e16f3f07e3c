// Throw-away databases for the parts of the benchmark that write: migrated, empty, with statements counted.
import { randomUUID } from "node:crypto";
import { databaseUrl } from "#src/db/embedded/start.ts";
import { migrate } from "#src/db/maintenance/migrate.ts";
import { query } from "#test/bench/server.ts";

/** Runs `work` on a new database of the server, which is dropped afterwards. */
export async function withOwnDatabase<Result>(
  serverUrl: string,
  prefix: string,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const name = `${prefix}_${randomUUID().replaceAll("-", "")}`;
  await query(serverUrl, `create database ${name}`);
  const url = databaseUrl(serverUrl, name);
  try {
    await migrate(url);
    await query(url, "create extension if not exists pg_stat_statements");
    return await work(url);
  } finally {
    await query(serverUrl, `drop database ${name} with (force)`);
  }
}

/**
 * The number of statements of a database so far that are `like` this, including transaction commands, excluding those
 * that count.
 */
export async function statementsOn(url: string, like = "%"): Promise<number> {
  const [row] = await query<{ calls: string }>(
    url,
    `select coalesce(sum(calls), 0) as calls from pg_stat_statements
     where dbid = (select oid from pg_database where datname = current_database()) and query not like '%pg_stat_statements%' and query like $1`,
    [like],
  );
  return Number(row?.calls);
}
