// Where bytes wait on the disk of this machine while they are received: measured, and under a name of their own.
import { createHash, randomUUID } from "node:crypto";
import { createReadStream, type Stats } from "node:fs";
import { open, readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ensureFolder } from "#src/base/ensure-folder.ts";
import { DomainError } from "#src/base/errors.ts";
import { type Bytes, headSize, type ReceivedBlob } from "#src/files/file-store.ts";

/** A file not written to for so long belongs to a process that has ended: requests take some minutes at most. */
const abandonedAfterMs = 60 * 60 * 1000;

/** Keeps the received file at `path` for good, under its hash; it need not be there afterwards. */
export type Keep = (path: string, blob: { readonly hash: string; readonly size: number }) => Promise<void>;

/** A folder of what is being received, which is made when needed. */
export class Spool {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** As of {@link FileStore.receive}; what it gives is kept by `keep`. */
  async receive(bytes: Bytes, limit: number, keep: Keep): Promise<ReceivedBlob> {
    await makeFolder(this.#folder);
    const path = join(this.#folder, randomUUID());
    try {
      const measured = await write(bytes, path, limit);
      let kept: Promise<void> | undefined;
      return {
        ...measured,
        read: () => readFile(path),
        stream: () => createReadStream(path),
        keep: () => (kept ??= keep(path, measured)),
        drop: () => remove(path),
      };
    } catch (error) {
      await remove(path);
      throw error;
    }
  }

  /** Makes the folder, and removes what ended processes left. Throws when nothing can be written here. */
  async tidy(): Promise<void> {
    await makeFolder(this.#folder);
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const left = await statOrNull(path);
      if (left && left.mtimeMs < Date.now() - abandonedAfterMs) await rm(path, { force: true });
    }
  }
}

/** Removes a file. Where the disk refuses that, it is left for {@link Spool.tidy}. */
const remove = (path: string): Promise<void> => rm(path, { force: true }).catch(() => {});

/** Writes bytes to a new file, down to the disk. */
async function write(bytes: Bytes, path: string, limit: number) {
  const hash = createHash("sha256");
  const head: Uint8Array[] = [];
  let size = 0;
  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      if (size < headSize) head.push(chunk.subarray(0, headSize - size));
      size += chunk.length;
      if (size > limit) throw new DomainError("TOO_LARGE", `A file must have at most ${limit} bytes.`);
      hash.update(chunk);
      yield chunk;
    }
  }
  const file = await open(path, "wx", 0o600); // first: those who remove it after an error find it
  await pipeline(measured, file.createWriteStream({ flush: true }));
  return { hash: hash.digest("hex"), size, head: Buffer.concat(head) };
}

/** Makes a folder, with those around it that are missing, which stay after a crash, too. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await ensureFolder(folder, 0o700);
  if (first === undefined) return;
  for (let made = folder; made !== dirname(first); made = dirname(made)) await sync(dirname(made));
}

/** Makes sure that the names in a folder are on the disk. */
export async function sync(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** What was found, or null when there is no such file. */
export async function orNull<Found>(found: Promise<Found>): Promise<Found | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

export const statOrNull = (path: string): Promise<Stats | null> => orNull(stat(path));
