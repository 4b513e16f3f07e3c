// The commands that add, change and remove members; they ensure that an organization keeps an active admin.
import { DomainError, found, notFound } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { type Database, sql } from "#src/db/connection/database.ts";
import { project } from "#src/db/reading/entity.ts";
import {
  change,
  changeIfAny,
  type Deleted,
  deleteIfThere,
  requireAllowed,
  type Transaction,
} from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { checkEmail, given, ifGiven, type Optional } from "#src/domain/input.ts";
import { mayInviteMember, mayRemoveMember, maySetMemberSso, mayUpdateMember } from "#src/features/members/access.ts";
import { enumValue, settingChanges } from "#src/events/event.ts";
import { memberEvents } from "#src/features/members/events.ts";
import { findOwnMembership, membersIn, type OrganizationMemberRow } from "#src/features/members/reads.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

/** Adds an e-mail address as a member without an invitation; only for the command line. Creates missing users. */
export async function addMember(
  context: Context,
  input: { organizationId: string; email: string; role?: Role | null | undefined },
): Promise<{ id: string }> {
  const organization = await context.reader.found(organizations, input.organizationId, project(["defaultRole"]));
  const { email, local: displayName } = checkEmail("email", input.email);
  const role = input.role === undefined ? organization.defaultRole : input.role;
  const organizationId = organization.id;
  const now = context.clock.now();
  return change(context, mayInviteMember, { organizationId }, async (transaction) => {
    // Concurrent calls may add the same new address, in any organizations: the first one creates the user.
    const user = { id: newId("User"), email, displayName, createdAt: now };
    await transaction.user.createMany({ data: [user], skipDuplicates: true });
    const { id: userId } = await transaction.user.findUniqueOrThrow({ where: { email }, select: { id: true } });
    const id = newId("OrganizationMember");
    const member = { id, organizationId, userId, role, joinedAt: now };
    const { count } = await transaction.organizationMember.createMany({ data: [member], skipDuplicates: true });
    if (count === 0) throw new DomainError("CONFLICT", `${email} already belongs to the organization.`);
    const event = { type: memberEvents.invited, subjectId: id, organizationId, payload: { userId, role } };
    return { result: { id }, events: [event] };
  });
}

type MemberPlace = { readonly organizationId: string; readonly userId: string };

const owned = project(["organizationId", "userId"]);

/** The membership that the input names, or null. NOT_FOUND if the viewer does not see the organization. */
async function loadMember(
  context: Context,
  { organizationId, userId }: MemberPlace,
): Promise<OrganizationMemberRow | null> {
  await context.reader.found(organizations, organizationId, project([]));
  return context.reader.pick(membersIn, { id: organizationId }, { key: { userId }, projection: owned });
}

/** CONFLICT for the last active admin. Locks the organization, so that two admins cannot remove each other. */
async function requireOtherAdmin(
  transaction: Transaction,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<void> {
  await transaction.$queryRaw`select id from "Organization" where id = ${organizationId} for no key update`;
  // Without `order by`, which would make the database scan all members in that order.
  const [admin, another] = await transaction.$queryRaw<{ id: string }[]>`
    select id from "OrganizationMember" where "organizationId" = ${organizationId} and role = 'admin' and not disabled limit 2`;
  if (admin?.id === id && !another)
    throw new DomainError(
      "CONFLICT",
      "This is the last active admin of the organization. Make another member an admin first.",
    );
}

/** Changes role (null makes a guest), `disabled` and `sso`. CONFLICT if no active admin would remain. */
export async function updateMember(
  context: Context,
  input: MemberPlace & Optional<{ role: Role; disabled: boolean; sso: boolean }>,
): Promise<{ id: string }> {
  const member = found(await loadMember(context, input), "member");
  const { id, organizationId, userId } = member;
  const data = given({
    role: input.role,
    disabled: ifGiven("disabled", input.disabled, (disabled) => disabled),
    sso: ifGiven("sso", input.sso, (sso) => sso),
  });
  if (Object.keys(data).length === 0) {
    await requireAllowed(context, mayUpdateMember, member);
    return { id };
  }
  return changeIfAny(context, mayUpdateMember, member, async (transaction) => {
    if (data.disabled || (data.role !== undefined && data.role !== "admin"))
      await requireOtherAdmin(transaction, member);
    const [before] = await transaction.$queryRaw<Pick<OrganizationMemberRow, "role" | "disabled" | "sso">[]>`
      select role::text, disabled, sso from "OrganizationMember" where id = ${id} for no key update`;
    if (!before) throw notFound("member"); // removed after it was read
    const changes = settingChanges(before, data, { role: ["role", enumValue], disabled: "disabled", sso: "sso" });
    if (changes.length === 0) return { result: { id }, events: [] };
    const { role } = await transaction.organizationMember.update({ where: { id }, data, select: { role: true } });
    const payload = { userId, roleBefore: before.role, role, changes };
    return { result: { id }, events: [{ type: memberEvents.updated, subjectId: id, organizationId, payload }] };
  });
}

export async function setMemberSso(context: Context, input: MemberPlace): Promise<{ id: string }> {
  const member = found(await loadMember(context, input), "member");
  const { id, organizationId, userId } = member;
  return change(context, maySetMemberSso, member, async (transaction) => {
    const { count } = await transaction.organizationMember.updateMany({ where: { id }, data: { sso: true } });
    if (count === 0) throw notFound("member"); // removed after it was read
    const event = { type: memberEvents.ssoSet, subjectId: id, organizationId, payload: { userId } };
    return { result: { id }, events: [event] };
  });
}

/** Viewers may also leave an organization closed by single sign-on. CONFLICT for the last active admin. */
export async function removeMember(context: Context, input: MemberPlace): Promise<Deleted> {
  const isOwn = input.userId === context.viewer.userId;
  const own = isOwn ? await findOwnMembership(context, input.organizationId) : null;
  const member = own ?? (await loadMember(context, input));
  if (!member) return { deletedId: null };
  const { id, organizationId, userId } = member;
  return deleteIfThere(context, mayRemoveMember, member, async (transaction) => {
    await requireOtherAdmin(transaction, member);
    const [removed] = await transaction.$queryRaw<{ role: Role | null }[]>`
      delete from "OrganizationMember" where id = ${id} returning role::text`;
    return removed
      ? { type: memberEvents.removed, subjectId: id, organizationId, payload: { userId, role: removed.role } }
      : null;
  });
}

/** Sums the partial counts of members into one row per kind; skips rows locked by another process. */
export async function sumUpMemberCounts({ query }: Pick<Database, "query">): Promise<void> {
  await query(sql`with parts as (select c.id from "MemberCount" c where c."organizationId" in (
      select o."organizationId" from "MemberCount" o group by o."organizationId", o.role, o.disabled, o.seen having count(*) > 1)
      for update skip locked),
    removed as (delete from "MemberCount" c using parts where c.id = parts.id returning c.*)
    insert into "MemberCount" ("organizationId", role, disabled, seen, count)
    select "organizationId", role, disabled, seen, sum(count) from removed group by 1, 2, 3, 4 having sum(count) <> 0`);
}
