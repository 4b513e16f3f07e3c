// The archive of a backup, a tar file compressed with zstd: `manifest.json`, then pieces of the rows of each table as
// COPY writes them, the files by their hashes, and `summary.json`, without which the archive is truncated.
import { createReadStream, createWriteStream } from "node:fs";
import { once } from "node:events";
import { pipeline } from "node:stream/promises";
import { createZstdCompress, createZstdDecompress } from "node:zlib";
import tar from "tar-stream";
import { z } from "zod";

/** An archive cannot be restored; the message says why. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

const text = z.string().max(200);
const count = z.int().min(0);

const manifestShape = z.object({
  /** The version of this format. */
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  postgres: text,
  migrations: z.array(z.object({ name: text, checksum: text })).max(10_000),
  tables: z.array(z.object({ name: text, columns: z.array(text).max(1_000) })).max(10_000),
  /** The last value that the sequence returned; null before the first. */
  sequences: z.array(z.object({ name: text, value: count.nullable() })).max(10_000),
});

/** The contents of the archive that are known before it is written. */
export type Manifest = z.infer<typeof manifestShape>;

export const mostNamed = 1_000;

/** Files missing in an archive: how many, and the first of their hashes. */
const hashes = z.array(z.string().length(64)).max(mostNamed);
const lacking = z.object({ count, hashes }).default({ count: 0, hashes: [] });

const summaryShape = z.object({
  /** Keyed by table name. `sha256` is the hash of all pieces together, in hex. */
  tables: z.record(text, z.object({ rows: count, bytes: count, sha256: text })),
  files: z.object({
    count,
    bytes: count,
    /** The database references them, but the file storage did not have them. */
    missing: lacking,
    /** Archived as the file storage had them, with bytes that do not match their hash. */
    damaged: lacking,
  }),
});

/** The contents of the archive that are known after it is written. */
export type Summary = z.infer<typeof summaryShape>;

type Bytes = AsyncIterable<Buffer>;

/** One part of an archive, in its order. Its bytes must be read before the next part. */
export type Part =
  | { readonly kind: "manifest"; readonly manifest: Manifest }
  | { readonly kind: "rows"; readonly table: string; readonly bytes: Bytes }
  | { readonly kind: "file"; readonly hash: string; readonly size: number; readonly bytes: Bytes }
  | { readonly kind: "summary"; readonly summary: Summary };

/** The most bytes of one piece of rows that is written, and of one that is read. */
export const pieceSize = { written: 4_000_000, read: 16_000_000 } as const;

/** The most bytes of the manifest, and of the summary. */
const jsonLimit = 16_000_000;

/** Writes an archive, part by part. */
export class ArchiveWriter {
  readonly #pack = tar.pack();
  readonly #written: Promise<void>;

  /** Creates the file, which must not exist, readable by its owner alone, since it contains everything. */
  constructor(path: string) {
    const file = createWriteStream(path, { flags: "wx", mode: 0o600, flush: true });
    this.#written = pipeline(this.#pack, createZstdCompress(), file);
    this.#pack.on("error", () => {});
    this.#written.catch(() => {}); // the next write or the end reports it
  }

  manifest(manifest: Manifest): Promise<void> {
    return this.#addBuffer("manifest.json", Buffer.from(JSON.stringify(manifest)));
  }

  rows(table: string, bytes: Buffer): Promise<void> {
    return this.#addBuffer(`tables/${table}`, bytes);
  }

  /** `bytes` must yield exactly `size` bytes. */
  file(hash: string, size: number, bytes: AsyncIterable<Buffer>): Promise<void> {
    return this.#add(`files/${hash}`, size, bytes);
  }

  /** Ends the archive; resolves when all of it is on the disk. */
  async end(summary: Summary): Promise<void> {
    await this.#addBuffer("summary.json", Buffer.from(JSON.stringify(summary)));
    this.#pack.finalize();
    await this.#written;
  }

  /** Gives up; the file is not a valid archive. */
  async abort(): Promise<void> {
    this.#pack.destroy();
    await this.#written.catch(() => {});
  }

