// Files that name and order the pages of their folder: `_category_.json`, `_meta`, `.pages`, `meta.json`, `.order`.
import { folderOf, nameOf } from "#src/features/imports/model/files.ts";
import { at, entriesOf, listOf, type Survey, textAt } from "#src/features/imports/model/repositories/form.ts";

/** What is known of a folder. */
export interface FolderSettings {
  readonly title?: string | null;
  readonly position?: number | null;
  /** Names of pages and folders in their order; `...` is the place of all others. */
  readonly order?: readonly string[];
  readonly titles?: ReadonlyMap<string, string>;
  readonly hidden?: ReadonlySet<string>;
  /** The name of the page that is the page of the folder. */
  readonly page?: string | null;
}

interface FolderFile {
  readonly name: RegExp;
  read(value: unknown): FolderSettings;
}

const numberAt = (value: unknown, name: string): number | null => {
  const found = at(value, name);
  return typeof found === "number" ? found : null;
};

/** Names in order, with titles where an entry has one: `{ name: "Title" }` or `{ name: { title, display } }`. */
function named(value: unknown): FolderSettings {
  const entries = entriesOf(value);
  const titles = entries.flatMap(([name, of]): [string, string][] => {
    const title = typeof of === "string" ? of : textAt(of, "title");
    return title === null ? [] : [[name, title]];
  });
  const hidden = entries.filter(([, of]) => textAt(of, "display") === "hidden").map(([name]) => name);
  const order = entries.map(([name]) => (name === "*" ? "..." : name));
  return { order, titles: new Map(titles), hidden: new Set(hidden), title: null };
}

/** `.pages`: a list of names, `...`, and `Title: name`. */
function pagesFile(value: unknown): FolderSettings {
  const entries = listOf(at(value, "nav") ?? at(value, "arrange")).map(
    (entry): [name: string, title: string | null] => {
      const [[title, name] = []] = entriesOf(entry);
      return typeof name === "string" && title !== undefined
        ? [name, title]
        : [typeof entry === "string" ? entry : "", null];
    },
  );
  const titles = entries.flatMap(([name, title]): [string, string][] => (title === null ? [] : [[plain(name), title]]));
  const hidden = at(value, "hide") === true ? new Set(["."]) : new Set<string>();
  const order =
    entries.length === 0 ? {} : { order: entries.map(([name]) => (name.startsWith("...") ? "..." : plain(name))) };
  return { title: textAt(value, "title"), titles: new Map(titles), hidden, ...order };
}

/** `meta.json` of Fumadocs: `pages` with names, `...`, and `---Separator---`. */
function fumadocs(value: unknown): FolderSettings {
  const pages = listOf(at(value, "pages")).flatMap((name) =>
    typeof name === "string" ? plain(name.replace(/^\.\.\.(?=.)/, "")) : [],
  );
  const order = pages.length === 0 ? {} : { order: pages };
  return { title: textAt(value, "title"), ...order };
}

const plain = (name: string): string =>
  name === "..." ? name : name.replace(/\/$/, "").replace(/\.(?:mdx?|markdown)$/i, "");

const files: readonly FolderFile[] = [
  {
    name: /^_category_\.(?:json|ya?ml)$/i,
    read: (value) => ({
      title: textAt(value, "label"),
      position: numberAt(value, "position"),
      page: textAt(value, "link", "id"),
    }),
  },
  { name: /^_meta\.(?:json|[cm]?[jt]sx?|ya?ml)$/i, read: named },
  { name: /^\.pages(?:\.ya?ml)?$/i, read: pagesFile },
  { name: /^meta\.json$/i, read: fumadocs },
  {
    name: /^_order\.ya?ml$/i,
    read: (value) => ({ order: listOf(value).flatMap((name) => (typeof name === "string" ? plain(name) : [])) }),
  },
  { name: /^_dir\.ya?ml$|^\.nav\.ya?ml$/i, read: pagesFile },
];

/** The settings of each folder that has such a file. */
export async function readFolderFiles(survey: Survey, root: string): Promise<ReadonlyMap<string, FolderSettings>> {
  const settings = new Map<string, FolderSettings>();
  for (const path of survey.files.paths) {
    if (root !== "" && !path.startsWith(`${root}/`)) continue;
    const folder = folderOf(path);
    const name = nameOf(path);
    if (name === ".order") {
      const names = (await survey.text(path)).split(/\r?\n/).map((line) => plain(line.trim()));
      settings.set(folder, { ...settings.get(folder), order: names.filter(Boolean) });
      continue;
    }
    const file = files.find((one) => one.name.test(name));
    if (!file) continue;
    const value = await survey.data(path);
    if (value === null || value === undefined)
      survey.files.warnings.add(path, null, "It could not be read and does not order its folder.", "contents");
    else settings.set(folder, { ...settings.get(folder), ...file.read(value) });
  }
  return settings;
}
