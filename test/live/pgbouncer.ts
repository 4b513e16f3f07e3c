// A real PgBouncer in front of a PostgreSQL, in session or transaction mode.
import { spawn } from "node:child_process";
import { chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { withSettings } from "#test/support/deployment.ts";
import { freePort } from "#test/support/free-port.ts";

export interface Pooler extends AsyncDisposable {
  readonly url: string;
}

interface Options {
  /** The database behind it. */
  readonly url: string;
  readonly mode: "session" | "transaction";
  /** Additional settings. */
  readonly more?: string;
}

/** Starts PgBouncer; prints the reason and returns null if it is not installed. */
export async function startPgBouncer({ url, mode, more = "" }: Options): Promise<Pooler | null> {
  const { username, pathname, searchParams } = new URL(url);
  const database = pathname.slice(1);
  const host = searchParams.get("host") ?? ""; // the folder of its socket
  const [port, folder] = [await freePort(), await mkdtemp(join(tmpdir(), "docgraph-pgbouncer-"))];
  await chmod(folder, 0o755);
  const settings = join(folder, "pgbouncer.ini");
  const users = join(folder, "users.txt");
  await writeFile(users, `"${username}" ""\n`);
  const ours = withSettings("pgbouncer.ini", {
    docgraph: `host=${host} port=5432 user=${username} dbname=${database}`,
    listen_addr: "127.0.0.1",
    listen_port: port,
    auth_type: "trust",
    auth_file: users,
    pool_mode: mode,
  }).replace(/^docgraph/m, database);
  await writeFile(settings, `${ours}unix_socket_dir =\n${more}\n`);
  const { uid, gid } = await stat(host); // it does not run as root, and enters the folder of the socket
  const account = process.getuid?.() === 0 ? { uid, gid } : {};
  const child = spawn("pgbouncer", [settings], { cwd: "/", stdio: "ignore", ...account });
  let isThere = true;
  const ended = new Promise<void>((resolve) => {
    child.once("error", () => resolve()); // the program is not installed
    child.once("exit", () => resolve());
  }).then(() => (isThere = false));
  const pooled = `postgres://${username}@127.0.0.1:${port}/${database}`;
  while (isThere && !(await answers(pooled))) await wait(20);
  const end = async () => {
    child.kill("SIGINT");
    await ended;
    await rm(folder, { recursive: true });
  };
  if (isThere) return { url: pooled, [Symbol.asyncDispose]: end };
  console.warn("Skipped: pgbouncer is not installed or has exited.");
  await rm(folder, { recursive: true });
  return null;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
