// Runs an import from a URL exactly once, even if a process terminates meanwhile.
import type { Progress } from "#src/features/imports/model/open-import.ts";
import { changeIfAny, type Transaction } from "#src/domain/change.ts";
import { type Context, makeContext } from "#src/domain/context.ts";
import type { EventType } from "#src/events/declared.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { mayRunImport } from "#src/features/imports/access.ts";
import { importEvent, importProgressEvents, longImportEvents } from "#src/features/imports/events.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { ImportState } from "#src/generated/prisma/enums.ts";
import {
  type Lease,
  type LeaseColumns,
  neverStopping,
  released,
  sideBySide,
  unclaimed,
  type LongWork,
  workOn,
} from "#src/jobs/long-work.ts";
import { DomainError } from "#src/base/errors.ts";
import { sql } from "#src/db/connection/database.ts";
import { answerOf, isOutage } from "#src/db/connection/database-errors.ts";
import type { Clock } from "#src/base/time.ts";
import { makeViewer } from "#src/access/viewer.ts";
import { VisitorTokens } from "#src/access/visitor-tokens.ts";
import { uncharged } from "#src/runtime/tenant.ts";
import { Secrets } from "#src/base/secrets.ts";
import { Viewers } from "#src/access/viewers.ts";
import { Feed } from "#src/events/event-log.ts";
import { silentWakeups } from "#src/events/wakeups.ts";
import { importContent, type Imported } from "#src/features/imports/commands/import-content.ts";
import { openAddress } from "#src/features/imports/commands/open-address.ts";
import { openStoredZip } from "#src/features/imports/commands/zip.ts";
import { Background } from "#src/jobs/background.ts";
import type { JobContext } from "#src/jobs/job.ts";
import type { ContentImportModel } from "#src/generated/prisma/models.ts";

type ImportRow = ContentImportModel & { readonly organizationId: string };

const nothing: Progress = { found: 0, read: 0, written: 0 };

/** Claims an import. False if it has ended, or another process works on it. */
function claimImport(context: Context, place: ImportRow, columns: LeaseColumns): Promise<boolean> {
  const now = context.clock.now();
  return write(context, place, {
    where: { state: { in: ["pending", "running"] }, ...unclaimed(now) },
    data: { ...columns, state: "running", startedAt: now },
    event: eventOf(importProgressEvents.progressed, place, { state: "running", ...nothing }),
  });
}

class ImportRun {
  readonly #context: Context;
  readonly #place: ImportRow;
  readonly #lease: Lease;
  #progress = nothing;

  constructor(context: Context, place: ImportRow, lease: Lease) {
    this.#context = context;
    this.#place = place;
    this.#lease = lease;
  }

