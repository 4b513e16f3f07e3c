// One docgraph on a data folder: a listening socket whose name comes from the folder. The system frees it when the
// process dies, however it dies.
import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

/** The process that has the folder, and its database once that is up. */
export interface FolderHolder {
  readonly pid: number;
  readonly url?: string;
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
  /** Lets others (the token command) find the database of this process. */
  publish(url: string): void;
  release(): Promise<void>;
}

/** Takes the folder, or throws {@link FolderInUseError} and leaves everything as it is. `folder` is a real path. */
export async function lockFolder(folder: string): Promise<FolderLock> {
  let holder: FolderHolder = { pid: process.pid };
  const server = createServer((socket) => {
    socket.on("error", () => {}); // the process that asked is gone
    socket.end(JSON.stringify(holder));
  });
  server.unref();
  const address = addressOf(folder);
  for (let attempt = 1; !(await listen(server, address)); attempt++) {
    const other = await findHolder(folder);
    if (other) throw new FolderInUseError(folder, other);
    if (attempt === 3) throw new Error(`the data folder ${folder} is in use by a process that does not answer`);
    if (!address.startsWith("\0")) await rm(address, { force: true }); // left behind by a killed process
  }
  return {
    publish: (url) => (holder = { ...holder, url }),
    release: () => new Promise((done) => void server.close(() => done())),
  };
}

/** The process that has the folder now; undefined if none has. */
export async function findHolder(folder: string): Promise<FolderHolder | undefined> {
  const socket = connect(addressOf(folder));
  socket.setTimeout(2000, () => socket.destroy(new Error("no answer")));
  try {
    return JSON.parse(await text(socket)) as FolderHolder; // written by lockFolder
  } catch {
    return undefined;
  }
}

/** Linux has socket names outside the file system, which no killed process can leave behind. */
function addressOf(folder: string): string {
  const name = `docgraph-${createHash("sha256").update(folder).digest("hex").slice(0, 32)}`;
  return process.platform === "linux" ? `\0${name}` : join(tmpdir(), name);
}

function listen(server: Server, address: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => ("code" in error && error.code === "EADDRINUSE" ? resolve(false) : reject(error)));
    server.listen(address, () => resolve(true));
  });
}
