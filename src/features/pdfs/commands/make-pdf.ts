// Returns a PDF of a content: the stored one, or a new one.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { lastingId, newId } from "#src/base/ids.ts";
import type { Instant } from "#src/base/time.ts";
import type { Optional } from "#src/domain/input.ts";
import { type Context, makeContext } from "#src/domain/context.ts";
import {
  choosePages,
  findPdf,
  type PdfKey,
  type PrintedRevision,
  readBook,
  signedPath,
  type StoredPdf,
} from "#src/features/pdfs/reads/book.ts";
import type { Book, BookCover } from "#src/features/pdfs/model/book.ts";
import type { Background } from "#src/jobs/background.ts";
import { setTimeout as wait } from "node:timers/promises";
import { BoundedMap } from "#src/runtime/bounded-map.ts";
import { FairSemaphore } from "#src/runtime/fair-semaphore.ts";
import { untilAborted } from "#src/runtime/waiting.ts";
import { sql } from "#src/db/connection/database.ts";
import { chargeFor } from "#src/domain/cost.ts";
import { defineBlobColumns, lockBlobs } from "#src/features/content/commands/blobs.ts";
import { ThreadPool } from "#src/runtime/threads.ts";
import type { PdfAnswer } from "#src/features/pdfs/model/pdf-worker.ts";

/** A revision that the viewer sees, with the facts on the cover. */
interface Printed extends Pick<BookCover, "title" | "changeRequest" | "spaceId"> {
  readonly revision: PrintedRevision;
}

type Part = Optional<{ pageId: string; only: boolean }>;

export interface IssuedPdf extends Pick<StoredPdf, "name" | "size"> {
  readonly url: string;
  readonly expiresAt: Instant;
}

/** Raised whenever the layout of PDFs changes. */
const version = 1;
const mostOfOperation = 5;
const makers = new WeakMap<Background, PdfMaker>();

/**
 * A PDF of pages that the viewer sees. Throws INVALID_INPUT for `only` without a page or for too many PDFs in one
 * operation, NOT_FOUND for a page that does not exist, TOO_LARGE beyond the limits of a PDF, and RATE_LIMITED as
 * {@link PdfMaker.make} does.
 */
