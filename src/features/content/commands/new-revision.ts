// Creation of revisions: the common steps of all commands that change content.
import { itemRoleColumns, type ItemRoleParts } from "#src/access/content.ts";
import { DomainError, found } from "#src/base/errors.ts";
import { project } from "#src/db/reading/entity.ts";
import { type Action, changeIfAny, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { changeTogether } from "#src/domain/change-together.ts";
import { inLockQueue } from "#src/domain/lock-queue.ts";
import { checkText, oneOf, type Optional } from "#src/domain/input.ts";
import type { EventType } from "#src/events/declared.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { type ContentPlace, type Head, lockContent } from "#src/features/content/commands/lock.ts";
import { nextRevision, writeRevision } from "#src/features/content/commands/write-content.ts";
import { type ContentState, isSameContent } from "#src/features/content/model/content-state.ts";
import {
  editableChangeRequests,
  editableChangeRequestsOfSpace,
  namedBy,
} from "#src/features/content/reads/revisions.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import type { RevisionType } from "#src/generated/prisma/enums.ts";

/** The content that an input names: that of a space, or of a change request. */
export type ContentTarget = Optional<{ spaceId: string; changeRequestId: string }>;

export type RevisionInput = ContentTarget & Optional<{ expectedRevisionId: string; message: string }>;

type Target = { readonly space: ItemRoleParts; readonly place: ContentPlace; readonly revisionId: string };

/** The content that the input names; in a path of /v1 a change request by id or number. NOT_FOUND if not visible. */
export async function loadTarget(context: Context, { spaceId, changeRequestId }: ContentTarget): Promise<Target> {
  const columns = project([...itemRoleColumns, "revisionId"]);
  const [name, id] = oneOf("contentOf", { spaceId, changeRequestId });
  if (name === "spaceId") {
    const space = await context.reader.found(spaces, id, columns);
    const place = { organizationId: space.organizationId, spaceId: space.id, changeRequestId: null };
    return { space, place, revisionId: space.revisionId };
  }
  const projection = project(["spaceId", "revisionId"]);
  const around = context.path?.["spaceId"];
  if (around === undefined) {
    const changeRequest = await context.reader.found(editableChangeRequests, id, projection);
    return inChangeRequest(await context.reader.found(spaces, changeRequest.spaceId, columns), changeRequest);
  }
  const space = await context.reader.found(spaces, around, columns);
  const picked = await context.reader.pick(editableChangeRequestsOfSpace, space, { key: namedBy(id), projection });
  return inChangeRequest(space, found(picked, "change request"));
}

const inChangeRequest = (
  space: ItemRoleParts & { readonly id: string },
  { id: changeRequestId, revisionId }: { readonly id: string; readonly revisionId: string },
) => ({ space, place: { organizationId: space.organizationId, spaceId: space.id, changeRequestId }, revisionId });

/** The content of a new revision, and the function that stores its new parts. */
interface Built extends ContentState {
  /** Returns whether all texts were indexed: then no background work follows. */
  readonly store?: () => Promise<boolean>;
}

interface RevisionSpec {
  readonly type: RevisionType;
  readonly expectedRevisionId: string | null | undefined;
  readonly message: string | null;
  readonly event?: EventType;
  readonly build: (transaction: Transaction, head: Head) => Promise<Built>;
  /** Whether `build` writes nothing and may be retried: then changes of one content share a transaction. */
  readonly storesLater?: boolean;
  /** Runs last in the same transaction, even if nothing has changed. An error rolls back the transaction. */
  readonly also?: (transaction: Transaction, revisionId: string) => Promise<readonly DomainEvent[]>;
  readonly mergedIn?: (transaction: Transaction) => Promise<Head | undefined>;
}

/** Creates a revision with the content that `build` makes from the current one, unless both are equal. */
export async function makeRevision(
  context: Context,
  action: Action<ItemRoleParts>,
  { space, place }: { space: ItemRoleParts; place: ContentPlace },
  of: RevisionSpec,
): Promise<{ revisionId: string }> {
  const look = async (transaction: Transaction) => {
    const head = heads.get(transaction) ?? (await lockContent(transaction, place));
    heads.set(transaction, head);
    checkExpected(of.expectedRevisionId, head.revisionId);
    const content = await of.build(transaction, head);
    return () => write(transaction, context, place, { ...of, head, content });
  };
  const queue = place.changeRequestId ?? place.spaceId;
  if (of.storesLater) return changeTogether(context, action, space, { queue, look });
  const make = async (transaction: Transaction) => (await look(transaction))();
  return inLockQueue(queue, () => changeIfAny(context, action, space, make));
}

/** Current revisions that transactions have locked or are about to write. */
const heads = new WeakMap<Transaction, Head>();

async function write(
  transaction: Transaction,
  context: Context,
  place: ContentPlace,
  of: RevisionSpec & { readonly head: Head; readonly content: Built },
): Promise<{ result: { revisionId: string }; events: readonly DomainEvent[] }> {
  const { head, type, message } = of;
  const also = async (revisionId: string) => (await of.also?.(transaction, revisionId)) ?? [];
  if (isSameContent(of.content, head))
    return { result: { revisionId: head.revisionId }, events: await also(head.revisionId) };
  const { store, ...state } = of.content;
  const mergedIn = of.mergedIn && (await of.mergedIn(transaction));
  const next = nextRevision(context, head, mergedIn);
  heads.set(transaction, { ...state, ...next }); // for the next edit, which may start now
  const content = { ...state, isIndexed: (await store?.()) ?? false };
  const made = { head, content, type, message, mergedIn, next };
  const { result, events } = await writeRevision(transaction, context, place, made);
  const own = of.event ? [...events, { ...events[0], type: of.event }] : events;
  return { result, events: [...own, ...(await also(result.revisionId))] };
}

/** CONFLICT with the id of the current revision if it is not the expected one. */
export function checkExpected(expected: string | null | undefined, current: string): void {
  if (expected == null || expected === current) return;
  const message = `The content has changed: its current revision is ${current}. Read it again and retry.`;
  const detail = { path: "expectedRevisionId", message: `is not the current revision, which is ${current}.` };
  throw new DomainError("CONFLICT", message, [detail]);
}

/** The message of a revision; null if empty. INVALID_INPUT above 500 characters. */
export const checkMessage = (message: string | null | undefined): string | null =>
  (message == null ? null : checkText("message", message, { max: 500 })) || null;
