// Short names of folders for Unix sockets, whose paths the system limits to some hundred bytes.
import { constants } from "node:fs";
import { mkdtemp, open, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The shortest limit among systems for the path of a Unix socket (macOS; Linux has 107). */
const socketPathLimit = 103;

/** A folder by a name that is short enough for sockets in it. */
export interface ShortPath {
  readonly path: string;
  /** Removes the name: it must no longer be used. */
  close(): Promise<void>;
}

/** A name of `folder`, a real path, for sockets whose names have `nameBytes`: its own, or a link of this process. */
export async function shortPath(folder: string, nameBytes: number): Promise<ShortPath> {
  if (Buffer.byteLength(folder) + 1 + nameBytes <= socketPathLimit) return { path: folder, close: async () => {} };
  if (process.platform === "linux") {
    const handle = await open(folder, constants.O_RDONLY | constants.O_DIRECTORY);
    return { path: `/proc/${process.pid}/fd/${handle.fd}`, close: () => handle.close() };
  }
  const own = await mkdtemp(join(tmpdir().length < 60 ? tmpdir() : "/tmp", "docgraph-")); // private to this account
  const path = join(own, "s");
  await symlink(folder, path);
  return { path, close: () => rm(own, { recursive: true, force: true }) };
}
