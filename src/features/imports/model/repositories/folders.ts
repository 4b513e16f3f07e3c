// The contents of folders: each is a page with the text of its index, in the order that files and front matter give.
import { lookup } from "#src/base/lookup.ts";
import { type Entry, group, pageEntry, titleFromName } from "#src/features/imports/model/contents.ts";
import { folderOf, type ImportFiles, nameOf, stemOf } from "#src/features/imports/model/files.ts";
import { looseKey, numberOf, withoutDate, withoutId, withoutNumber } from "#src/features/imports/model/paths.ts";
import type { ReadPage } from "#src/features/imports/model/repositories/form.ts";
import type { FolderSettings } from "#src/features/imports/model/repositories/folder-files.ts";

type Folder = { readonly folders: Map<string, Folder>; readonly pages: string[] };

/** An entry with what orders it among its siblings. */
interface Placed {
  entry: Entry;
  /** The names that a file of the folder may call it. */
  readonly names: readonly string[];
  order: number | null;
}

const byName = new Intl.Collator("en", { numeric: true });

interface FoldersOf {
  readonly files: ImportFiles;
  readonly pages: ReadonlyMap<string, ReadPage>;
  readonly settings: ReadonlyMap<string, FolderSettings>;
  /** The folder of all pages, whose own page is named after its file. */
  readonly root: string;
  readonly isNumbered: boolean;
}

export class FolderContents {
  readonly #of: FoldersOf;

  constructor(of: FoldersOf) {
    this.#of = of;
  }

  /** The entries of a folder, its own page first. */
  entriesOf(root: string): Entry[] {
    const top: Folder = { folders: new Map(), pages: [] };
    const start = root === "" ? "" : `${root}/`;
    for (const path of this.#of.pages.keys()) {
      if (!path.startsWith(start)) continue;
      let folder = top;
      for (const name of path.slice(start.length).split("/").slice(0, -1)) {
        const inner = folder.folders.get(name) ?? { folders: new Map(), pages: [] };
        folder.folders.set(name, inner);
        folder = inner;
      }
      folder.pages.push(path);
    }
    const index = this.#indexOf(root);
    const rest = this.#entriesIn(top, root);
    if (index === undefined) return this.#underParents(rest);
    const title = this.#of.settings.get(root)?.titles?.get(stemOf(index)) ?? null;
    return this.#underParents([this.entryOf(index, title), ...rest]);
  }

  /** The entry of a page outside of its folder. */
  entryOf(path: string, title: string | null): Entry {
    const { files, isNumbered, root } = this.#of;
    const entry = pageEntry(files, path, title, root);
    return isNumbered ? { ...entry, name: withoutNumber(entry.name) } : entry;
  }

