// The commands that start, await and cancel imports from URLs.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { itemRoleColumns } from "#src/access/content.ts";
import { inFigures } from "#src/base/limits.ts";
import { plainAddress } from "#src/base/url-text.ts";
import { project } from "#src/db/reading/entity.ts";
import { change, type Transaction } from "#src/domain/change.ts";
import { type Context, makeContext } from "#src/domain/context.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import { chargeFor } from "#src/domain/cost.ts";
import { takeAdvisoryLock } from "#src/domain/advisory-lock.ts";
import { checkWebAddress } from "#src/domain/input.ts";
import { lockBlobs } from "#src/features/content/commands/blobs.ts";
import { lockContent } from "#src/features/content/commands/lock.ts";
import { checkExpected } from "#src/features/content/commands/new-revision.ts";
import { mayCancelImport, mayImportContent } from "#src/features/imports/access.ts";
import { type Imported, type ImportTarget, prepareImport } from "#src/features/imports/commands/import-content.ts";
import { openUploadedZip } from "#src/features/imports/commands/zip.ts";
import { type ImportSettings, runImport } from "#src/features/imports/commands/run-import.ts";
import { importEvent, longImportEvents } from "#src/features/imports/events.ts";
import { contentImports } from "#src/features/imports/reads.ts";
import type { Upload } from "#src/files/upload.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { ImportSource } from "#src/generated/prisma/enums.ts";
import { released } from "#src/jobs/long-work.ts";

type AddressInput = ImportTarget & { readonly url: string; readonly source: ImportSource };

type ArchiveInput = ImportTarget & { readonly archive: Upload };

interface Started {
  readonly id: string;
  /** Rejects with the error of the import. */
  readonly ended: Promise<Imported>;
}

/** Maximum number of concurrent imports of a user. */
const concurrentLimit = 5;

const unfinished: Prisma.EnumImportStateFilter<"ContentImport"> = { in: ["pending", "running"] };

/**
 * Starts an import, which another process continues if this one ends. Throws NOT_FOUND, CONFLICT like `editContent`,
 * INVALID_INPUT for the URL, RATE_LIMITED for too many imports.
 */
export async function startImport(context: Context, input: AddressInput): Promise<Started> {
  const url = checkWebAddress("url", input.url);
  return start(context, input, { url, shownUrl: plainAddress(url), source: input.source });
}

/**
 * The same for an uploaded archive, which the import reads from the file store: the garbage collector removes it after
 * a day, since no row refers to it.
 */
export async function startArchiveImport(context: Context, input: ArchiveInput): Promise<Started> {
  const { name, blob } = input.archive;
  await checkArchive(input.archive);
  const stored = async (transaction: Transaction): Promise<string> => {
    await lockBlobs(transaction, [blob.hash]);
    await blob.keep();
    return blob.hash;
  };
  return start(context, input, { url: name, shownUrl: name, source: "markdown", stored });
}

/** A file that is not an archive, or has nothing to import, is refused at once. */
async function checkArchive(archive: Upload): Promise<void> {
  await using opened = await openUploadedZip(archive);
  if (opened.files.count === 0) throw invalidInput("archive", "must have files that can be imported.");
}

interface Origin {
  /** The address, or the name of an archive. */
  readonly url: string;
  readonly shownUrl: string;
  readonly source: ImportSource;
  /** Stores the archive, and returns its hash. */
  readonly stored?: (transaction: Transaction) => Promise<string>;
}

async function start(context: Context, input: ImportTarget, { url, shownUrl, source, stored }: Origin) {
  const { target, message, parentId, replace } = await prepareImport(context, input);
  const settings: ImportSettings = { parentId, replace, message, expectedRevisionId: input.expectedRevisionId ?? null };
  const { organizationId, spaceId, changeRequestId } = target.place;
  const { userId, tokenId } = context.viewer;
  const id = newId("ContentImport");
  await change(context, mayImportContent, target.space, async (transaction) => {
    const head = await lockContent(transaction, target.place); // reports a conflict before anything is downloaded
    checkExpected(settings.expectedRevisionId, head.revisionId);
    await requireImportsLeft(transaction, context);
    const archive = await stored?.(transaction);
    const about = { id, spaceId, changeRequestId, createdById: userId, tokenId, url, source };
    const data = { ...about, settings: { ...settings, ...(archive && { archive }) }, createdAt: context.clock.now() };
    await transaction.contentImport.create({ data });
    const facts = { state: "pending", changeRequestId, url: shownUrl } as const;
    return { result: { id }, events: [importEvent(longImportEvents.started, { id, spaceId, organizationId }, facts)] };
  });
  // outlives the request and its budget
  const own = makeContext(context, context.viewer, context.requestId);
  return {
    id,
    ended: context.background.runResumable((stopping) => chargeFor(own, () => runImport(own, id, stopping))),
  };
}

/** Throws RATE_LIMITED if the viewer has the maximum number of imports, running or started in 24 hours. */
async function requireImportsLeft(
  transaction: Transaction,
  { viewer: { userId }, clock, quotas: { importsPerDay: most } }: Context,
): Promise<void> {
  const others = await transaction.contentImport.count({ where: { createdById: userId, state: unfinished } });
  if (others >= concurrentLimit)
    throw new DomainError(
      "RATE_LIMITED",
      `You have ${others} running imports, the maximum. Wait until one ends, or cancel one.`,
    );
  await takeAdvisoryLock(transaction, `imports of ${userId}`); // serializes the count
  const since = new Date(clock.now().getTime() - 24 * 60 * 60 * 1000);
  const count = await transaction.contentImport.count({ where: { createdById: userId, createdAt: { gt: since } } });
  if (count < most) return;
  throw new DomainError(
    "RATE_LIMITED",
    `You may start ${inFigures(most)} imports in 24 hours, and have started ${inFigures(count)}. Try again later.`,
  );
}

/** Waits for the end of an import. If a request cannot wait that long: CONFLICT with its id, and it continues. */
export async function importFromAddress(context: Context, input: AddressInput): Promise<Imported> {
  // The result is unknown at the start, so a repeated request does not get it.
  const { id, ended } = await answersWith(context, null, () => startImport(context, input));
  const imported = await context.background.waitFor(ended);
  if (imported === null)
    throw new DomainError("CONFLICT", `The import takes longer and continues. Query it by its id, ${id}.`, [
      { path: "import", message: id },
    ]);
  context.reader.forget(); // another context wrote the content
  return imported;
}

/** A cancelled import writes nothing. NOT_FOUND unless the viewer sees it, CONFLICT if it has ended. */
export async function cancelImport(context: Context, { importId }: { importId: string }): Promise<{ id: string }> {
  const projection = project(["spaceId", "changeRequestId"]);
  const { spaceId, changeRequestId } = await context.reader.found(contentImports, importId, projection);
  const space = await context.reader.found(spaces, spaceId, project(itemRoleColumns));
  return change(context, mayCancelImport, space, async (transaction) => {
    const { count } = await transaction.contentImport.updateMany({
      where: { id: importId, spaceId, state: unfinished },
      data: { state: "cancelled", endedAt: context.clock.now(), ...released },
    });
    if (count === 0) throw new DomainError("CONFLICT", "The import has ended.");
    const of = { id: importId, spaceId, organizationId: space.organizationId };
    const ended = importEvent(longImportEvents.ended, of, { state: "cancelled", changeRequestId });
    return { result: { id: importId }, events: [ended] };
  });
}
