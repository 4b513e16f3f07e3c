// The demo: written once, its token kept beside the data so that later starts can show it.
import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "#src/config/config.ts";
import { ensureFolder } from "#src/base/ensure-folder.ts";
import type { Database } from "#src/db/connection/database.ts";
import type { Demo } from "#src/demo/seed.ts";
import type { FileStore } from "#src/files/file-store.ts";

/** Only loaded when needed: most starts find a demo. */
const compose = async (): Promise<Demo> => (await import("#src/demo/seed.ts")).composeDemo();

export const demoTokenFile = ({ dataDir }: Pick<Config, "dataDir">): string => join(dataDir, "demo-token");

/** The token of the demo, if it is known. */
export const readDemoToken = (of: Pick<Config, "dataDir">): Promise<string | undefined> =>
  readFile(demoTokenFile(of), "utf8").then(
    (text) => text.trim(),
    () => undefined,
  );

/** Writes the demo into a database without one, if wanted. Returns its token, if it is known. */
export type PrepareDemo = (database: Database, files: FileStore) => Promise<string | undefined>;

export interface DemoOptions {
  /** Whether it is also wanted in production, and in the database of DATABASE_URL. */
  readonly demo?: boolean | undefined;
}

/**
 * The demo: in an embedded database in development, and with `--demo`. On a first start it is composed while PostgreSQL
 * starts, before it can be written. A database without users has no demo yet: so if a first start was killed, the demo
 * is written at the next one.
 */
export function provideDemo({ databaseUrl, dataDir, environment }: Config, { demo = false }: DemoOptions): PrepareDemo {
  if (!demo && (databaseUrl !== undefined || environment === "production")) return () => Promise.resolve(undefined);
  const file = demoTokenFile({ dataDir });
  const ahead = existsSync(file) ? undefined : compose();
  ahead?.catch(() => {}); // thrown below, unless the start fails before
  return async (database, files) => {
    if ((await database.prisma.user.count()) > 0) return readDemoToken({ dataDir });
    const { token, write } = await (ahead ?? compose());
    await write({ database, files });
    await ensureFolder(dataDir);
    await writeFile(`${file}.new`, `${token}\n`, { mode: 0o600 });
    await rename(`${file}.new`, file);
    return token;
  };
}