  /** Writes the progress, throttled by {@link Lease.progress}. */
  progress(progress: Progress): void {
    this.#progress = progress;
    void this.#lease.progress(() =>
      this.#write({ ...progress }, { type: importProgressEvents.progressed, state: "running" }),
    );
  }

  /** Ends the import in the transaction of its revision. Throws CONFLICT if the lease was lost. */
  async finish(transaction: Transaction, data: Prisma.ContentImportUncheckedUpdateManyInput): Promise<DomainEvent[]> {
    const { count } = await transaction.contentImport.updateMany({
      where: this.#lease.claimed,
      data: { ...this.#progress, ...data, ...this.#ended("done") },
    });
    if (count === 0) throw this.#lease.lostError;
    return [eventOf(longImportEvents.ended, this.#place, { state: "done", ...this.#progress })];
  }

  async fail({ message: error, code: errorCode }: DomainError): Promise<void> {
    const data = { ...this.#ended("failed"), error, errorCode, ...this.#progress };
    await this.#write(data, { type: longImportEvents.ended, state: "failed" });
  }

  #ended(state: ImportState) {
    return { state, endedAt: this.#context.clock.now(), ...released };
  }

  #write(
    data: Prisma.ContentImportUncheckedUpdateManyInput,
    { type, state }: { type: EventType; state: ImportState },
  ): Promise<boolean> {
    const event = eventOf(type, this.#place, { state, ...this.#progress });
    return write(this.#context, this.#place, { where: this.#lease.claimed, data, event });
  }
}

const eventOf = (type: EventType, place: ImportRow, facts: Progress & { state: ImportState }): DomainEvent =>
  importEvent(type, place, { changeRequestId: place.changeRequestId, ...facts });

/** Updates the row with its event; returns false if it does not match `where`. */
function write(
  context: Context,
  place: ImportRow,
  of: { where: Prisma.ContentImportWhereInput; data: Prisma.ContentImportUncheckedUpdateManyInput; event: DomainEvent },
): Promise<boolean> {
  const { where, data, event } = of;
  return changeIfAny(context, mayRunImport, place, async (transaction) => {
    const { count } = await transaction.contentImport.updateMany({ where: { ...where, id: place.id }, data });
    return { result: count === 1, events: count === 1 ? [event] : [] };
  });
}

/** The settings of an import, stored with it. */
export interface ImportSettings {
  readonly parentId: string | null;
  readonly replace: boolean;
  readonly message: string | null;
  readonly expectedRevisionId: string | null;
  /** The blob of an uploaded archive; absent for an address. */
  readonly archive?: string;
}

/** Throws the error of the import, which is stored with it; CONFLICT if it has ended or runs elsewhere. */
export async function runImport(context: Context, id: string, stopping: AbortSignal): Promise<Imported> {
  const row = await context.database.prisma.contentImport.findUnique({
    where: { id },
    include: { space: { select: { organizationId: true } } },
  });
  const place = row && { ...row, organizationId: row.space.organizationId };
  const imported = place && (await workOn(context, workOf(context, place), stopping));
  if (imported) return imported;
  if (stopping.aborted) throw new DomainError("CONFLICT", `The import continues. Query it by its id, ${id}.`);
  throw new DomainError("CONFLICT", `The import ${id} has ended, or runs in another process.`);
}

/** The columns of a result. */
const storedOf = ({ revisionId, ...result }: Imported) => ({
  revisionId,
  written: result.pageCount,
  result: {
    ...result,
    warnings: result.warnings.map((one) => ({ ...one })),
    warningCounts: result.warningCounts.map((one) => ({ ...one })),
  },
});

/** The columns of an import that its process leaves now: another one may claim it at once. */
const left = (clock: Clock) => ({ lease: null, leaseUntil: new Date(clock.now().getTime() - 1) });

function workOf(context: Context, row: ImportRow): LongWork<ImportRow, Imported> {
  const { id, spaceId, changeRequestId, url, source } = row;
  const { archive, ...settings } = row.settings as unknown as ImportSettings; // written by `startImport`
  return {
    table: "ContentImport",
    noun: "import",
    claim: async (columns) => ((await claimImport(context, row, columns)) ? row : null),
    release: (where) => context.database.prisma.contentImport.updateMany({ where, data: left(context.clock) }),
    start(_row, lease) {
      const run = new ImportRun(context, row, lease);
      const { signal } = lease;
      return {
        run: () =>
          importContent(context, {
            ...settings,
            ...(changeRequestId === null ? { spaceId } : { changeRequestId }),
            open: (report, { organizationId }, budget) => {
              if (archive !== undefined) return openStoredZip(context, archive);
              const counted = { ...context, fetch: budget.counting(context.fetch) };
              return openAddress({ url, source }, { context: counted, organizationId, signal, report });
            },
            signal,
            onProgress: (progress) => run.progress(progress),
            also: (transaction, imported) => run.finish(transaction, storedOf(imported)),
          }),
        async fail(error) {
          if (isResumed(error, row, context)) throw continues(id);
          await run.fail(explain(error, context));
          throw error;
        },
      };
    },
  };
}

/** How long after its creation an import is resumed after outages of the database and of the file storage. */
const resumedMs = 3_600_000;

/** The rest of the import is left to {@link resumeImports}. */
const isResumed = (error: unknown, { createdAt }: ImportRow, { clock }: Context): boolean =>
  isOutage(error) && clock.now().getTime() - createdAt.getTime() < resumedMs;

const continues = (id: string): DomainError =>
  new DomainError("UNAVAILABLE", `The database is unreachable: the import continues later. Query it by its id, ${id}.`);

function explain(error: unknown, { log, requestId }: Context): DomainError {
  const known = answerOf(error, log);
  if (known) return known;
  log.error({ err: error, requestId }, "Unexpected error in an import");
  return new DomainError("INTERNAL", `An unexpected error occurred. It is logged with the request id ${requestId}.`);
}

/** The time after which an import without a lease counts as abandoned, in milliseconds. */
const startsWithinMs = 60_000;

/** Maximum number of imports that one run of the job resumes: those that fail again at once do not hide others. */
const batchSize = 100;

/** The oldest imports whose process has left them, has ended, or never began: each kind is a range of one index. */
function abandoned({ database, clock }: Pick<JobContext, "database" | "clock">) {
  const now = clock.now();
  const late = new Date(now.getTime() - startsWithinMs).toISOString();
  return database.query<Pick<ContentImportModel, "id" | "createdById" | "tokenId">>(sql`
    select id, "createdById", "tokenId" from (
      (select * from "ContentImport" where state = 'running' and "leaseUntil" is null limit ${batchSize}) union all
      (select * from "ContentImport" where state in ('pending', 'running') and "leaseUntil" < ${now.toISOString()}::timestamptz
        limit ${batchSize}) union all
      (select * from "ContentImport" where state = 'pending' and "leaseUntil" is null and "createdAt" < ${late}::timestamptz
        limit ${batchSize})) i
    order by "createdAt" limit ${batchSize}`);
}

/** Resumes imports whose process has left them or has ended, each as the user who started it. Returns their number. */
export async function resumeImports(job: JobContext): Promise<number> {
  const rows = await abandoned(job);
  const { charge = uncharged, stopping = neverStopping } = job;
  const viewers = new Viewers(job.database, job.clock);
  const feed = new Feed({ ...job, wakeups: silentWakeups }); // gateways poll for the events
  const secrets = new Secrets([]); // an import reads none
  const visitorTokens = new VisitorTokens({ ...job, secrets });
  const environment = { ...job, secrets, visitorTokens, viewers, feed, background: new Background(), publicUrl: "" };
  await sideBySide(rows, stopping, async ({ id, createdById: userId, tokenId }) => {
    const known = makeViewer({ userId, tokenId, memberships: [], grants: [] });
    const viewer = (await viewers.renew(known)) ?? known; // with a revoked token the viewer has no permissions
    const context = makeContext(environment, viewer, `import ${id}`);
    const run = () => runImport(context, id, stopping);
    await charge({ userId, tokenId }, run).catch((error: unknown) => {
      if (!stopping.aborted) job.log.info({ import: id, reason: String(error) }, "A resumed import has failed");
    });
  });
  return rows.length;
}
