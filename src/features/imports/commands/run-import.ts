// Running an import from an address: once, even if the process dies that does it.
import { DomainError } from "#src/base/errors.ts";
import { makeViewer } from "#src/access/viewer.ts";
import { VisitorTokens } from "#src/access/visitor-tokens.ts";
import { uncharged } from "#src/runtime/tenant.ts";
import { Secrets } from "#src/base/secrets.ts";
import { Viewers } from "#src/access/viewers.ts";
import { type Context, makeContext } from "#src/domain/context.ts";
import { Feed } from "#src/events/event-log.ts";
import { silentWakeups } from "#src/events/wakeups.ts";
import { importContent, type Imported } from "#src/features/imports/commands/import-content.ts";
import { claimImport, type ImportPlace, ImportRun } from "#src/features/imports/commands/import-run.ts";
import { openAddress } from "#src/features/imports/commands/open-address.ts";
import { Background } from "#src/jobs/background.ts";
import type { JobContext } from "#src/jobs/job.ts";
import { type LongWork, workOn } from "#src/jobs/long-work.ts";
import type { ContentImportModel } from "#src/generated/prisma/models.ts";

/** How the content is to be changed, as it is kept with the import. */
export interface ImportSettings {
  readonly parentId: string | null;
  readonly replace: boolean;
  readonly message: string | null;
  readonly expectedRevisionId: string | null;
}

/**
 * Runs an import as the viewer of the context, who started it. Throws its error, which is kept with it; CONFLICT if it
 * has ended or runs elsewhere. When `stopping` is aborted it is left to another process.
 */
export async function runImport(context: Context, id: string, stopping: AbortSignal): Promise<Imported> {
  const row = await context.database.prisma.contentImport.findUnique({
    where: { id },
    include: { space: { select: { organizationId: true } } },
  });
  const place = row && { ...row, organizationId: row.space.organizationId };
  const imported = place && (await workOn(context, workOf(context, place), stopping));
  if (imported) return imported;
  if (stopping.aborted) throw new DomainError("CONFLICT", `The import goes on. Ask for it by its id, ${id}.`);
  throw new DomainError("CONFLICT", `The import ${id} has ended, or is run elsewhere.`);
}

function workOf(context: Context, row: ContentImportModel & ImportPlace): LongWork<ImportPlace, Imported> {
  const { spaceId, changeRequestId, url, source } = row;
  const settings = row.settings as unknown as ImportSettings; // written by `startImport`
  return {
    table: "ContentImport",
    noun: "import",
    claim: async (columns) => ((await claimImport(context, row, columns)) ? row : null),
    start(_row, lease) {
      const run = new ImportRun(context, row, lease);
      const { signal } = lease;
      return {
        run: () =>
          importContent(context, {
            ...settings,
            ...(changeRequestId === null ? { spaceId } : { changeRequestId }),
            open: (report, { organizationId }, budget) => {
              const counted = { ...context, fetch: budget.counting(context.fetch) };
              return openAddress({ url, source }, { context: counted, organizationId, signal, report });
            },
            signal,
            onProgress: (progress) => run.progress(progress),
            also: (transaction, { revisionId, ...result }) =>
              run.finish(transaction, {
                revisionId,
                written: result.pageCount,
                result: { ...result, warnings: result.warnings.map((one) => ({ ...one })) },
              }),
          }),
        async fail(error) {
          await run.fail(explain(error, context));
          throw error;
        },
      };
    },
  };
}

function explain(error: unknown, { log, requestId }: Context): string {
  if (error instanceof DomainError) return error.message;
  log.error({ err: error, requestId }, "Unexpected error in an import");
  return `Something went wrong; it is logged under request ${requestId}.`;
}

/** How long, in milliseconds, an import may have waited for the process that it was started in. */
const startsWithinMs = 60_000;

/** How many imports one run of the job takes on. */
const mostAtATime = 10;

/** Runs the imports whose process is gone, one after the other, each as who started it. Answers how many there were. */
export async function resumeImports(job: JobContext): Promise<number> {
  const now = job.clock.now();
  const rows = await job.database.prisma.contentImport.findMany({
    where: {
      state: { in: ["pending", "running"] },
      OR: [
        { leaseUntil: null, createdAt: { lt: new Date(now.getTime() - startsWithinMs) } },
        { leaseUntil: { lt: now } },
      ],
    },
    orderBy: { createdAt: "asc" },
    take: mostAtATime,
    select: { id: true, createdById: true, tokenId: true },
  });
  const { charge = uncharged } = job;
  const viewers = new Viewers(job.database, job.clock);
  const feed = new Feed({ ...job, wakeups: silentWakeups }); // gateways find the events by themselves
  const secrets = new Secrets([]); // an import reads none
  const visitorTokens = new VisitorTokens({ ...job, secrets });
  const environment = { ...job, secrets, visitorTokens, viewers, feed, background: new Background(), publicUrl: "" };
  for (const { id, createdById: userId, tokenId } of rows) {
    const known = makeViewer({ userId, tokenId, memberships: [], grants: [] });
    const viewer = (await viewers.renew(known)) ?? known; // whose token was revoked may do nothing
    const context = makeContext(environment, viewer, `import ${id}`);
    const run = () => runImport(context, id, new AbortController().signal);
    await charge({ userId, tokenId }, run).catch((error: unknown) =>
      job.log.info({ import: id, reason: String(error) }, "An import that was taken up again has failed"),
    );
  }
  return rows.length;
}
