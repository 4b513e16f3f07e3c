// The plan of an import: all pages with texts and link targets, independent of the target content.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { isPauseDue, pause } from "#src/runtime/yielding.ts";
import { contentLimit } from "#src/features/content/model/draft.ts";
import type { PageFields } from "#src/features/content/model/page.ts";
import { SiblingSlugs, slugOf } from "#src/features/content/model/slug.ts";
import {
  contentsOfFolders,
  contentsOfSummary,
  type Entry,
  findSummary,
  pageEntry,
  titleFromName,
  resolveLink,
} from "#src/features/imports/model/contents.ts";
import {
  folderOf,
  type ImportFile,
  type ImportFiles,
  importLimits,
  isMarkdown,
  readText,
} from "#src/features/imports/model/files.ts";
import type { TextLink } from "#src/features/imports/model/markdown.ts";
import type { PageText, TextReader } from "#src/features/imports/model/text-reader.ts";
import type { Report } from "#src/features/imports/model/open-import.ts";

export interface PlannedPage {
  readonly type: "document" | "group" | "link" | "computed";
  /** The path of its file; null if it has none. */
  readonly path: string | null;
  readonly name: string;
  title: string;
  /** Unique among its siblings. */
  slug: string;
  fields: PageFields;
  cover: PlannedCover | null;
  /** The text without front matter. */
  text: string;
  links: readonly PlannedLink[];
  readonly pages: PlannedPage[];
}

type PlannedCover = { readonly file: ImportFile; readonly yPos: number | undefined };

/** A URL in a text to be replaced. */
export interface PlannedLink {
  readonly start: number;
  readonly end: number;
  readonly to: PlannedPage | ImportFile;
  /** Starts with `#`; empty without an anchor. */
  readonly anchor: string;
}

export interface ImportPlan {
  readonly pages: readonly PlannedPage[];
  /** Pages of all levels. */
  readonly all: readonly PlannedPage[];
  /** The files that pages link to. */
  readonly files: readonly ImportFile[];
}

/**
 * Plans a page for every Markdown file in the table of contents, and a hidden page for others that these link to.
 * INVALID_INPUT with the name of the file for one that cannot be a page, or if no page is found.
 */
export async function planImport(
  { files, contents }: { files: ImportFiles; contents?: readonly Entry[] | undefined },
  reader: TextReader,
  report: Report = () => {},
): Promise<ImportPlan> {
  const summary = contents ? undefined : findSummary(files);
  const root = summary === undefined ? "" : folderOf(summary);
  const planning = new Planning(files, reader, { root, summary });
  return planning.plan(contents ?? (await readContents(files, reader, summary)), report);
}

async function readContents(
  files: ImportFiles,
  reader: TextReader,
  summary: string | undefined,
): Promise<readonly Entry[]> {
  const file = summary === undefined ? undefined : files.get(summary);
  const contents = file
    ? contentsOfSummary(files, file.path, await reader.read("summary", file.path, await readText(file)))
    : contentsOfFolders(files);
  if (contents.length === 0) throw new DomainError("INVALID_INPUT", "The import contains no Markdown files.");
  return contents;
}

/** The path of SUMMARY.md, and its folder, which is the root of absolute links. */
type SummaryPath = { readonly root: string; readonly summary: string | undefined };

class Planning {
  readonly #files: ImportFiles;
  readonly #reader: TextReader;
  readonly #of: SummaryPath;
  /** All pages in the order of reading; linked pages are added meanwhile. */
  readonly #all: PlannedPage[] = [];
  readonly #byPath = new Map<string, PlannedPage>();
  readonly #linked = new Map<string, ImportFile>();
  #top: PlannedPage[] = [];
  #textSize = 0;

  constructor(files: ImportFiles, reader: TextReader, of: SummaryPath) {
    this.#files = files;
    this.#reader = reader;
    this.#of = of;
  }

