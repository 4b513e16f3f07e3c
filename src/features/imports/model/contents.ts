// The table of contents of an import: its entries, and those of lists of links such as SUMMARY.md.
import { percentDecoded } from "#src/base/url-text.ts";
import { folderOf, type ImportFiles, isHtml, isMarkdown, nameOf, stemOf } from "#src/features/imports/model/files.ts";
import { join, withoutId } from "#src/features/imports/model/paths.ts";
import type { PageComputed } from "#src/features/content/model/page.ts";
import { checkTarget } from "#src/features/content/model/checks.ts";
import type { SummaryItem } from "#src/features/imports/model/summary.ts";
import { shorten } from "#src/features/imports/model/warnings.ts";

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
  readonly isHidden?: boolean;
  readonly entries: Entry[];
}

/** Whether a file is a page. */
export const isPage = (files: ImportFiles, path: string): boolean =>
  isMarkdown(path) || (isHtml(path) && files.hasHtmlPages);

/**
 * The entry of a file, named after the file, or after the folder if it is the page of a folder. The page of `root`
 * keeps its own name.
 */
export function pageEntry(files: ImportFiles, path: string, title: string | null = null, root = ""): Entry {
  const folder = folderOf(path);
  const isOfFolder = folder !== root && folder !== "" && files.indexOf(folder) === path;
  const name = withoutId(isOfFolder ? nameOf(folder) : stemOf(path)).replace(/^_index$/, "index");
  return { path, target: null, title, name, entries: [] };
}

/** Makes a title from a file name. */
export function titleFromName(name: string): string {
  const words = name.replaceAll(/[-_\s]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1) || "Untitled";
}

export const group = (title: string): Entry => ({ path: null, target: null, title, name: title, entries: [] });

/** What a table of contents needs: the files, how its links are resolved, and the entries of a folder. */
interface Listing {
  readonly files: ImportFiles;
  /** The path of the file with the table of contents. */
  readonly path: string;
  /** The folder of its relative links. */
  readonly folder: string;
  readonly resolve: (url: string) => string | null;
  readonly entryOf: (path: string, title: string | null) => Entry;
  readonly entriesOf: (folder: string) => Entry[];
}

/** The contents of items with links. Warns about files that are listed twice or that cannot be pages. */
export function contentsOfItems(of: Listing, items: readonly SummaryItem[]): Entry[] {
  const entries = new ItemEntries(of);
  return items.flatMap((item) => entries.entriesOf(item));
}

class ItemEntries {
  readonly #of: Listing;
  readonly #named: Set<string>;

  constructor(of: Listing) {
    this.#of = of;
    this.#named = new Set([of.path]);
  }

  entriesOf(item: SummaryItem): Entry[] {
    if (item.folder !== undefined) return this.#of.entriesOf(item.folder).flatMap((entry) => this.#unnamed(entry));
    const entry = this.#entryOf(item); // before those below, which may name the same file with an anchor
    const entries = item.items.flatMap((inner) => this.entriesOf(inner));
    const own = entry ?? (entries.length > 0 ? group(item.title || "Untitled") : null);
    return own ? [{ ...own, entries }] : [];
  }

  /** An entry of a folder without the pages that the table of contents has elsewhere. */
  #unnamed(entry: Entry): Entry[] {
    const entries = entry.entries.flatMap((inner) => this.#unnamed(inner));
    if (entry.path === null) return entries.length > 0 ? [{ ...entry, entries }] : [];
    if (this.#named.has(entry.path)) return entries;
    this.#named.add(entry.path);
    return [{ ...entry, entries }];
  }

  /** Null for a URL that is not a page. */
  #entryOf({ url, title, line }: SummaryItem): Entry | null {
    if (url === null) return group(title || "Untitled");
    const target = targetOf(url);
    if (target !== null) return { ...group(title || target), target };
    const { files, path } = this.#of;
    const warn = (message: string) => files.warnings.add(path, line, message, "contents");
    const file = this.#pageAt(url);
    if (file === null) warn(`${shorten(url)} is not a Markdown file and does not become a page.`);
    else if (this.#named.has(file)) warn(`${shorten(url)} is listed twice: only the first entry becomes a page.`);
    else {
      this.#named.add(file);
      if (!files.has(file)) warn(`${shorten(url)} does not exist: its page has no text.`);
      return this.#of.entryOf(file, title || null);
    }
    return null;
  }

  /** The path of the page of an item, which may not exist; null for other files. */
  #pageAt(url: string): string | null {
    const { files, resolve, folder } = this.#of;
    const found = resolve(url);
    if (found !== null) return isPage(files, found) ? found : null;
    if (/^[a-z][a-z0-9+.-]*:/i.test(url)) return null;
    const plain = url.replace(/[?#].*$/s, "");
    const missing = join(plain.startsWith("/") ? "" : folder, percentDecoded(plain) ?? plain);
    return missing !== null && isMarkdown(missing) ? missing.normalize("NFC") : null;
  }
}

function targetOf(url: string): string | null {
  if (!/^(?:https?|mailto):/i.test(url)) return null;
  try {
    return checkTarget(url, url);
  } catch {
    return null;
  }
}
