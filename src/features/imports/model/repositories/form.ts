// The form of a repository of documentation: where a tool keeps its pages, their order and its static files.
import type { ImportFiles } from "#src/features/imports/model/files.ts";
import type { SummaryItem } from "#src/features/imports/model/summary.ts";
import type { PageText } from "#src/features/imports/model/text-reader.ts";

/** The text of a file that can be a page. */
export interface ReadPage {
  readonly path: string;
  /** The text of the page. */
  readonly text: string;
  readonly read: PageText;
}

/** What the form of a repository is read from. */
export interface Survey {
  readonly files: ImportFiles;
  readonly pages: ReadonlyMap<string, ReadPage>;
  /** The value of a configuration file in YAML, JSON, TOML, or JavaScript, which is not run; null if it is invalid. */
  data(path: string): Promise<unknown>;
  /** The text of a file; empty if it cannot be read. */
  text(path: string): Promise<string>;
  /** The items of a list of links in Markdown. */
  items(path: string, text: string): Promise<readonly SummaryItem[]>;
}

export interface Repository {
  readonly tool: string;
  /** The folder of the pages; absolute links begin there. */
  readonly root: string;
  /** Folders whose files are at the root of the website. */
  readonly statics: readonly string[];
  /** The table of contents and the file that has it; null to take the order of the folders. */
  readonly contents: { readonly path: string; readonly folder: string; readonly items: readonly SummaryItem[] } | null;
  /** What happens to pages that the table of contents does not name. */
  readonly others: "hidden" | "omitted" | "last";
  /** Whether numbers before the names of files and folders only order them. */
  readonly isNumbered: boolean;
  /** Former addresses of pages, by path. */
  readonly redirects?: ReadonlyMap<string, string>;
}

/** A reader of the repositories of one tool. */
export interface RepositoryForm {
  readonly tool: string;
  /** Null if the files are not those of the tool. */
  read(survey: Survey): Promise<Repository | null>;
}

/** A repository whose pages are in the order of its folders. */
export const ofFolders = (tool: string, root: string, statics: readonly string[] = []): Repository => ({
  tool,
  root,
  statics,
  contents: null,
  others: "last",
  isNumbered: false,
});

/** The first file of the import with one of these names, in one of these folders or up to two levels deep. */
export function findFile({ files }: Survey, names: RegExp, depth = 3): string | undefined {
  const found = [...files.paths].filter((path) => {
    const folders = path.split("/");
    return folders.length <= depth && names.test(folders.at(-1) ?? "");
  });
  return found.toSorted(
    (one, other) => one.split("/").length - other.split("/").length || one.length - other.length,
  )[0];
}

export const hasFolder = ({ files }: Survey, folder: string): boolean =>
  folder !== "" && [...files.paths].some((path) => path.startsWith(`${folder}/`));

/** The value of a property of plain data, at any depth; undefined if it does not exist. */
export function at(value: unknown, ...names: readonly (string | number)[]): unknown {
  let found: unknown = value;
  for (const name of names)
    found =
      typeof found === "object" && found !== null && Object.hasOwn(found, name)
        ? (Reflect.get(found, name) as unknown)
        : undefined;
  return found;
}

export const textAt = (value: unknown, ...names: readonly (string | number)[]): string | null => {
  const found = at(value, ...names);
  return typeof found === "string" ? found : null;
};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

export const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];

export const item = (title: string | null, url: string | null, items: SummaryItem[] = []): SummaryItem => ({
  title: title ?? "",
  url,
  line: 1,
  items,
});

/** An item that is replaced by the pages of a folder. */
export const folderItem = (folder: string): SummaryItem => ({ ...item(null, null), folder });

/** Maximum number of items of a table of contents, and of levels. */
const deepest = 20;

/** Maps nested data to items; what is nested too deeply is left out. */
export function itemsOf(
  values: unknown,
  read: (value: unknown, below: (inner: unknown) => SummaryItem[]) => SummaryItem[],
  depth = 0,
): SummaryItem[] {
  if (depth > deepest) return [];
  return listOf(values).flatMap((value) => read(value, (inner) => itemsOf(inner, read, depth + 1)));
}
