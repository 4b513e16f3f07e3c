// The plan of an import: all pages with texts and link targets, independent of the target content.
import { DomainError } from "#src/base/errors.ts";
import { isPauseDue, pause } from "#src/runtime/yielding.ts";
import { contentLimit } from "#src/features/content/model/draft.ts";
import type { PageFields } from "#src/features/content/model/page.ts";
import { SiblingSlugs, slugOf } from "#src/base/text/slugs.ts";
import { checkSlug } from "#src/features/content/model/slug.ts";
import { type Entry, isPage, pageEntry, titleFromName } from "#src/features/imports/model/contents.ts";
import { folderOf, type ImportFile, type ImportFiles, nameOf } from "#src/features/imports/model/files.ts";
import { LinkResolver, type Resolved } from "#src/features/imports/model/links.ts";
import type { TextLink } from "#src/features/imports/model/markdown.ts";
import type { OpenImport, Report } from "#src/features/imports/model/open-import.ts";
import { PageReading } from "#src/features/imports/model/pages.ts";
import type { ReadPage } from "#src/features/imports/model/repositories/form.ts";
import { surveyFiles } from "#src/features/imports/model/repositories/survey.ts";
import type { PageText, TextReader } from "#src/features/imports/model/text-reader.ts";
import { shorten } from "#src/features/imports/model/warnings.ts";
import { type WikiForm, wikiText } from "#src/features/imports/model/dialects/wiki-links.ts";

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
  /** Set if the range is a whole link by a name. */
  readonly wiki?: WikiForm;
}

export interface ImportPlan {
  readonly pages: readonly PlannedPage[];
  /** Pages of all levels. */
  readonly all: readonly PlannedPage[];
  /** The files that pages link to. */
  readonly files: readonly ImportFile[];
}

/** The target of a link, and its form if that depends on what was found. */
type Named = Resolved & { readonly wiki?: WikiForm };

/** What is planned from: the table of contents, the pages that were read, and how their links are resolved. */
interface Known {
  readonly entries: readonly Entry[];
  readonly pages: ReadonlyMap<string, ReadPage>;
  readonly resolver: LinkResolver;
  /** The folder of the pages, which does not have a page of its own. */
  readonly root: string;
  /** The file with the table of contents, which is not a page. */
  readonly listing: string;
  /** Why pages that are not planned are left out. */
  readonly why: string;
  /** The paths of files that pages include. */
  readonly included: ReadonlySet<string>;
}

type Planned = Pick<OpenImport, "files" | "contents" | "isWritten">;

/**
 * Plans a page for every entry of the table of contents, and a hidden page for others that these link to. Files that
 * cannot be read are left out with a warning. INVALID_INPUT if no page is found.
 */
export async function planImport(
  { files, contents, isWritten = false }: Planned,
  reader: TextReader,
  report: Report = () => {},
): Promise<ImportPlan> {
  const reading = new PageReading(files, reader);
  const readPage = (path: string) => (isWritten ? reading.one(path) : reading.plain(path));
  if (contents) return new Planning(files, await knownOf(files, contents, { reading, readPage, report })).plan(report);
  const pages = await reading.all(report);
  const { repository, entries, resolver } = await surveyFiles(files, pages, reader);
  if (entries.length === 0) throw new DomainError("INVALID_INPUT", reasonOf(files));
  const { root, contents: listed, others } = repository;
  const why = others === "omitted" ? "It is not in the table of contents" : `It is outside of the folder ${root}`;
  const listing = listed?.path ?? "";
  return new Planning(files, { entries, pages, resolver, root, listing, why, included: reading.included }).plan(report);
}

/** Why an import has no pages: one left out file is the reason. */
function reasonOf({ warnings }: ImportFiles): string {
  const [first] = warnings.first.filter(({ kind }) => kind === "omitted");
  const found = "The import contains no Markdown files.";
  return first ? `${found} ${first.path}: ${first.message}` : found;
}

interface KnownPages {
  readonly reading: PageReading;
  readonly readPage: (path: string) => Promise<ReadPage | null>;
  readonly report: Report;
}

/** Pages by a table of contents: of a website, a specification, or one address. */
async function knownOf(
  files: ImportFiles,
  contents: readonly Entry[],
  { reading, readPage, report }: KnownPages,
): Promise<Known> {
  const pages = new Map<string, ReadPage>();
  const paths = pathsIn(contents);
  for (const [index, path] of paths.entries()) {
    report({ found: paths.length, read: index });
    const page = await readPage(path);
    if (page) pages.set(path, page);
  }
  const resolver = new LinkResolver(files, { root: "", statics: [] }, []);
  return { entries: contents, pages, resolver, root: "", listing: "", why: "", included: reading.included };
}

