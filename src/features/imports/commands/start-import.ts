// Starting, waiting for and cancelling imports of what is at an address.
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { itemRoleColumns } from "#src/access/content.ts";
import { inFigures } from "#src/base/limits.ts";
import { plainAddress } from "#src/base/plain-address.ts";
import { want } from "#src/db/reading/entity.ts";
import { change, requireAllowed, type Transaction } from "#src/domain/change.ts";
import { type Context, makeContext } from "#src/domain/context.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import { chargeFor } from "#src/domain/charge.ts";
import { takeAdvisoryLock } from "#src/domain/advisory-lock.ts";
import { checkWebAddress, type Optional } from "#src/domain/input.ts";
import { lockContent } from "#src/features/content/commands/lock.ts";
import { checkExpected, checkMessage, contentInHand, type Revised } from "#src/features/content/commands/revise.ts";
import { mayCancelImport, mayImportContent } from "#src/features/imports/access.ts";
import type { Imported } from "#src/features/imports/commands/import-content.ts";
import { type ImportSettings, runImport } from "#src/features/imports/commands/run-import.ts";
import { importEvent, longImportEvents } from "#src/features/imports/events.ts";
import { contentImports } from "#src/features/imports/reads.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { ImportSource } from "#src/generated/prisma/enums.ts";
import { released } from "#src/jobs/long-work.ts";

/** What is at `url` goes below the parent, or to the top, last; with `replace` it takes the place of all else. */
export interface AddressInput extends Revised, Optional<{ parentId: string; replace: boolean }> {
  readonly url: string;
  readonly source: ImportSource;
}

/** How many imports of one person may be under way. */
const mostAtATime = 5;

const unfinished: Prisma.EnumImportStateFilter<"ContentImport"> = { in: ["pending", "running"] };

/**
 * Starts an import, which goes on by itself: in this process, and should that end in another. Needs `edit`.
 *
 * Throws NOT_FOUND for a target that is not there, CONFLICT as `editContent` does, INVALID_INPUT for what is no
 * address, RATE_LIMITED while too many imports of the viewer are under way. `ended` rejects with what it failed of.
 */
export async function startImport(
  context: Context,
  input: AddressInput,
): Promise<{ id: string; ended: Promise<Imported> }> {
  const target = await contentInHand(context, input);
  await requireAllowed(context, mayImportContent, target.space);
  const { url, source, settings } = checked(input);
  const { organizationId, spaceId, changeRequestId } = target.place;
  const { userId, tokenId } = context.viewer;
  const id = newId("ContentImport");
  await change(context, mayImportContent, target.space, async (transaction) => {
    const head = await lockContent(transaction, target.place); // what cannot be written is told before it is read
    checkExpected(settings.expectedRevisionId, head.revisionId);
    const others = await transaction.contentImport.count({ where: { createdById: userId, state: unfinished } });
    if (others >= mostAtATime)
      throw new DomainError("RATE_LIMITED", `Wait until one of your ${others} imports has ended, or cancel one.`);
    await requireImportsLeft(transaction, context);
    const about = { id, spaceId, changeRequestId, createdById: userId, tokenId, url, source };
    await transaction.contentImport.create({
      data: { ...about, settings: { ...settings }, createdAt: context.clock.now() },
    });
    const of = { id, spaceId, organizationId };
    return {
      result: { id },
      events: [
        importEvent(longImportEvents.started, of, { state: "pending", changeRequestId, url: plainAddress(url) }),
      ],
    };
  });
  // The request, and what it may still read, ends before the import does.
  const own = makeContext(context, context.viewer, context.requestId);
  return { id, ended: context.background.run((stopping) => chargeFor(own, () => runImport(own, id, stopping))) };
}

/** Throws RATE_LIMITED where the viewer has begun as many imports in 24 hours as they may. */
async function requireImportsLeft(
  transaction: Transaction,
  { viewer: { userId }, clock, quotas: { importsPerDay: most } }: Context,
): Promise<void> {
  await takeAdvisoryLock(transaction, `imports of ${userId}`); // so that all are counted
  const since = new Date(clock.now().getTime() - 24 * 60 * 60 * 1000);
  const count = await transaction.contentImport.count({ where: { createdById: userId, createdAt: { gt: since } } });
  if (count < most) return;
  throw new DomainError(
    "RATE_LIMITED",
    `You may begin ${inFigures(most)} imports in 24 hours, and have begun ${inFigures(count)}: try again later.`,
  );
}

function checked({ url, source, parentId = null, replace, message, expectedRevisionId = null }: AddressInput) {
  const settings: ImportSettings = {
    parentId,
    replace: replace ?? false,
    message: checkMessage(message),
    expectedRevisionId,
  };
  if (settings.replace && parentId !== null)
    throw invalidInput("parentId", "must not be given together with `replace`.");
  return { url: checkWebAddress("url", url), source, settings };
}

/**
 * Imports what is at an address, and waits for it. Throws as {@link startImport} does, what the import fails of, and
 * CONFLICT with its id when it takes longer than a request may wait; it goes on then.
 */
export async function importFromAddress(context: Context, input: AddressInput): Promise<Imported> {
  // What it has imported is not known when it starts: it is not answered again.
  const { id, ended } = await answersWith(context, null, () => startImport(context, input));
  const imported = await context.background.waitFor(ended);
  if (imported === null)
    throw new DomainError("CONFLICT", `The import takes longer, and goes on. Ask for it by its id, ${id}.`, [
      { path: "import", message: id },
    ]);
  context.reader.forget(); // it was written by another context
  return imported;
}

/**
 * Cancels an import that has not ended: nothing of it is written. Needs `edit`. Throws NOT_FOUND for one that the
 * viewer does not see, CONFLICT for one that has ended.
 */
export async function cancelImport(context: Context, { importId }: { importId: string }): Promise<{ id: string }> {
  const wanted = want(["spaceId", "changeRequestId"]);
  const { spaceId, changeRequestId } = await context.reader.found(contentImports, importId, wanted);
  const space = await context.reader.found(spaces, spaceId, want(itemRoleColumns));
  return change(context, mayCancelImport, space, async (transaction) => {
    const { count } = await transaction.contentImport.updateMany({
      where: { id: importId, spaceId, state: unfinished },
      data: { state: "cancelled", endedAt: context.clock.now(), ...released },
    });
    if (count === 0) throw new DomainError("CONFLICT", "The import has ended.");
    const of = { id: importId, spaceId, organizationId: space.organizationId };
    return {
      result: { id: importId },
      events: [importEvent(longImportEvents.ended, of, { state: "cancelled", changeRequestId })],
    };
  });
}
