// Makes each PDF once, also for concurrent requests to several gateways, and one at a time in a process, round-robin
// over users. A row with a lease is a PDF that is being made: it is deleted on failure, and another process may
// claim it once the lease has expired.
import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { BoundedMap } from "#src/runtime/bounded-map.ts";
import { DomainError } from "#src/base/errors.ts";
import { FairSemaphore } from "#src/runtime/fair-semaphore.ts";
import { untilAborted } from "#src/runtime/waiting.ts";
import { newId } from "#src/base/ids.ts";
import { sql } from "#src/db/connection/database.ts";
import { type Context, makeContext } from "#src/domain/context.ts";
import { chargeFor } from "#src/domain/charge.ts";
import { defineBlobColumns, lockBlobs } from "#src/features/content/commands/blobs.ts";
import type { Book } from "#src/features/pdfs/model/book.ts";
import { printBook } from "#src/features/pdfs/model/print-book.ts";
import { findPdf, type PdfKey, type StoredPdf } from "#src/features/pdfs/reads/pdfs.ts";

defineBlobColumns({ table: "ContentPdf", column: "blob" });

/** A PDF that is to be made. */
export interface PdfRequest extends PdfKey {
  readonly name: string;
  readonly read: (context: Context) => Promise<Book>;
}

interface Pending {
  readonly userId: string;
  /** Fulfilled when the process starts to make it. */
  readonly begun: Promise<object>;
  readonly pdf: Promise<StoredPdf>;
}

/** The most PDFs that may be pending, of one user and of all. */
const limits = { ofUser: 5, ofAll: 50 } as const;

/** The lease of a row, in milliseconds: longer than reading, making and storing may take. */
const leaseMs = 120_000;
const pollMs = 250;

/** How long a TOO_LARGE refusal is cached, in milliseconds: another attempt would take as long. */
const refusedMs = 600_000;

const tooMany = (what: string): DomainError => new DomainError("RATE_LIMITED", `${what}: ask again in a minute.`);

/** Makes the PDFs of one application. */
export class PdfMaker {
  readonly #pending = new Map<string, Pending>();
  readonly #refused = new BoundedMap<string, { readonly error: DomainError; readonly until: number }>(1_000);
  readonly #queue = new FairSemaphore({ most: 1 });

  /**
   * Makes a PDF, or waits for the one that is being made; it is finished even if every client has disconnected. Throws
   * what reading it throws, TOO_LARGE as {@link printBook} does, and RATE_LIMITED while too many are pending.
   */
  async make(context: Context, request: PdfRequest): Promise<StoredPdf> {
    const key = `${request.revisionId} ${request.variant}`;
    const refused = this.#refused.get(key);
    if (refused && refused.until > context.clock.now().getTime()) throw refused.error;
    const pending = this.#pending.get(key) ?? this.#start(context, request, key);
    if (!(await context.background.waitFor(pending.begun))) throw tooMany("Other PDFs are made before this one");
    return pending.pdf;
  }

  #start(context: Context, request: PdfRequest, key: string): Pending {
    const { userId } = context.viewer;
    const own = [...this.#pending.values()].filter((pending) => pending.userId === userId);
    if (own.length >= limits.ofUser) throw tooMany(`${limits.ofUser} PDFs are being made for you`);
    if (this.#pending.size >= limits.ofAll) throw tooMany(`${limits.ofAll} PDFs are being made`);
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
    throw tooMany("Another process makes this PDF");
  }
}

interface Options {
  readonly begin: () => void;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
}

/** Makes a PDF; null if another process does. On failure its row is deleted. */
async function makeOnce(
  context: Context,
  request: PdfRequest,
  { begin, stopping }: Options,
): Promise<StoredPdf | null> {
  const row = await claimRow(context, request);
  if (!row) return null;
  begin();
  try {
    const pdf = await untilAborted(request.read(context).then(printBook), stopping);
    return await store(context, row, pdf);
  } catch (error) {
    // If the database is unreachable the row stays until its lease expires.
    await context.database.prisma.contentPdf.deleteMany({ where: row }).catch(() => {});
    throw error;
  }
}

/** A row that this process has claimed. */
interface ClaimedRow {
  readonly id: string;
  readonly lease: string;
}

/** Claims the row of a PDF that is new, or whose lease has expired; null for any other. */
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
