// Changing and removing members, so that an organization always keeps an admin.
import { DomainError, found, notFound } from "#src/base/errors.ts";
import { want } from "#src/db/entity.ts";
import { change, deleteIfThere, requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { mayRemoveMember, maySetMemberSso, mayUpdateMember } from "#src/features/members/access.ts";
import { memberEvents } from "#src/features/members/events.ts";
import { membersIn, type OrganizationMemberRow } from "#src/features/members/reads/member.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

/** How an input says which member it means. */
interface MemberPlace {
  readonly organizationId: string;
  readonly userId: string;
}

const owned = want(["organizationId", "userId"]);

/** The membership that the input means, or null. NOT_FOUND when the viewer does not see the organization. */
async function findMemberInHand(
  context: Context,
  { organizationId, userId }: MemberPlace,
): Promise<OrganizationMemberRow | null> {
  await context.reader.found(organizations, organizationId, want([]));
  return context.reader.pick(membersIn, { id: organizationId }, { key: { userId }, wanted: owned });
}

/**
 * Throws CONFLICT when this member is the only active admin of the organization.
 * Holds the organization until the transaction ends, so that of two admins who remove each other only one does.
 */
async function requireOtherAdmin(
  transaction: Transaction,
  { id, organizationId }: { id: string; organizationId: string },
): Promise<void> {
  await transaction.$queryRaw`select id from "Organization" where id = ${organizationId} for no key update`;
  const [admin, another] = await transaction.organizationMember.findMany({
    where: { organizationId, role: "admin", disabled: false },
    select: { id: true },
    take: 2,
  });
  if (admin?.id === id && !another)
    throw new DomainError("CONFLICT", "This is the last admin of the organization: make somebody else an admin first.");
}

/**
 * Gives a member another role, null to make them a guest; without a role nothing changes.
 * CONFLICT when it would lower the last active admin.
 */
export async function updateMember(
  context: Context,
  input: MemberPlace & { role?: Role | null | undefined },
): Promise<{ id: string }> {
  const member = found(await findMemberInHand(context, input), "member");
  const { id, organizationId, userId } = member;
  const { role } = input;
  if (role === undefined) {
    await requireAllowed(context, mayUpdateMember, member);
    return { id };
  }
  return change(context, mayUpdateMember, member, async (transaction) => {
    if (role !== "admin") await requireOtherAdmin(transaction, member);
    const { count } = await transaction.organizationMember.updateMany({ where: { id }, data: { role } });
    if (count === 0) throw notFound("member"); // removed since it was read
    return {
      result: { id },
      events: [{ type: memberEvents.updated, subjectId: id, organizationId, payload: { userId } }],
    };
  });
}

/** Makes a member sign in through single sign-on; doing it again changes nothing. */
export async function setMemberSso(context: Context, input: MemberPlace): Promise<{ id: string }> {
  const member = found(await findMemberInHand(context, input), "member");
  const { id, organizationId, userId } = member;
  return change(context, maySetMemberSso, member, async (transaction) => {
    const { count } = await transaction.organizationMember.updateMany({ where: { id }, data: { sso: true } });
    if (count === 0) throw notFound("member"); // removed since it was read
    return {
      result: { id },
      events: [{ type: memberEvents.ssoSet, subjectId: id, organizationId, payload: { userId } }],
    };
  });
}

/**
 * Removes somebody from the organization, from its teams, and from what is granted to them in it; what they wrote
 * stays. Answers whether they were in it. Everybody may remove themselves. CONFLICT for the last active admin.
 */
export async function removeMember(context: Context, input: MemberPlace): Promise<{ deleted: boolean }> {
  const member = await findMemberInHand(context, input);
  if (!member) return { deleted: false };
  const { id, organizationId, userId } = member;
  return deleteIfThere(context, mayRemoveMember, member, async (transaction) => {
    await requireOtherAdmin(transaction, member);
    const { count } = await transaction.organizationMember.deleteMany({ where: { id } });
    return count === 0 ? null : { type: memberEvents.removed, subjectId: id, organizationId, payload: { userId } };
  });
}
