// The location of the data of the embedded PostgreSQL, in the configured folder or /var/lib, and its system account.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { access, chmod, chown, mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** The embedded PostgreSQL cannot be used; the message says what to do. */
export class EmbeddedError extends Error {
  override readonly name = "EmbeddedError";
}

const run = promisify(execFile);

/** For the options of `spawn`. Empty: the account of the gateway. */
export type Account = { readonly uid: number; readonly gid: number } | { readonly uid?: never; readonly gid?: never };

/** Accounts for root, tried in this order; every system has the last. Accounts are never created. */
const unprivileged = ["postgres", "nobody"];

/** The account for a server on `folder`. For root the owner of existing data, else the first unprivileged account. */
async function accountFor(folder: string): Promise<Account> {
  if (process.getuid?.() !== 0) return {};
  const existing = await stat(folder).catch(() => undefined);
  if (existing && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid };
  for (const name of unprivileged) {
    const account = await lookUp(name);
    if (account) return account;
  }
  throw new EmbeddedError(
    `PostgreSQL does not run as root, and this system has no account ${unprivileged.join(" or ")} to run it as`,
  );
}

async function lookUp(name: string): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run("id", ["-u", name]), run("id", ["-g", name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

/** Whether the account can reach `path`, and run a file. Asks the system: modes do not show all (ACLs, mounts). */
export async function canReach(account: Account, path: string): Promise<boolean> {
  return run("/bin/sh", ["-c", 'test -x "$1"', "sh", path], { ...account, cwd: "/" }).then(
    () => true,
    () => false,
  );
}

/** For data and programs that the server's account cannot reach at their configured location. */
export const systemFolder = "/var/lib/docgraph";

export interface Place {
  /** Contains `data` and `socket`. */
  readonly folder: string;
  readonly data: string;
  /** Whether it is not in the configured folder. */
  readonly isElsewhere: boolean;
  readonly account: Account;
}

/** The location for the folder `dataDir`, a real path: always the same one, once it has data. Creates it. */
export async function findPlace(dataDir: string): Promise<Place> {
  const inside = { folder: join(dataDir, "postgres"), isElsewhere: false };
  const account = await accountFor(inside.folder);
  if (!("uid" in account)) return prepared(inside, account);
  const key = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  const outside = { folder: join(systemFolder, key), isElsewhere: true };
  if (await exists(join(outside.folder, "data"))) return prepared(outside, await accountFor(outside.folder));
  if ((await exists(join(inside.folder, "data"))) || (await canReach(account, dataDir)))
    return prepared(inside, account);
  await makeSystemFolder();
  return prepared(outside, account);
}

async function prepared(of: Pick<Place, "folder" | "isElsewhere">, account: Account): Promise<Place> {
  const { folder } = of;
  await makePrivate(folder, account);
  const data = join(folder, "data");
  await refuseOthers(data, account);
  return { ...of, data, account };
}

/** PostgreSQL requires that its account owns the data. Those of a copy may belong to another account. */
async function refuseOthers(data: string, account: Account): Promise<void> {
  const { uid = process.getuid?.(), gid = process.getgid?.() } = account;
  const owner = (await stat(data).catch(() => undefined))?.uid;
  if (owner === undefined || uid === undefined || owner === uid) return;
  throw new EmbeddedError(
    `the database in ${data} belongs to the account ${owner}, but PostgreSQL runs as ${uid}; ` +
      `copies keep their owner with 'cp -a'; fix this one with: chown -R ${uid}:${gid} ${data}`,
  );
}

/** Open to every account, whatever the umask at the start of docgraph; its contents are private. */
export async function makeSystemFolder(): Promise<void> {
  await mkdir(systemFolder, { recursive: true });
  await chmod(systemFolder, 0o755);
}

/** Creates a folder that only the account may enter. */
export async function makePrivate(folder: string, account: Account): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    if (account.uid !== undefined) await chown(folder, account.uid, account.gid);
    await chmod(folder, 0o700);
  } catch (cause) {
    const code = String(cause instanceof Error && "code" in cause ? cause.code : cause);
    throw new EmbeddedError(
      `the folder ${folder} cannot be used (${code}): it must belong to the user that runs docgraph, as it does after 'chown -R', or set DATA_DIR to another one`,
      { cause },
    );
  }
}

/** The server's name for the folder of its socket: it works in its data folder. */
export const socketFolderFromData = "../socket";

/** An empty folder beside the data, private to the account, for the server's socket. */
export async function makeSocketFolder(place: Place): Promise<string> {
  const folder = join(place.data, socketFolderFromData);
  // A killed server leaves its socket, with a lock that names a process that has ended.
  await rm(folder, { recursive: true, force: true });
  await makePrivate(folder, place.account);
  return folder;
}

/** Whether the path exists. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** A marker in a data folder names where its database is, so that the folder never silently gets another one. */
const markerOf = (dataDir: string): string => join(dataDir, "postgres.location");

/** Throws {@link EmbeddedError} if `dataDir` had a database elsewhere: then none may be created at `data`. */
export async function refuseLostDatabase(dataDir: string, data: string): Promise<void> {
  const known = await readMarker(dataDir);
  if (known === undefined) return;
  const remedy = known === data ? "restore it from a backup" : `copy it with: cp -a ${known} ${data}`;
  throw new EmbeddedError(
    `the database of ${dataDir} was in ${known}, but ${data} does not contain it; ${remedy}. ` +
      `To start with an empty database instead, remove ${markerOf(dataDir)}`,
  );
}

/** Records in the data folder that the database of `dataDir` is in the folder `data`. */
export async function noteLocation(dataDir: string, data: string): Promise<void> {
  if ((await readMarker(dataDir)) !== data) await writeFile(markerOf(dataDir), `${data}\n`);
}

/** The folder that the marker names; undefined if it is missing, or empty after a crash. */
async function readMarker(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(markerOf(dataDir), "utf8")).trim() || undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
