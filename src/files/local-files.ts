// The storage of files in a local folder: `ab/cd/abcd…` by hash, and `incoming` for what is being received.
import { createHash, randomUUID } from "node:crypto";
import { createWriteStream, type Stats } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { DomainError } from "#src/base/errors.ts";
import { type FileStore, headSize, type ReceivedBlob, type StoredBlob } from "#src/files/file-store.ts";

/** What nobody has written to for so long was left behind by a process that ended: requests are over after some minutes. */
const abandonedAfterMs = 60 * 60 * 1000;

const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/**
 * The store in `folder`, which is made when it is needed. Several processes, also on several machines, may share a folder.
 *
 * Bytes are written to a name of their own, reach the disk, and only then get the name of their hash: whatever is killed at whatever moment, what
 * stands under a hash is whole.
 */
export function localFiles(folder: string): FileStore {
  const incoming = join(folder, "incoming");
  const placeOf = (hash: string): string => join(folder, hash.slice(0, 2), hash.slice(2, 4), hash);

  async function find(hash: string): Promise<StoredBlob | null> {
    const found = isHash(hash) ? await statOrNull(placeOf(hash)) : null;
    return found && { hash, size: found.size, keptAt: found.mtime };
  }

  return {
    find,
    async receive(bytes, limit) {
      await makeFolder(incoming);
      const path = join(incoming, randomUUID());
      try {
        const measured = await write(bytes, path, limit);
        return { ...measured, ...keeper(path, placeOf(measured.hash)) };
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
    },
    async open(hash, range) {
      if (!isHash(hash)) return null;
      const file = await orNull(open(placeOf(hash), "r"));
      return file && file.createReadStream(range);
    },
    async delete(hash) {
      if (isHash(hash)) await rm(placeOf(hash), { force: true });
    },
    async *list() {
      for (const first of await namesIn(folder, 2))
        for (const second of await namesIn(join(folder, first), 2))
          for (const hash of await namesIn(join(folder, first, second), 64)) {
            const blob = await find(hash);
            if (blob) yield blob;
          }
    },
    async tidy() {
      await makeFolder(incoming);
      for (const name of await readdir(incoming)) {
        const left = await statOrNull(join(incoming, name));
        if (left && left.mtimeMs < Date.now() - abandonedAfterMs) await rm(join(incoming, name), { force: true });
      }
    },
  };
}

/** Writes bytes to a new file, down to the disk. */
async function write(bytes: Parameters<FileStore["receive"]>[0], path: string, limit: number) {
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
  await pipeline(measured, createWriteStream(path, { flags: "wx", mode: 0o600, flush: true }));
  return { hash: hash.digest("hex"), size, head: Buffer.concat(head) };
}

/** How what stands at `path` is read there, and gets to its place, or away. */
function keeper(path: string, place: string): Pick<ReceivedBlob, "read" | "keep" | "drop"> {
  let kept: Promise<void> | undefined;
  return {
    read: () => readFile(path),
    keep: () => (kept ??= moveIn(path, place)),
    drop: () => rm(path, { force: true }),
  };
}

/** Renames a file within its file system, so that its new name is there in one step, and stays past a crash. */
async function moveIn(path: string, place: string): Promise<void> {
  await makeFolder(dirname(place));
  await rename(path, place);
  await sync(dirname(place));
}

/** Makes a folder, with those around it that are missing, which stay past a crash too. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made !== dirname(first); made = dirname(made)) await sync(dirname(made));
}

/** Sees to it that the names in a folder are on the disk. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** What is there, or null when it is not. */
async function orNull<Found>(found: Promise<Found>): Promise<Found | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

const statOrNull = (path: string): Promise<Stats | null> => orNull(stat(path));

/** Names of hex digits of a length, in order: whatever else lies there is not ours. */
async function namesIn(folder: string, length: number): Promise<string[]> {
  const names = (await orNull(readdir(folder))) ?? [];
  return names.filter((name) => name.length === length && /^[0-9a-f]+$/.test(name)).toSorted();
}
