// The databases of a process: that of requests, the replicas that these may read from, and that of jobs, which need
// sessions of their own.
import type { Config } from "#src/config/config.ts";
import { openDatabase, openReads } from "#src/db/connection/database.ts";
import type { Replica } from "#src/db/replicas/replicas.ts";
import { findSettingsFrom } from "#src/db/connection/sessions.ts";
import type { DatabaseSource } from "#src/server/process/database-source.ts";

/** Jobs run one at a time, with few exceptions. */
const jobConnections = 4;

type Settings = Pick<Config, "poolSize" | "statementTimeoutMs" | "isPrepared" | "databaseReadUrls">;

/** Opens them. Throws SessionError if a pooler removes settings that docgraph needs. */
export async function openDatabases(
  { poolSize, statementTimeoutMs, isPrepared, databaseReadUrls }: Settings,
  { url, directUrl, isEmbedded }: DatabaseSource,
) {
  const isLent = directUrl !== url;
  const sessions = { url, statementTimeoutMs, isPrepared };
  const settingsFrom = isEmbedded ? "parameters" : await findSettingsFrom({ ...sessions, isLent });
  const database = openDatabase({ ...sessions, poolSize, settingsFrom });
  const ofJobs = isLent
    ? openDatabase({ url: directUrl, statementTimeoutMs, poolSize: jobConnections, wires: false })
    : database;
  const readReplicas = databaseReadUrls.map((at): Replica => ({
    name: new URL(at).searchParams.get("host") ?? new URL(at).host,
    reads: openReads({ url: at, statementTimeoutMs, poolSize }),
  }));
  const opened = new Set([database, ofJobs, ...readReplicas.map(({ reads }) => reads)]);
  return {
    database,
    readReplicas,
    /** The same one, unless that is behind a pooler in transaction mode. */
    ofJobs,
    close: async () => void (await Promise.all([...opened].map((each) => each.close()))),
    /** Ends all connections after this many milliseconds: nothing needs running statements then. */
    cutIn(ms: number) {
      setTimeout(() => opened.forEach((each) => each.cut()), ms).unref();
    },
  };
}
