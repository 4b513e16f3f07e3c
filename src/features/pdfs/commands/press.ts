// Makes PDFs: each once, however many requests there are for it, on all gateways, and one after the other in a process,
// where users take turns. The row of a PDF is claimed while it is made, and deleted when that fails.
import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { BoundedMap } from "#src/runtime/bounded-map.ts";
import { DomainError } from "#src/base/errors.ts";
import { FairSemaphore } from "#src/runtime/fair-semaphore.ts";
import { untilAborted } from "#src/runtime/until-aborted.ts";
import { newId } from "#src/base/ids.ts";
import { sql } from "#src/db/connection/database.ts";
import { type Context, makeContext } from "#src/domain/context.ts";
import { type Claimed, type LeaseColumns, type LongWork, released, workOn } from "#src/jobs/long-work.ts";
import { chargeFor } from "#src/domain/charge.ts";
import { defineBlobColumns, holdBlobs } from "#src/features/content/commands/stored.ts";
import type { Book } from "#src/features/pdfs/model/book.ts";
import { printBook } from "#src/features/pdfs/model/print-book.ts";
import { findPdf, type PdfKey, type StoredPdf } from "#src/features/pdfs/reads/pdfs.ts";

defineBlobColumns({ table: "ContentPdf", column: "blob" });

/** A PDF to be. */
export interface PdfOrder extends PdfKey {
  readonly name: string;
  readonly read: (context: Context) => Promise<Book>;
}

interface Making {
  readonly userId: string;
  /** Fulfilled when its turn has come. */
  readonly begun: Promise<object>;
  readonly pdf: Promise<StoredPdf>;
}

/** How many PDFs may wait, of one person and of all. */
const most = { ofOne: 5, ofAll: 50 } as const;

/** How long, in milliseconds, a request waits for another process that makes the PDF. */
const patienceMs = 120_000;
const lookMs = 250;

/** How long it is remembered that a PDF cannot be made: trying again would take as long. */
const refusedMs = 600_000;

const tooMany = (what: string): DomainError => new DomainError("RATE_LIMITED", `${what}: ask again in a minute.`);

/** The press of one application. */
export class Press {
  readonly #making = new Map<string, Making>();
  readonly #refused = new BoundedMap<string, { readonly error: DomainError; readonly until: number }>(1_000);
  readonly #slot = new FairSemaphore({ most: 1 });

  /**
   * Makes a PDF, or waits for the one that is being made. It is made to its end even when nobody waits any more. Throws
   * what reading it throws, TOO_LARGE as {@link printBook} does, and RATE_LIMITED while too many others wait.
   */
  async make(context: Context, order: PdfOrder): Promise<StoredPdf> {
    const key = `${order.revisionId} ${order.variant}`;
    const refused = this.#refused.get(key);
    if (refused && refused.until > context.clock.now().getTime()) throw refused.error;
    const making = this.#making.get(key) ?? this.#begin(context, order, key);
    if (!(await context.background.waitFor(making.begun))) throw tooMany("Other PDFs are made before this one");
    return making.pdf;
  }

  #begin(context: Context, order: PdfOrder, key: string): Making {
    const { userId } = context.viewer;
    const others = [...this.#making.values()].filter((making) => making.userId === userId);
    if (others.length >= most.ofOne) throw tooMany(`${most.ofOne} PDFs are being made for you`);
    if (this.#making.size >= most.ofAll) throw tooMany(`${most.ofAll} PDFs are being made`);
    const begun = Promise.withResolvers<object>();
    // The request, and what it may still read, may end before.
    const own = makeContext(context, context.viewer, context.requestId);
    const pdf = context.background.run((stopping) =>
      chargeFor(own, () => this.#make(own, order, { begin: () => begun.resolve({}), stopping })),
    );
    const making = { userId, begun: begun.promise, pdf };
    this.#making.set(key, making);
    const end = (): void => {
      this.#making.delete(key);
      begun.resolve({});
    };
    pdf.then(end, (error: unknown) => {
      if (error instanceof DomainError && error.code === "TOO_LARGE")
        this.#refused.keep(key, { error, until: own.clock.now().getTime() + refusedMs });
      end();
    });
    return making;
  }

  async #make(context: Context, order: PdfOrder, signs: Signs): Promise<StoredPdf> {
    for (const until = Date.now() + patienceMs; Date.now() < until;) {
      const known = await findPdf(context.database, order);
      const made = known ?? (await this.#slot.run(context.viewer.userId, () => makeOnce(context, order, signs)));
      if (made) return made;
      await wait(lookMs, undefined, { signal: signs.stopping });
    }
    throw tooMany("Another process makes this PDF");
  }
}

interface Signs {
  /** Says that its turn has come. */
  readonly begin: () => void;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
}

/** Makes a PDF; null if another process does, or if it has lost its row. Nothing is left of one that cannot be made. */
async function makeOnce(context: Context, order: PdfOrder, { begin, stopping }: Signs): Promise<StoredPdf | null> {
  const { prisma } = context.database;
  const work: LongWork<{ id: string }, StoredPdf | null> = {
    table: "ContentPdf",
    noun: "PDF",
    claim: (columns) => claim(context, order, columns),
    start: (_row, { claimed, signal }) => ({
      async run() {
        begin();
        const made = order.read(context).then((book) => printBook(book));
        return store(context, claimed, await untilAborted(made, signal));
      },
    }),
    release: (where) => prisma.contentPdf.deleteMany({ where }),
  };
  return workOn(context, work, stopping);
}

/** Claims the row of a PDF that no process makes; null for any other. */
async function claim(
  { database, clock }: Context,
  { revisionId, variant, name }: PdfOrder,
  { lease, leaseUntil }: LeaseColumns,
): Promise<{ id: string } | null> {
  const now = clock.now();
  const key = randomBytes(32).toString("base64url");
  const [row] = await database.query<{ id: string }>(
    sql`insert into "ContentPdf" (id, "revisionId", variant, name, key, lease, "leaseUntil", "createdAt")
      values (${newId("ContentPdf")}, ${revisionId}, ${variant}, ${name}, ${key}, ${lease}, ${leaseUntil}, ${now})
      on conflict ("revisionId", variant) do update set lease = excluded.lease, "leaseUntil" = excluded."leaseUntil"
        where "ContentPdf".blob is null and "ContentPdf"."leaseUntil" < ${now} returning id`,
  );
  return row ?? null;
}

/** Stores the bytes in the row of the PDF; null if another process has claimed it. */
async function store({ database, files }: Context, claimed: Claimed, pdf: Uint8Array): Promise<StoredPdf | null> {
  const blob = await files.receive(inPieces(pdf), pdf.length);
  try {
    return await database.prisma.$transaction(async (transaction) => {
      await holdBlobs(transaction, [blob.hash]);
      await blob.keep();
      const made = { blob: blob.hash, size: blob.size };
      const [row] = await transaction.contentPdf.updateManyAndReturn({
        where: { ...claimed },
        data: { ...made, ...released },
      });
      return row ? { ...row, ...made } : null;
    });
  } finally {
    await blob.drop();
  }
}

const pieceLength = 256 * 1024;

/** Bytes piece by piece: hashing all of them at once would hold up everything else. */
function* inPieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength);
}
