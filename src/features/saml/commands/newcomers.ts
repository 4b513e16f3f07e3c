// The users of a SAML provider: created as members at their first sign-in, and the same at every later one.
import type { Transaction } from "#src/domain/change.ts";
import type { DomainEvent } from "#src/events/event.ts";
import type { ProviderInUse } from "#src/features/saml/reads.ts";
import { joinOrganization, ownEmail, provideUser, updateName } from "#src/features/saml/commands/people.ts";
import { samlMemberEvents } from "#src/features/saml/events.ts";
import type { SignedIn } from "#src/features/saml/model/assertion.ts";
import { nameRefusals } from "#src/features/saml/model/person.ts";
import { SamlError } from "#src/features/saml/model/xml.ts";

/** A user, and the events that made them one. */
interface Arrived {
  readonly userId: string;
  readonly isSwitchedOff: boolean;
  readonly events: readonly DomainEvent[];
}

/**
 * The user whom the provider names: known by that name, by an e-mail address of a verified domain, or a new one. Throws
 * a {@link SamlError} if neither would be the same at the next sign-in.
 */
export async function provideMember(
  transaction: Transaction,
  provider: ProviderInUse,
  person: SignedIn,
  now: Date,
): Promise<Arrived> {
  const { id: providerId, organizationId } = provider;
  const { key } = person;
  const keyed = key === null ? null : await findIdentity(transaction, providerId, { ...person, key });
  const email = keyed ? null : await ownEmail(transaction, organizationId, person.email);
  const named = key ?? email;
  if (named === null) throw new SamlError(nameRefusals.once);
  const known = key === null ? await findIdentity(transaction, providerId, { ...person, key: named }) : keyed;
  const { displayName, ignoresCase } = person;
  const newcomer = { email, displayName, otherwise: ignoresCase ? person.nameId : named, protocol: "saml" } as const;
  const userId = known?.userId ?? (await provideUser(transaction, organizationId, newcomer, now));
  const nameId = known?.nameId ?? named;
  const seen = { lastSignInAt: now };
  await transaction.samlIdentity.upsert({
    where: { providerId_nameId: { providerId, nameId } },
    create: { providerId, nameId, userId, createdAt: now, ...seen },
    update: seen,
  });
  const where = { organizationId_userId: { organizationId, userId } };
  const member = await transaction.organizationMember.findUnique({ where, select: { disabled: true } });
  if (member?.disabled) return { userId, isSwitchedOff: true, events: [] };
  const renamed = known ? await updateName(transaction, { userId, organizationId, name: person.displayName }) : [];
  const joining = { organizationId, role: provider.defaultRole, teamId: provider.defaultTeamId };
  const joined = member
    ? []
    : await joinOrganization(
        transaction,
        { ...joining, joined: (id) => joinedEvent(provider, id, userId) },
        userId,
        now,
      );
  return { userId, isSwitchedOff: false, events: [...renamed, ...joined] };
}

type Named = SignedIn & { readonly key: string };

/** The identity of a key. Identities from before keys were compared without case may have other letters. */
async function findIdentity(transaction: Transaction, providerId: string, { key, ignoresCase }: Named) {
  const select = { userId: true, nameId: true };
  const where = { providerId_nameId: { providerId, nameId: key } };
  const known = await transaction.samlIdentity.findUnique({ where, select });
  if (known || !ignoresCase) return known;
  const [similar] = await transaction.$queryRaw<{ userId: string; nameId: string }[]>`
    select "userId", "nameId" from "SamlIdentity" where "providerId" = ${providerId} and lower("nameId") = ${key}
    order by "lastSignInAt" desc limit 1`;
  return similar ?? null;
}

const joinedEvent = (
  { id: samlProviderId, organizationId, defaultRole: role }: ProviderInUse,
  subjectId: string,
  userId: string,
): DomainEvent => ({
  type: samlMemberEvents.joined,
  subjectId,
  organizationId,
  payload: { userId, role, samlProviderId },
});
