// The commands that create, change, use and delete invite links.
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

/** INVALID_INPUT for a past time or an unlimited admin link ({@link checkEnd}), CONFLICT if invite links are off. */
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
      throw new DomainError("CONFLICT", "Invite links are turned off in this organization. An admin can turn them on.");
    const key = randomBytes(24).toString("base64url");
    const createdById = context.viewer.userId;
    const data = { id, organizationId, role: input.role ?? null, key, createdById, createdAt, expiresAt };
    await transaction.inviteLink.create({ data });
    const payload = { role: data.role, expiresAt: expiresAt?.toISOString() ?? null };
    return { result: { id }, events: [{ type: inviteLinkEvents.created, subjectId: id, organizationId, payload }] };
  });
}

/** An admin link is a credential: INVALID_INPUT if it has no expiry, or outlives the token that creates it. */
function checkEnd(
  { viewer }: Pick<Context, "viewer">,
  { role, expiresAt }: { readonly role: Role | null; readonly expiresAt: Date | null },
): void {
  if (role !== "admin") return;
  if (expiresAt === null) throw invalidInput("expiresAt", "is required for a link with the role ADMIN.");
  if (!isIdOf("ApiToken", viewer.tokenId) || viewer.expiresAt === null) return; // sessions belong to persons
  if (expiresAt > new Date(viewer.expiresAt))
    throw invalidInput(
      "expiresAt",
      `must not be later than the expiry of your token (${viewer.expiresAt}) for the role ADMIN.`,
    );
}

/** Changes the role and expiry of a link; null means guests, and no expiry. Throws like {@link createInviteLink}. */
export async function updateInviteLink(
  context: Context,
  input: { inviteLinkId: string } & Optional<{ role: Role; expiresAt: Date }>,
): Promise<{ id: string }> {
  const link = await context.reader.found(inviteLinks, input.inviteLinkId, project(["organizationId"]));
  const { id, organizationId } = link;
  const around = context.path?.["organizationId"];
  if (around !== undefined && around !== organizationId) throw notFound("invite link");
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

/** Without the secret key. */
const auditedColumns = {
  role: ["role", enumValue],
  expiresAt: ["expiresAt", (instant: Date | null) => instant?.toISOString() ?? null],
} as const;

/** Whether the organization has invite links turned on. Locks the setting until the commit. */
async function areLinksOn(transaction: Transaction, organizationId: string): Promise<boolean> {
  const on = await transaction.$queryRaw<object[]>`
    select id from "Organization" where id = ${organizationId} and "inviteLinks" for share`;
  return on.length > 0;
}

/** NOT_FOUND for an unknown or expired key, or if links are off; FORBIDDEN for a disabled membership. */
export async function useInviteLink(context: Context, key: string): Promise<{ organizationId: string }> {
  const invitation = found(await findInvitation(context, key), "invite link");
  const { id, organizationId, membership } = invitation;
  await requireAllowed(context, mayUseInviteLink, membership);
  if (!membership) return join(context, id, organizationId);
  await renewViewer(context); // they may have joined after their permissions were read
  return { organizationId };
}

/** Inserts the membership; users who joined concurrently by another way keep that role. */
function join(context: Context, id: string, organizationId: string): Promise<{ organizationId: string }> {
  const { userId } = context.viewer;
  const joinedAt = context.clock.now();
  const memberId = newId("OrganizationMember");
  return change(context, mayUseInviteLink, null, async (transaction) => {
    const role = await lockLink(transaction, id, joinedAt);
    const data = { id: memberId, organizationId, userId, role, joinedAt };
    const { count } = await transaction.organizationMember.createMany({ data: [data], skipDuplicates: true });
    const used = { type: inviteLinkEvents.used, subjectId: id, organizationId, payload: { userId } };
    const payload = { userId, role, inviteLinkId: id };
    const joined = { type: joinEvents.joined, subjectId: memberId, organizationId, payload };
    return { result: { organizationId }, events: count > 0 ? [used, joined] : [used] };
  });
}

/** The role of the link, which is locked until the commit. NOT_FOUND if it was deleted or has expired. */
async function lockLink(transaction: Transaction, id: string, now: Date): Promise<Role | null> {
  const [link] = await transaction.$queryRaw<{ role: Role | null }[]>`
    select l.role::text from "InviteLink" l join "Organization" o on o.id = l."organizationId"
    where l.id = ${id} and o."inviteLinks" and (l."expiresAt" is null or l."expiresAt" > ${now}) for share`;
  if (!link) throw notFound("invite link");
  return link.role;
}

/** Deletes a link; users who joined by it stay. FORBIDDEN unless the viewer is an admin, even if it does not exist. */
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
