// The databases of a process: that of requests, the replicas that these may read from, and that of jobs, which want
// sessions of their own.
import type { Config } from "#src/config/config.ts";
import { openDatabase, openReads } from "#src/db/connection/database.ts";
import type { Replica } from "#src/db/replicas/replicas.ts";
import { findSettingsFrom } from "#src/db/connection/sessions.ts";
import type { DatabaseSource } from "#src/server/process/database-source.ts";

/** Jobs run one at a time, but for some. */
const jobConnections = 4;

type Settings = Pick<Config, "poolSize" | "statementTimeoutMs" | "isPrepared" | "databaseReadUrls">;

/** Opens them. Throws SessionError where a pooler keeps from sessions what docgraph needs. */
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
    /** The same one, but where that is behind a pooler which lends sessions for one transaction at a time. */
    ofJobs,
    close: async () => void (await Promise.all([...opened].map((each) => each.close()))),
    /** Ends all connections when so many milliseconds are over: what is still asked then is for nobody any more. */
    cutIn(ms: number) {
      setTimeout(() => opened.forEach((each) => each.cut()), ms).unref();
    },
  };
}
