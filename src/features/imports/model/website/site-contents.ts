// The table of contents of an imported site: its navigation, and the pages that it does not name.
import { type Entry, group, pageEntry } from "#src/features/imports/model/contents.ts";
import { folderOf, type ImportFiles } from "#src/features/imports/model/files.ts";
import type { NavigationItem } from "#src/features/imports/model/website/navigation.ts";

export type PageFile = { readonly path: string; readonly title: string };

/** Others than those of the navigation are below the page of their folder, or last; the start page is first. */
export function contentsOfSite(
  files: ImportFiles,
  pages: readonly PageFile[],
  { navigation, find }: { navigation: readonly NavigationItem[]; find: (url: string) => PageFile | undefined },
): Entry[] {
  const placed = new Map<string, Entry>();
  const place = ({ path, title }: PageFile, fallback: string): Entry => {
    const entry = pageEntry(files, path, title || fallback || null);
    placed.set(path, entry);
    return entry;
  };
  const entriesOf = ({ title, url, items }: NavigationItem): Entry[] => {
    const page = url === null ? undefined : find(url);
    const own = page && !placed.has(page.path) ? place(page, title) : null;
    const below = items.flatMap(entriesOf);
    if (own) {
      own.entries.push(...below);
      return [own];
    }
    return below.length > 1 && title !== "" ? [{ ...group(title), entries: below }] : below;
  };
  const top = navigation.flatMap(entriesOf);
  const [first] = pages;
  if (first && !placed.has(first.path)) top.unshift(place(first, ""));
  const rest = pages.filter(({ path }) => !placed.has(path));
  for (const page of rest.toSorted((one, other) => depthOf(one.path) - depthOf(other.path))) {
    const around = entryAround(page.path, placed);
    (around?.entries ?? top).push(place(page, ""));
  }
  return top;
}

const depthOf = (path: string): number => path.split("/").length - (path.endsWith("/index.md") ? 1 : 0);

/** The entry of the innermost folder around a page that has one. */
function entryAround(path: string, placed: ReadonlyMap<string, Entry>): Entry | undefined {
  for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) {
    const entry = placed.get(`${folder}/index.md`) ?? placed.get(`${folder}.md`);
    if (entry && entry.path !== path) return entry;
  }
  return undefined;
}
