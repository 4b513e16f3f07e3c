// Processes the sources of specifications, each once, and adds a version if the files differ from the latest version.
import { createHash } from "node:crypto";
import { type Backoff, nextTryAt } from "#src/runtime/backoff.ts";
import { untilAborted } from "#src/runtime/waiting.ts";
import { newId } from "#src/base/ids.ts";
import { answerOf } from "#src/db/connection/database-errors.ts";
import type { Transaction } from "#src/domain/change.ts";
import { appendEvents } from "#src/events/outbox.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { defineBlobColumns, lockBlobs } from "#src/features/content/commands/blobs.ts";
import {
  FetchedFiles,
  openGivenFiles,
  readFrom,
  SourceError,
  type Validators,
} from "#src/features/openapi/commands/read-source.ts";
import { specEvent, specEvents, specProgressEvents } from "#src/features/openapi/events.ts";
import type { MadeSpec, SpecFiles } from "#src/features/openapi/model/process.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { OpenApiSpecModel } from "#src/generated/prisma/models.ts";
import type { JobContext } from "#src/jobs/job.ts";
import {
  type Claimed,
  type LeaseColumns,
  type LongWork,
  neverStopping,
  sideBySide,
  released,
  unclaimed,
  workOn,
} from "#src/jobs/long-work.ts";
import type { ReceivedBlob } from "#src/files/file-store.ts";
import { sql } from "#src/db/connection/database.ts";

defineBlobColumns(
  { table: "OpenApiSpecVersion", column: "blobs", isList: true },
  { table: "OpenApiSpec", column: "sourceBlob" },
);

/** The dependencies of processing. It runs without a viewer: rights were checked when the source was set. */
type Processing = Pick<JobContext, "database" | "files" | "fetch" | "clock" | "log">;

const minuteMs = 60_000;
/** The interval after which a source at an address is processed again. */
const freshMs = 6 * 60 * minuteMs;
/** The same after a failure. */
const backoff: Backoff = { firstMs: 15 * minuteMs, mostMs: 4 * 24 * 60 * minuteMs };
/** The time limit of all requests to other servers together. */
const fetchingMs = 2 * minuteMs;

/**
 * False if it is not due, claimed elsewhere, or replaced meanwhile, or if it took too long for the first time: it is
 * tried again in a minute. An error is written to the specification, whose last good version stays.
 */
export async function processSource(at: Processing, id: string, stopping: AbortSignal): Promise<boolean> {
  const { prisma } = at.database;
  const leave = (where: Claimed, columns: Prisma.OpenApiSpecUpdateManyMutationInput = {}) =>
    prisma.openApiSpec.updateMany({ where, data: { ...released, state: "pending", ...columns } });
  const work: LongWork<OpenApiSpecModel, End> = {
    table: "OpenApiSpec",
    noun: "specification",
    claim: (columns) => claim(at, id, columns),
    release: (claimed) => leave(claimed),
    isFailure: ({ isFailed }) => isFailed,
    start: (spec, { claimed, signal }) => ({
      async run() {
        const outcome = await untilAborted(read(at, spec, signal), signal);
        const isTriedAgain = "error" in outcome && outcome.error.mayPass && spec.failures === 0;
        if (!isTriedAgain) return store(at, { spec, claimed }, outcome);
        await leave(claimed, { failures: 1, dueAt: new Date(at.clock.now().getTime() + minuteMs) });
        return { isStored: false, isFailed: true };
      },
      fail: (error) => store(at, { spec, claimed }, { error: explain(at, id, error), isTriedAgain: true }),
    }),
  };
  return (await workOn(at, work, stopping))?.isStored ?? false;
}

interface End {
  /** False if the specification has another source now, or is tried again in a minute. */
  readonly isStored: boolean;
  readonly isFailed: boolean;
}

/** The error of a failure that is not a fault of the source. */
function explain({ log }: Processing, id: string, error: unknown): SourceError {
  const known = answerOf(error, log);
  if (known) return new SourceError("FETCH_ERROR", `${known.message} It will be retried later.`);
  log.error({ err: error, spec: id }, "Unexpected error in processing a specification");
  const message = `Processing failed unexpectedly; the log has the error for ${id}. It will be retried later.`;
  return new SourceError("PARSE_ERROR", message);
}

