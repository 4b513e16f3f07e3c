// The databases of a process: that of requests, and that of jobs, which want sessions of their own.
import type { Config } from "#src/base/config.ts";
import { type Database, openDatabase } from "#src/db/database.ts";
import { findSettingsFrom } from "#src/db/sessions.ts";
import type { DatabaseSource } from "#src/server/database-source.ts";

export interface Databases {
  readonly database: Database;
  /** The same one, but where that is behind a pooler which lends sessions for one transaction at a time. */
  readonly ofJobs: Database;
  close(): Promise<void>;
}

/** Jobs run one at a time, but for some. */
const jobConnections = 4;

/** Opens them. Throws SessionError where a pooler keeps from sessions what docgraph needs. */
export async function openDatabases(
  { poolSize, statementTimeoutMs, isPrepared }: Pick<Config, "poolSize" | "statementTimeoutMs" | "isPrepared">,
  { url, directUrl, isEmbedded }: DatabaseSource,
): Promise<Databases> {
  const isLent = directUrl !== url;
  const sessions = { url, statementTimeoutMs, isPrepared };
  const settingsFrom = isEmbedded ? "parameters" : await findSettingsFrom({ ...sessions, isLent });
  const database = openDatabase({ ...sessions, poolSize, settingsFrom });
  if (!isLent) return { database, ofJobs: database, close: () => database.close() };
  const ofJobs = openDatabase({ url: directUrl, statementTimeoutMs, poolSize: jobConnections, wires: false });
  return { database, ofJobs, close: async () => void (await Promise.all([database.close(), ofJobs.close()])) };
}
