// The files of a backup: those that the database references and the storage has, each hashed while it is written.
import { createHash, type Hash } from "node:crypto";
import type pg from "pg";
import { ArchiveError, type ArchiveWriter, mostNamed, type Summary } from "#src/backup/archive.ts";
import { usedBlobsAfter } from "#src/features/content/commands/blobs.ts";
import "#src/features/index.ts"; // each feature says which columns name blobs
import { type FileStore, isReadError } from "#src/files/file-store.ts";

type Files = Pick<FileStore, "find" | "open">;

/** How many names one statement reads. */
const batch = 5_000;

/** The hashes of all files that the database references, in their order. */
async function* namedFiles(client: pg.Client): AsyncGenerator<string> {
  for (let last: string | undefined = ""; last !== undefined;) {
    const named: string[] = await namedAfter(client, last, batch);
    yield* named;
    last = named.at(-1);
  }
}

async function namedAfter(client: pg.Client, last: string, limit: number): Promise<string[]> {
  const { text, values } = usedBlobsAfter(last, limit);
  const { rows } = await client.query<{ hash: string }>(text, values);
  return rows.map(({ hash }) => hash);
}

/** Throws {@link ArchiveError} if the storage has none of the first 20 files that the database references. */
export async function refuseOtherStore(client: pg.Client, files: Files): Promise<void> {
  const named = await namedAfter(client, "", 20);
  const found = await Promise.all(named.map((hash) => files.find(hash)));
  if (named.length > 0 && found.every((blob) => blob === null))
    throw new ArchiveError(
      `none of the first ${named.length} files that the database references is in the file storage: set FILES_DIR or FILES_URL as on the gateway, or add --allow-missing to back up without the files`,
    );
}

/** How many files were read, and those among them that are missing or damaged. */
export type Written = Summary["files"];

/** How many files are missing or damaged, and the first of them; empty if none is. */
export function lacksOf({ missing, damaged }: Pick<Written, "missing" | "damaged">): string {
  const lacks = [describe("missing from the file storage", missing), describe("damaged in it", damaged)];
  return lacks.filter(Boolean).join("; ");
}

function describe(what: string, { count, hashes }: Written["missing"]): string {
  if (count === 0) return "";
  const more = count > 5 ? " ..." : "";
  return `${count} ${count === 1 ? "file is" : "files are"} ${what}: ${hashes.slice(0, 5).join(", ")}${more}`;
}

/** Reads the files that the database references, and compares them with their hashes. `onFile` receives how many. */
export async function verifyFiles(
  { client, files }: { client: pg.Client; files: Files },
  onFile: (count: number) => void,
): Promise<Written> {
  const read: ArchiveWriter["file"] = async (_, __, bytes) => {
    for await (const ___ of bytes);
  };
  return writeBlobs({ client, files, writer: { file: read } }, onFile);
}

/** Writes the files that the database references; returns the missing ones. `onFile` receives how many are written. */
export async function writeBlobs(
  { client, writer, files }: { client: pg.Client; writer: Pick<ArchiveWriter, "file">; files: Files },
  onFile: (count: number) => void,
): Promise<Written> {
  const written: Written = { count: 0, bytes: 0, missing: { count: 0, hashes: [] }, damaged: { count: 0, hashes: [] } };
  const note = (lacking: Written["missing"], hash: string) => {
    lacking.count += 1;
    if (lacking.hashes.length < mostNamed) lacking.hashes.push(hash);
  };
  for await (const hash of namedFiles(client)) {
    const blob = await files.find(hash);
    const stored = blob && (await files.open(hash));
    if (!stored) {
      note(written.missing, hash);
      continue;
    }
    const found = createHash("sha256");
    await writer.file(hash, blob.size, exactly(stored, blob.size, found));
    if (found.digest("hex") !== hash) note(written.damaged, hash);
    written.count += 1;
    written.bytes += blob.size;
    onFile(written.count);
  }
  return written;
}

/** Yields exactly `size` bytes, padded or cut: an archive states the size first. Hashes all bytes for comparison. */
async function* exactly(bytes: AsyncIterable<Buffer>, size: number, hash: Hash): AsyncGenerator<Buffer> {
  let left = size;
  try {
    for await (const chunk of bytes) {
      hash.update(chunk);
      const part = chunk.subarray(0, left);
      left -= part.length;
      if (part.length > 0) yield part;
    }
  } catch (error) {
    if (!isReadError(error)) throw error;
    hash.update("unreadable");
  }
  const zeros = Buffer.alloc(Math.min(left, 65_536));
  for (; left > 0; left -= Math.min(left, zeros.length)) yield zeros.subarray(0, left);
}
