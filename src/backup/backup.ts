// Makes a backup: a consistent snapshot of the database, and the files that it references, while docgraph runs.
import { createHash } from "node:crypto";
import { rename, rm, stat } from "node:fs/promises";
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { DatabaseClient } from "#src/db/connection/client.ts";
import { ArchiveError, ArchiveWriter, pieceSize, type Summary } from "#src/backup/archive.ts";
import { refuseOtherStore, writeBlobs } from "#src/backup/blobs.ts";
import { copyStatement, readAppliedMigrations, readSequences, readTables, type Table } from "#src/backup/tables.ts";
import { readMigrations } from "#src/db/maintenance/migrate.ts";
import { type FileStore, isDiskFull } from "#src/files/file-store.ts";
import { Prisma } from "#src/generated/prisma/client.ts";

export interface BackupOptions {
  readonly url: string;
  readonly files: Pick<FileStore, "find" | "open">;
  readonly path: string;
  /** Whether an existing file is replaced. */
  readonly force?: boolean;
  /** Whether a file storage without any of the files is accepted. */
  readonly allowsMissing?: boolean;
  /** Receives the progress, as a sentence, often. */
  readonly onProgress?: (sentence: string) => void;
}

export interface Made {
  readonly tables: number;
  readonly rows: number;
  readonly files: Summary["files"];
  readonly bytes: number;
}

/**
 * Writes the archive as `<path>.partial`, renamed when it is complete. All rows are read in one transaction that
 * blocks nobody. Throws {@link ArchiveError} if `path` exists, or the file storage is not that of the database.
 */
export async function makeBackup(options: BackupOptions): Promise<Made> {
  const { url, files, path, force = false, allowsMissing = false, onProgress } = options;
  const isThere = (await stat(path).catch(() => null)) !== null;
  if (isThere && !force) throw new ArchiveError(`${path} already exists: choose another name, or add --force`);
  const partial = `${path}.partial`;
  await rm(partial, { force: true });
  const client = new DatabaseClient({ connectionString: url, application_name: "docgraph backup" });
  await client.connect();
  const writer = new ArchiveWriter(partial);
  try {
    await client.query("begin isolation level repeatable read read only");
    if (!allowsMissing) await refuseOtherStore(client, files);
    const summary = await write({ client, writer, files }, onProgress ?? (() => {}));
    await writer.end(summary);
    await rename(partial, path);
    const rows = Object.values(summary.tables).reduce((sum, table) => sum + table.rows, 0);
    const { size: bytes } = await stat(path);
    return { tables: Object.keys(summary.tables).length, rows, files: summary.files, bytes };
  } catch (error) {
    await writer.abort();
    await rm(partial, { force: true });
    if (!isDiskFull(error)) throw error;
    const remedy = "free some space, or choose another path";
    throw new ArchiveError(`${path} cannot be written: the disk is full (${error.code}); ${remedy}`);
  } finally {
    await client.end();
  }
}

interface Writing {
  readonly client: pg.Client;
  readonly writer: ArchiveWriter;
  readonly files: Pick<FileStore, "find" | "open">;
}

async function write({ client, writer, files }: Writing, say: (sentence: string) => void): Promise<Summary> {
  const migrations = await readAppliedMigrations(client);
  await refuseOtherRelease(migrations);
  const ours: ReadonlySet<string> = new Set(Object.values(Prisma.ModelName));
  const tables = (await readTables(client)).filter(({ name }) => ours.has(name));
  const version = "select current_setting('server_version') as version";
  const { rows: versions } = await client.query<{ version: string }>(version);
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
  const onFile = (count: number) => say(`${tables.length} tables, ${count} files`);
  return { tables: written, files: await writeBlobs({ client, writer, files }, onFile) };
}

/** Only the migrations of this release say which tables belong to docgraph. */
async function refuseOtherRelease(migrations: readonly { readonly name: string }[]): Promise<void> {
  const namesOf = (files: readonly { readonly name: string }[]) => files.map(({ name }) => name).join();
  if (namesOf(await readMigrations()) !== namesOf(migrations))
    throw new ArchiveError(
      "the database belongs to another release of docgraph: back it up with that release, or start this one once to migrate it",
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