  async plan(contents: readonly Entry[], report: Report): Promise<ImportPlan> {
    this.#top = contents.map((entry) => this.#add(entry));
    for (const [index, page] of this.#all.entries()) {
      report({ found: this.#all.length, read: index });
      await this.#readText(page);
    }
    report({ found: this.#all.length, read: this.#all.length });
    giveSlugs(this.#top);
    return { pages: this.#top, all: this.#all, files: [...this.#linked.values()] };
  }

  #add({ path, target, computed, title, name, entries }: Entry): PlannedPage {
    if (this.#all.length >= contentLimit.pages)
      throw new DomainError("INVALID_INPUT", `A content may have at most ${contentLimit.pages} pages.`);
    const page: PlannedPage = {
      type: computed ? "computed" : target !== null ? "link" : path !== null ? "document" : "group",
      path,
      name,
      title: cutTitle(title ?? ""),
      slug: "",
      fields: { ...(target !== null && { target }), ...(computed && { computed }) },
      cover: null,
      text: "",
      links: [],
      pages: [],
    };
    this.#all.push(page);
    if (path !== null) this.#byPath.set(path, page);
    page.pages.push(...entries.map((entry) => this.#add(entry)));
    return page;
  }

  async #readText(page: PlannedPage): Promise<void> {
    const { path, name } = page;
    const file = path === null ? undefined : this.#files.get(path);
    if (file) {
      const text = await readText(file);
      this.#textSize += file.size;
      if (this.#textSize > importLimits.textSize)
        throw new DomainError(
          "TOO_LARGE",
          `The texts of an import may have at most ${importLimits.textSize} bytes in total.`,
        );
      await this.#take(page, file.path, { text, read: await this.#reader.read("page", file.path, text) });
    }
    page.title ||= cutTitle(titleFromName(name));
  }

  async #take(page: PlannedPage, path: string, { text, read }: { text: string; read: PageText }): Promise<void> {
    const { title, heading, cover, fields, start, links, problems } = read;
    for (const problem of problems) this.#files.warnings.add(path, 1, problem);
    page.title ||= cutTitle(title ?? heading ?? "");
    page.text = text.slice(start);
    page.fields = { ...fields, ...page.fields };
    page.cover = cover && this.#coverOf(cover, path);
    const planned: PlannedLink[] = [];
    for (const link of links.toSorted((one, other) => one.start - other.start)) {
      if (isPauseDue()) await pause();
      const found = this.#plannedLink(link, path);
      if (found) planned.push(found);
    }
    page.links = planned;
  }

  #plannedLink({ url, start, end, line }: TextLink, path: string): PlannedLink | null {
    const found = this.#find(url, path);
    if (!found) return null;
    const { file, anchor } = found;
    if (file)
      return { start, end, anchor, to: isMarkdown(file.path) ? this.#pageOf(file, { path, line }) : this.#link(file) };
    this.#files.warnings.add(path, line, `The link target ${shorten(url)} does not exist in the import.`);
    return null;
  }

  #coverOf({ url, yPos }: NonNullable<PageText["cover"]>, path: string): PlannedCover | null {
    const file = this.#find(url, path)?.file;
    if (file && !isMarkdown(file.path)) return { file: this.#link(file), yPos };
    this.#files.warnings.add(path, 1, `The cover ${shorten(url)} does not exist in the import and is ignored.`);
    return null;
  }

  /** The file at a URL, which is null if it does not exist; null for a URL outside the import. */
  #find(url: string, from: string): { file: ImportFile | null; anchor: string } | null {
    const { root, summary } = this.#of;
    const resolved = resolveLink(this.#files, url, { folder: folderOf(from), root });
    if (!resolved) return null;
    const { path, anchor } = resolved;
    return { file: (path !== null && path !== summary && this.#files.get(path)) || null, anchor };
  }

  #link(file: ImportFile): ImportFile {
    this.#linked.set(file.path, file);
    return file;
  }

  /** The page of a Markdown file. Outside the table of contents it is hidden, under the page of its folder. */
  #pageOf({ path }: ImportFile, from: { path: string; line: number }): PlannedPage {
    const known = this.#byPath.get(path);
    if (known) return known;
    const page = this.#add(pageEntry(this.#files, path));
    page.fields = { hidden: true };
    (this.#pageAround(path)?.pages ?? this.#top).push(page);
    this.#files.warnings.add(from.path, from.line, `${path} is not in the table of contents: its page is hidden.`);
    return page;
  }

  #pageAround(path: string): PlannedPage | undefined {
    for (let folder = folderOf(path); folder !== this.#of.root && folder !== ""; folder = folderOf(folder)) {
      const index = this.#files.indexOf(folder);
      const page = index === undefined || index === path ? undefined : this.#byPath.get(index);
      if (page) return page;
    }
    return undefined;
  }
}

/** A URL for messages, safe for terminals. */
function shorten(url: string): string {
  const shown = url.replaceAll(/\p{Cc}/gu, " ");
  return shown.length > 200 ? `${shown.slice(0, 200)}…` : shown;
}

/** A title on one line of at most 200 characters. */
function cutTitle(text: string): string {
  const title = text.replaceAll(/\s+/g, " ").trim();
  return title.length <= 200 ? title : Array.from(title).slice(0, 200).join("").trim();
}

/** Sets the slug of every page. INVALID_INPUT for one that is too deep. */
function giveSlugs(pages: readonly PlannedPage[], level = 1): void {
  const slugs = new SiblingSlugs();
  for (const page of pages) {
    if (level > contentLimit.levels)
      throw invalidInput(
        page.path ?? page.name,
        `must be on a higher level: pages may have at most ${contentLimit.levels} levels.`,
      );
    page.slug = slugs.take(slugOf(page.name));
    giveSlugs(page.pages, level + 1);
  }
}
