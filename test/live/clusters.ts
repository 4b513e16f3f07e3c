// Clusters of PostgreSQL that come one after the other in front of the same gateways: replicas, backups and dumps, as
// operators make them.
import { execFile } from "node:child_process";
import { appendFile, chown, mkdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { PgBoss } from "pg-boss";
import { startEmbeddedPostgres } from "#src/db/embedded/start.ts";
import { migrate } from "#src/db/maintenance/migrate.ts";
import { makeDataFolder } from "#test/support/docgraph-process.ts";

const run = promisify(execFile);

export interface Cluster extends AsyncDisposable {
  readonly url: string;
  readonly pool: pg.Pool;
  /** The folder that holds its data. */
  readonly folder: string;
  /** Its address with the folder of its socket as the host, percent-encoded: several of them make one address. */
  readonly host: string;
  /** Ends it; what is in its folder stays until it is disposed of. */
  stop(): Promise<void>;
  /** Ends it by SIGKILL in the middle of whatever it does. */
  kill(): Promise<void>;
}

type Folder = Awaited<ReturnType<typeof makeDataFolder>>;

async function startIn(folder: Folder): Promise<Cluster> {
  const server = await startEmbeddedPostgres({ dataDir: folder.env.DATA_DIR });
  const pool = new pg.Pool({ connectionString: server.url });
  pool.on("error", () => {}); // it is stopped under its connections
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= pool.end().then(() => server.stop()));
  return {
    url: server.url,
    host: `${encodeURIComponent(new URL(server.url).searchParams.get("host") ?? "")}:5432`,
    pool,
    folder: server.dataDir,
    stop,
    async kill() {
      process.kill(server.pid, "SIGKILL");
      await server.crashed;
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await folder.remove(server.dataDir);
    },
  };
}

/** Starts a new one, migrated and empty. */
export async function startCluster(): Promise<Cluster> {
  const cluster = await startIn(await makeDataFolder());
  await cluster.pool.query("alter system set fsync = off");
  await cluster.pool.query("select pg_reload_conf()");
  await migrate(cluster.url);
  const boss = new PgBoss({ connectionString: cluster.url, max: 2 });
  await boss.start();
  await boss.stop({ graceful: false });
  return cluster;
}

/** A copy of a running cluster's files, not started yet. */
export interface Backup {
  readonly folder: Folder;
  readonly data: string;
}

/** Copies a running cluster as pg_basebackup does. */
export async function backUp(of: Cluster): Promise<Backup> {
  const folder = await makeDataFolder();
  const place = join(folder.env.DATA_DIR, "postgres");
  const data = join(place, "data");
  const client = await of.pool.connect();
  try {
    await client.query("select pg_backup_start('copy', true)");
    await mkdir(folder.env.DATA_DIR, { recursive: true });
    await run("cp", ["-a", of.folder, place]);
    const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop(false)");
    await run("cp", ["-a", `${join(of.folder, "data/pg_wal")}/.`, join(data, "pg_wal")]);
    await put(data, "backup_label", rows[0]?.labelfile ?? "");
  } finally {
    client.release();
  }
  await rm(join(data, "postmaster.pid"));
  return { folder, data };
}

/** Writes a file that belongs to whom the data belong to. */
async function put(data: string, name: string, text = ""): Promise<void> {
  await writeFile(join(data, name), text);
  const { uid, gid } = await stat(data);
  await chown(join(data, name), uid, gid);
}

const write = (data: string, settings: Readonly<Record<string, string>>) =>
  appendFile(
    join(data, "postgresql.auto.conf"),
    Object.entries(settings)
      .map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`)
      .join(""),
  );

/** Puts an older backup in place, as it is: on the timeline that it is of. */
export const startOn = ({ folder }: Backup): Promise<Cluster> => startIn(folder);

/** How a standby follows its primary, as src/deployment/standby.conf has it. */
const standbySettings = (of: Cluster, name: string) => ({
  primary_conninfo: `host=${new URL(of.url).searchParams.get("host")} port=5432 user=docgraph application_name=${name}`,
});

/** Starts a replica that streams from a cluster, by a name under which that knows it. */
export async function startReplica(of: Cluster, name = "replica"): Promise<Cluster> {
  const { folder, data } = await backUp(of);
  await write(data, standbySettings(of, name));
  await put(data, "standby.signal");
  return startIn(folder);
}

/** Has a replica follow another primary. */
export async function follow(replica: Cluster, primary: Cluster, name: string): Promise<void> {
  await set(replica, standbySettings(primary, name));
}

/** Changes settings that need no new start. */
export async function set({ pool }: Cluster, settings: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await pool.query(`alter system set ${name} = '${value.replaceAll("'", "''")}'`);
  await pool.query("select pg_reload_conf()");
}

