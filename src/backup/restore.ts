// Restores a backup into an empty database: checks everything before writing, and writes all rows or none.
import { once } from "node:events";
import { stat } from "node:fs/promises";
import { finished } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom, type CopyStreamQuery } from "pg-copy-streams";
import { DatabaseClient } from "#src/db/connection/client.ts";
import { ArchiveError, type Manifest, type Part, readArchive } from "#src/backup/archive.ts";
import { checkArchive, damageOf, isWhole, knownMigrations } from "#src/backup/check-archive.ts";
import { copyStatement, readAppliedMigrations, readTables, type Table } from "#src/backup/tables.ts";
import { migrate } from "#src/db/maintenance/migrate.ts";
import type { FileStore } from "#src/files/file-store.ts";

export interface RestoreOptions {
  /** An empty database. It need not be migrated. */
  readonly url: string;
  readonly files: Pick<FileStore, "receive" | "tidy">;
  readonly path: string;
  /** Whether files whose bytes do not match their hashes are skipped; otherwise they abort the restore. */
  readonly skipsDamagedFiles?: boolean;
  /** Receives the progress, as a sentence, often. */
  readonly onProgress?: (sentence: string) => void;
}

export interface Restored {
  readonly madeAt: string;
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
  /** How many files that the database references were not restored: damaged ones, and those missing in the archive. */
  readonly lacking: number;
}

/** Restores an archive of this release or an earlier one. Throws {@link ArchiveError} for others, or if not empty. */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { url, files, path, skipsDamagedFiles = false, onProgress } = options;
  const { size } = await stat(path);
  let read = 0;
  const partly = (what: string) => (bytes: number) => {
    read += bytes;
    onProgress?.(`${what}: ${Math.floor((100 * read) / Math.max(size, 1))} %`);
  };
  const { manifest, summary, damaged } = await checkArchive(path, partly("checked"));
  if (damaged.length > 0 && !skipsDamagedFiles)
    throw new ArchiveError(`${damageOf(damaged)}; add --skip-damaged-files to restore everything else`);
  const known = await knownMigrations(manifest);
  await refuseOthers(url, manifest);
  await migrate(url, { only: (name) => known.has(name) });
  await files.tidy();
  read = 0;
  const client = new DatabaseClient({ connectionString: url, application_name: "docgraph restore" });
  await client.connect();
  try {
    await client.query("begin");
    await refuseInhabited(client, known.size);
    await load(client, files, { path, manifest, damaged: new Set(damaged), onRead: partly("restored") });
    await client.query("commit");
    await client.query("analyze");
  } finally {
    await client.end(); // rolls back the open transaction
  }
  await migrate(url);
  const tables = Object.values(summary.tables);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const count = summary.files.count - damaged.length;
  const lacking = damaged.length + summary.files.missing.count;
  return { madeAt: manifest.madeAt, tables: tables.length, rows, files: count, lacking };
}

/** Tables of other software in the same database are neither filled nor emptied. */
async function refuseOthers(url: string, { tables }: Manifest): Promise<void> {
  const client = new DatabaseClient({ connectionString: url, application_name: "docgraph restore" });
  await client.connect();
  try {
    const ours = new Set(tables.map(({ name }) => name));
    const others = (await readTables(client)).flatMap(({ name }) => (ours.has(name) ? [] : name));
    if (others.length > 0)
      throw new ArchiveError(
        `the database has tables that the archive does not know: ${others.slice(0, 5).join(", ")}; restore into a database of its own`,
      );
  } finally {
    await client.end();
  }
}

async function refuseInhabited(client: pg.Client, most: number): Promise<void> {
  const { rows } = await client.query(`select from "Organization" union all select from "User" limit 1`);
  if (rows.length > 0)
    throw new ArchiveError("the database is not empty: restore into an empty one, with a new DATA_DIR or DATABASE_URL");
  const ours = await readAppliedMigrations(client);
  if (ours.length > most)
    throw new ArchiveError(
      "the archive is of an earlier release, and the database has newer migrations: restore into a database that docgraph was never started on",
    );
}

/** Fills the tables without foreign keys and triggers, which would require an order; keys are checked when restored. */
async function load(
  client: pg.Client,
  files: RestoreOptions["files"],
  of: { path: string; manifest: Manifest; damaged: ReadonlySet<string>; onRead: (bytes: number) => void },
): Promise<void> {
  const { path, manifest, damaged, onRead } = of;
  const tables = new Map((await readTables(client)).map((table) => [table.name, table]));
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  );
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  const all = [...tables.keys()].map((name) => client.escapeIdentifier(name));
  for (const name of all) await client.query(`alter table ${name} disable trigger user`);
  await client.query(`truncate ${all.join(", ")}`); // migrations inserted some rows
  const copy = new Copy(client, tables, manifest);
  for await (const part of readArchive(path, onRead)) {
    if (part.kind === "rows") await copy.write(part.table, part.bytes);
    else if (part.kind === "file") {
      await copy.end();
      if (damaged.has(part.hash)) await isWhole(part); // reads it to its end
      else await keepFile(files, part);
    }
  }
  await copy.end();
  await client.query(`update "OutboxTrim" set "transactionOffset" = 0`); // the default of this table has none
  for (const name of all) await client.query(`alter table ${name} enable trigger user`);
  for (const { table, name, definition } of keys)
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  for (const { name, value } of manifest.sequences)
    if (value !== null) await client.query("select setval(format('%I', $1::text)::regclass, $2)", [name, value]);
}

/** Writes the rows of the tables one after the other, each table by one COPY. */
class Copy {
  readonly #client: pg.Client;
  readonly #tables: ReadonlyMap<string, Table>;
  readonly #columns: ReadonlyMap<string, readonly string[]>;
  #current: { readonly table: string; readonly stream: CopyStreamQuery } | null = null;

  constructor(client: pg.Client, tables: ReadonlyMap<string, Table>, { tables: columns }: Manifest) {
    this.#client = client;
    this.#tables = tables;
    this.#columns = new Map(columns.map((table) => [table.name, table.columns]));
  }

  async write(name: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    if (this.#current?.table !== name) {
      await this.end();
      this.#current = { table: name, stream: this.#begin(name) };
    }
    const { stream } = this.#current;
    for await (const chunk of bytes)
      if (!stream.write(chunk)) await Promise.race([once(stream, "drain"), finished(stream)]);
  }

  async end(): Promise<void> {
    const stream = this.#current?.stream;
    this.#current = null;
    if (!stream) return;
    stream.end();
    await finished(stream);
  }

  #begin(name: string): CopyStreamQuery {
    const table = this.#tables.get(name);
    const columns = this.#columns.get(name);
    const isSame = table && columns && columns.toSorted().join() === table.columns.toSorted().join();
    if (!isSame) throw new ArchiveError(`the table ${name} of the archive has other columns than the database's`);
    return this.#client.query(copyFrom(copyStatement(this.#client, { name, columns }, "from stdin")));
  }
}

async function keepFile(
  files: RestoreOptions["files"],
  { hash, size, bytes }: Extract<Part, { kind: "file" }>,
): Promise<void> {
  const blob = await files.receive(bytes, size);
  if (blob.hash !== hash) {
    await blob.drop();
    throw new ArchiveError(`the archive changed while it was read: the file ${hash}`);
  }
  await blob.keep();
}
