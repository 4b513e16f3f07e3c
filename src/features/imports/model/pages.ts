// Reads the pages of an import before their order and their links are known. A file that cannot be a page is left out.
import { DomainError } from "#src/base/errors.ts";
import { contentLimit } from "#src/features/content/model/draft.ts";
import {
  type ImportFile,
  type ImportFiles,
  importLimits,
  isHtml,
  isMarkdown,
  nameOf,
  readText,
} from "#src/features/imports/model/files.ts";
import { Includes, isPartial } from "#src/features/imports/model/dialects/includes.ts";
import type { Report } from "#src/features/imports/model/open-import.ts";
import type { ReadPage } from "#src/features/imports/model/repositories/form.ts";
import type { PageText, TextReader } from "#src/features/imports/model/text-reader.ts";
import { readHtml } from "#src/features/imports/model/dialects/html-file.ts";

/** Files with navigation or settings in the form of Markdown. */
const isListing = (path: string): boolean =>
  /^(?:_(?:sidebar|footer|header|navbar|coverpage)|summary)\.(?:md|markdown)$/i.test(nameOf(path));

/** Whether a file may be a page: not in a folder that tools hide. */
const mayBePage = (path: string): boolean =>
  !path.split("/").some((name) => name.startsWith(".") && name !== ".") &&
  !/(?:^|\/)(?:_site|_layouts|_sass|_data)\//.test(path);

export class PageReading {
  readonly #files: ImportFiles;
  readonly #reader: TextReader;
  readonly #includes: Includes;
  #textSize = 0;

  constructor(files: ImportFiles, reader: TextReader) {
    this.#files = files;
    this.#reader = reader;
    const roots = ["", "src", "docs"].filter(
      (folder) => folder === "" || [...files.paths].some((path) => path.startsWith(`${folder}/`)),
    );
    this.#includes = new Includes(files, (file) => readText(files, file), roots);
  }

  get included(): ReadonlySet<string> {
    return this.#includes.used;
  }

  /** All pages of files that others made; parts that other pages include are not pages. */
  async all(report: Report): Promise<Map<string, ReadPage>> {
    const paths = this.#pagePaths();
    if (paths.length > contentLimit.pages)
      throw new DomainError("INVALID_INPUT", `A content may have at most ${contentLimit.pages} pages.`);
    const pages = new Map<string, ReadPage>();
    for (const [index, path] of paths.entries()) {
      report({ found: paths.length, read: index });
      const page = await this.one(path);
      if (page) pages.set(path, page);
    }
    for (const path of this.#includes.used) if (isPartial(path)) pages.delete(path);
    return pages;
  }

  #pagePaths(): string[] {
    const paths = [...this.#files.paths].filter(mayBePage);
    const markdown = paths.filter((path) => isMarkdown(path) && !isListing(path));
    if (markdown.length > 0) return this.#withoutParts(markdown);
    const html = paths.filter(isHtml);
    this.#files.hasHtmlPages = html.length > 0;
    return html;
  }

  /** Where pages are written in MDX, files whose names begin with `_` are parts of others. */
  #withoutParts(paths: readonly string[]): string[] {
    const isOfMdx = paths.some((path) => /\.mdx$/i.test(path));
    return paths.filter((path) => !isOfMdx || !/^_(?!index\b)/i.test(nameOf(path)));
  }

  /** Null with a warning if the file cannot be a page. */
  async one(path: string): Promise<ReadPage | null> {
    const file = this.#files.get(path);
    const source = file ? await readText(this.#files, file) : null;
    if (!file || source === null) return null;
    this.#count(file);
    if (isHtml(path)) return this.#html(path, source);
    const { text, lineOf } = await this.#includes.expand(path, source);
    const read = await this.#parse("page", path, text);
    return read && { path, text: read.converted ?? text.slice(read.start), read: withLines(read, lineOf) };
  }

  /** A page that was made from a website or a specification. */
  async plain(path: string): Promise<ReadPage | null> {
    const file = this.#files.get(path);
    const text = file ? await readText(this.#files, file) : null;
    if (!file || text === null) return null;
    this.#count(file);
    const read = await this.#parse("plain", path, text);
    return read && { path, text, read };
  }

  async #html(path: string, source: string): Promise<ReadPage | null> {
    const page = await readHtml(path, source);
    if ("problem" in page) {
      this.#files.omit(path, page.problem);
      return null;
    }
    const read = await this.#parse("plain", path, page.text);
    return read && { path, text: page.text, read: { ...read, title: page.title || null } };
  }

  async #parse(task: "page" | "plain", path: string, text: string): Promise<PageText | null> {
    try {
      return await this.#reader.read(task, path, text);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== "INVALID_INPUT") throw error;
      const why = error.message.replace(`${path}: `, "");
      this.#files.omit(path, `It ${why}`);
      return null;
    }
  }

  #count({ size }: ImportFile): void {
    this.#textSize += size;
    if (this.#textSize > importLimits.textSize)
      throw new DomainError(
        "TOO_LARGE",
        `The texts of an import may have at most ${importLimits.textSize} bytes in total.`,
      );
  }
}

const withLines = (read: PageText, lineOf: (line: number) => number): PageText => ({
  ...read,
  links: read.links.map((link) => ({ ...link, line: lineOf(link.line) })),
  problems: read.problems.map((problem) => ({ ...problem, line: lineOf(problem.line) })),
});
