// Creating, changing, using and deleting invite links.
import { randomBytes } from "node:crypto";
import { DomainError, found, invalidInput, notFound } from "#src/base/errors.ts";
import { isIdOf, newId } from "#src/base/ids.ts";
import { project } from "#src/db/reading/entity.ts";
import {
  change,
  changeIfAny,
  type Deleted,
  deleteIfThere,
  requireAllowed,
  type Transaction,
} from "#src/domain/change.ts";
import { type Context, renewViewer } from "#src/domain/context.ts";
import { checkFuture, given, type Optional } from "#src/domain/input.ts";
import { settingChanges, enumValue } from "#src/events/event.ts";
import {
  mayCreateInviteLink,
  mayDeleteInviteLink,
  mayUpdateInviteLink,
  mayUseInviteLink,
} from "#src/features/invite-links/access.ts";
import { inviteLinkEvents, joinEvents } from "#src/features/invite-links/events.ts";
import { findInvitation, inviteLinks } from "#src/features/invite-links/reads.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

/** INVALID_INPUT for a past time and an endless admin link ({@link checkEnd}), CONFLICT where invite links are off. */
export async function createInviteLink(
  context: Context,
  input: { organizationId: string; role?: Role | null | undefined; expiresAt?: Date | null | undefined },
): Promise<{ id: string }> {
  const { organizationId } = input;
  await context.reader.found(organizations, organizationId, project([]));
  await requireAllowed(context, mayCreateInviteLink, { organizationId });
  const createdAt = context.clock.now();
  const expiresAt = input.expiresAt ? checkFuture("expiresAt", input.expiresAt, createdAt) : null;
  checkEnd(context, { role: input.role ?? null, expiresAt });
  const id = newId("InviteLink");
  return change(context, mayCreateInviteLink, { organizationId }, async (transaction) => {
    if (!(await areLinksOn(transaction, organizationId)))
      throw new DomainError("CONFLICT", "Invite links are turned off in this organization: an admin can turn them on.");
    const key = randomBytes(24).toString("base64url");
    const createdById = context.viewer.userId;
    const data = { id, organizationId, role: input.role ?? null, key, createdById, createdAt, expiresAt };
    await transaction.inviteLink.create({ data });
    const payload = { role: data.role, expiresAt: expiresAt?.toISOString() ?? null };
    return { result: { id }, events: [{ type: inviteLinkEvents.created, subjectId: id, organizationId, payload }] };
  });
}

/** INVALID_INPUT for an admin link without an end, or that outlasts the token that makes it: it is a credential. */
function checkEnd(
  { viewer }: Pick<Context, "viewer">,
  { role, expiresAt }: { readonly role: Role | null; readonly expiresAt: Date | null },
): void {
  if (role !== "admin") return;
  if (expiresAt === null) throw invalidInput("expiresAt", "must be set for a link with the role ADMIN.");
  if (!isIdOf("ApiToken", viewer.tokenId) || viewer.expiresAt === null) return; // a person is behind a session
  if (expiresAt > new Date(viewer.expiresAt))
    throw invalidInput(
      "expiresAt",
      `must be no later than the end of your token (${viewer.expiresAt}) for the role ADMIN.`,
    );
}

/** Changes the role and expiry of a link; null makes guests, and a link that never expires. Errors as in creation. */
export async function updateInviteLink(
  context: Context,
  input: { inviteLinkId: string } & Optional<{ role: Role; expiresAt: Date }>,
): Promise<{ id: string }> {
  const link = await context.reader.found(inviteLinks, input.inviteLinkId, project(["organizationId"]));
  const { id, organizationId } = link;
  const expiresAt = input.expiresAt && checkFuture("expiresAt", input.expiresAt, context.clock.now());
  const data = given({ role: input.role, expiresAt });
  if (Object.keys(data).length === 0) {
    await requireAllowed(context, mayUpdateInviteLink, link);
    return { id };
  }
  return changeIfAny(context, mayUpdateInviteLink, link, async (transaction) => {
    await transaction.$queryRaw`select from "InviteLink" where id = ${id} for update`;
    const before = await transaction.inviteLink.findUnique({ where: { id }, omit: { key: true } });
    if (!before) throw notFound("invite link"); // deleted since it was read
    const changes = settingChanges(before, data, auditedColumns);
    if (changes.length === 0) return { result: { id }, events: [] };
    checkEnd(context, { ...before, ...data });
    await transaction.inviteLink.update({ where: { id }, data });
    const event = { type: inviteLinkEvents.updated, subjectId: id, organizationId, payload: { changes } };
    return { result: { id }, events: [event] };
  });
}

