// Folders that are to be there, made where they are missing.
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder, and those around it that are missing, also while others make the same; answers the first that it
 * made, and undefined where there was one. Like Node's `mkdir` with `recursive`, which never ends below a folder that
 * takes none, such as /proc.
 */
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

/** Makes a folder in one that is there; answers it, and undefined where there was one. */
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
