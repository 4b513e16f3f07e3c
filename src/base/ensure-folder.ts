// Creates folders with their parents.
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** Creates a folder and its parents; returns the first one created. Node's own `recursive` never ends below /proc. */
export async function ensureFolder(path: string, mode = 0o777): Promise<string | undefined> {
  try {
    return await makeOne(path, mode);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
  const first = await ensureFolder(dirname(path), mode);
  const own = await makeOne(path, mode);
  return first ?? own;
}

/** Creates a folder in an existing one; undefined if it exists. */
async function makeOne(path: string, mode: number): Promise<string | undefined> {
  try {
    await mkdir(path, { mode });
    return path;
  } catch (error) {
    const found = await stat(path).catch(() => null);
    if (found?.isDirectory()) return undefined;
    throw error;
  }
}