export async function makePdf(
  context: Context,
  { revision, ...about }: Printed,
  { pageId, only }: Part,
): Promise<IssuedPdf> {
  if (only === true && pageId == null)
    throw invalidInput("pageId", "must be set if `only` is true: it is the page to print.");
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
    throw new DomainError("INVALID_INPUT", `An operation may request at most ${mostOfOperation} PDFs.`);
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

defineBlobColumns({ table: "ContentPdf", column: "blob" });

interface PdfRequest extends PdfKey {
  readonly name: string;
  readonly read: (context: Context) => Promise<Book>;
}

interface Pending {
  readonly userId: string;
  /** Resolves when the process starts to make it. */
  readonly begun: Promise<object>;
  readonly pdf: Promise<StoredPdf>;
}

/** The limits of pending PDFs, per user and in total. */
const limits = { ofUser: 5, ofAll: 50 } as const;

/** The lease of a row, in milliseconds, and how often it is renewed while the PDF is made: long on a busy machine. */
const [leaseMs, renewedEveryMs] = [120_000, 40_000];
const pollMs = 250;

/** How long a TOO_LARGE refusal is cached, in milliseconds: another attempt would take as long. */
const refusedMs = 600_000;

const tooMany = (what: string): DomainError => new DomainError("RATE_LIMITED", `${what}: try again in a minute.`);

/**
 * Makes each PDF once, also for concurrent requests to several gateways, and one at a time in a process, round-robin
 * over users. A row with a lease is a PDF that is being made: it is deleted on failure, and another process may claim
 * it once the lease has expired.
 */
class PdfMaker {
  readonly #pending = new Map<string, Pending>();
  readonly #refused = new BoundedMap<string, { readonly error: DomainError; readonly until: number }>(1_000);
  readonly #queue = new FairSemaphore({ most: 1 });

  /** Makes a PDF or waits for a running one, which disconnects do not end. Throws TOO_LARGE and RATE_LIMITED. */
  async make(context: Context, request: PdfRequest): Promise<StoredPdf> {
    const key = `${request.revisionId} ${request.variant}`;
    const refused = this.#refused.get(key);
    if (refused && refused.until > context.clock.now().getTime()) throw refused.error;
    const pending = this.#pending.get(key) ?? this.#start(context, request, key);
    if (!(await context.background.waitFor(pending.begun))) throw tooMany("Other PDFs are queued before this one");
    return pending.pdf;
  }

  #start(context: Context, request: PdfRequest, key: string): Pending {
    const { userId } = context.viewer;
    const own = [...this.#pending.values()].filter((pending) => pending.userId === userId);
    if (own.length >= limits.ofUser) throw tooMany(`You already have ${limits.ofUser} pending PDFs`);
    if (this.#pending.size >= limits.ofAll) throw tooMany(`The gateway already has ${limits.ofAll} pending PDFs`);
    const begun = Promise.withResolvers<object>();
    const begin = (): void => begun.resolve({});
    const background = makeContext(context, context.viewer, context.requestId); // outlives the request and its budget
    const pdf = context.background.run((stopping) =>
      chargeFor(background, () => this.#make(background, request, { begin, stopping })),
    );
    const pending = { userId, begun: begun.promise, pdf };
    this.#pending.set(key, pending);
    const end = (): void => {
      this.#pending.delete(key);
      begin();
    };
    pdf.then(end, (error: unknown) => {
      if (error instanceof DomainError && error.code === "TOO_LARGE")
        this.#refused.keep(key, { error, until: background.clock.now().getTime() + refusedMs });
      end();
    });
    return pending;
  }

  async #make(context: Context, request: PdfRequest, options: Options): Promise<StoredPdf> {
    for (const until = Date.now() + leaseMs; Date.now() < until;) {
      const known = await findPdf(context.database, request);
      const make = () => makeOnce(context, request, options);
      const pdf = known ?? (await this.#queue.run(context.viewer.userId, make));
      if (pdf) return pdf;
      await wait(pollMs, undefined, { signal: options.stopping });
    }
    throw tooMany("Another process is already making this PDF");
  }
}

interface Options {
  readonly begin: () => void;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
}

/** Makes a PDF; null if another process does. On failure its row is deleted. */
async function makeOnce(context: Context, request: PdfRequest, { begin, stopping }: Options) {
  const row = await claimRow(context, request);
  if (!row) return null;
  begin();
  const renewal = setInterval(() => renewLease(context, row), renewedEveryMs);
  try {
    const pdf = await untilAborted(request.read(context).then(printBook), stopping);
    return await store(context, row, pdf);
  } catch (error) {
    // If the database is unreachable the row stays until its lease expires.
    await context.database.prisma.contentPdf.deleteMany({ where: row }).catch(() => {});
    throw error;
  } finally {
    clearInterval(renewal);
  }
}

function renewLease({ database, clock }: Context, row: ClaimedRow): void {
  const leaseUntil = new Date(clock.now().getTime() + leaseMs);
  // If the database is unreachable the next renewal may succeed; another process may claim an expired row.
  database.prisma.contentPdf.updateMany({ where: { ...row }, data: { leaseUntil } }).catch(() => {});
}

interface ClaimedRow {
  readonly id: string;
  readonly lease: string;
}

/** Claims the row of a new PDF, or of one whose lease has expired; null for others. */
async function claimRow({ database, clock }: Context, request: PdfRequest): Promise<ClaimedRow | null> {
  const { revisionId, variant, name } = request;
  const now = clock.now();
  const until = new Date(now.getTime() + leaseMs);
  const lease = randomUUID();
  const key = randomBytes(32).toString("base64url");
  const [row] = await database.query<{ id: string }>(
    sql`insert into "ContentPdf" (id, "revisionId", variant, name, key, lease, "leaseUntil", "createdAt")
      values (${newId("ContentPdf")}, ${revisionId}, ${variant}, ${name}, ${key}, ${lease}, ${until}, ${now})
      on conflict ("revisionId", variant) do update set lease = excluded.lease, "leaseUntil" = excluded."leaseUntil"
        where "ContentPdf".blob is null and "ContentPdf"."leaseUntil" < ${now} returning id`,
  );
  return row ? { id: row.id, lease } : null;
}

/** Stores the bytes and marks the PDF as ready; null if another process has claimed the row meanwhile. */
async function store({ database, files }: Context, row: ClaimedRow, pdf: Uint8Array): Promise<StoredPdf | null> {
  const blob = await files.receive(chunksOf(pdf), pdf.length);
  try {
    return await database.prisma.$transaction(async (transaction) => {
      await lockBlobs(transaction, [blob.hash]);
      await blob.keep();
      const stored = { blob: blob.hash, size: blob.size };
      const data = { ...stored, lease: null, leaseUntil: null };
      const [ready] = await transaction.contentPdf.updateManyAndReturn({ where: { ...row }, data });
      return ready ? { ...ready, ...stored } : null;
    });
  } finally {
    await blob.drop();
  }
}

const chunkLength = 256 * 1024;

/** Bytes chunk by chunk, since hashing all of them at once would block the event loop. */
function* chunksOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkLength) yield bytes.subarray(at, at + chunkLength);
}

/** One at a time, to leave other processors to other work. The longest books take some hundred megabytes. */
const pool = new ThreadPool<Book, PdfAnswer>(new URL("../model/pdf-worker.ts", import.meta.url), {
  threads: 1,
  spare: 0,
  megabytes: 1536,
  limitsCpu: true,
  needs: ([book]) => 96 + (book ? book.pages.reduce((sum, { markdown }) => sum + markdown.length, 0) / 8_000 : 0),
});

/** In milliseconds of CPU time. */
const defaultTimeLimitMs = 60_000;

/** The PDF of a book. TOO_LARGE if it takes too much time or memory, or has an unreadable text. */
export async function printBook(book: Book, timeLimitMs: number = defaultTimeLimitMs): Promise<Uint8Array> {
  const { answers, ended } = await pool.run([book], timeLimitMs);
  const [answer] = answers;
  if (answer && "pdf" in answer) return answer.pdf;
  const what = ended === "out of time" ? `more than ${timeLimitMs / 1000} seconds` : "too much memory";
  const problem = answer ? answer.problem : `Making the PDF takes ${what}: request a part of it with \`page\`.`;
  throw new DomainError("TOO_LARGE", problem);
}
