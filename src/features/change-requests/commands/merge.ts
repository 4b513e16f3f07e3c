// Merging change requests into the main content of their space.
import { change, type Changed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { Moment } from "#src/domain/hooks.ts";
import { inQueue } from "#src/domain/lock-queue.ts";
import { mayMergeChangeRequest } from "#src/features/change-requests/access.ts";
import { changeRequestInHand, lockHeads } from "#src/features/change-requests/commands/in-hand.ts";
import { conflictsError } from "#src/features/change-requests/commands/conflicts.ts";
import { changeRequestEvents } from "#src/features/change-requests/events.ts";
import { mergeInside, storeMerge } from "#src/features/content/commands/merge-content.ts";
import { checkExpected, checkMessage } from "#src/features/content/commands/revise.ts";
import { writeRevision } from "#src/features/content/commands/store.ts";
import { comparerOf } from "#src/features/content/reads/comparer.ts";
import type { ContentState } from "#src/features/content/model/content-state.ts";

/** A merge that is about to be done. */
export interface BreakingMerge {
  readonly context: Context;
  readonly spaceId: string;
  /** The main content before, and merged. */
  readonly before: MergedState;
  readonly after: MergedState;
}

type MergedState = ContentState & { readonly revisionId: string };

/** When a merge was asked for that must break no links: who knows of links refuses others. */
export const mergeMustNotBreak = new Moment<BreakingMerge>("a merge must break no links");

/**
 * Merges a change request, also an archived one, into the main content: what only one of them changed is taken, and
 * what both changed is merged page by page and line by line. Makes one revision of the main content, also where that
 * changes nothing, and the change request becomes `merged`. Merges into one space go one after the other, each onto
 * what the one before made. A locked space does not stop them. Needs the flag `merge` of the space.
 *
 * Throws NOT_FOUND for one that the viewer does not see, CONFLICT for one that is merged already, for an
 * `expectedRevisionId` that is not its active one, for conflicts (with a detail for each, and nothing written), with
 * `refuseBrokenLinks` for links that the merge would break, and where both together go beyond a limit of content.
 */
export async function mergeChangeRequest(
  context: Context,
  input: {
    readonly changeRequestId: string;
    readonly expectedRevisionId?: string | null | undefined;
    readonly message?: string | null | undefined;
    readonly refuseBrokenLinks?: boolean | null | undefined;
  },
): Promise<{ id: string; revisionId: string }> {
  const { space, place } = await changeRequestInHand(context, input.changeRequestId);
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
      await mergeMustNotBreak.come(transaction, merge);
    }
    const data = { status: "merged", revisionMergedId: revisionId, updatedAt: now } as const;
    await transaction.changeRequest.update({ where: { id }, data, select: { id: true } });
    const payload = { revisionId, mergedRevisionId: heads.ours.revisionId };
    const event = { type: changeRequestEvents.merged, subjectId: id, ...ids, payload };
    return { result: { id, revisionId }, events: [event, ...events] };
  };
  return inQueue(context, ids.spaceId, () => change(context, mayMergeChangeRequest, space, mergeNow));
}
