// Making revisions: how every command that changes content finds it, checks what it was told and writes what came of it.
import { DomainError, found, invalidInput } from "#src/base/errors.ts";
import { want } from "#src/db/entity.ts";
import { type Action, changeIfAny, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkText } from "#src/domain/input.ts";
import type { DomainEvent } from "#src/events/event.ts";
import {
  type ContentPlace,
  type Head,
  isSameContent,
  lockContent,
  writeRevision,
} from "#src/features/content/commands/store.ts";
import { type ContentState, findChangeRequestToEdit } from "#src/features/content/reads/revisions.ts";
import { type SpaceRoleParts, spaceRoleColumns } from "#src/features/spaces/access.ts";
import { findSpace } from "#src/features/spaces/reads.ts";
import type { RevisionType } from "#src/generated/prisma/enums.ts";

/** How an input says which content it means: that of a space, or of a change request. Exactly one. */
export interface ContentTarget {
  readonly spaceId?: string | null | undefined;
  readonly changeRequestId?: string | null | undefined;
}

/** What every command on content is told besides. */
export interface Revised extends ContentTarget {
  readonly expectedRevision?: string | null | undefined;
  readonly message?: string | null | undefined;
}

/** The content that the input means, and the space that gives the rights. NOT_FOUND when the viewer does not see it. */
export async function contentInHand(
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

/** Makes a revision of a content with what `build` makes of the one that is there; where that is the same, makes none. */
export async function revise(
  context: Context,
  action: Action<SpaceRoleParts>,
  { space, place }: { space: SpaceRoleParts; place: ContentPlace },
  of: {
    type: RevisionType;
    expectedRevision: string | null | undefined;
    message: string | null;
    /** Told besides the event that every revision leaves. */
    event?: DomainEvent["type"];
    build: (transaction: Transaction, head: Head) => Promise<ContentState>;
    /** What it stands on besides the revision before it, if anything. */
    mergedIn?: (transaction: Transaction) => Promise<Head | undefined>;
  },
): Promise<{ revisionId: string }> {
  return changeIfAny(context, action, space, async (transaction) => {
    const head = await lockContent(transaction, place);
    checkExpected(of.expectedRevision, head.revisionId);
    const content = await of.build(transaction, head);
    if (isSameContent(content, head)) return { result: { revisionId: head.revisionId }, events: [] };
    const { type, message } = of;
    const mergedIn = await of.mergedIn?.(transaction);
    const made = { head, content, type, message, mergedIn };
    const { result, events } = await writeRevision(transaction, context, place, made);
    return { result, events: of.event ? [...events, { ...events[0], type: of.event }] : events };
  });
}

/** CONFLICT, naming the current revision, when it is another one than what was expected. */
export function checkExpected(expected: string | null | undefined, current: string): void {
  if (expected == null || expected === current) return;
  throw new DomainError("CONFLICT", `The content has moved on: its revision is now ${current}.`, [
    { path: "expectedRevision", message: `is not the current revision, which is ${current}` },
  ]);
}

/** The message of a revision as it is stored; null for none. INVALID_INPUT beyond 500 characters. */
export const checkMessage = (message: string | null | undefined): string | null =>
  (message == null ? null : checkText("message", message, { max: 500 })) || null;
