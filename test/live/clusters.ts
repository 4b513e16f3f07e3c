// Clusters of PostgreSQL that replace each other behind the same gateways: replicas, backups and dumps, as operators
// make them.
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
import { copyMigratedFolder } from "#test/support/migrated-folder.ts";

const run = promisify(execFile);

export interface Cluster extends AsyncDisposable {
  readonly url: string;
  readonly pool: pg.Pool;
  /** Its data folder. */
  readonly folder: string;
  /** Its address with the folder of its socket as the host, percent-encoded: several of them make one address. */
  readonly host: string;
  /** Stops it; its folder is kept until it is disposed of. */
  stop(): Promise<void>;
  /** Kills it with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again on its data after it was killed, or ended by itself. */
  startAgain(): Promise<void>;
  /** The process id of the postmaster. */
  readonly pid: number;
}

type Folder = Awaited<ReturnType<typeof makeDataFolder>>;

async function startIn(folder: Folder): Promise<Cluster> {
  const start = () => startEmbeddedPostgres({ dataDir: folder.env.DATA_DIR });
  let server = await start();
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
    async startAgain() {
      await server.stop(); // frees the folder
      const { url } = server;
      server = await start();
      if (server.url !== url) throw new Error(`PostgreSQL has moved to ${server.url}`);
    },
    get pid() {
      return server.pid;
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await folder.remove(server.dataDir);
    },
  };
}

/** Starts one that is migrated and empty, on a disk: a copy of the one that the run of the tests has made. */
export async function startCluster(disk?: string): Promise<Cluster> {
  const folder = await makeDataFolder(false, disk);
  await copyMigratedFolder(folder.env.DATA_DIR);
  return migrated(await startIn(folder));
}

/** The same with an identity of its own: copies have that of the server of the tests. */
export const startStranger = async (): Promise<Cluster> => migrated(await startIn(await makeDataFolder()));

async function migrated(cluster: Cluster): Promise<Cluster> {
  await cluster.pool.query("alter system set fsync = off");
  await cluster.pool.query("select pg_reload_conf()");
  await migrate(cluster.url); // does nothing in a copy
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
export async function backUp(of: Cluster, disk?: string): Promise<Backup> {
  const folder = await makeDataFolder(false, disk);
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

/** Writes a file with the owner of the data folder. */
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

/** Restores an older backup unchanged, on its own timeline. */
export const startOn = ({ folder }: Backup): Promise<Cluster> => startIn(folder);

/** The settings of a standby, as in src/deployment/standby.conf. */
const standbySettings = (of: Cluster, name: string) => ({
  primary_conninfo: `host=${new URL(of.url).searchParams.get("host")} port=5432 user=docgraph application_name=${name}`,
});

/** Starts a replica, on a disk, that streams from a cluster under an application_name. */
export async function startReplica(of: Cluster, name = "replica", disk?: string): Promise<Cluster> {
  const { folder, data } = await backUp(of, disk);
  await write(data, standbySettings(of, name));
  await put(data, "standby.signal");
  return startIn(folder);
}

/** Makes a replica follow another primary. */
export async function follow(replica: Cluster, primary: Cluster, name: string): Promise<void> {
  await set(replica, standbySettings(primary, name));
}

/** Changes settings that need no restart. */
export async function set({ pool }: Cluster, settings: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(settings))
    await pool.query(`alter system set ${name} = '${value.replaceAll("'", "''")}'`);
  await pool.query("select pg_reload_conf()");
}

/** Recovers from a backup and the WAL written since, up to an LSN, on a new timeline. */
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

/** The flushed LSN of a cluster. */
export async function placeInLog({ pool }: Cluster): Promise<string> {
  const { rows } = await pool.query<{ at: string }>("select pg_current_wal_flush_lsn()::text as at");
  return rows[0]?.at ?? "";
}

/** Waits until a replica has replayed the WAL up to an LSN. */
export const hasReplayed = (replica: Cluster, at: string) =>
  untilTrue(replica, `pg_last_wal_replay_lsn() >= '${at}'::pg_lsn`);

/** Waits until a primary acknowledges nothing that its replica does not have. */
export async function makeSynchronous(primary: Cluster, replica: Cluster, name: string): Promise<void> {
  await set(primary, { synchronous_standby_names: name });
  await untilTrue(primary, "exists (select from pg_stat_replication where sync_state = 'sync')");
  await hasReplayed(replica, await placeInLog(primary));
}

/** Disconnects a replica from its primary, so that it falls behind. */
export async function cutOff(replica: Cluster): Promise<void> {
  await replica.pool.query("alter system set primary_conninfo = ''");
  await replica.pool.query("select pg_reload_conf()");
  await untilTrue(replica, "not exists (select from pg_stat_wal_receiver)");
}

/** Promotes a replica. */
export async function promote(replica: Cluster): Promise<void> {
  await replica.pool.query("select pg_promote()");
  await untilTrue(replica, "not pg_is_in_recovery()");
}

async function untilTrue({ pool }: Cluster, condition: string): Promise<void> {
  const statement = `select ${condition} as holds`;
  while (!(await pool.query<{ holds: boolean }>(statement)).rows[0]?.holds) await sleep(20);
}

/** Starts a new cluster with the rows of another, as from a dump: transaction ids start again. */
export async function restoreDump(of: Cluster): Promise<Cluster> {
  const cluster = await startStranger();
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

/** The partitions of the event table. */
async function makeSegments(client: pg.ClientBase, { pool }: Cluster): Promise<void> {
  const { rows } = await pool.query<{ id: number }>(`select id from "OutboxSegment" where id > 1 order by id`);
  for (const { id } of rows) {
    await client.query(`create table "OutboxEvent_${id}" partition of "OutboxEvent" for values in (${id})`);
    await client.query(`alter table "OutboxEvent" alter column segment set default ${id}`);
  }
}

/** Uses up transaction ids, as busy days do. */
export const ageBy = ({ pool }: Cluster, transactions: number) =>
  pool.query(`do $$ begin for i in 1..${transactions} loop perform pg_current_xact_id(); commit; end loop; end $$`);

/** Pauses the replay of a replica, so that it falls behind. */
export const holdBack = (replica: Cluster) => replica.pool.query("select pg_wal_replay_pause()");

/** Resumes the replay. */
export const goOn = (replica: Cluster) => replica.pool.query("select pg_wal_replay_resume()");
