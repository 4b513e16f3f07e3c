// The file storage in a folder: `ab/cd/abcd…` by hash, and `incoming` for uploads in progress.
import { open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { isHash } from "#src/files/file-store.ts";
import type { ByteRange, Bytes, FileStore, ReceivedBlob, StoredBlob } from "#src/files/file-store.ts";
import { makeFolder, orNull, Spool, statOrNull, sync } from "#src/files/spool.ts";

/** Bytes are written and synced under a temporary name first: a file under a hash is complete, even after a crash. */
export class FolderStore implements FileStore {
  readonly #folder: string;
  readonly #spool: Spool;

  constructor(folder: string) {
    this.#folder = folder;
    this.#spool = new Spool(join(folder, "incoming"));
  }

  receive(bytes: Bytes, limit: number): Promise<ReceivedBlob> {
    return this.#spool.receive(bytes, limit, (path, { hash }) => moveIn(path, this.#pathOf(hash)));
  }

  async find(hash: string): Promise<StoredBlob | null> {
    const found = isHash(hash) ? await statOrNull(this.#pathOf(hash)) : null;
    return found && { hash, size: found.size, keptAt: found.mtime };
  }

  async open(hash: string, range?: ByteRange): Promise<Readable | null> {
    if (!isHash(hash)) return null;
    const file = await orNull(open(this.#pathOf(hash), "r"));
    return file && file.createReadStream(range);
  }

  async delete(hash: string): Promise<void> {
    if (isHash(hash)) await rm(this.#pathOf(hash), { force: true });
  }

  async *list(): AsyncGenerator<StoredBlob> {
    for (const first of await namesIn(this.#folder, 2))
      for (const second of await namesIn(join(this.#folder, first), 2))
        for (const hash of await namesIn(join(this.#folder, first, second), 64)) {
          const blob = await this.find(hash);
          if (blob) yield blob;
        }
  }

  tidy(): Promise<void> {
    return this.#spool.tidy();
  }

  #pathOf(hash: string): string {
    return join(this.#folder, hash.slice(0, 2), hash.slice(2, 4), hash);
  }
}

/** Renames a file within its file system, so that its new name appears atomically, and stays after a crash. */
async function moveIn(path: string, place: string): Promise<void> {
  await makeFolder(dirname(place));
  await rename(path, place);
  await sync(dirname(place));
}

/** Names of a number of hex digits, in order: other names do not belong to docgraph. */
async function namesIn(folder: string, length: number): Promise<string[]> {
  const names = (await orNull(readdir(folder))) ?? [];
  return names.filter((name) => name.length === length && /^[0-9a-f]+$/.test(name)).toSorted();
}