  #indexOf(folder: string): string | undefined {
    const { files, pages, settings } = this.#of;
    const index = files.indexOf(folder) ?? (pages.has(`${folder}/index.html`) ? `${folder}/index.html` : undefined);
    if (index !== undefined && pages.has(index)) return index;
    const id = settings.get(folder)?.page;
    const name = id == null ? null : looseKey(nameOf(id));
    if (name === null) return undefined;
    return [...pages.keys()].find(
      (path) =>
        folderOf(path) === folder && [looseKey(stemOf(path)), looseKey(withoutNumber(stemOf(path)))].includes(name),
    );
  }

  /** The entries of a folder. A file next to a folder of the same name is the page of a folder without an index. */
  #entriesIn(folder: Folder, at: string): Entry[] {
    const index = this.#indexOf(at);
    const own = folder.pages.filter((path) => path !== index);
    const names = [...own.map(stemOf), ...folder.folders.keys()];
    const isNumbered = this.#of.isNumbered || (names.length > 1 && names.every((name) => numberOf(name) !== null));
    const placed = own.map((path) => this.#page(path, isNumbered));
    const beside = new Map(placed.map((one) => [looseKey(one.names[0] ?? ""), one]));
    for (const [name, inner] of folder.folders) {
      const path = at === "" ? name : `${at}/${name}`;
      const entries = this.#entriesIn(inner, path);
      const twin = this.#indexOf(path) === undefined ? beside.get(looseKey(withoutId(name))) : undefined;
      if (twin) twin.entry.entries.push(...entries);
      else placed.push(this.#folder(path, entries, isNumbered));
    }
    return this.#sorted(placed, this.#of.settings.get(at) ?? {});
  }

  #page(path: string, isNumbered: boolean): Placed {
    const entry = pageEntry(this.#of.files, path);
    const { meta } = this.#of.pages.get(path)?.read ?? {};
    const stem = withoutId(stemOf(path));
    const plain = isNumbered
      ? withoutNumber(stem)
      : /(?:^|\/)_(?:posts|drafts)\//.test(`/${path}`)
        ? withoutDate(stem)
        : stem;
    return {
      entry: { ...entry, name: plain },
      names: [stem, stemOf(path), plain],
      order: meta?.order ?? (isNumbered ? numberOf(stem) : null),
    };
  }

  #folder(path: string, entries: Entry[], isNumbered: boolean): Placed {
    const { files, pages, settings } = this.#of;
    const { title = null, position = null }: FolderSettings = settings.get(path) ?? {};
    const name = withoutId(nameOf(path));
    const plain = isNumbered ? withoutNumber(name) : name;
    const index = this.#indexOf(path);
    const ofPage = lookup(pages, index)?.read.meta.order;
    const order = position ?? ofPage ?? (isNumbered ? numberOf(name) : null);
    const own = index === undefined ? group(titleFromName(plain)) : pageEntry(files, index);
    return {
      entry: { ...own, ...(title !== null && { title }), name: plain, entries },
      names: [name, nameOf(path), plain],
      order,
    };
  }

  /** Listed names first, then numbers, then names; `...` in the list is the place of the others. */
  #sorted(placed: readonly Placed[], { order: listed = [], titles, hidden }: FolderSettings): Entry[] {
    const ranks = new Map(listed.map((name, index) => [looseKey(name), index]));
    const rest = ranks.get("...") ?? listed.length;
    const rankOf = ({ names }: Placed) =>
      names.map((name) => ranks.get(looseKey(name))).find((rank) => rank !== undefined) ?? rest;
    const sorted = placed.toSorted(
      (one, other) =>
        rankOf(one) - rankOf(other) ||
        (one.order ?? Infinity) - (other.order ?? Infinity) || // NaN for two without a number
        byName.compare(one.entry.name, other.entry.name) ||
        (one.entry.name < other.entry.name ? -1 : 1),
    );
    return sorted.map(({ entry, names }) => {
      const title = names.map((name) => titles?.get(name)).find((text) => text !== undefined);
      const isHidden = names.some((name) => hidden?.has(name));
      return { ...entry, ...(title !== undefined && { title }), ...(isHidden && { isHidden }) };
    });
  }

  /** Puts pages below the one that their front matter names as parent. */
  #underParents(entries: Entry[]): Entry[] {
    const readOf = ({ path }: Entry) => (path === null ? undefined : this.#of.pages.get(path)?.read);
    const all = entries.flatMap(withAllBelow);
    const byTitle = new Map(all.map((entry) => [readOf(entry)?.title ?? "", entry]));
    const moved = new Set<Entry>();
    for (const entry of all) {
      const parent = byTitle.get(readOf(entry)?.meta.parent ?? "\0");
      if (!parent || parent === entry || parent.entries.includes(entry) || isWithin(entry, parent)) continue;
      parent.entries.push(entry);
      moved.add(entry);
    }
    return moved.size === 0 ? entries : withoutMoved(entries, moved, readOf);
  }
}

const withAllBelow = (entry: Entry): Entry[] => [entry, ...entry.entries.flatMap(withAllBelow)];

/** The entries without those that are below their parents, unless they are there. */
function withoutMoved(
  entries: readonly Entry[],
  moved: ReadonlySet<Entry>,
  readOf: (entry: Entry) => ReadPage["read"] | undefined,
  title: string | null = null,
): Entry[] {
  return entries
    .filter((entry) => !moved.has(entry) || (title !== null && readOf(entry)?.meta.parent === title))
    .map((entry) => ({ ...entry, entries: withoutMoved(entry.entries, moved, readOf, readOf(entry)?.title ?? null) }));
}

const isWithin = (around: Entry, entry: Entry): boolean =>
  around.entries.some((inner) => inner === entry || isWithin(inner, entry));
