// The storage of files: bytes under their SHA-256, each kept once, in a local folder: `ab/cd/abcd…` by hash, and
// `incoming` for what is being received.
import { createHash, randomUUID } from "node:crypto";
import { createReadStream, type Stats } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { DomainError } from "#src/base/errors.ts";

/** A part of a blob, in bytes; `end` is the last byte of it. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** How many of the first bytes of a blob are kept at hand when it is received: enough to find out what it is. */
export const headSize = 256 * 1024;

/** Bytes that were received and can be kept: until then nobody finds them, and they end with the process, or `drop`. */
export interface ReceivedBlob {
  /** SHA-256 in hex: the name of a blob. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
  /** The first {@link headSize} bytes. */
  readonly head: Buffer;
  /** All bytes, in memory, while they are neither kept nor dropped: for files that are small enough for that. */
  read(): Promise<Buffer>;
  /** The same, piece by piece: other work of the process goes on meanwhile. */
  stream(): AsyncIterable<Uint8Array>;
  /**
   * Keeps the bytes for good, past a crash of the machine. When the store has the same bytes already, their age
   * counts from now. May be called again.
   */
  keep(): Promise<void>;
  /** Throws away what was not kept. May be called at any time, and again. */
  drop(): Promise<void>;
}

export interface StoredBlob {
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
  /** When it was kept last. */
  readonly keptAt: Date;
}

/** A file not written to for so long belongs to a process that has ended: requests take some minutes at most. */
const abandonedAfterMs = 60 * 60 * 1000;

type Bytes = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/**
 * A store of blobs in a folder, which is made when needed. Several processes, also on several machines, may share it.
 * It does not know who refers to a blob: the caller of `delete` makes sure that nobody does. A name that is not a hash
 * is not an error: nothing is found under it.
 *
 * Bytes are written under a name of their own, reach the disk, and only then get the name of their hash: even after a
 * crash, a file under a hash is whole.
 */
export class FileStore {
  readonly #folder: string;
  readonly #incoming: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#incoming = join(folder, "incoming");
  }

  /** Reads the bytes to the end. Throws TOO_LARGE beyond `limit`, and what reading throws; then nothing is left. */
  async receive(bytes: Bytes, limit: number): Promise<ReceivedBlob> {
    await makeFolder(this.#incoming);
    const path = join(this.#incoming, randomUUID());
    try {
      const measured = await write(bytes, path, limit);
      return { ...measured, ...keeper(path, this.#pathOf(measured.hash)) };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  /** A blob, or null. */
  async find(hash: string): Promise<StoredBlob | null> {
    const found = isHash(hash) ? await statOrNull(this.#pathOf(hash)) : null;
    return found && { hash, size: found.size, keptAt: found.mtime };
  }

  /** The bytes of a blob, or of a part of it; null when there is none. */
  async open(hash: string, range?: ByteRange): Promise<Readable | null> {
    if (!isHash(hash)) return null;
    const file = await orNull(open(this.#pathOf(hash), "r"));
    return file && file.createReadStream(range);
  }

  /** Removes a blob. One that is not there is no error; readers that have opened it can read on. */
  async delete(hash: string): Promise<void> {
    if (isHash(hash)) await rm(this.#pathOf(hash), { force: true });
  }

  /** All blobs, in the order of their hashes. What is kept or deleted meanwhile may be among them or not. */
  async *list(): AsyncGenerator<StoredBlob> {
    for (const first of await namesIn(this.#folder, 2))
      for (const second of await namesIn(join(this.#folder, first), 2))
        for (const hash of await namesIn(join(this.#folder, first, second), 64)) {
          const blob = await this.find(hash);
          if (blob) yield blob;
        }
  }

  /** Makes the store ready, and removes what ended processes did not keep. Throws when nothing can be kept here. */
  async tidy(): Promise<void> {
    await makeFolder(this.#incoming);
    for (const name of await readdir(this.#incoming)) {
      const path = join(this.#incoming, name);
      const left = await statOrNull(path);
      if (left && left.mtimeMs < Date.now() - abandonedAfterMs) await rm(path, { force: true });
    }
  }

  #pathOf(hash: string): string {
    return join(this.#folder, hash.slice(0, 2), hash.slice(2, 4), hash);
  }
}

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

/** How the file at `path` is read, moved to `place`, or removed. */
function keeper(path: string, place: string): Pick<ReceivedBlob, "read" | "stream" | "keep" | "drop"> {
  let kept: Promise<void> | undefined;
  return {
    read: () => readFile(path),
    stream: () => createReadStream(path),
    keep: () => (kept ??= moveIn(path, place)),
    drop: () => rm(path, { force: true }),
  };
}

/** Renames a file within its file system, so that its new name is there in one step, and stays after a crash. */
async function moveIn(path: string, place: string): Promise<void> {
  await makeFolder(dirname(place));
  await rename(path, place);
  await sync(dirname(place));
}

/** Makes a folder, with those around it that are missing, which stay after a crash, too. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made !== dirname(first); made = dirname(made)) await sync(dirname(made));
}

/** Makes sure that the names in a folder are on the disk. */
async function sync(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** What was found, or null when there is no such file. */
async function orNull<Found>(found: Promise<Found>): Promise<Found | null> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
}

const statOrNull = (path: string): Promise<Stats | null> => orNull(stat(path));

/** Names of hex digits of a length, in order: other names are not ours. */
async function namesIn(folder: string, length: number): Promise<string[]> {
  const names = (await orNull(readdir(folder))) ?? [];
  return names.filter((name) => name.length === length && /^[0-9a-f]+$/.test(name)).toSorted();
}
