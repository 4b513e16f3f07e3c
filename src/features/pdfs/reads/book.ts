// Reads the book of a PDF: pages of a revision that the viewer sees, with all contents of their texts.
import { lookup } from "#src/base/lookup.ts";
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
import { isSameSecret } from "#src/base/secrets.ts";
import { createHmac } from "node:crypto";
import { type Database, sql } from "#src/db/connection/database.ts";

export const printedColumns = ["treeHash", "filesHash", "variables", "reusableContents", "createdAt"] as const;

export type PrintedRevision = Pick<RevisionRow, "id" | (typeof printedColumns)[number]>;

const pageLimit = 1_000;

/** The limit of bytes of all pictures of a PDF. */
const imageLimit = 100_000_000;

interface ChosenPage {
  readonly page: PageRow;
  readonly level: number;
}

/** The pages of a PDF. Hidden ones, and those below them, only if requested. Throws NOT_FOUND and TOO_LARGE. */
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
      `A PDF may have at most ${pageLimit} pages of the content, but this one would have ${chosen.length}: request a part with \`page\`.`,
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
    throw new DomainError("TOO_LARGE", "These pages have more than 64 MB of text: request a part with `page`.");
  const byHash = new Map(hashes.map((hash, index) => [hash, texts[index] ?? ""]));
  return (hash) => lookup(byHash, hash) ?? "";
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

async function filesIn(context: Context, revision: PrintedRevision, texts: readonly (BookPage | string)[]) {
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
      "The pictures of these pages have more than 100 MB: request a part with `page`.",
    );
  const entries: [string, BookFile][] = [];
  for (const file of files) {
    const { fileId, name, place } = file;
    // A PDF is stored and shared, so it contains only addresses of public files.
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

export interface StoredPdf {
  readonly id: string;
  readonly name: string;
  /** The secret that signs its addresses. */
  readonly key: string;
  readonly blob: string;
  readonly size: number;
}

const stored = sql`select t.id, t.name, t.key, t.blob, t.size from "ContentPdf" t where t.blob is not null`;

export interface PdfKey {
  readonly revisionId: string;
  readonly variant: string;
}

/** The PDF of a revision that the viewer sees; null if it is not stored yet. */
export async function findPdf(database: Database, { revisionId, variant }: PdfKey): Promise<StoredPdf | null> {
  const [pdf] = await database.query<StoredPdf>(
    sql`${stored} and t."revisionId" = ${revisionId} and t.variant = ${variant}`,
  );
  return pdf ?? null;
}

/** The PDF if the signature is valid for its id and expiry (Unix time in seconds); the caller checks the expiry. */
export async function findSignedPdf(
  database: Database,
  { id, seconds, signature }: { id: string; seconds: number; signature: string },
): Promise<StoredPdf | null> {
  const [pdf] = await database.query<StoredPdf>(sql`${stored} and t.id = ${id}`);
  return pdf && isSameSecret(signatureOf(pdf, seconds), signature) ? pdf : null;
}

const minuteMs = 60_000;
const lifetimeMs = 60 * minuteMs;

/** The path of a PDF, and when it expires: in an hour, rounded up to a minute, so that requests share the address. */
export function signedPath({ id, key, name }: StoredPdf, now: Date) {
  const expiresAt = new Date(Math.ceil((now.getTime() + lifetimeMs) / minuteMs) * minuteMs);
  const seconds = expiresAt.getTime() / 1000;
  return {
    path: `/files/${id}/${seconds}-${signatureOf({ id, key }, seconds)}/${encodeURIComponent(name)}`,
    expiresAt,
  };
}

const signatureOf = ({ id, key }: Pick<StoredPdf, "id" | "key">, seconds: number): string =>
  createHmac("sha256", key).update(`${id} ${seconds}`).digest("base64url");
