// The commands that merge change requests into the main content of their space, and back.
import { type Action, change, type Changed, changeIfAny, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { Hook } from "#src/domain/hooks.ts";
import type { Optional } from "#src/domain/input.ts";
import { inLockQueue } from "#src/domain/lock-queue.ts";
import {
  mayMergeChangeRequest,
  mayPullChangeRequestUpdates,
  mayResolveConflicts,
} from "#src/features/change-requests/access.ts";
import { loadChangeRequest, lockHeads } from "#src/features/change-requests/commands/load.ts";
import {
  checkSettled,
  choicesOf,
  conflictsError,
  type Resolution,
} from "#src/features/change-requests/commands/conflicts.ts";
import { changeRequestEvents } from "#src/features/change-requests/events.ts";
import { mergeInside, storeMerge } from "#src/features/content/commands/merge-content.ts";
import { checkExpected, checkMessage } from "#src/features/content/commands/new-revision.ts";
import { writeRevision } from "#src/features/content/commands/write-content.ts";
import { comparerOf } from "#src/features/content/reads/comparer.ts";
import type { ContentState } from "#src/features/content/model/content-state.ts";
import type { ItemRoleParts } from "#src/access/content.ts";
import type { EventType } from "#src/events/declared.ts";
import type { Choices } from "#src/features/content/model/merge/sides.ts";
import type { ContentMerge } from "#src/features/content/model/merge/content.ts";

export interface BreakingMerge {
  readonly context: Context;
  readonly spaceId: string;
  /** The main content before and after the merge. */
  readonly before: MergedState;
  readonly after: MergedState;
}

type MergedState = ContentState & { readonly revisionId: string };

/** Runs in a merge with `refuseBrokenLinks`: the feature "links" throws if the merge breaks links. */
export const beforeMergeWithLinkCheck = new Hook<BreakingMerge>("a merge must break no links");

type UpdateInput = { readonly changeRequestId: string } & Optional<{ expectedRevisionId: string; message: string }>;

/**
 * Writes one revision of the main content, also for an archived change request or in a locked space. CONFLICT if it is
 * merged, for a stale `expectedRevisionId`, conflicts (a detail each), links it would break, and limits of content.
 */
export async function mergeChangeRequest(
  context: Context,
  input: UpdateInput & Optional<{ refuseBrokenLinks: boolean }>,
): Promise<{ id: string; revisionId: string }> {
  const { space, place } = await loadChangeRequest(context, input.changeRequestId);
  const { changeRequestId: id, ...ids } = place;
  const message = checkMessage(input.message);
  const mergeNow = async (transaction: Transaction): Promise<Changed<{ id: string; revisionId: string }>> => {
    const heads = await lockHeads(transaction, place, { withMain: true, evenArchived: true });
    checkExpected(input.expectedRevisionId, heads.ours.revisionId);
    const merged = await mergeInside(transaction, heads, { comparing: comparerOf(context) });
    if (merged.conflicts.length > 0) throw conflictsError(merged);
    const now = context.clock.now();
    const content = await storeMerge(transaction, heads, merged, { spaceId: ids.spaceId, now });
    const main = { ...ids, changeRequestId: null };
    const of = { head: heads.theirs, content, type: "merge", message, mergedIn: heads.ours } as const;
    const { result, events } = await writeRevision(transaction, context, main, of);
    const { revisionId } = result;
    if (input.refuseBrokenLinks) {
      const merge = { context, spaceId: ids.spaceId, before: heads.theirs, after: { ...content, revisionId } };
      await beforeMergeWithLinkCheck.run(transaction, merge);
    }
    const data = { status: "merged", revisionMergedId: revisionId, updatedAt: now } as const;
    await transaction.changeRequest.update({ where: { id }, data, select: { id: true } });
    const payload = { revisionId, mergedRevisionId: heads.ours.revisionId };
    const event = { type: changeRequestEvents.merged, subjectId: id, ...ids, payload };
    return { result: { id, revisionId }, events: [event, ...events] };
  };
  return inLockQueue(ids.spaceId, () => change(context, mayMergeChangeRequest, space, mergeNow));
}

type Updated = { readonly id: string; readonly revisionId: string; readonly result: "update" | "conflicts" };

/**
 * Writes one revision of the change request. Conflicts are a result, not an error. If it contains everything already,
 * only the first call is recorded and sends an event. CONFLICT if it is merged, or for a stale `expectedRevisionId`.
 */
export function pullChangeRequestUpdates(context: Context, input: UpdateInput): Promise<Updated> {
  return bringIn(context, input, {
    action: mayPullChangeRequestUpdates,
    event: changeRequestEvents.updatesPulled,
    evenArchived: true,
    choices: new Map(),
    check: () => {},
  });
}

/** Takes a choice for each conflict. CONFLICT with details for open or unknown conflicts, and while archived. */
export function resolveConflicts(
  context: Context,
  input: UpdateInput & Optional<{ resolutions: readonly Resolution[] }>,
): Promise<Updated> {
  const resolutions = input.resolutions ?? [];
  return bringIn(context, input, {
    action: mayResolveConflicts,
    event: changeRequestEvents.conflictsResolved,
    evenArchived: false,
    choices: choicesOf(resolutions),
    check: (merge) => checkSettled(merge, resolutions),
  });
}

interface Way {
  readonly action: Action<ItemRoleParts>;
  readonly event: EventType;
  readonly evenArchived: boolean;
  readonly choices: Choices;
  /** Throws if the merge must not be stored. */
  readonly check: (merge: ContentMerge) => void;
}

async function bringIn(context: Context, input: UpdateInput, way: Way): Promise<Updated> {
  const { space, place } = await loadChangeRequest(context, input.changeRequestId);
  const { action, event, choices, check, evenArchived } = way;
  const { changeRequestId: id, ...ids } = place;
  const message = checkMessage(input.message);
  return changeIfAny<ItemRoleParts, Updated>(context, action, space, async (transaction) => {
    const heads = await lockHeads(transaction, place, { evenArchived });
    const { base, ours, theirs } = heads;
    checkExpected(input.expectedRevisionId, ours.revisionId);
    const merge = await mergeInside(transaction, heads, { comparing: comparerOf(context), choices });
    check(merge);
    const isClean = merge.conflicts.length === 0;
    const before = { id, revisionId: ours.revisionId, result: isClean ? "update" : "conflicts" } as const;
    if (!isClean) return { result: before, events: [] };
    if (base.revisionId === theirs.revisionId) {
      const isFirst = await noteUpdated(transaction, id, theirs.revisionId);
      const pulled = { type: event, subjectId: id, ...ids, payload: { revisionId: ours.revisionId } };
      return { result: before, events: isFirst ? [pulled] : [] };
    }
    const content = await storeMerge(transaction, heads, merge, { spaceId: place.spaceId, now: context.clock.now() });
    const of = { head: ours, content, type: "update", message, mergedIn: theirs } as const;
    const { result, events } = await writeRevision(transaction, context, place, of);
    const { revisionId } = result;
    const updated = { type: event, subjectId: id, ...ids, payload: { revisionId } };
    return { result: { id, revisionId, result: "update" }, events: [updated, ...events] };
  });
}

/** Records that a change request contains this main revision. Returns false if that was recorded before. */
async function noteUpdated(transaction: Transaction, id: string, revisionMergedAncestorId: string): Promise<boolean> {
  const where = { id, revisionMergedAncestorId: null };
  const { count } = await transaction.changeRequest.updateMany({ where, data: { revisionMergedAncestorId } });
  return count > 0;
}
