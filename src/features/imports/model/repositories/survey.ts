// Surveys the files of an import: the form of their repository, the order of their pages, and how links are resolved.
import { contentsOfItems, type Entry } from "#src/features/imports/model/contents.ts";
import { inFigures } from "#src/base/limits.ts";
import { type ImportFiles, readText } from "#src/features/imports/model/files.ts";
import { LinkResolver } from "#src/features/imports/model/links.ts";
import { withoutNumber } from "#src/features/imports/model/paths.ts";
import { readFolderFiles } from "#src/features/imports/model/repositories/folder-files.ts";
import { FolderContents } from "#src/features/imports/model/repositories/folders.ts";
import {
  findFile,
  type ReadPage,
  type Repository,
  type Survey,
} from "#src/features/imports/model/repositories/form.ts";
import { readRepository } from "#src/features/imports/model/repositories/index.ts";
import type { TextReader } from "#src/features/imports/model/text-reader.ts";

interface Surveyed {
  readonly repository: Repository;
  readonly entries: readonly Entry[];
  readonly resolver: LinkResolver;
}

export async function surveyFiles(
  files: ImportFiles,
  pages: ReadonlyMap<string, ReadPage>,
  reader: TextReader,
): Promise<Surveyed> {
  const survey = surveyOf(files, pages, reader);
  const repository = await readRepository(survey);
  const settings = await readFolderFiles(survey, repository.root);
  const isNumbered = repository.isNumbered || isOfDocusaurus(files, pages);
  const folders = new FolderContents({ files, pages, settings, root: repository.root, isNumbered });
  const redirects = [...(repository.redirects ?? [])];
  const routed = Array.from(pages.values(), ({ path, read }) => ({
    path,
    routes: [...read.meta.routes, ...redirects.flatMap(([from, to]) => (to === path ? [from] : []))],
  }));
  await warnOfFormerAddresses(survey, redirects);
  const statics = repository.statics.filter((folder) => folder !== "");
  const resolver = new LinkResolver(files, { root: repository.root, statics }, routed);
  return { repository, entries: new Contents({ files, pages, repository, folders, resolver }).all(), resolver };
}

/** Links of the import by former addresses lead to their pages; readers who come by one are not redirected. */
async function warnOfFormerAddresses(
  survey: Survey,
  configured: readonly (readonly [from: string, to: string])[],
): Promise<void> {
  const listing = findFile(survey, /^_redirects$/);
  const listed = listing === undefined ? "" : await survey.text(listing);
  const rules = listed.split("\n").filter((line) => /^\s*\/\S*\s+\S/.test(line)).length;
  const paths = [...survey.pages.values()].filter(({ read }) => read.meta.formerAddresses > 0);
  const count = paths.reduce((sum, { read }) => sum + read.meta.formerAddresses, configured.length + rules);
  const [at = listing ?? ""] = [...paths.map(({ path }) => path), ...configured.map(([, to]) => to)];
  if (count === 0) return;
  const what = count === 1 ? "1 redirect from a former address" : `${inFigures(count)} redirects from former addresses`;
  survey.files.warnings.add(at, null, `The import has ${what}, which readers of the site do not get.`, "contents");
}

/** Numbers before names only order them where Docusaurus orders pages otherwise, too. */
const isOfDocusaurus = (files: ImportFiles, pages: ReadonlyMap<string, ReadPage>): boolean =>
  [...files.paths].some((path) => /(?:^|\/)_category_\.(?:json|ya?ml)$/.test(path)) ||
  [...pages.values()].some(
    ({ path, read }) => /\.mdx$/i.test(path) && read.meta.order !== null && withoutNumber(path) !== path,
  );

function surveyOf(files: ImportFiles, pages: ReadonlyMap<string, ReadPage>, reader: TextReader): Survey {
  const text = async (path: string): Promise<string> => {
    const file = files.get(path);
    return (file && (await readText(files, file))) ?? "";
  };
  return {
    files,
    pages,
    text,
    data: async (path) => {
      try {
        return await reader.read("data", path, await text(path));
      } catch {
        files.warnings.add(path, null, "It could not be read and is ignored.", "contents");
        return null;
      }
    },
    items: (path, source) => reader.read("summary", path, source),
  };
}

interface ContentsOf {
  readonly files: ImportFiles;
  readonly pages: ReadonlyMap<string, ReadPage>;
  readonly repository: Repository;
  readonly folders: FolderContents;
  readonly resolver: LinkResolver;
}

/** The entries of the table of contents, and those of the pages that it does not name. */
class Contents {
  readonly #of: ContentsOf;
  readonly #placed = new Set<string>();

  constructor(of: ContentsOf) {
    this.#of = of;
  }

  all(): readonly Entry[] {
    const { repository, folders } = this.#of;
    const { contents, root } = repository;
    if (!contents) {
      const entries = folders.entriesOf(root);
      return entries;
    }
    const listed = this.#listed(contents);
    this.#note(listed);
    if (repository.others === "omitted") return listed;
    return [...listed, ...this.#unplaced(folders.entriesOf(root), repository.others === "hidden")];
  }

  #listed({ path, folder, items }: NonNullable<Repository["contents"]>): Entry[] {
    const { files, folders, resolver } = this.#of;
    const from = `${folder === "" ? "" : `${folder}/`}contents`;
    const resolve = (url: string) => {
      const found = resolver.resolve(url, from)?.path;
      return found ?? (isName(url) ? resolver.resolveName(url, from).path : null);
    };
    const entryOf = (page: string, title: string | null) => folders.entryOf(page, title);
    return contentsOfItems(
      { files, path, folder, resolve, entryOf, entriesOf: (inner) => folders.entriesOf(inner) },
      items,
    );
  }

  #note(entries: readonly Entry[]): void {
    for (const { path, entries: below } of entries) {
      if (path !== null) this.#placed.add(path);
      this.#note(below);
    }
  }

  /** The entries of pages without a place, in their folders. */
  #unplaced(entries: readonly Entry[], hides: boolean): Entry[] {
    const { files } = this.#of;
    return entries.flatMap((entry): Entry[] => {
      const below = this.#unplaced(entry.entries, hides);
      const isNew = entry.path !== null && !this.#placed.has(entry.path);
      if (!isNew || entry.path === null) return below;
      if (hides)
        files.warnings.add(entry.path, null, "It is not in the table of contents: its page is hidden.", "contents");
      return [{ ...entry, ...(hides && { isHidden: true }), entries: below }];
    });
  }
}

const isName = (url: string): boolean => !url.includes("/") && !/^[a-z][a-z0-9+.-]*:/i.test(url);
