// Where the data of the embedded PostgreSQL are: in the wanted folder, or under /var/lib for root in a folder that
// other accounts cannot reach.
import { createHash } from "node:crypto";
import { access, chmod, chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accountFor, canReach, type Account } from "#src/db/embedded/account.ts";

/** For data and programs that the server's account could not reach where they were wanted. */
export const systemFolder = "/var/lib/docgraph";

export interface Place {
  /** Holds `data` and `socket`. */
  readonly folder: string;
  readonly data: string;
  /** Whether it is not in the wanted folder. */
  readonly isElsewhere: boolean;
  readonly account: Account;
}

/** The place that belongs to the folder `dataDir`, a real path: always the same one, once it holds data. Creates it. */
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

async function prepared(
  { folder, isElsewhere }: { folder: string; isElsewhere: boolean },
  account: Account,
): Promise<Place> {
  await makePrivate(folder, account);
  return { folder, data: join(folder, "data"), isElsewhere, account };
}

/** Open to every account, whatever the umask at the start of docgraph; what is in it is private. */
export async function makeSystemFolder(): Promise<void> {
  await mkdir(systemFolder, { recursive: true });
  await chmod(systemFolder, 0o755);
}

/** Makes a folder that only the account may enter. */
async function makePrivate(folder: string, account: Account): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    if ("uid" in account) await chown(folder, account.uid, account.gid);
    await chmod(folder, 0o700);
  } catch (cause) {
    throw new Error(`the folder ${folder} cannot be used: it belongs to another user, or may not be written`, {
      cause,
    });
  }
}

/** The shortest limit among systems for the path of a Unix socket (macOS; Linux has 107). */
const socketPathLimit = 103;

/** An empty folder, private to the account, for the server's socket: beside the data, or where paths are shorter. */
export async function makeSocketFolder(place: Place): Promise<string> {
  const near = join(place.folder, "socket");
  const isShort = Buffer.byteLength(join(near, ".s.PGSQL.5432")) <= socketPathLimit;
  const temporary = tmpdir().length < 60 ? tmpdir() : "/tmp";
  const folder = isShort ? near : await mkdtemp(join(temporary, "docgraph-"));
  // A killed server leaves its socket, with a lock that names a process that is no more.
  if (isShort) await rm(near, { recursive: true, force: true });
  await makePrivate(folder, place.account);
  return folder;
}

/** Whether there is anything at the path. */
export async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
