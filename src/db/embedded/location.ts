// The marker in a data folder that names where its embedded database is, so that a folder that has lost its database,
// as a copy without the place that root uses, never silently gets a new one.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** A data folder has lost its database; the message says what to do. */
export class LostDatabaseError extends Error {
  override readonly name = "LostDatabaseError";
}

const markerOf = (dataDir: string): string => join(dataDir, "postgres.location");

/**
 * Throws LostDatabaseError when `dataDir` had a database: then none may be made at `data`, where the start finds
 * nothing.
 */
export async function refuseLostDatabase(dataDir: string, data: string): Promise<void> {
  const known = await readMarker(dataDir);
  if (known === undefined) return;
  const remedy = known === data ? "restore it from a backup" : `copy it with: cp -a ${known} ${data}`;
  throw new LostDatabaseError(
    `the database of ${dataDir} was in ${known}, and there is none in ${data}; ${remedy}. ` +
      `To begin with an empty database instead, remove ${markerOf(dataDir)}`,
  );
}

/** Notes that the database of `dataDir` is in the folder `data`. */
export async function noteLocation(dataDir: string, data: string): Promise<void> {
  if ((await readMarker(dataDir)) !== data) await writeFile(markerOf(dataDir), `${data}\n`);
}

/** The folder that the marker names; undefined when there is none, or a crash left it empty. */
async function readMarker(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(markerOf(dataDir), "utf8")).trim() || undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
