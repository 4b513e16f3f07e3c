// The users of an OpenID provider: created at their first sign-in, and the same at every later one, by their subject.
import { newId } from "#src/base/ids.ts";
import { takeAdvisoryLock } from "#src/domain/advisory-lock.ts";
import type { Transaction } from "#src/domain/change.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { oidcMemberEvents, oidcProviderEvents } from "#src/features/oidc/events.ts";
import { OidcError } from "#src/features/oidc/commands/errors.ts";
import type { OidcPerson } from "#src/features/oidc/model/person.ts";
import type { ProviderInUse } from "#src/features/oidc/reads.ts";
import { joinOrganization, ownEmail, provideUser, updateName } from "#src/features/saml/commands/people.ts";

type OfOrganization = ProviderInUse & { readonly of: NonNullable<ProviderInUse["of"]> };

/**
 * Serializes the sign-ins by a provider, and returns the event of the first one. Throws an {@link OidcError} if it
 * became another provider since it was read: the subject of one is somebody else at another.
 */
export async function activate(
  transaction: Transaction,
  { id, label, issuer, clientId }: ProviderInUse,
  { organizationId }: OfOrganization["of"],
  now: Date,
): Promise<DomainEvent[]> {
  const [held] = await transaction.$queryRaw<{ activatedAt: Date | null; issuer: string; clientId: string }[]>`
    select "activatedAt", issuer, "clientId" from "OidcProvider" where id = ${id} for no key update`;
  if (!held) throw new OidcError("the provider was deleted");
  if (held.issuer !== issuer || held.clientId !== clientId) throw new OidcError("the provider was changed meanwhile");
  if (held.activatedAt) return [];
  await transaction.oidcProvider.update({ where: { id }, data: { activatedAt: now } });
  return [{ type: oidcProviderEvents.activated, subjectId: id, organizationId, payload: { label } }];
}

interface Arrived {
  readonly userId: string;
  readonly isDisabled: boolean;
  readonly events: readonly DomainEvent[];
}

/** The user of a subject, by it or by a verified address of a domain of the organization; a member from then on. */
export async function personOfOrganization(
  transaction: Transaction,
  provider: OfOrganization,
  person: OidcPerson,
  now: Date,
): Promise<Arrived> {
  const { of, id: oidcProviderId } = provider;
  const { organizationId, role } = of;
  const { subject, displayName } = person;
  const known = await findIdentity(transaction, provider, subject);
  const email = known === null ? await ownEmail(transaction, organizationId, person.email) : null;
  const newcomer = { email, displayName, otherwise: subject, protocol: "oidc" } as const;
  const userId = known ?? (await provideUser(transaction, organizationId, newcomer, now));
  await keepIdentity(transaction, provider, { subject, userId }, now);
  const where = { organizationId_userId: { organizationId, userId } };
  const member = await transaction.organizationMember.findUnique({ where, select: { disabled: true } });
  if (member?.disabled) return { userId, isDisabled: true, events: [] };
  const named = { userId, organizationId, name: displayName };
  const renamed = known === null ? [] : await updateName(transaction, named);
  const payload = { userId, role, oidcProviderId };
  const joined = (subjectId: string) => ({ type: oidcMemberEvents.joined, subjectId, organizationId, payload });
  const added = member ? [] : await joinOrganization(transaction, { ...of, joined }, userId, now);
  return { userId, isDisabled: false, events: [...renamed, ...added] };
}

/** The user of a subject, or of its verified e-mail address; a new one without either. */
export async function personOfGateway(
  transaction: Transaction,
  provider: ProviderInUse,
  { subject, email, displayName }: OidcPerson,
  now: Date,
): Promise<string> {
  await takeAdvisoryLock(transaction, `oidc subject ${provider.source} ${subject}`);
  const known = await findIdentity(transaction, provider, subject);
  const userId = known ?? (await userOfEmail(transaction, email, displayName, now));
  await keepIdentity(transaction, provider, { subject, userId }, now);
  return userId;
}

async function userOfEmail(
  transaction: Transaction,
  email: string | null,
  displayName: string | null,
  createdAt: Date,
): Promise<string> {
  if (email === null) throw new OidcError("the provider does not say that your e-mail address is verified");
  const user = { id: newId("User"), email, displayName: displayName ?? email.split("@")[0] ?? "", createdAt };
  await transaction.user.createMany({ data: [user], skipDuplicates: true });
  return (await transaction.user.findUniqueOrThrow({ where: { email }, select: { id: true } })).id;
}

async function findIdentity(transaction: Transaction, { source }: ProviderInUse, subject: string) {
  const where = { source_subject: { source, subject } };
  const known = await transaction.oidcIdentity.findUnique({ where, select: { userId: true } });
  return known?.userId ?? null;
}

async function keepIdentity(
  transaction: Transaction,
  { id, source, of }: ProviderInUse,
  { subject, userId }: { readonly subject: string; readonly userId: string },
  now: Date,
): Promise<void> {
  const seen = { lastSignInAt: now };
  await transaction.oidcIdentity.upsert({
    where: { source_subject: { source, subject } },
    create: { source, subject, userId, providerId: of && id, createdAt: now, ...seen },
    update: seen,
  });
}
