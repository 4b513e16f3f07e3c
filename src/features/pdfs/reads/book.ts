// Reads the book of a PDF: pages of a revision that the viewer sees, with all that their texts show.
import { DomainError, found } from "#src/base/errors.ts";
import { isIdOf } from "#src/base/ids.ts";
import { project, type Projection } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import type { PageRow } from "#src/features/content/model/page.ts";
import { type FileRow, findFileIn } from "#src/features/content/reads/files.ts";
import { readTexts } from "#src/features/content/reads/page-texts.ts";
import { pagesOf } from "#src/features/content/reads/pages.ts";
import type { RevisionRow } from "#src/features/content/reads/revisions.ts";
import { downloadPath } from "#src/features/content/model/download-address.ts";
import type { Book, BookCover, BookFile, BookImage, BookPage } from "#src/features/pdfs/model/book.ts";

export const printedColumns = ["treeHash", "filesHash", "variables", "reusableContents", "createdAt"] as const;

export type PrintedRevision = Pick<RevisionRow, "id" | (typeof printedColumns)[number]>;

/** The most pages of a PDF. */
const pageLimit = 1_000;

/** The most bytes of all pictures of a PDF. */
const imageLimit = 100_000_000;

interface ChosenPage {
  readonly page: PageRow;
  readonly level: number;
}

/**
 * The pages of a PDF: one page, it with all below it, or all. Hidden pages and those below them are left out unless
 * requested. NOT_FOUND for a page that does not exist, TOO_LARGE for too many pages.
 */
export async function choosePages(
  context: Context,
  revision: PrintedRevision,
  { pageId, only }: Pick<BookCover, "pageId" | "only">,
): Promise<ChosenPage[]> {
  const { pages, byId } = await pagesOf(context, revision);
  const top = pageId === null ? shownOf(pages) : [found(byId.get(pageId) ?? null, "page")];
  const chosen = only ? top.map((page) => ({ page, level: 1 })) : levelled(top);
  if (chosen.length > pageLimit)
    throw new DomainError(
      "TOO_LARGE",
      `A PDF has at most ${pageLimit} pages of the content, and these are ${chosen.length}: ask for a part of them by \`page\`.`,
    );
  return chosen;
}

const shownOf = (pages: readonly PageRow[]): readonly PageRow[] => pages.filter(({ fields }) => fields.hidden !== true);

function levelled(pages: readonly PageRow[], level = 1, into: ChosenPage[] = []): ChosenPage[] {
  for (const page of pages) {
    into.push({ page, level });
    levelled(shownOf(page.pages), level + 1, into);
  }
  return into;
}

/** The whole book. TOO_LARGE if its texts or pictures are too long. */
export async function readBook(
  context: Context,
  { revision, cover, chosen }: { revision: PrintedRevision; cover: BookCover; chosen: readonly ChosenPage[] },
): Promise<Book> {
  const shared = Object.entries(revision.reusableContents);
  const textOf = await readAll(context, [
    ...chosen.map(({ page }) => page.documentHash),
    ...shared.map(([, { documentHash }]) => documentHash),
  ]);
  const pages = chosen.map(({ page, level }) => bookPage(page, level, textOf(page.documentHash)));
  const reusableContents = Object.fromEntries(shared.map(([id, { documentHash }]) => [id, textOf(documentHash)]));
  const files = await filesIn(context, revision, [...pages, ...Object.values(reusableContents)]);
  return { ...cover, pages, variables: revision.variables, reusableContents, files };
}

function bookPage({ fields, ...page }: PageRow, level: number, markdown: string): BookPage {
  return {
    pageId: page.pageId,
    type: page.type,
    title: page.title,
    path: page.path,
    level,
    description: fields.description ?? null,
    cover: fields.layout?.cover === false ? null : (fields.cover?.file ?? null),
    target: fields.target ?? null,
    spec: page.documentHash === null ? (fields.computed?.spec ?? null) : null,
    markdown,
    variables: fields.variables ?? {},
  };
}

/** Texts by their hashes, in one statement. */
async function readAll(
  { database }: Context,
  of: readonly (string | null)[],
): Promise<(hash: string | null) => string> {
  const hashes = [...new Set(of.filter((hash) => hash !== null))];
  const texts = await readTexts((statement) => database.query(statement), hashes);
  if (texts.includes(null))
    throw new DomainError("TOO_LARGE", "These pages have more than 64 MB of text: ask for a part of them by `page`.");
  const byHash = new Map(hashes.map((hash, index) => [hash, texts[index] ?? ""]));
  return (hash) => byHash.get(hash ?? "") ?? "";
}

const fileColumns: Projection = project([
  "fileId",
  "name",
  "contentType",
  "size",
  "blob",
  "key",
  "width",
  "height",
  "place",
]);

const mostFiles = 10_000;

/** The files of the revision that pages and texts name, by their ids. */
async function filesIn(
  context: Context,
  revision: PrintedRevision,
  texts: readonly (BookPage | string)[],
): Promise<Record<string, BookFile>> {
  const ids = new Set<string>();
  for (const text of texts) {
    const [markdown, cover] = typeof text === "string" ? [text, null] : [text.markdown, text.cover];
    for (const [, id = ""] of markdown.matchAll(/\b(fil_\w{26})\b/g)) ids.add(id);
    if (cover !== null) ids.add(cover);
  }
  const known = [...ids].filter((id) => isIdOf("File", id)).slice(0, mostFiles);
  const found = await Promise.all(known.map((id) => findFileIn(context, revision, id, fileColumns)));
  const files = found.filter((file) => file !== null);
  const size = files.filter(isPrintable).reduce((sum, file) => sum + file.size, 0);
  if (size > imageLimit)
    throw new DomainError(
      "TOO_LARGE",
      "The pictures of these pages have more than 100 MB: ask for a part of them by `page`.",
    );
  const entries: [string, BookFile][] = [];
  for (const file of files) {
    const { fileId, name, place } = file;
    // A PDF is stored and shared, so it has addresses of public files only.
    const url = place.isOpen ? context.publicUrl + downloadPath(file, context) : null;
    entries.push([fileId, { name, url, image: await imageOf(context, file) }]);
  }
  return Object.fromEntries(entries);
}

const isPrintable = ({ contentType, width, height }: FileRow): boolean =>
  /^image\/(?:png|jpeg)$/.test(contentType) && width !== null && height !== null;

/** The bytes of a picture, in shared memory, which a thread reads without a copy. */
async function imageOf({ files }: Context, file: FileRow): Promise<BookImage | null> {
  const { size, blob, width, height } = file;
  const stream = isPrintable(file) ? await files.open(blob) : null;
  if (!stream || width === null || height === null) return null;
  const bytes = new Uint8Array(new SharedArrayBuffer(size));
  let at = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return { bytes, width, height };
}
