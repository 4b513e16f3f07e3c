// Where a link in an imported file leads: to another file of the import, or out of it.
import { percentDecoded } from "#src/base/url-text.ts";
import { folderOf, type ImportFiles, isMarkdown } from "#src/features/imports/model/files.ts";

/** What an address within the import means; `path` is null where nothing is there. */
export interface Resolved {
  readonly path: string | null;
  /** With its `#`; empty for none. */
  readonly anchor: string;
}

/** The address as a file of the import; null outside of it or on the same page. `/` begins at `root`, or the import. */
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

/** An address in which percent signs may mean themselves. */
const decode = (address: string) => percentDecoded(address) ?? address;

/** The path from the root of the import; null outside of it. */
function join(folder: string, path: string): string | null {
  const names = folder === "" ? [] : folder.split("/");
  for (const name of path.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(name);
    else if (names.pop() === undefined) return null;
  }
  return names.join("/");
}

/** The file itself, the page of a folder, or the Markdown file that a site shows as `page.html`, or as `page`. */
function findFile(files: ImportFiles, path: string): string | undefined {
  if (files.has(path)) return path;
  const stem = path.replace(/\.html?$/i, "");
  const page = [`${stem}.md`, `${stem}.markdown`].find((candidate) => files.has(candidate));
  if (page !== undefined) return page;
  return files.indexOf(/(?:^|\/)index$/i.test(stem) ? folderOf(stem) : path);
}

/** The path of the page that an entry of a table of contents names, which may be missing; null for no Markdown file. */
export function resolvePage(files: ImportFiles, url: string, folder: string): string | null {
  const resolved = resolveLink(files, url, { folder, root: folder });
  if (resolved?.path != null) return isMarkdown(resolved.path) ? resolved.path : null;
  const missing = resolved && join(folder, decode(url.replace(/[?#].*$/s, "")).normalize("NFC"));
  return missing != null && isMarkdown(missing) ? missing : null;
}
