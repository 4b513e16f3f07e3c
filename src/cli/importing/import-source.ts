// The sources of `npm run import`: a folder, a ZIP archive, an address, or the first pages of a history.
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { ImportFiles, isLeftover } from "#src/features/imports/model/files.ts";
import { openZip } from "#src/features/imports/commands/zip.ts";
import { readHistory } from "#src/history/history-file.ts";
import { DomainError } from "#src/base/errors.ts";
import { UsageError } from "#src/base/usage-error.ts";
import type { OpenImport } from "#src/features/imports/model/open-import.ts";
import { openAddress, type Opening } from "#src/features/imports/commands/open-address.ts";

/** Opens a path or an address. Throws INVALID_INPUT if it is missing or cannot be imported. */
export async function openSource(
  path: string,
  { source, statics, ...opening }: { source: string; statics: string | undefined } & Omit<Opening, "signal">,
): Promise<OpenImport> {
  if (/^https?:\/\//i.test(path)) {
    if (source !== "website" && source !== "markdown" && source !== "openapi")
      throw new UsageError("--source must be website, markdown or openapi");
    return openAddress({ url: path, source }, { ...opening, signal: new AbortController().signal });
  }
  const found = await stat(path).catch((error: unknown) => {
    const because = error instanceof Error ? ` (${error.message})` : "";
    throw new DomainError("INVALID_INPUT", `${path} cannot be read${because}`);
  });
  const nothingToClose = { [Symbol.asyncDispose]: async () => {} };
  if (found.isDirectory()) {
    const files = await readFolder(path);
    if (statics !== undefined) await addStatics(files, statics);
    return { files, ...nothingToClose };
  }
  if (/\.json(\.gz)?$/.test(path)) return { files: await startOfHistory(path), ...nothingToClose };
  return openZip(path);
}

async function startOfHistory(path: string): Promise<ImportFiles> {
  const { start, blobs } = await readHistory(path);
  return ImportFiles.of(Object.entries(start).map(([path, blob]) => [path, blobs[blob] ?? ""]));
}

/** Adds the files of a folder at `static/`, where links that begin with a slash find them. */
async function addStatics(files: ImportFiles, folder: string): Promise<void> {
  const found = await readFolder(folder).catch((error: unknown) => {
    const because = error instanceof Error ? ` (${error.message})` : "";
    throw new UsageError(`--static: ${folder} cannot be read${because}`);
  });
  for (const path of found.paths) {
    const file = found.get(path);
    if (file && !files.has(`static/${path}`)) files.add({ ...file, path: `static/${path}` });
  }
}

/** The files of a folder. Follows links to files within it; skips everything else with a warning. */
export async function readFolder(folder: string): Promise<ImportFiles> {
  const root = await realpath(folder);
  const files = new ImportFiles();

  async function add(at: string): Promise<void> {
    const { size } = await stat(join(root, at));
    files.add({ path: at.replaceAll(sep, "/"), size, read: () => readFile(join(root, at)) });
  }

  async function walk(inner: string): Promise<void> {
    for (const entry of await readdir(join(root, inner), { withFileTypes: true })) {
      const at = join(inner, entry.name);
      if (isLeftover(entry.name)) continue;
      if (entry.isDirectory()) await walk(at);
      else if (entry.isFile() || (entry.isSymbolicLink() && (await leadsToFileIn(root, join(root, at))))) await add(at);
      else files.warnings.add(at, null, "It is a symbolic link or another special file, and was skipped.");
    }
  }

  await walk("");
  return files;
}

async function leadsToFileIn(root: string, link: string): Promise<boolean> {
  const target = await realpath(link).catch(() => null); // a dangling link
  if (target === null || relative(root, target).split(sep)[0] === "..") return false;
  return (await stat(target)).isFile();
}
