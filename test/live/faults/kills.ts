// Kills (-9) at many points of the first start, migrations, uploads and imports.
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pendingMigrations } from "#src/db/maintenance/migrate.ts";
import { type Database, openDatabase, sql } from "#src/db/connection/database.ts";
import { startEmbeddedPostgres } from "#src/db/embedded/start.ts";
import { makeLiveWorld } from "#test/live/live-world.ts";
import type { Outcome } from "#test/live/faults/scene.ts";
import { upload } from "#test/live/faults/upload.ts";
import { startOwnPostgres } from "#test/live/postgres.ts";
import { times } from "#test/support/world.ts";
import { ask, type DocgraphProcess, makeDataFolder, startDocgraph } from "#test/support/docgraph-process.ts";

async function killAfter(gateway: DocgraphProcess, ms: number): Promise<void> {
  await Promise.race([wait(ms), gateway.ended]);
  gateway.signal("SIGKILL");
  await gateway.ended;
}

/** The first start on an empty data folder, with PostgreSQL and the demo. */
export async function killFirstStarts(): Promise<Outcome> {
  // Close together while the data folder is created, and up to the duration of a start.
  const moments = [times(8, (index) => 100 + 100 * index), times(7, (index) => 900 + 600 * index)].flat();
  let whole = 0;
  for (const moment of moments) {
    const data = await makeDataFolder();
    await killAfter(startDocgraph({ env: data.env }), moment);
    const next = startDocgraph({ env: data.env });
    const { url, token, data: place } = await next.ready();
    const { organizations } = await ask(url, token, "{ organizations { totalCount } }");
    if ((organizations as { totalCount: number }).totalCount > 0) whole += 1;
    next.signal("SIGTERM");
    await next.ended;
    await data.remove(place);
  }
  return { figures: `${whole} of ${moments.length} next starts are whole`, passes: whole === moments.length };
}

/** Waits until the migrations of a database have begun. */
async function migrating(database: Database): Promise<void> {
  const begun = sql`select to_regclass('"_prisma_migrations"') is not null as "isBegun"`;
  while (!(await database.query<{ isBegun: boolean }>(begun))[0]?.isBegun) await wait(2);
}

/** Migrations of an empty database. */
export async function killMigrations(): Promise<Outcome> {
  const moments = Array.from({ length: 10 }, (_, index) => 60 * index);
  let [whole, amidst] = [0, 0];
  for (const moment of moments) {
    const [folder, data] = [await makeDataFolder(), await makeDataFolder()];
    const postgres = await startEmbeddedPostgres({ dataDir: folder.env.DATA_DIR });
    const env = { ...data.env, DATABASE_URL: postgres.url };
    const database = openDatabase({ url: postgres.url });
    const killed = startDocgraph({ env });
    await migrating(database);
    await killAfter(killed, moment);
    if ((await pendingMigrations(database)).length > 0) amidst += 1;
    const next = startDocgraph({ env });
    const { url } = await next.ready();
    const isWhole = (await fetch(`${url}/readyz`)).ok && (await pendingMigrations(database)).length === 0;
    if (isWhole) whole += 1;
    await database.close();
    next.signal("SIGTERM");
    await next.ended;
    await postgres.stop();
    await Promise.all([data.remove(), folder.remove(postgres.dataDir)]);
  }
  const figures = `${whole} of ${moments.length} next starts are whole; ${amidst} were killed before the last migration`;
  return { figures, passes: whole === moments.length && amidst > 0 };
}

/** Uploads: every row has its bytes, and partial files are removed. */
export async function killUploads(): Promise<Outcome> {
  await using postgres = await startOwnPostgres();
  const data = await makeDataFolder();
  const filesFolder = join(data.folder, "files");
  const { token, spaces } = await makeLiveWorld(postgres.pool);
  const env = { ...data.env, DATABASE_URL: postgres.url, FILES_DIR: filesFolder, LOG_LEVEL: "warn" };
  const kills = 6;
  let acknowledged = 0;
  for (let kill = 0; kill < kills; kill++) {
    const gateway = startDocgraph({ env });
    const { url } = await gateway.ready();
    const over = new AbortController();
    const uploading = Array.from({ length: 4 }, async (_, index) => {
      while (!over.signal.aborted) {
        const bytes = Buffer.alloc(3_000_000, `${kill} ${index} ${Math.random()}`);
        if ((await upload(url, token, { spaceId: spaces[index] ?? "", bytes })) === 200) acknowledged += 1;
      }
    });
    await wait(1_000 + 150 * kill);
    gateway.signal("SIGKILL");
    over.abort();
    await Promise.all([gateway.ended, ...uploading]);
  }
  const { rows } = await postgres.pool.query<{ hash: string }>(`select distinct blob as hash from "ContentFile"`);
  const kept = new Set((await readdir(filesFolder, { recursive: true })).map((path) => basename(path)));
  const without = rows.filter(({ hash }) => !kept.has(hash)).length;
  await data.remove();
  const figures = `${kills} kills, ${acknowledged} uploads answered, ${rows.length} in the table, ${without} without bytes`;
  return { figures, passes: without === 0 && rows.length >= acknowledged };
}

/** `npm run import` of a folder of pages. */
export async function killImports(): Promise<Outcome> {
  await using postgres = await startOwnPostgres();
  const data = await makeDataFolder();
  const { spaces } = await makeLiveWorld(postgres.pool);
  const folder = join(data.folder, "pages");
  await mkdir(folder);
  for (let page = 0; page < 200; page++)
    await writeFile(join(folder, `page-${page}.md`), `# Page ${page}\n\n${"A sentence of text. ".repeat(200)}\n`);
  const env = { DATABASE_URL: postgres.url, FILES_DIR: join(data.folder, "files") };
  const pagesOf = async (spaceId: string) => {
    const { rows } = await postgres.pool.query<{ count: number }>(
      `select count(*)::int as count from "PresentPage" where "spaceId" = $1`,
      [spaceId],
    );
    return rows[0]?.count ?? 0;
  };
  const counts = new Set<number>();
  const moments = [500, 900, 1_200, 1_500, 2_000];
  for (const [index, moment] of moments.entries()) {
    const spaceId = spaces[index] ?? "";
    await killAfter(startDocgraph({ script: "src/cli/import.ts", args: [folder, "--space", spaceId], env }), moment);
    counts.add(await pagesOf(spaceId));
  }
  await data.remove();
  const halves = [...counts].filter((count) => count !== 0 && count < 200);
  return {
    figures: `${moments.length} kills, pages afterwards: ${[...counts].join(", ")}`,
    passes: halves.length === 0,
  };
}
