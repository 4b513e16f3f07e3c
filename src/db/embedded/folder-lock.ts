// Locks a data folder for one docgraph: of the processes that listen on sockets in it, which only its owner may enter,
// one owns the folder. The system closes the sockets of a process that dies, however it dies.
import { randomBytes } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { EmbeddedError, makePrivate } from "#src/db/embedded/place.ts";
import { type ShortPath, shortPath } from "#src/db/embedded/short-path.ts";

/** The process that owns the folder, and its database once it has started. */
export interface FolderHolder {
  readonly pid: number;
  readonly url?: string;
}

/** The message of a listening process: one that does not own the folder yet is looking for others. */
interface Claim extends FolderHolder {
  readonly isHolder: boolean;
}

/** The folder is in use by another process. */
export class FolderInUseError extends Error {
  override readonly name = "FolderInUseError";
  readonly holder: FolderHolder;

  constructor(folder: string, holder: FolderHolder) {
    super(`docgraph is already running on the data folder ${folder} (process ${holder.pid})`);
    this.holder = holder;
  }
}

export interface FolderLock {
  /** Lets other processes (such as the token command) find the database of this process. */
  publish(url: string): void;
  release(): Promise<void>;
}

/** Where the sockets are, in the data folder. */
const lockFolderOf = (folder: string): string => join(folder, "lock");

const newName = (): string => `${randomBytes(8).toString("hex")}.sock`;
const nameBytes = newName().length;

/** How long a process that looks for others may take, in milliseconds, and how often it is asked. */
const [patienceMs, askedEveryMs] = [10_000, 20];

/** Locks the folder, or throws {@link FolderInUseError} and changes nothing. `folder` is a real path. */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const own = lockFolderOf(folder);
  const { uid, gid } = await stat(folder);
  await makePrivate(own, process.getuid?.() === 0 ? { uid, gid } : {}); // the owner of the data may be known later
  const short = await shortPath(own, nameBytes);
  for (;;) {
    const name = newName();
    let claim: Claim = { pid: process.pid, isHolder: false };
    const server = createServer((socket) => {
      socket.on("error", () => {}); // the asking process has ended
      socket.end(JSON.stringify(claim));
    });
    server.unref();
    const release = () => close(server).then(() => short.close());
    try {
      await listen(server, join(short.path, name));
      const found = await findFirst(short, name);
      if (found === "unseen") {
        await close(server);
        continue;
      }
      if (found) throw new FolderInUseError(folder, found);
      claim = { ...claim, isHolder: true };
      return { publish: (url) => (claim = { ...claim, url }), release };
    } catch (error) {
      await release();
      throw error;
    }
  }
}

/**
 * The process that precedes this one, which listens as `name`: the owner of the folder, or an earlier name. Later names
 * are awaited until they have seen this one: of several that start at once exactly one gets the folder. Abandoned
 * sockets are removed; `unseen` if another process removed this one's before it listened.
 */
async function findFirst(short: ShortPath, name: string): Promise<FolderHolder | "unseen" | undefined> {
  const names = await readdir(short.path);
  if (!names.includes(name)) return "unseen";
  for (const other of names.filter((one) => one !== name)) {
    const path = join(short.path, other);
    const end = Date.now() + patienceMs;
    let claim = await ask(path);
    while (claim && !claim.isHolder && other > name) {
      if (Date.now() > end)
        throw new EmbeddedError(`process ${claim.pid} does not report whether it uses the data folder`);
      await sleep(askedEveryMs);
      claim = await ask(path);
    }
    if (claim) return claim;
    await rm(path, { force: true }); // left behind by a killed process
  }
  return undefined;
}

/** The process that owns the folder, or is about to; undefined without one. */
export async function findHolder(folder: string): Promise<FolderHolder | undefined> {
  const own = lockFolderOf(folder);
  const names = await readdir(own).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return [];
    if (codeOf(error) !== "EACCES") throw error;
    throw new EmbeddedError(
      `the data folder ${folder} belongs to another user; run the command as the user that runs docgraph`,
    );
  });
  if (names.length === 0) return undefined;
  const short = await shortPath(own, nameBytes);
  try {
    const claims = await Promise.all(names.map((name) => ask(join(short.path, name))));
    const found = claims.find((claim) => claim?.isHolder) ?? claims.find((claim) => claim !== undefined);
    return found && { pid: found.pid, ...(found.url !== undefined && { url: found.url }) };
  } finally {
    await short.close();
  }
}

/** The message of the process that listens at a path; undefined without one. */
async function ask(path: string, tries = 3): Promise<Claim | undefined> {
  const socket = connect(path);
  const silent = "the process that uses the data folder does not respond";
  socket.setTimeout(2000, () => socket.destroy(new EmbeddedError(silent)));
  try {
    return JSON.parse(await text(socket)) as Claim; // written by lockFolder
  } catch (error) {
    if (["ECONNREFUSED", "ENOENT"].includes(codeOf(error))) return undefined;
    const hasJustEnded = codeOf(error) === "ECONNRESET" || error instanceof SyntaxError;
    if (hasJustEnded && tries > 1) return ask(path, tries - 1);
    throw error;
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

const close = (server: Server): Promise<void> => new Promise((done) => void server.close(() => done()));

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(path, () => resolve());
  });
}
