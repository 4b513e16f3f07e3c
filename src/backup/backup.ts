// Making a backup: the database as it is at one moment, and the files that it names, while docgraph runs.
import { createHash } from "node:crypto";
import { rename, rm, stat } from "node:fs/promises";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { DatabaseClient } from "#src/db/client.ts";
import { ArchiveError, ArchiveWriter, pieceSize, type Summary } from "#src/backup/archive.ts";
import { copyStatement, readAppliedMigrations, readSequences, readTables, type Table } from "#src/backup/tables.ts";
import { sql } from "#src/db/database.ts";
import { readMigrations } from "#src/db/migrate.ts";
import { isBlobUsed } from "#src/features/content/commands/stored.ts";
import "#src/features/index.ts"; // each feature says which blobs it uses
import type { FileStore } from "#src/files/file-store.ts";
import { Prisma } from "#src/generated/prisma/client.ts";

export interface BackupOptions {
  /** The database. */
  readonly url: string;
  readonly files: Pick<FileStore, "list" | "open">;
  /** Where the archive is to be. */
  readonly path: string;
  /** Whether it takes the place of a file that is there. */
  readonly force?: boolean;
  /** Hears of the progress, in a sentence, often. */
  readonly onProgress?: (sentence: string) => void;
}

export interface Made {
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  /** The size of the archive. */
  readonly bytes: number;
}

/**
 * Writes the archive as `<path>.partial`, and gives it its name when it is whole. All rows are read in one transaction
 * that sees one moment; writers do not wait for it, and events neither. Throws {@link ArchiveError} where something is
 * at `path` already.
 */
export async function makeBackup({ url, files, path, force = false, onProgress }: BackupOptions): Promise<Made> {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (isThere && !force) throw new ArchiveError(`${path} is there already: choose another name, or add --force`);
  const partial = `${path}.partial`;
  await rm(partial, { force: true });
  const client = new DatabaseClient({ connectionString: url, application_name: "docgraph backup" });
  await client.connect();
  const writer = new ArchiveWriter(partial);
  try {
    await client.query("begin isolation level repeatable read read only");
    const summary = await write({ client, writer, files, say: onProgress ?? (() => {}) });
    await writer.end(summary);
    await rename(partial, path);
    const rows = Object.values(summary.tables).reduce((sum, table) => sum + table.rows, 0);
    const { size: bytes } = await stat(path);
    return { tables: Object.keys(summary.tables).length, rows, files: summary.files.count, bytes };
  } catch (error) {
    await writer.abort();
    await rm(partial, { force: true });
    throw error;
  } finally {
    await client.end();
  }
}

interface Writing {
  readonly client: pg.Client;
  readonly writer: ArchiveWriter;
  readonly files: BackupOptions["files"];
  readonly say: (sentence: string) => void;
}

async function write({ client, writer, files, say }: Writing): Promise<Summary> {
  const migrations = await readAppliedMigrations(client);
  await refuseOtherRelease(migrations);
  const ours: ReadonlySet<string> = new Set(Object.values(Prisma.ModelName));
  const tables = (await readTables(client)).filter(({ name }) => ours.has(name));
  const { rows: versions } = await client.query<{ version: string }>(
    "select current_setting('server_version') as version",
  );
  await writer.manifest({
    format: 1,
    madeAt: new Date().toISOString(),
    postgres: versions[0]?.version ?? "",
    migrations,
    tables: tables.map(({ name, columns }) => ({ name, columns: [...columns] })),
    sequences: await readSequences(client),
  });
  const written: Summary["tables"] = {};
  for (const [index, table] of tables.entries()) {
    written[table.name] = await writeRows(client, writer, table);
    say(`${index + 1} of ${tables.length} tables`);
  }
  const kept = { count: 0, bytes: 0 };
  for await (const { hash, size } of usedBlobs(client, files)) {
    const bytes = await files.open(hash);
    if (!bytes) throw new ArchiveError(`the file ${hash} has gone meanwhile: try again`);
    await writer.file(hash, size, bytes);
    kept.count += 1;
    kept.bytes += size;
    say(`${tables.length} tables, ${kept.count} files`);
  }
  return { tables: written, files: kept };
}

/** Which tables are ours is known of the migrations of this release alone. */
async function refuseOtherRelease(migrations: readonly { readonly name: string }[]): Promise<void> {
  const [applied, known] = [migrations.map(({ name }) => name), (await readMigrations()).map(({ name }) => name)];
  if (known.join() !== applied.join())
    throw new ArchiveError(
      "the database is of another release of docgraph: back it up with that one, or start this one once to bring it up to date",
    );
}

async function writeRows(client: pg.Client, writer: ArchiveWriter, table: Table): Promise<Summary["tables"][string]> {
  const rows = client.query(copyTo(copyStatement(client, table, "to stdout")));
  const hash = createHash("sha256");
  let [bytes, waiting]: [number, Buffer[]] = [0, []];
  let waitingBytes = 0;
  const flush = async () => {
    if (waitingBytes > 0) await writer.rows(table.name, Buffer.concat(waiting));
    [waiting, waitingBytes] = [[], 0];
  };
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.length;
    waitingBytes += chunk.length;
    waiting.push(chunk);
    if (waitingBytes >= pieceSize.written) await flush();
  }
  await flush();
  return { rows: rows.rowCount, bytes, sha256: hash.digest("hex") };
}

/** Blobs that are looked up by one statement. */
const blobBatch = 500;

/** The blobs that something in the database uses. */
async function* usedBlobs(client: pg.Client, files: BackupOptions["files"]) {
  async function* usedOf(sizes: ReadonlyMap<string, number>) {
    const { text, values } = sql`select u.hash from unnest(${[...sizes.keys()]}::text[]) u(hash)
      where ${isBlobUsed(sql`u.hash`)} order by 1`;
    const { rows } = await client.query<{ hash: string }>(text, values);
    for (const { hash } of rows) yield { hash, size: sizes.get(hash) ?? 0 };
  }
  let sizes = new Map<string, number>();
  for await (const { hash, size } of files.list()) {
    sizes.set(hash, size);
    if (sizes.size < blobBatch) continue;
    yield* usedOf(sizes);
    sizes = new Map();
  }
  yield* usedOf(sizes);
}
