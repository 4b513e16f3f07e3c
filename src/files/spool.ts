// Received bytes on the local disk: measured, and under a temporary name.
import { createHash, randomUUID } from "node:crypto";
import { createReadStream, type Stats } from "node:fs";
import { open, readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ensureFolder } from "#src/base/ensure-folder.ts";
import { DomainError } from "#src/base/errors.ts";
import { type Bytes, headSize, type ReceivedBlob } from "#src/files/file-store.ts";

/** A file not written to for this long belongs to a process that has ended: requests take some minutes at most. */
const abandonedAfterMs = 60 * 60 * 1000;

/** Keeps the received file at `path` for good, under its hash; it may be moved. */
export type Keep = (path: string, blob: { readonly hash: string; readonly size: number }) => Promise<void>;

/** A folder of incoming files, created when needed. */
export class Spool {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** As in {@link FileStore.receive}; its result is kept by `keep`. */
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

  /** Creates the folder, and deletes files of ended processes. Throws if nothing can be written here. */
  async tidy(): Promise<void> {
    await makeFolder(this.#folder);
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const left = await statOrNull(path);
      if (left && left.mtimeMs < Date.now() - abandonedAfterMs) await rm(path, { force: true });
    }
  }
}

/** Deletes a file. If the disk refuses that, {@link Spool.tidy} does it later. */
const remove = (path: string): Promise<void> => rm(path, { force: true }).catch(() => {});

/** Writes bytes to a new file and syncs it. */
async function write(bytes: Bytes, path: string, limit: number) {
  const hash = createHash("sha256");
  const head: Uint8Array[] = [];
  let size = 0;
  async function* measured(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      if (size < headSize) head.push(chunk.subarray(0, headSize - size));
      size += chunk.length;
      if (size > limit) throw new DomainError("TOO_LARGE", `A file must not exceed ${limit} bytes.`);
      hash.update(chunk);
      yield chunk;
    }
  }
  const file = await open(path, "wx", 0o600); // created first, so that cleanup after an error finds it
  await pipeline(measured, file.createWriteStream({ flush: true }));
  return { hash: hash.digest("hex"), size, head: Buffer.concat(head) };
}

/** Creates a folder with its missing parents, durably. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await ensureFolder(folder, 0o700);
  if (first === undefined) return;
  for (let made = folder; made !== dirname(first); made = dirname(made)) await sync(dirname(made));
}

/** Syncs the names in a folder to the disk. */
export async function sync(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The result, or null if the file does not exist. */
export async function orNull<Found>(found: Promise<Found>): Promise<Found | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

export const statOrNull = (path: string): Promise<Stats | null> => orNull(stat(path));
