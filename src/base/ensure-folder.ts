// Creates folders.
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** Creates a folder and its parents; returns the first one created. Node's own `recursive` never ends below /proc. */
export async function ensureFolder(path: string, mode = 0o777): Promise<string | undefined> {
  try {
    return await makeOne(path, mode);
  } catch (error) {
    const isAlone = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isAlone) throw error;
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
    if (await isFolder(path)) return undefined;
    throw error;
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