  #addBuffer(name: string, bytes: Buffer): Promise<void> {
    return this.#add(name, bytes.length, [bytes]);
  }

  async #add(name: string, size: number, bytes: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> {
    const failed = this.#failure();
    const { promise: added, resolve, reject } = Promise.withResolvers<void>();
    added.catch(() => {}); // if the file fails first
    const entry = this.#pack.destroyed
      ? await failed
      : this.#pack.entry({ name, size }, (error) => (error ? reject(error) : resolve()));
    entry.on("error", reject); // if the number of bytes does not match
    for await (const chunk of bytes) if (!entry.write(chunk)) await Promise.race([once(entry, "drain"), failed]);
    entry.end(null);
    await Promise.race([added, failed]);
  }

  /** Rejects if the file cannot be written, and never resolves. */
  #failure(): Promise<never> {
    const failed = this.#written.then(() => new Promise<never>(() => {}));
    failed.catch(() => {}); // while bytes are read nothing awaits it
    return failed;
  }
}

/** Reads an archive from the beginning. Throws {@link ArchiveError} for other files; `onRead` gets the bytes read. */
export async function* readArchive(path: string, onRead: (bytes: number) => void = () => {}): AsyncGenerator<Part> {
  const extract = tar.extract();
  const file = createReadStream(path).on("data", (chunk) => onRead(chunk.length));
  const read = pipeline(file, createZstdDecompress(), extract);
  read.catch(() => {}); // the iteration below throws it, too
  let isFirst = true;
  let isOver = false;
  try {
    for await (const entry of extract) {
      const { name, size, type } = entry.header;
      if (isOver || (name === "manifest.json") !== isFirst || type !== "file")
        throw new ArchiveError(`the archive has the part "${name.slice(0, 100)}" at an unexpected position`);
      isFirst = false;
      isOver = name === "summary.json";
      yield await partOf({ name, size, bytes: readable(entry as Bytes) });
    }
    await read;
  } catch (error) {
    throw error instanceof ArchiveError ? error : unreadable(error);
  } finally {
    extract.destroy();
  }
  if (!isOver) throw new ArchiveError("the archive is truncated: its end is missing");
}

/** The bytes of a part. Its reader sees the errors of the archive, which may occur within a part, too. */
async function* readable(bytes: Bytes): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } catch (error) {
    throw unreadable(error);
  }
}

/** Passes on errors of the file system; errors of zstd and tar mean that the file is not an archive. */
function unreadable(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!(error instanceof Error) || /^E[A-Z]+$/.test(code)) return error;
  const known = ["Z_", "ZSTD_", "ERR_ZSTD", "ERR_STREAM_PREMATURE_CLOSE"].some((start) => code.startsWith(start));
  const ofTar = /tar|header|unexpected end/i.test(error.message);
  if (!known && !ofTar) return error;
  return new ArchiveError(`the archive is damaged, or not a docgraph archive (${error.message})`);
}

interface Entry {
  readonly name: string;
  readonly size: number;
  readonly bytes: Bytes;
}

async function partOf(entry: Entry): Promise<Part> {
  const { name, size, bytes } = entry;
  if (name === "manifest.json") return { kind: "manifest", manifest: await jsonOf(manifestShape, entry) };
  if (name === "summary.json") return { kind: "summary", summary: await jsonOf(summaryShape, entry) };
  const [, folder, rest = ""] = /^(tables|files)\/([\w]+)$/.exec(name) ?? [];
  if (folder === "tables" && size <= pieceSize.read) return { kind: "rows", table: rest, bytes };
  if (folder === "files" && /^[0-9a-f]{64}$/.test(rest)) return { kind: "file", hash: rest, size, bytes };
  throw new ArchiveError(`the archive has the unknown part "${name.slice(0, 100)}"`);
}

async function jsonOf<Shape extends z.ZodType>(shape: Shape, { name, size, bytes }: Entry): Promise<z.infer<Shape>> {
  if (size > jsonLimit) throw new ArchiveError(`${name} of the archive is too large`);
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  try {
    return shape.parse(JSON.parse(Buffer.concat(chunks).toString("utf8")));
  } catch {
    const remedy = "restore it with the release that made it";
    throw new ArchiveError(`${name} of the archive has another format than this release writes: ${remedy}`);
  }
}
