// The account that PostgreSQL runs as: it refuses to run as root, so a gateway of root runs it as an unprivileged one.
import { execFile } from "node:child_process";
import { stat } from "node:fs/promises";
import { promisify } from "node:util";
import { EmbeddedError } from "#src/db/embedded/embedded-error.ts";

const run = promisify(execFile);

/** For the options of `spawn`. Empty: the account of the gateway. */
export type Account = { readonly uid: number; readonly gid: number } | Record<string, never>;

/** Tried in this order; every system has the last. No account is ever created. */
const unprivileged = ["postgres", "nobody"];

/**
 * The account for a server on `folder`. For root it is the owner of data that already exist (who may be the person that
 * started docgraph here before), else the first unprivileged account of the system.
 */
export async function accountFor(folder: string): Promise<Account> {
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

/**
 * Whether the account can go down to `path` and, if it is a file, run it. The system is asked, since file modes do not
 * say all (ACLs, mounts).
 */
export async function canReach(account: Account, path: string): Promise<boolean> {
  return run("/bin/sh", ["-c", 'test -x "$1"', "sh", path], { ...account, cwd: "/" }).then(
    () => true,
    () => false,
  );
}
