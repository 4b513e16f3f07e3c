// The table of contents of an import, from SUMMARY.md or the folders, and the resolution of links to files.
import { percentDecoded } from "#src/base/url-text.ts";
import { folderOf, type ImportFiles, isMarkdown, nameOf, stemOf } from "#src/features/imports/model/files.ts";
import type { PageComputed } from "#src/features/content/model/page.ts";
import { checkTarget } from "#src/features/content/model/checks.ts";
import type { SummaryItem } from "#src/features/imports/model/summary.ts";

/** The target of a link within the import; `path` is null if the file does not exist. */
interface Resolved {
  readonly path: string | null;
  /** Starts with `#`; empty without an anchor. */
  readonly anchor: string;
}

/** Null for links out of the import or within a page. `/` refers to `root`, or else to the root of the import. */
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

/** Decodes a URL path; accepts unescaped percent signs. */
const decode = (address: string) => percentDecoded(address) ?? address;

/** The path from the root of the import; null if it is outside. */
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

/** The path of the page of an entry of SUMMARY.md, which may not exist; null for other files. */
function resolvePage(files: ImportFiles, url: string, folder: string): string | null {
  const resolved = resolveLink(files, url, { folder, root: folder });
  if (resolved?.path != null) return isMarkdown(resolved.path) ? resolved.path : null;
  const missing = resolved && join(folder, decode(url.replace(/[?#].*$/s, "")).normalize("NFC"));
  return missing != null && isMarkdown(missing) ? missing : null;
}

/** A planned page: of a file, a group, a link, or a computed page. */
export interface Entry {
  /** The path of its file, which may not exist; null for other pages. */
  readonly path: string | null;
  /** The URL of a link. */
  readonly target: string | null;
  readonly computed?: PageComputed;
  /** Null to use the title of the file. */
  readonly title: string | null;
  /** The base of the slug. */
  readonly name: string;
  readonly entries: Entry[];
}

const summaryPlaces = ["SUMMARY.md", "src/SUMMARY.md", "docs/SUMMARY.md"];

export const findSummary = (files: ImportFiles): string | undefined =>
  summaryPlaces.flatMap((path) => [path, path.replace("SUMMARY", "summary")]).find((path) => files.has(path));

/** The entry of a file, named after the file, or after the folder if it is the page of a folder. */
export function pageEntry(files: ImportFiles, path: string, title: string | null = null): Entry {
  const folder = folderOf(path);
  const isOfFolder = folder !== "" && files.indexOf(folder) === path;
  return { path, target: null, title, name: isOfFolder ? nameOf(folder) : stemOf(path), entries: [] };
}

/** Makes a title from a file name. */
export function titleFromName(name: string): string {
  const words = name.replaceAll(/[-_\s]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1) || "Untitled";
}

export const group = (title: string): Entry => ({ path: null, target: null, title, name: title, entries: [] });

/** The contents of the SUMMARY.md at `path`. Warns about files that it names twice or that cannot be pages. */
export function contentsOfSummary(files: ImportFiles, path: string, items: readonly SummaryItem[]): Entry[] {
  const named = new Set([path]);
  const entriesOf = (item: SummaryItem): Entry[] => {
    const entry = entryOf(item); // before those below, which may name the same file with an anchor
    const entries = item.items.flatMap(entriesOf);
    const own = entry ?? (entries.length > 0 ? group(item.title || "Untitled") : null);
    return own ? [{ ...own, entries }] : [];
  };
  /** Null for a URL that is not a page. */
  const entryOf = ({ url, title, line }: SummaryItem): Entry | null => {
    if (url === null) return group(title || "Untitled");
    const target = targetOf(url);
    if (target !== null) return { ...group(title || target), target };
    const warn = (message: string) => files.warnings.add(path, line, message);
    const file = resolvePage(files, url, folderOf(path));
    if (file === null) warn(`${url} is not a Markdown file and does not become a page.`);
    else if (named.has(file)) warn(`${url} is listed twice: only the first entry becomes a page.`);
    else {
      named.add(file);
      if (!files.has(file)) warn(`${url} does not exist: its page has no text.`);
      return pageEntry(files, file, title || null);
    }
    return null;
  };
  return items.flatMap(entriesOf);
}

function targetOf(url: string): string | null {
  if (!/^(?:https?|mailto):/i.test(url)) return null;
  try {
    return checkTarget(url, url);
  } catch {
    return null;
  }
}

type Folder = { readonly folders: Map<string, Folder>; readonly pages: string[] };

const byName = new Intl.Collator("en", { numeric: true });

/** The contents of the folders: each is a page with the text of its README.md or index.md. */
export function contentsOfFolders(files: ImportFiles): Entry[] {
  const root: Folder = { folders: new Map(), pages: [] };
  for (const path of files.paths) {
    if (!isMarkdown(path) || path.split("/").some((name) => name.startsWith("."))) continue;
    let folder = root;
    for (const name of path.split("/").slice(0, -1)) {
      const inner = folder.folders.get(name) ?? { folders: new Map(), pages: [] };
      folder.folders.set(name, inner);
      folder = inner;
    }
    folder.pages.push(path);
  }
  const index = files.indexOf("");
  const rest = entriesOf(files, root, "");
  return index === undefined ? rest : [pageEntry(files, index), ...rest];
}

/** The entries of a folder. A file next to a folder of the same name is the page of a folder without an index. */
function entriesOf(files: ImportFiles, folder: Folder, at: string): Entry[] {
  const pages = folder.pages.filter((path) => path !== files.indexOf(at)).map((path) => pageEntry(files, path));
  const beside = new Map(pages.map((entry) => [entry.name, entry]));
  const folders = Array.from(folder.folders, ([name, inner]): Entry[] => {
    const path = at === "" ? name : `${at}/${name}`;
    const entries = entriesOf(files, inner, path);
    const index = files.indexOf(path);
    if (index !== undefined) return [{ ...pageEntry(files, index), entries }];
    const twin = beside.get(name);
    if (!twin) return [{ ...group(titleFromName(name)), name, entries }];
    twin.entries.push(...entries);
    return [];
  });
  return [...pages, ...folders.flat()].toSorted(
    (one, other) => byName.compare(one.name, other.name) || (one.name < other.name ? -1 : 1),
  );
}
