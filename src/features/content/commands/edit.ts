// Editing content: a batch of edits becomes one revision.
import { DomainError, found, invalidInput } from "#src/base/errors.ts";
import { want } from "#src/db/entity.ts";
import { type Action, change, requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkText } from "#src/domain/input.ts";
import { editContent as edit, restoreRevision as restore } from "#src/features/content/access.ts";
import { applyEdits, type ContentEdit } from "#src/features/content/commands/apply-edits.ts";
import { Draft } from "#src/features/content/commands/draft.ts";
import {
  type ContentPlace,
  type Head,
  lockContent,
  readTree,
  storeContent,
  writeRevision,
} from "#src/features/content/commands/store.ts";
import { findChangeRequestToEdit, findRevision } from "#src/features/content/reads/revisions.ts";
import { type SpaceRoleParts, spaceRoleColumns } from "#src/features/spaces/access.ts";
import { findSpace } from "#src/features/spaces/reads.ts";

/** How an input says which content it means: that of a space, or of a change request. Exactly one. */
export interface ContentTarget {
  readonly spaceId?: string | null | undefined;
  readonly changeRequestId?: string | null | undefined;
}

interface Edited extends ContentTarget {
  readonly expectedRevision?: string | null | undefined;
  readonly message?: string | null | undefined;
}

/** The most edits of a batch. */
const batchLimit = 1000;

/** The content that the input means, and the space that gives the rights. NOT_FOUND when the viewer does not see it. */
async function contentInHand(
  context: Context,
  { spaceId, changeRequestId }: ContentTarget,
): Promise<{ space: SpaceRoleParts; place: ContentPlace; revisionId: string }> {
  if ((spaceId == null) === (changeRequestId == null))
    throw invalidInput("spaceId", "give exactly one of spaceId and changeRequestId.");
  const columns = want([...spaceRoleColumns, "revisionId"]);
  if (changeRequestId == null) {
    const space = found(await findSpace(context, spaceId ?? "", columns), "space");
    const place = { organizationId: space.organizationId, spaceId: space.id, changeRequestId: null };
    return { space, place, revisionId: space.revisionId };
  }
  const wanted = want(["spaceId", "revisionId"]);
  const changeRequest = found(await findChangeRequestToEdit(context, changeRequestId, wanted), "change request");
  const space = found(await findSpace(context, changeRequest.spaceId, columns), "space");
  const place = { organizationId: space.organizationId, spaceId: space.id, changeRequestId };
  return { space, place, revisionId: changeRequest.revisionId };
}

/** Ends a transaction that turned out to change nothing: no revision, no event. */
class Unchanged extends Error {
  readonly revisionId: string;

  constructor(revisionId: string) {
    super("Nothing has changed.");
    this.revisionId = revisionId;
  }
}

/** Makes a revision of a content with the tree that `build` makes of the one that is there; where that is the same tree, makes none. */
async function revise(
  context: Context,
  action: Action<SpaceRoleParts>,
  { space, place }: { space: SpaceRoleParts; place: ContentPlace },
  of: {
    expectedRevision: string | null | undefined;
    message: string | null;
    build: (transaction: Transaction, head: Head) => Promise<string | null>;
  },
): Promise<{ revisionId: string }> {
  try {
    return await change(context, action, space, async (transaction) => {
      const head = await lockContent(transaction, place);
      checkExpected(of.expectedRevision, head.revisionId);
      const treeHash = await of.build(transaction, head);
      if (treeHash === head.treeHash) throw new Unchanged(head.revisionId);
      return writeRevision(transaction, context, place, { head, treeHash, type: "edits", message: of.message });
    });
  } catch (error) {
    if (error instanceof Unchanged) return { revisionId: error.revisionId };
    throw error;
  }
}

function checkExpected(expected: string | null | undefined, current: string): void {
  if (expected == null || expected === current) return;
  throw new DomainError("CONFLICT", `The content has moved on: its revision is now ${current}.`, [
    { path: "expectedRevision", message: `is not the current revision, which is ${current}` },
  ]);
}

const checkMessage = (message: string | null | undefined): string | null =>
  (message == null ? null : checkText("message", message, { max: 500 })) || null;

/**
 * Edits the main content of a space, or that of a change request: all edits in one revision, or none at all. Needs `edit`. Without
 * `expectedRevision` the edits go onto whatever is there. Edits that change nothing make no revision.
 *
 * Throws NOT_FOUND for a target, page, parent or neighbour that is not there, CONFLICT for a locked space, a change request that is neither draft nor
 * open, a stale `expectedRevision` (naming the current one) and slugs that are taken, INVALID_INPUT for bad values.
 */
export async function editContent(
  context: Context,
  input: Edited & { readonly edits?: readonly ContentEdit[] | null | undefined },
): Promise<{ revisionId: string }> {
  const target = await contentInHand(context, input);
  const { expectedRevision } = input;
  const message = checkMessage(input.message);
  const edits = input.edits ?? [];
  if (edits.length > batchLimit) throw invalidInput("edits", `must be at most ${batchLimit}, and are ${edits.length}.`);
  if (edits.length === 0) {
    await requireAllowed(context, edit, target.space);
    return { revisionId: target.revisionId };
  }
  return revise(context, edit, target, {
    expectedRevision,
    message,
    async build(transaction, head) {
      const draft = new Draft(await readTree(transaction, head.treeHash), context.clock.now());
      applyEdits(draft, edits);
      const content = draft.finish();
      if (content.treeHash !== head.treeHash) await storeContent(transaction, content);
      return content.treeHash;
    },
  });
}

/**
 * Brings back the content of an earlier revision of the same space, as a new revision; nothing in between is lost. Needs `edit`.
 *
 * Throws NOT_FOUND for a target or revision that is not there, and CONFLICT as `editContent` does.
 */
export async function restoreRevision(
  context: Context,
  input: Edited & { readonly revisionId: string },
): Promise<{ revisionId: string }> {
  const target = await contentInHand(context, input);
  const message = checkMessage(input.message);
  const wanted = want(["spaceId", "treeHash"]);
  const revision = found(await findRevision(context, input.revisionId, wanted), "revision");
  const isHere = revision.spaceId === target.place.spaceId;
  const { treeHash } = found(isHere ? revision : null, "revision");
  const { expectedRevision } = input;
  return revise(context, restore, target, { expectedRevision, message, build: async () => treeHash });
}
