// Resolves links in imported files to other files of the import.
import { percentDecoded } from "#src/base/url-text.ts";
import { folderOf, type ImportFiles, isMarkdown } from "#src/features/imports/model/files.ts";

/** The target of an address within the import; `path` is null if it is missing. */
interface Resolved {
  readonly path: string | null;
  /** With `#`; empty for none. */
  readonly anchor: string;
}

/** Null for addresses outside of the import and on the same page. `/` begins at `root`, or at that of the import. */
export function resolveLink(files: ImportFiles, url: string, from: { folder: string; root: string }): Resolved | null {
  if (url === "" || url.startsWith("#") || url.startsWith("//") || /^[a-z][a-z0-9+.-]*:/i.test(url)) return null;
  const [, address = "", anchor = ""] = /^([^?#]*)(?:\?[^#]*)?(#.+)?/s.exec(url) ?? [];
  const path = decode(address).normalize("NFC");
  const bases = path.startsWith("/") ? [from.root, ""] : [from.folder];
  for (const base of bases) {
    const joined = join(base, path);
    const file = joined === null ? undefined : findFile(files, joined);
    if (file !== undefined) return { path: file, anchor };
  }
  return { path: null, anchor };
}

/** Decodes an address; a percent sign may stand for itself. */
const decode = (address: string) => percentDecoded(address) ?? address;

/** The path from the root of the import; null if it leads outside. */
function join(folder: string, path: string): string | null {
  const names = folder === "" ? [] : folder.split("/");
  for (const name of path.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) return null;
  }
  return names.join("/");
}

/** The file, the page of a folder, or the Markdown file of `page.html` or `page`. */
function findFile(files: ImportFiles, path: string): string | undefined {
  if (files.has(path)) return path;
  const stem = path.replace(/\.html?$/i, "");
  const page = [`${stem}.md`, `${stem}.markdown`].find((candidate) => files.has(candidate));
  if (page !== undefined) return page;
  return files.indexOf(/(?:^|\/)index$/i.test(stem) ? folderOf(stem) : path);
}

/** The path of the page of an entry of SUMMARY.md, which may be missing; null for other files. */
export function resolvePage(files: ImportFiles, url: string, folder: string): string | null {
  const resolved = resolveLink(files, url, { folder, root: folder });
  if (resolved?.path != null) return isMarkdown(resolved.path) ? resolved.path : null;
  const missing = resolved && join(folder, decode(url.replace(/[?#].*$/s, "")).normalize("NFC"));
  return missing != null && isMarkdown(missing) ? missing : null;
}
