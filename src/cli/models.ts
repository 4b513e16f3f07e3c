// The Prisma models as files, as the schema engine wants them.
import { readdir, readFile } from "node:fs/promises";

const folder = new URL("../../prisma/", import.meta.url);

export interface ModelFile {
  readonly path: string;
  readonly content: string;
}

/** Every `.prisma` file under `prisma/`, by name: the order of the answer does not depend on the file system. */
export async function readModels(): Promise<ModelFile[]> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".prisma")).toSorted();
  return Promise.all(names.map(async (path) => ({ path, content: await readFile(new URL(path, folder), "utf8") })));
}