const pathsIn = (entries: readonly Entry[]): string[] =>
  entries.flatMap(({ path, entries: below }) => [...(path === null ? [] : [path]), ...pathsIn(below)]);

class Planning {
  readonly #files: ImportFiles;
  readonly #known: Known;
  /** All pages in the order of reading; linked pages are added meanwhile. */
  readonly #all: PlannedPage[] = [];
  readonly #byPath = new Map<string, PlannedPage>();
  readonly #linked = new Map<string, ImportFile>();
  #top: PlannedPage[] = [];

  constructor(files: ImportFiles, known: Known) {
    this.#files = files;
    this.#known = known;
  }

  async plan(report: Report): Promise<ImportPlan> {
    this.#top = this.#known.entries.map((entry) => this.#add(entry, 1));
    for (const page of this.#all) await this.#fill(page);
    report({ found: this.#all.length, read: this.#all.length });
    for (const path of this.#known.pages.keys())
      if (!this.#byPath.has(path) && !this.#known.included.has(path) && path !== this.#known.listing)
        this.#files.warnings.add(path, null, `${this.#known.why}, and is left out.`);
    giveSlugs(this.#top);
    return { pages: this.#top, all: this.#all, files: [...this.#linked.values()] };
  }

  /** Pages that would be too deep are put beside their parent. */
  #add(entry: Entry, level: number): PlannedPage {
    const { path, target, computed, title, name, isHidden, entries } = entry;
    if (this.#all.length >= contentLimit.pages)
      throw new DomainError("INVALID_INPUT", `A content may have at most ${contentLimit.pages} pages.`);
    const page: PlannedPage = {
      type: computed ? "computed" : target !== null ? "link" : path !== null ? "document" : "group",
      path,
      name,
      title: cutTitle(title ?? ""),
      slug: "",
      fields: { ...(target !== null && { target }), ...(computed && { computed }), ...(isHidden && { hidden: true }) },
      cover: null,
      text: "",
      links: [],
      pages: [],
    };
    this.#all.push(page);
    if (path !== null) this.#byPath.set(path, page);
    page.pages.push(...this.#flattened(entries, level).map((inner) => this.#add(inner, level + 1)));
    return page;
  }

  #flattened(entries: readonly Entry[], level: number): readonly Entry[] {
    if (level < contentLimit.levels - 1) return entries;
    const flat = entries.flatMap(withBelow);
    if (flat.length === entries.length) return flat;
    for (const { path } of flat)
      if (path !== null && !entries.some((entry) => entry.path === path))
        this.#files.warnings.add(
          path,
          null,
          `It is on a higher level: pages may have at most ${contentLimit.levels} levels.`,
          "contents",
        );
    return flat.filter(({ path, target, computed }) => path !== null || target !== null || computed);
  }

  async #fill(page: PlannedPage): Promise<void> {
    const { path, name } = page;
    const known = path === null ? undefined : this.#known.pages.get(path);
    if (known) {
      const { title, heading, cover, fields, meta, links, problems } = known.read;
      for (const { line, message, isConversion } of problems)
        this.#files.warnings.add(known.path, line, message, isConversion ? "converted" : "frontMatter");
      if (meta.isDraft) this.#files.warnings.add(known.path, 1, "It is a draft: its page is hidden.", "contents");
      page.title ||= cutTitle(title ?? meta.label ?? heading ?? "");
      page.text = known.text;
      page.fields = { ...fields, ...page.fields };
      page.cover = cover && this.#coverOf(cover, known.path);
      page.slug = ownSlug(meta.slug);
      page.links = await this.#linksOf(links, known.path);
    }
    page.title ||= cutTitle(titleFromName(name));
  }

  async #linksOf(links: readonly TextLink[], path: string): Promise<PlannedLink[]> {
    const planned: PlannedLink[] = [];
    for (const link of links.toSorted((one, other) => one.start - other.start)) {
      if (isPauseDue()) await pause();
      const found = this.#plannedLink(link, path);
      if (found) planned.push(found);
    }
    return planned;
  }

  #plannedLink({ url, start, end, line, wiki }: TextLink, path: string): PlannedLink | null {
    const found: Named | null = wiki ? this.#named(url, wiki, path) : this.#known.resolver.resolve(url, path);
    if (!found) return null;
    const to = this.#targetOf(found, { path, line });
    if (!to) {
      this.#files.warnings.add(path, line, `The link target ${shorten(url)} does not exist in the import.`, "link");
      return null;
    }
    const warn = (message: string) => this.#files.warnings.add(path, line, message, "converted");
    if (found.note !== undefined && (!wiki || found.isUncertain))
      warn(`The link target ${shorten(url)} ${found.note}.`);
    if (wiki?.isEmbed && "pages" in to) warn(`The embedded page ${shorten(url)} becomes a link.`);
    return { start, end, anchor: found.anchor, to, ...(wiki && { wiki: found.wiki ?? wiki }) };
  }

  /** The target of a link by a name, which some wikis write behind its label. */
  #named(url: string, wiki: WikiForm, path: string): Named {
    const found = this.#known.resolver.resolveName(url, path);
    if (found.path !== null || wiki.lastName === null) return found;
    return { ...this.#known.resolver.resolveName(wiki.lastName, path), wiki: { ...wiki, label: wiki.firstLabel } };
  }

  #coverOf({ url, yPos }: NonNullable<PageText["cover"]>, path: string): PlannedCover | null {
    const found = this.#known.resolver.resolve(url, path);
    const file = found?.path == null ? undefined : this.#files.get(found.path);
    if (file && !isPage(this.#files, file.path)) return { file: this.#link(file), yPos };
    this.#files.warnings.add(path, 1, `The cover ${shorten(url)} does not exist in the import and is ignored.`, "link");
    return null;
  }

  #targetOf({ path }: Resolved, from: { path: string; line: number }): PlannedPage | ImportFile | null {
    const file = path === null || path === this.#known.listing ? undefined : this.#files.get(path);
    if (!file) return null;
    return isPage(this.#files, file.path) ? this.#pageOf(file, from) : this.#link(file);
  }

  #link(file: ImportFile): ImportFile {
    this.#linked.set(file.path, file);
    return file;
  }

  /** The page of a Markdown file. Outside the table of contents it is hidden, under the page of its folder. */
  #pageOf({ path }: ImportFile, from: { path: string; line: number }): PlannedPage | null {
    const known = this.#byPath.get(path);
    if (known) return known;
    if (!this.#known.pages.has(path)) return null;
    const around = this.#pageAround(path);
    const page = this.#add(
      { ...pageEntry(this.#files, path, null, this.#known.root), isHidden: true },
      contentLimit.levels,
    );
    (around?.pages ?? this.#top).push(page);
    this.#files.warnings.add(
      from.path,
      from.line,
      `${path} is not in the table of contents: its page is hidden.`,
      "contents",
    );
    return page;
  }

  #pageAround(path: string): PlannedPage | undefined {
    const { root } = this.#known;
    for (let folder = folderOf(path); folder !== root && folder !== ""; folder = folderOf(folder)) {
      const index = this.#files.indexOf(folder);
      const page = index === undefined || index === path ? undefined : this.#byPath.get(index);
      if (page) return page;
    }
    return undefined;
  }
}

/** An entry and all below it, on one level. */
const withBelow = (entry: Entry): Entry[] => [{ ...entry, entries: [] }, ...entry.entries.flatMap(withBelow)];

/** A title on one line of at most 200 characters. */
function cutTitle(text: string): string {
  const title = text.replaceAll(/\s+/g, " ").trim();
  return title.length <= 200 ? title : Array.from(title).slice(0, 200).join("").trim();
}

/** The last part of the address that a page says it has; empty if a page cannot have it. */
function ownSlug(address: string | null): string {
  const last = (address ?? "")
    .replace(/[?#].*$/s, "")
    .replace(/\.html?$/i, "")
    .split("/")
    .findLast((part) => part !== "");
  if (last === undefined || last.includes(":")) return "";
  try {
    return checkSlug("slug", last);
  } catch {
    return slugOf(last, "");
  }
}

/** Sets the slug of every page: its own, or that of its name. */
function giveSlugs(pages: readonly PlannedPage[]): void {
  const slugs = new SiblingSlugs();
  for (const page of pages) {
    page.slug = slugs.take(page.slug || slugOf(page.name));
    giveSlugs(page.pages);
  }
}

/** The text of a planned link at an address. */
export const linkText = ({ wiki, to }: PlannedLink, address: string): string =>
  wiki
    ? wikiText(wiki, address, !("pages" in to) && /\.(?:png|jpe?g|gif|svg|webp|avif|bmp|ico)$/i.test(nameOf(to.path)))
    : address;