/** Recovers from a backup, and the log that a cluster has written since, up to a place in that: a new timeline. */
export async function recover({ folder, data }: Backup, of: Cluster, until: string): Promise<Cluster> {
  await write(data, {
    restore_command: `cp ${join(of.folder, "data/pg_wal")}/%f %p`,
    recovery_target_lsn: until,
    recovery_target_action: "promote",
  });
  await put(data, "recovery.signal");
  const cluster = await startIn(folder);
  await untilTrue(cluster, "not pg_is_in_recovery()");
  return cluster;
}

/** Where a cluster has written its log to, all of it on the disk. */
export async function placeInLog({ pool }: Cluster): Promise<string> {
  const { rows } = await pool.query<{ at: string }>("select pg_current_wal_flush_lsn()::text as at");
  return rows[0]?.at ?? "";
}

/** Waits until a replica has everything up to a place in the log. */
export const hasReplayed = (replica: Cluster, at: string) =>
  untilTrue(replica, `pg_last_wal_replay_lsn() >= '${at}'::pg_lsn`);

/** Cuts a replica off from the cluster that it follows: it stays behind. */
export async function cutOff(replica: Cluster): Promise<void> {
  await replica.pool.query("alter system set primary_conninfo = ''");
  await replica.pool.query("select pg_reload_conf()");
  await untilTrue(replica, "not exists (select from pg_stat_wal_receiver)");
}

/** Makes a replica the one that is written to. */
export async function promote(replica: Cluster): Promise<void> {
  await replica.pool.query("select pg_promote()");
  await untilTrue(replica, "not pg_is_in_recovery()");
}

async function untilTrue({ pool }: Cluster, condition: string): Promise<void> {
  const statement = `select ${condition} as holds`;
  while (!(await pool.query<{ holds: boolean }>(statement)).rows[0]?.holds) await sleep(20);
}

/** Starts a new cluster with the rows of another, as a dump carries them: ids of transactions begin anew. */
export async function restoreDump(of: Cluster): Promise<Cluster> {
  const cluster = await startCluster();
  const client = await cluster.pool.connect();
  try {
    await client.query("set session_replication_role = replica"); // no triggers, and no checks of foreign keys
    const { rows: tables } = await of.pool.query<{ name: string; columns: string }>(
      `select c.table_name as name, string_agg(quote_ident(c.column_name), ', ') as columns from information_schema.columns c
        join pg_class t on t.oid = format('%I', c.table_name)::regclass and t.relkind in ('r', 'p') and not t.relispartition
        where c.table_schema = 'public' and c.is_generated = 'NEVER' and c.table_name <> '_prisma_migrations' group by 1`,
    );
    await client.query("begin");
    await makeSegments(client, of);
    for (const { name, columns } of tables) {
      await client.query(`delete from "${name}"`);
      const { rows } = await of.pool.query<{ all: string | null }>(`select json_agg(t)::text as all from "${name}" t`);
      if (rows[0]?.all)
        await client.query(
          `insert into "${name}" (${columns}) select ${columns} from json_populate_recordset(null::"${name}", $1)`,
          [rows[0].all],
        );
    }
    await client.query("commit");
    const { rows: sequences } = await of.pool.query<{ name: string; last: string }>(
      `select quote_ident(sequencename) as name, last_value::text as last from pg_sequences
        where schemaname = 'public' and last_value is not null`,
    );
    for (const { name, last } of sequences) await client.query("select setval($1, $2)", [name, last]);
  } finally {
    client.release();
  }
  return cluster;
}

/** The partitions that the table of events has there. */
async function makeSegments(client: pg.ClientBase, { pool }: Cluster): Promise<void> {
  const { rows } = await pool.query<{ id: number }>(`select id from "OutboxSegment" where id > 1 order by id`);
  for (const { id } of rows) {
    await client.query(`create table "OutboxEvent_${id}" partition of "OutboxEvent" for values in (${id})`);
    await client.query(`alter table "OutboxEvent" alter column segment set default ${id}`);
  }
}

/** Uses up ids of transactions, as busy days do. */
export const ageBy = ({ pool }: Cluster, transactions: number) =>
  pool.query(`do $$ begin for i in 1..${transactions} loop perform pg_current_xact_id(); commit; end loop; end $$`);

/** Has a replica hold back what it receives, so that it falls behind. */
export const holdBack = (replica: Cluster) => replica.pool.query("select pg_wal_replay_pause()");

/** Has it go on. */
export const goOn = (replica: Cluster) => replica.pool.query("select pg_wal_replay_resume()");