/** The key is not among them. */
const auditedColumns = {
  role: ["role", enumValue],
  expiresAt: ["expiresAt", (instant: Date | null) => instant?.toISOString() ?? null],
} as const;

/** Whether the organization has invite links on. Nobody can change that before the commit. */
async function areLinksOn(transaction: Transaction, organizationId: string): Promise<boolean> {
  const on = await transaction.$queryRaw<object[]>`
    select id from "Organization" where id = ${organizationId} and "inviteLinks" for share`;
  return on.length > 0;
}

/** NOT_FOUND for an unknown or expired key and where links are off, FORBIDDEN for a membership that is switched off. */
export async function useInviteLink(context: Context, key: string): Promise<{ organizationId: string }> {
  const invitation = found(await findInvitation(context, key), "invite link");
  const { id, organizationId, membership } = invitation;
  await requireAllowed(context, mayUseInviteLink, membership);
  if (!membership) return join(context, id, organizationId);
  await renewViewer(context); // they may have joined since their rights were read
  return { organizationId };
}

/** Inserts the membership; those who joined by another way at the same time keep the role that they got there. */
function join(context: Context, id: string, organizationId: string): Promise<{ organizationId: string }> {
  const { userId } = context.viewer;
  const joinedAt = context.clock.now();
  const memberId = newId("OrganizationMember");
  return change(context, mayUseInviteLink, null, async (transaction) => {
    const role = await keepLink(transaction, id, joinedAt);
    const data = { id: memberId, organizationId, userId, role, joinedAt };
    const { count } = await transaction.organizationMember.createMany({ data: [data], skipDuplicates: true });
    const used = { type: inviteLinkEvents.used, subjectId: id, organizationId, payload: { userId } };
    const payload = { userId, role, inviteLinkId: id };
    const joined = { type: joinEvents.joined, subjectId: memberId, organizationId, payload };
    return { result: { organizationId }, events: count > 0 ? [used, joined] : [used] };
  });
}

/** The role of the link, which stays as it is until the commit. NOT_FOUND when it is deleted or expired by now. */
async function keepLink(transaction: Transaction, id: string, now: Date): Promise<Role | null> {
  const [link] = await transaction.$queryRaw<{ role: Role | null }[]>`
    select l.role::text from "InviteLink" l join "Organization" o on o.id = l."organizationId"
    where l.id = ${id} and o."inviteLinks" and (l."expiresAt" is null or l."expiresAt" > ${now}) for share`;
  if (!link) throw notFound("invite link");
  return link.role;
}

/** Deletes a link; those who joined by it stay. FORBIDDEN for those who are not admins, whether it exists or not. */
export async function deleteInviteLink(
  context: Context,
  { organizationId, inviteLinkId }: { organizationId: string; inviteLinkId: string },
): Promise<Deleted> {
  await context.reader.found(organizations, organizationId, project([]));
  await requireAllowed(context, mayDeleteInviteLink, { organizationId });
  const link = await context.reader.row(inviteLinks, inviteLinkId, project(["organizationId"]));
  if (link?.organizationId !== organizationId) return { deletedId: null };
  const { id } = link;
  return deleteIfThere(context, mayDeleteInviteLink, { organizationId }, async (transaction) => {
    const [deleted] = await transaction.$queryRaw<{ role: Role | null }[]>`
      delete from "InviteLink" where id = ${id} returning role::text`;
    return deleted ? { type: inviteLinkEvents.deleted, subjectId: id, organizationId, payload: deleted } : null;
  });
}
