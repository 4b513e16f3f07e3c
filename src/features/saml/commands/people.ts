// Users and members that single sign-on makes, by any protocol: at the first sign-in, and what changes at later ones.
import { newId } from "#src/base/ids.ts";
import { DomainError, invalidInput } from "#src/base/errors.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { teamEvents } from "#src/features/teams/events.ts";
import { userEvents } from "#src/features/users/events.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

/** The address of a person, if it is one of a verified domain of the organization. */
export async function ownEmail(
  transaction: Transaction,
  organizationId: string,
  email: string | null,
): Promise<string | null> {
  const [own] = await transaction.$queryRaw<object[]>`
    select domain from "EmailDomain" where "organizationId" = ${organizationId} and "verifiedDomain" = split_part(${email ?? ""}, '@', 2)`;
  return own ? email : null;
}

interface Newcomer {
  /** Of a verified domain of the organization; null without one. */
  readonly email: string | null;
  readonly displayName: string | null;
  /** Shown without a name and an address. */
  readonly otherwise: string;
  /** The domain below `.invalid` of the address of a user without one. */
  readonly protocol: "saml" | "oidc";
}

/**
 * Links an address, which is of a verified domain of the organization, to its user, if they are already a member: no
 * provider vouches for outsiders. Otherwise the user gets an address that cannot receive e-mail. FORBIDDEN for a
 * user who is not a member.
 */
export async function provideUser(
  transaction: Transaction,
  organizationId: string,
  { email, displayName, otherwise, protocol }: Newcomer,
  createdAt: Date,
): Promise<string> {
  const id = newId("User");
  const address = email ?? `${id}@${protocol}.invalid`;
  const name = displayName ?? (email !== null ? (email.split("@")[0] ?? "") : otherwise.slice(0, 255));
  const user = { id, email: address, displayName: name, createdAt };
  await transaction.user.createMany({ data: [user], skipDuplicates: true });
  const found = await transaction.user.findUniqueOrThrow({ where: { email: address }, select: { id: true } });
  const where = { organizationId, userId: found.id };
  if (found.id !== id && (await transaction.organizationMember.count({ where })) === 0)
    throw new DomainError("FORBIDDEN", notMember);
  return found.id;
}

const notMember =
  "Your e-mail address belongs to a user who is not in this organization. If that is you, ask its admins to invite you, accept the invitation, and sign in again.";

/** Updates the name, except for users who are in other organizations, too. */
export async function updateName(
  transaction: Transaction,
  { userId, organizationId, name }: { userId: string; organizationId: string; name: string | null },
): Promise<DomainEvent[]> {
  if (name === null) return [];
  const [changed] = await transaction.$queryRaw<{ before: string }[]>`
    with u as (select id, "displayName" from "User" where id = ${userId} for no key update)
    update "User" t set "displayName" = ${name} from u where t.id = u.id and u."displayName" <> ${name} and not exists (
      select from "OrganizationMember" m where m."userId" = u.id and m."organizationId" <> ${organizationId})
    returning u."displayName" as before`;
  if (!changed) return [];
  const changes = [{ field: "displayName", before: changed.before, after: name }];
  return [{ type: userEvents.updated, subjectId: userId, payload: { changes } }];
}

export interface Joining {
  readonly organizationId: string;
  readonly role: Role | null;
  readonly teamId: string | null;
  /** The event of the new member, whose id it is about. */
  readonly joined: (memberId: string) => DomainEvent;
}

/** Makes a user a member, and of the team if it still exists. */
export async function joinOrganization(
  transaction: Transaction,
  { organizationId, role, teamId, joined: eventOf }: Joining,
  userId: string,
  now: Date,
): Promise<DomainEvent[]> {
  const id = newId("OrganizationMember");
  const member = { id, organizationId, userId, role, sso: true, joinedAt: now };
  await transaction.organizationMember.create({ data: member });
  const joined = eventOf(id);
  const team =
    teamId && (await transaction.team.findFirst({ where: { id: teamId, organizationId }, select: { id: true } }));
  if (!team) return [joined];
  const inTeam = { id: newId("TeamMember"), teamId: team.id, organizationId, userId, createdAt: now };
  await transaction.teamMember.create({ data: inTeam });
  const facts = { teamId: team.id, userId, teamRoleBefore: null, teamRole: "member" };
  return [joined, { type: teamEvents.memberSet, subjectId: inTeam.id, organizationId, payload: facts }];
}

/** Locks the team until the commit. INVALID_INPUT unless it belongs to the organization. */
export async function keepTeam(transaction: Transaction, organizationId: string, teamId: string | null | undefined) {
  if (teamId == null) return;
  const rows = await transaction.$queryRaw<object[]>`
    select id from "Team" where id = ${teamId} and "organizationId" = ${organizationId} for key share`;
  if (rows.length === 0) throw invalidInput("defaultTeamId", "must be the id of a team of the organization.");
}