/** Claims a specification that is due; null if it is not. */
function claim({ database, clock }: Processing, id: string, columns: LeaseColumns): Promise<OpenApiSpecModel | null> {
  const now = clock.now();
  return database.prisma.$transaction(async (transaction) => {
    const [spec] = await transaction.openApiSpec.updateManyAndReturn({
      where: { id, dueAt: { lte: now }, ...unclaimed(now) },
      data: { state: "progress", ...columns },
    });
    if (!spec) return null;
    await appendEvents(transaction, null, [specEvent(specProgressEvents.progressed, spec, { state: "progress" })]);
    return spec;
  });
}

type Outcome =
  /** `isTriedAgain`: also if the source was given as a text or file. */
  | { readonly error: SourceError; readonly isTriedAgain?: true }
  | { readonly isUnchanged: true }
  | { readonly made: MadeSpec; readonly files: SpecFiles; readonly validators: Validators };

async function read(at: Processing, spec: OpenApiSpecModel, signal: AbortSignal): Promise<Outcome> {
  const { sourceUrl, sourceBlob, etag, lastModified } = spec;
  const within = AbortSignal.any([signal, AbortSignal.timeout(fetchingMs)]);
  try {
    await using source =
      sourceUrl === null
        ? await openGivenFiles(at.files, sourceBlob ?? "")
        : new FetchedFiles({ ...at, signal: within }, { url: sourceUrl, known: { etag, lastModified } });
    const first = await source.first();
    if (first === null) return { isUnchanged: true };
    return { ...(await readFrom(source, first)), validators: source.validators };
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof SourceError) return { error };
    if (error !== within.reason || sourceUrl === null) throw error;
    return { error: new SourceError("FETCH_TIMEOUT", "Fetching its files takes more than two minutes.") };
  }
}

type Of = { readonly spec: OpenApiSpecModel; readonly claimed: Claimed };

/** Writes the outcome of a source, unless the specification has another source now. */
async function store(at: Processing, { spec, claimed }: Of, outcome: Outcome): Promise<End> {
  const isFailed = "error" in outcome;
  const kept = "made" in outcome ? await keepVersion(at, outcome) : null;
  try {
    const isStored = await at.database.prisma.$transaction(async (transaction) => {
      const { count } = await transaction.openApiSpec.updateMany({
        where: claimed,
        data: columnsAfter(at, spec, outcome),
      });
      if (count === 0) return false;
      const added = kept && (await addVersion(transaction, at, { spec, kept }));
      await appendEvents(transaction, null, eventsAfter(spec, outcome, added));
      return true;
    });
    return { isStored, isFailed };
  } finally {
    for (const blob of kept?.blobs ?? []) await blob.drop();
  }
}

function columnsAfter(
  at: Processing,
  spec: OpenApiSpecModel,
  outcome: Outcome,
): Prisma.OpenApiSpecUpdateManyMutationInput {
  const now = at.clock.now();
  const isFetched = spec.sourceUrl !== null;
  const ended = { state: "complete", ...released, processedAt: now } as const;
  if ("error" in outcome) {
    const { code: errorCode, message: error } = outcome.error;
    const failures = spec.failures + 1;
    const dueAt = isFetched || outcome.isTriedAgain ? nextTryAt(backoff, { failures, now }) : null;
    return { ...ended, errorCode, error, failures, dueAt };
  }
  // If files refer to others, the validators of the first one do not cover these.
  const validators =
    "made" in outcome && outcome.files.length === 1 ? outcome.validators : { etag: null, lastModified: null };
  const fresh = { failures: 0, dueAt: isFetched ? new Date(now.getTime() + freshMs) : null };
  return { ...ended, ...fresh, errorCode: null, error: null, ...("made" in outcome && validators) };
}

type Added = { readonly versionId: string; readonly number: number };

