// Making revisions: how every command that changes content finds it, checks its input and stores the result.
import { itemRoleColumns, type ItemRoleParts } from "#src/access/content.ts";
import { DomainError, found } from "#src/base/errors.ts";
import { want } from "#src/db/entity.ts";
import { type Action, changeIfAny, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { inQueue } from "#src/domain/queue.ts";
import { checkText, oneOf, type Optional } from "#src/domain/input.ts";
import type { EventType } from "#src/events/declared.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { type ContentPlace, type Head, lockContent } from "#src/features/content/commands/lock.ts";
import { type NewState, writeRevision } from "#src/features/content/commands/store.ts";
import { isSameContent } from "#src/features/content/model/content-state.ts";
import {
  editableChangeRequests,
  editableChangeRequestsOfSpace,
  namedBy,
} from "#src/features/content/reads/revisions.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import type { RevisionType } from "#src/generated/prisma/enums.ts";

/** Which content an input means: that of a space, or of a change request, by its id, or with the space its number. */
export type ContentTarget = Optional<{ spaceId: string; changeRequestId: string }>;

/** What every command on content takes besides. */
export type Revised = ContentTarget & Optional<{ expectedRevisionId: string; message: string }>;

/** The content that the input means, and the space that gives the rights. NOT_FOUND when the viewer does not see it. */
export async function contentInHand(
  context: Context,
  { spaceId, changeRequestId }: ContentTarget,
): Promise<{ space: ItemRoleParts; place: ContentPlace; revisionId: string }> {
  const columns = want([...itemRoleColumns, "revisionId"]);
  if (spaceId != null && changeRequestId != null) {
    const space = await context.reader.found(spaces, spaceId, columns);
    const one = { key: namedBy(changeRequestId), wanted: want(["revisionId"]) };
    const picked = found(await context.reader.pick(editableChangeRequestsOfSpace, space, one), "change request");
    const place = { organizationId: space.organizationId, spaceId: space.id, changeRequestId: picked.id };
    return { space, place, revisionId: picked.revisionId };
  }
  const [name, id] = oneOf("contentOf", { spaceId, changeRequestId });
  if (name === "spaceId") {
    const space = await context.reader.found(spaces, id, columns);
    const place = { organizationId: space.organizationId, spaceId: space.id, changeRequestId: null };
    return { space, place, revisionId: space.revisionId };
  }
  const wanted = want(["spaceId", "revisionId"]);
  const changeRequest = await context.reader.found(editableChangeRequests, id, wanted);
  const space = await context.reader.found(spaces, changeRequest.spaceId, columns);
  const place = { organizationId: space.organizationId, spaceId: space.id, changeRequestId: id };
  return { space, place, revisionId: changeRequest.revisionId };
}

/** Makes a revision of a content with what `build` makes from the current one; when both are the same, makes none. */
export async function revise(
  context: Context,
  action: Action<ItemRoleParts>,
  { space, place }: { space: ItemRoleParts; place: ContentPlace },
  of: {
    type: RevisionType;
    expectedRevisionId: string | null | undefined;
    message: string | null;
    /** An event besides that of every new revision. */
    event?: EventType;
    build: (transaction: Transaction, head: Head) => Promise<NewState>;
    /** Written in the same transaction when all else is, also where nothing has changed. What it throws undoes all. */
    also?: (transaction: Transaction, revisionId: string) => Promise<readonly DomainEvent[]>;
    /** Its second parent, if it has one. */
    mergedIn?: (transaction: Transaction) => Promise<Head | undefined>;
  },
): Promise<{ revisionId: string }> {
  const make = async (transaction: Transaction) => {
    const head = await lockContent(transaction, place);
    checkExpected(of.expectedRevisionId, head.revisionId);
    const content = await of.build(transaction, head);
    const also = async (revisionId: string) => (await of.also?.(transaction, revisionId)) ?? [];
    if (isSameContent(content, head))
      return { result: { revisionId: head.revisionId }, events: await also(head.revisionId) };
    const { type, message } = of;
    const mergedIn = await of.mergedIn?.(transaction);
    const made = { head, content, type, message, mergedIn };
    const { result, events } = await writeRevision(transaction, context, place, made);
    const own = of.event ? [...events, { ...events[0], type: of.event }] : events;
    return { result, events: [...own, ...(await also(result.revisionId))] };
  };
  return inQueue(place.changeRequestId ?? place.spaceId, () => changeIfAny(context, action, space, make));
}

/** CONFLICT, naming the current revision, when it is another one than what was expected. */
export function checkExpected(expected: string | null | undefined, current: string): void {
  if (expected == null || expected === current) return;
  throw new DomainError(
    "CONFLICT",
    `The content has changed: its revision is now ${current}. Read it, then try again.`,
    [{ path: "expectedRevisionId", message: `is not the current revision, which is ${current}.` }],
  );
}

/** The message of a revision as it is stored; null for none. INVALID_INPUT beyond 500 characters. */
export const checkMessage = (message: string | null | undefined): string | null =>
  (message == null ? null : checkText("message", message, { max: 500 })) || null;
