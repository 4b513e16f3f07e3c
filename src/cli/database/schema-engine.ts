// Prisma's schema engine (WebAssembly): finds how a database differs from the Prisma models, as SQL.
import { readdir, readFile } from "node:fs/promises";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import type { SqlDriverAdapter, SqlQuery, SqlResultSet } from "@prisma/driver-adapter-utils";
import { SchemaEngine } from "@prisma/schema-engine-wasm";
import pg from "pg";
import { DatabaseClient } from "#src/db/connection/client.ts";

/** The engine reports its own crash through this global. */
Object.assign(globalThis, {
  PRISMA_WASM_PANIC_REGISTRY: { set_message: (message: string) => void process.stderr.write(`${message}\n`) },
});

/**
 * Compares the database at `url` with the models in `prisma/`; `script` migrates it to them, empty if they agree. The
 * engine neither sees nor drops checks, expression and partial indexes, triggers and functions.
 */
export async function compareWithModels(url: string): Promise<{ agrees: boolean; script: string }> {
  const files = await readModels();
  const pool = new pg.Pool({ connectionString: url, max: 2, Client: DatabaseClient });
  const engine = await SchemaEngine.new(
    { datamodels: files.map(({ path, content }) => [path, content]) },
    () => {}, // the engine's own log
    connector(pool),
  );
  try {
    const { exitCode, stdout } = await engine.diff({
      from: { tag: "schemaDatasource", files, configDir: "" },
      to: { tag: "schemaDatamodel", files },
      script: true,
      exitCode: true,
      filters: { externalTables: ["public._prisma_migrations"], externalEnums: [] },
    });
    return { agrees: exitCode === 0, script: exitCode === 0 ? "" : (stdout ?? "") };
  } finally {
    engine.free();
    await pool.end();
  }
}

/** The stock adapter, extended by PostgreSQL's one-byte type `"char"`, which the engine reads and it rejects. */
function connector(pool: pg.Pool): object {
  const factory = new PrismaPg(pool, { disposeExternalPool: false });
  const connect = factory.connect.bind(factory);
  return bindMigrationAwareSqlAdapterFactory(
    Object.assign(factory, {
      connect: async () => withCharColumns(await connect()),
      connectToShadowDb: () => Promise.reject(new Error("the engine asked for a shadow database")),
    }),
  );
}

const charOid = 18;
const textOid = 25;

function withCharColumns(stock: SqlDriverAdapter): SqlDriverAdapter {
  // performIO is private in the adapter's type.
  const adapter = stock as SqlDriverAdapter & { performIO(query: SqlQuery): Promise<pg.QueryArrayResult> };
  const performIO = adapter.performIO.bind(adapter);
  const queryRaw = adapter.queryRaw.bind(adapter);
  const charColumns = new WeakMap<SqlQuery, Set<number>>();
  adapter.performIO = async (query) => {
    const result = await performIO(query);
    const columns = new Set<number>();
    for (const [index, field] of result.fields.entries()) {
      if (field.dataTypeID !== charOid) continue;
      field.dataTypeID = textOid;
      columns.add(index);
    }
    charColumns.set(query, columns);
    return result;
  };
  adapter.queryRaw = async (query) => asCharacters(await queryRaw(query), charColumns.get(query));
  return adapter;
}

/** A `"char"` is one character; PostgreSQL shows the zero byte as empty text. */
function asCharacters(result: SqlResultSet, columns: ReadonlySet<number> | undefined): SqlResultSet {
  if (!columns?.size) return result;
  return {
    ...result,
    columnTypes: result.columnTypes.map((type, index) => (columns.has(index) ? ColumnTypeEnum.Character : type)),
    rows: result.rows.map((row) => row.map((value, index) => (columns.has(index) && value === "" ? "\0" : value))),
  };
}

const folder = new URL("../../../prisma/", import.meta.url);

/** Every `.prisma` file under `prisma/`, by name: the result does not depend on the file system. */
async function readModels(): Promise<{ path: string; content: string }[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".prisma")).toSorted();
  return Promise.all(names.map(async (path) => ({ path, content: await readFile(new URL(path, folder), "utf8") })));
}

/** Text columns that cursors compare byte by byte (COLLATE "C") in every database; Prisma cannot express it. */
const byteOrdered = String.raw`id|\w+Ids?|ancestors|parents|position|hash|\w+Hash`;

/** Whether a text column with this name is compared byte by byte. */
export function isByteOrdered(column: string): boolean {
  return new RegExp(`^(?:${byteOrdered})$`).test(column);
}

/** The script of a migration, with COLLATE "C" added to every text column that is compared byte by byte. */
export function withByteOrder(script: string): string {
  const column = new RegExp(`"(?:${byteOrdered})"(?: SET DATA TYPE)?\\s+TEXT(?:\\[\\])?(?!\\[| COLLATE)`, "g");
  return script.replaceAll(column, `$& COLLATE "C"`);
}
