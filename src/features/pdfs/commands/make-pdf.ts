// Returns a PDF of a content: the stored one, or a new one.
import { createHash } from "node:crypto";
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { lastingId } from "#src/base/ids.ts";
import type { Instant } from "#src/base/time.ts";
import type { Optional } from "#src/domain/input.ts";
import type { Context } from "#src/domain/context.ts";
import { PdfMaker, type PdfRequest } from "#src/features/pdfs/commands/pdf-maker.ts";
import { findPdf, signedPath, type StoredPdf } from "#src/features/pdfs/reads/pdfs.ts";
import type { BookCover } from "#src/features/pdfs/model/book.ts";
import { choosePages, type PrintedRevision, readBook } from "#src/features/pdfs/reads/book.ts";
import type { Background } from "#src/jobs/background.ts";

/** A revision that the viewer sees, with what the cover says. */
export interface Printed extends Pick<BookCover, "title" | "changeRequest" | "spaceId"> {
  readonly revision: PrintedRevision;
}

/** A page of it with all below it, or that page alone; all pages where none is given. */
export type Part = Optional<{ pageId: string; only: boolean }>;

/** A PDF with a signed address. */
export interface IssuedPdf extends Pick<StoredPdf, "name" | "size"> {
  readonly url: string;
  readonly expiresAt: Instant;
}

/** Raised whenever the layout of PDFs changes. */
const version = 1;

/** The most PDFs of one operation. */
const mostOfOperation = 5;

/** The maker of each application. */
const makers = new WeakMap<Background, PdfMaker>();

/**
 * A PDF of pages that the viewer sees. Throws INVALID_INPUT for `only` without a page and for too many PDFs in one
 * operation, NOT_FOUND for a page that does not exist, TOO_LARGE beyond the limits of a PDF, and RATE_LIMITED as
 * {@link PdfMaker.make} does.
 */
export async function makePdf(
  context: Context,
  { revision, ...about }: Printed,
  { pageId, only }: Part,
): Promise<IssuedPdf> {
  if (only === true && pageId == null)
    throw invalidInput("pageId", "must be given with `only`: the page that is to be printed.");
  const cover: BookCover = {
    ...about,
    revisionId: revision.id,
    createdAt: revision.createdAt,
    pageId: pageId == null ? null : lastingId("Page", pageId),
    only: only ?? false,
    addresses: context.links.addresses,
  };
  const chosen = await choosePages(context, revision, cover);
  // The active revision gets another tree when its computed pages are refreshed.
  const shown = JSON.stringify([version, cover, revision.treeHash]);
  const variant = createHash("sha256").update(shown).digest("hex");
  const request: PdfRequest = {
    revisionId: revision.id,
    variant,
    name: nameOf(cover, cover.pageId === null ? null : (chosen[0]?.page.title ?? null)),
    read: (own) => readBook(own, { revision, cover, chosen }),
  };
  const requested = context.reader.once(makePdf, "", () => new Map<string, Promise<StoredPdf>>());
  if (!requested.has(variant) && requested.size >= mostOfOperation)
    throw new DomainError("INVALID_INPUT", `One operation asks for at most ${mostOfOperation} PDFs.`);
  const pdf = requested.get(variant) ?? findOrMake(context, request);
  requested.set(variant, pdf);
  const made = await pdf;
  const { path, expiresAt } = signedPath(made, context.clock.now());
  return { name: made.name, size: made.size, url: context.publicUrl + path, expiresAt: expiresAt.toISOString() };
}

async function findOrMake(context: Context, request: PdfRequest): Promise<StoredPdf> {
  const known = await findPdf(context.database, request);
  if (known) return known;
  const maker = makers.get(context.background) ?? new PdfMaker();
  makers.set(context.background, maker);
  return maker.make(context, request);
}

function nameOf({ title, changeRequest }: BookCover, page: string | null): string {
  const parts = [title, changeRequest && `change request ${changeRequest.number}`, page];
  const name = parts
    .filter((part) => part !== null)
    .join(" - ")
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]+/gu, " ");
  return `${Array.from(name).slice(0, 120).join("").trim() || "content"}.pdf`;
}
