// The users of a SAML provider: created as members at their first sign-in, and the same at every later one.
import { newId } from "#src/base/ids.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { DomainEvent } from "#src/events/event.ts";
import type { ProviderInUse } from "#src/features/saml/reads.ts";
import { samlMemberEvents } from "#src/features/saml/events.ts";
import type { SignedIn } from "#src/features/saml/model/assertion.ts";
import { teamEvents } from "#src/features/teams/events.ts";
import { userEvents } from "#src/features/users/events.ts";

/** A user, and the events that made them one. */
interface Arrived {
  readonly userId: string;
  readonly isSwitchedOff: boolean;
  readonly events: readonly DomainEvent[];
}

/** The user whom the provider names: known by that name, by an e-mail address of a verified domain, or a new one. */
export async function provideMember(
  transaction: Transaction,
  provider: ProviderInUse,
  person: SignedIn,
  now: Date,
): Promise<Arrived> {
  const { id: providerId, organizationId } = provider;
  const key = { providerId_nameId: { providerId, nameId: person.nameId } };
  const known = await transaction.samlIdentity.findUnique({ where: key, select: { userId: true } });
  const userId = known?.userId ?? (await provideUser(transaction, organizationId, person, now));
  const seen = { lastSignInAt: now };
  const identity = { providerId, nameId: person.nameId, userId, createdAt: now, ...seen };
  await transaction.samlIdentity.upsert({ where: key, create: identity, update: seen });
  const where = { organizationId_userId: { organizationId, userId } };
  const member = await transaction.organizationMember.findUnique({ where, select: { disabled: true } });
  if (member?.disabled) return { userId, isSwitchedOff: true, events: [] };
  const renamed = known ? await updateName(transaction, { userId, organizationId, name: person.displayName }) : [];
  const joined = member ? [] : await join(transaction, provider, userId, now);
  return { userId, isSwitchedOff: false, events: [...renamed, ...joined] };
}

/**
 * Links an address of a verified domain of the organization to its user, if they are already a member: no
 * provider vouches for outsiders. Otherwise the user gets an address that cannot receive e-mail. FORBIDDEN for a
 * user who is not a member.
 */
async function provideUser(
  transaction: Transaction,
  organizationId: string,
  { email, displayName, nameId }: SignedIn,
  createdAt: Date,
): Promise<string> {
  const id = newId("User");
  const [own] = await transaction.$queryRaw<object[]>`
    select domain from "EmailDomain" where "organizationId" = ${organizationId} and "verifiedDomain" = split_part(${email ?? ""}, '@', 2)`;
  const address = own && email !== null ? email : `${id}@saml.invalid`;
  const name = displayName ?? (own && email !== null ? (email.split("@")[0] ?? "") : nameId.slice(0, 255));
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
async function updateName(
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

async function join(
  transaction: Transaction,
  { id: samlProviderId, organizationId, defaultRole: role, defaultTeamId: teamId }: ProviderInUse,
  userId: string,
  now: Date,
): Promise<DomainEvent[]> {
  const id = newId("OrganizationMember");
  const member = { id, organizationId, userId, role, sso: true, joinedAt: now };
  await transaction.organizationMember.create({ data: member });
  const payload = { userId, role, samlProviderId };
  const joined: DomainEvent = { type: samlMemberEvents.joined, subjectId: id, organizationId, payload };
  const team =
    teamId && (await transaction.team.findFirst({ where: { id: teamId, organizationId }, select: { id: true } }));
  if (!team) return [joined];
  const inTeam = { id: newId("TeamMember"), teamId: team.id, organizationId, userId, createdAt: now };
  await transaction.teamMember.create({ data: inTeam });
  const facts = { teamId: team.id, userId, teamRoleBefore: null, teamRole: "member" };
  return [joined, { type: teamEvents.memberSet, subjectId: inTeam.id, organizationId, payload: facts }];
}
