// The commands that create change requests and change their subject and status.
import { itemRoleColumns } from "#src/access/content.ts";
import { DomainError, notFound } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { sql } from "#src/db/connection/database.ts";
import { project } from "#src/db/reading/entity.ts";
import { change, changeIfAny, requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkText, given, ifGiven, type Optional } from "#src/domain/input.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { mayCreateChangeRequest, mayUpdateChangeRequest } from "#src/features/change-requests/access.ts";
import { loadChangeRequest } from "#src/features/change-requests/commands/load.ts";
import { changeRequestEvents } from "#src/features/change-requests/events.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import type { ChangeRequestStatus } from "#src/generated/prisma/enums.ts";
import type { ChangeRequestModel } from "#src/generated/prisma/models.ts";

export const subjectLength = { max: 100 };

const checkSubject = (subject: string): string => checkText("subject", subject, subjectLength);

/** Numbers are sequential within the space: concurrent creations wait for each other, and a rollback leaves no gap. */
export async function createChangeRequest(
  context: Context,
  { spaceId, ...input }: { readonly spaceId: string } & Optional<{ subject: string; agentTaskId: string }>,
): Promise<{ id: string }> {
  const space = await context.reader.found(spaces, spaceId, project(itemRoleColumns));
  const subject = ifGiven("subject", input.subject, checkSubject) ?? "";
  const agentTaskId = ifGiven("agentTaskId", input.agentTaskId, (task) => checkText("agentTaskId", task, { max: 100 }));
  const place = { spaceId, organizationId: space.organizationId };
  return change(context, mayCreateChangeRequest, space, async (transaction) => {
    const of = { subject, agentTaskId, createdById: context.viewer.userId, now: context.clock.now() };
    const { id, events } = await addChangeRequest(transaction, place, of);
    return { result: { id }, events };
  });
}

interface NewChangeRequest {
  readonly subject: string;
  readonly agentTaskId?: string | undefined;
  readonly createdById: string;
  readonly now: Date;
  /** The revision that it starts from; by default the current revision of the main content. */
  readonly revisionId?: string;
}

/** Inserts a draft in the transaction of a larger change. NOT_FOUND if the space was deleted. */
export async function addChangeRequest(
  transaction: Transaction,
  { spaceId, organizationId }: { spaceId: string; organizationId: string },
  { subject, agentTaskId, createdById, now, ...from }: NewChangeRequest,
): Promise<{ id: string; number: number; events: [DomainEvent] }> {
  const [next] = await transaction.$queryRaw<{ number: number; revisionId: string }[]>(
    sql`update "Space" set "lastChangeRequestNumber" = "lastChangeRequestNumber" + 1
      where id = ${spaceId} and "organizationId" = ${organizationId} and "deletedAt" is null
      returning "lastChangeRequestNumber" as number, "revisionId"`,
  );
  if (!next) throw notFound("space");
  const { number } = next;
  const { revisionId = next.revisionId } = from;
  const id = newId("ChangeRequest");
  const payload = { number, subject, agentTaskId: agentTaskId ?? null };
  const made = { createdById, createdAt: now, updatedAt: now };
  const revisions = { revisionId, revisionInitialId: revisionId };
  await transaction.changeRequest.create({ data: { id, spaceId, ...payload, ...made, ...revisions } });
  return {
    id,
    number,
    events: [{ type: changeRequestEvents.created, subjectId: id, organizationId, spaceId, payload }],
  };
}

type ChangeRequestUpdate = { readonly changeRequestId: string } & Optional<{ subject: string; status: SettableStatus }>;

type SettableStatus = Exclude<ChangeRequestStatus, "merged">;

/** Throws NOT_FOUND, INVALID_INPUT for null or a subject that is too long, CONFLICT if it is merged. */
export async function updateChangeRequest(context: Context, input: ChangeRequestUpdate): Promise<{ id: string }> {
  const loaded = await loadChangeRequest(context, input.changeRequestId);
  const { changeRequestId: id, space } = loaded;
  const data = given({
    subject: ifGiven("subject", input.subject, checkSubject),
    status: ifGiven("status", input.status, (status) => status),
  });
  if (Object.keys(data).length === 0) {
    await requireAllowed(context, mayUpdateChangeRequest, loaded);
    return { id };
  }
  const { organizationId } = space;
  return changeIfAny(context, mayUpdateChangeRequest, loaded, async (transaction) => {
    const [before] = await transaction.$queryRaw<Updatable[]>(
      sql`select c.number, c.subject, c.status::text from "ChangeRequest" c join "Space" s on s.id = c."spaceId"
        where c.id = ${id} and s."organizationId" = ${organizationId} and s."deletedAt" is null for update of c`,
    );
    if (!before) throw notFound("change request");
    if (before.status === "merged")
      throw new DomainError("CONFLICT", "This change request is merged and can no longer be changed.");
    const happened = changesOf(before, { ...before, ...data });
    const updated = { ...data, updatedAt: context.clock.now() };
    if (happened.length > 0)
      await transaction.changeRequest.update({ where: { id }, data: updated, select: { id: true } });
    const ids = { subjectId: id, organizationId, spaceId: space.id };
    return { result: { id }, events: happened.map((what) => ({ ...ids, ...what })) };
  });
}

type Updatable = Pick<ChangeRequestModel, "number" | "subject" | "status">;

function changesOf(before: Updatable, { number, subject, status }: Updatable) {
  const isOther = { subject: before.subject !== subject, status: before.status !== status };
  const { subject: subjectBefore, status: statusBefore } = before;
  return [
    ...(isOther.subject ? [{ type: changeRequestEvents.updated, payload: { subjectBefore, subject } }] : []),
    ...(isOther.status ? [{ type: changeRequestEvents.statusChanged, payload: { statusBefore, status } }] : []),
    ...(isOther.status && status === "open"
      ? [{ type: changeRequestEvents.opened, payload: { number, subject, statusBefore } }]
      : []),
  ];
}