function eventsAfter(spec: OpenApiSpecModel, outcome: Outcome, added: Added | null): DomainEvent[] {
  const errorCode = "error" in outcome ? outcome.error.code : null;
  const isNewError = errorCode !== null && spec.errorCode === null;
  return [
    ...(added ? [specEvent(specEvents.versionAdded, spec, { ...added })] : []),
    ...(isNewError ? [specEvent(specEvents.failed, spec, { errorCode })] : []),
    specEvent(specProgressEvents.processed, spec, { errorCode, versionId: added?.versionId ?? null }),
  ];
}

/** The received, not yet kept bytes of a version, and its columns. */
async function keepVersion({ files: store }: Processing, { made, files }: Extract<Outcome, { made: MadeSpec }>) {
  const blobs: ReceivedBlob[] = [];
  const receive = async (bytes: Uint8Array) => {
    const blob = await store.receive([bytes], Number.MAX_SAFE_INTEGER); // its size was checked before
    blobs.push(blob);
    return { blob: blob.hash, size: blob.size };
  };
  const listed = [];
  for (const { name, bytes } of files) listed.push({ path: name, ...(await receive(bytes)) });
  const { blob: document, size: documentSize } = await receive(made.document);
  const { blob: filesystem } = await receive(made.filesystem);
  const hash = createHash("sha256").update(JSON.stringify(listed)).digest("hex");
  const { facts, warningCount } = made;
  const warnings = made.warnings.map((one) => ({ ...one })); // plain objects, as the client of the database expects
  const columns = { hash, files: listed, filesystem, document, documentSize, ...facts, warnings, warningCount };
  return { blobs, columns };
}

/** Adds a version, unless its files are those of the last one: then null. The specification is locked. */
async function addVersion(
  transaction: Transaction,
  { clock }: Processing,
  { spec, kept }: { spec: OpenApiSpecModel; kept: Awaited<ReturnType<typeof keepVersion>> },
): Promise<Added | null> {
  const { id: specId } = spec;
  const last = await transaction.openApiSpecVersion.findFirst({ where: { specId }, orderBy: { number: "desc" } });
  if (last?.hash === kept.columns.hash) return null;
  const blobs = [...new Set(kept.blobs.map(({ hash }) => hash))];
  await lockBlobs(transaction, blobs);
  for (const blob of kept.blobs) await blob.keep();
  const [id, number, createdAt] = [newId("OpenApiSpecVersion"), (last?.number ?? 0) + 1, clock.now()];
  await transaction.openApiSpecVersion.create({ data: { id, specId, number, createdAt, blobs, ...kept.columns } });
  const { title } = kept.columns;
  await transaction.openApiSpec.update({
    where: { id: specId },
    data: { lastVersionId: id, title, updatedAt: createdAt },
  });
  return { versionId: id, number };
}

/** How long a run starts new ones, in milliseconds. */
const runMs = 10 * 60_000;

/** How many sources, each of another organization, are read at once: all due ones are compared for them. */
const batchSize = 100;

/**
 * Processes due sources, the longest due first, one of each organization in turn: somebody with many delays others only
 * shortly. Returns their number.
 */
export async function processDueSources(job: JobContext): Promise<number> {
  const { database, clock, stopping = neverStopping } = job;
  const until = clock.now().getTime() + runMs;
  const isOver = () => stopping.aborted || clock.now().getTime() > until;
  const seen: string[] = [];
  for (;;) {
    const now = clock.now();
    const due = await database.query<{ id: string }>(sql`
      select f.id from (select distinct on (s."organizationId") s.id, s."dueAt" from "OpenApiSpec" s
        where s."dueAt" <= ${now} and (s."leaseUntil" is null or s."leaseUntil" < ${now})
          and s.id <> all(${seen}::text[])
        order by s."organizationId", s."dueAt") f
      order by f."dueAt" limit ${batchSize}::int`);
    if (due.length === 0 || isOver()) return seen.length;
    await sideBySide(due, stopping, async ({ id }) => {
      if (isOver()) return;
      seen.push(id);
      await processSource(job, id, stopping);
    });
  }
}
