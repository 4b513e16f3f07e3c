// Sign-in by a SAML provider: the redirect of the browser, and the check of the response.
import { openSession } from "#src/access/sessions.ts";
import { DomainError } from "#src/base/errors.ts";
import { uncharged } from "#src/runtime/tenant.ts";
import type { Database } from "#src/db/connection/database.ts";
import { removeOlder } from "#src/db/maintenance/remove-rows.ts";
import type { Transaction } from "#src/domain/change.ts";
import { type Origin, writeAudit } from "#src/events/audit.ts";
import { auditedEvents } from "#src/events/declared.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { appendEvents } from "#src/events/outbox.ts";
import { auditRefusal } from "#src/features/saml/commands/refusals.ts";
import { provideMember } from "#src/features/saml/commands/newcomers.ts";
import type { ProviderInUse } from "#src/features/saml/reads.ts";
import { allowedReturn, requireReturn, type SignInEnvironment } from "#src/access/sign-in.ts";
import { samlProviderEvents } from "#src/features/saml/events.ts";
import { samlAddresses } from "#src/features/saml/model/addresses.ts";
import type { SignedIn } from "#src/features/saml/model/assertion.ts";
import { presentCertificates } from "#src/features/saml/model/certificates.ts";
import { readMessage } from "#src/features/saml/model/message-reader.ts";
import { authnRequest, newRequest, redirectTo, requestCookie, requestsIn } from "#src/features/saml/model/request.ts";
import { decodeResponse, notAsked } from "#src/features/saml/model/response-text.ts";
import { SamlError } from "#src/features/saml/model/xml.ts";
import { clientNetwork } from "#src/net/networks.ts";

/** The address to sign in at, and the cookie that binds the request to the browser. INVALID_INPUT for `returnTo`. */
export function startSignIn(
  environment: SignInEnvironment,
  provider: ProviderInUse,
  returnTo: string | null,
): { location: string; cookie: string } {
  const { clock, publicUrl } = environment;
  const back = requireReturn(environment, returnTo);
  const request = newRequest(back, clock.now());
  const xml = authnRequest({ ...request, publicUrl, provider });
  return {
    location: redirectTo(provider.ssoURL, "SAMLRequest", xml),
    cookie: requestCookie(request, { publicUrl, providerId: provider.id }),
  };
}

interface Brought {
  /** The response of the provider in base64. */
  readonly response: string;
  readonly cookies: string | undefined;
  readonly origin: Origin;
}

interface Accepted {
  /** The secret of the session. */
  readonly secret: string;
  readonly returnTo: string;
  readonly requestId: string;
}

/** Throws a {@link SamlError} for a rejected response, FORBIDDEN for a disabled member. */
export async function acceptResponse(
  environment: SignInEnvironment,
  provider: ProviderInUse,
  { response, cookies, origin }: Brought,
): Promise<Accepted> {
  const { clock, publicUrl, database } = environment;
  const now = clock.now();
  const xml = decodeResponse(response);
  const requests = requestsIn(cookies, { publicUrl, now });
  if (requests.length === 0) throw notAsked();
  const { entityID: audience, acsURL } = samlAddresses(publicUrl, provider.id);
  const certificates = presentCertificates(provider.certificate, now);
  const expected = { issuer: provider.entityID, certificates, audience, acsURL, now };
  const refused = async (error: unknown) => {
    if (error instanceof SamlError || error instanceof DomainError)
      await auditRefusal(database, provider, { reason: error.message, origin, now });
    throw error;
  };
  const ids = requests.map(({ id }) => id);
  const read = () => readMessage("response", xml, ids, expected);
  const { person, requestId } = await uncharged({ userId: clientNetwork(origin.address) }, read).catch(refused);
  const arrival = { person, requestId, origin, now };
  const outcome = await database.prisma
    .$transaction((transaction) => signIn(transaction, provider, arrival))
    .catch(refused);
  if (outcome === "disabled")
    throw new DomainError("FORBIDDEN", "Your membership of this organization is disabled: ask one of its admins.");
  environment.viewers.forget();
  environment.feed.wake();
  const request = requests.find(({ id }) => id === requestId);
  const returnTo = allowedReturn(environment, request?.returnTo ?? null) ?? environment.home;
  return { secret: outcome.secret, returnTo, requestId };
}

interface Arrival {
  readonly person: SignedIn;
  readonly requestId: string;
  readonly origin: Origin;
  readonly now: Date;
}

/** Throws a {@link SamlError} for a replayed response, without writing anything. */
async function signIn(
  transaction: Transaction,
  provider: ProviderInUse,
  { person, requestId, origin, now }: Arrival,
): Promise<{ secret: string } | "disabled"> {
  const { id: providerId, organizationId } = provider;
  // Serializes the sign-ins by a provider, so that no user is created twice.
  const [held] = await transaction.$queryRaw<{ status: string }[]>`
    select status::text from "SamlProvider" where id = ${providerId} for no key update`;
  if (!held) throw new SamlError("the provider was deleted");
  const { assertionId, nameId, sessionIndex, expiresAt } = person;
  const answer = { providerId, assertionId, requestId, acceptedAt: now, expiresAt };
  const { count } = await transaction.samlAnswer.createMany({ data: [answer], skipDuplicates: true });
  if (count === 0) throw new SamlError("it was already used");
  const arrived = await provideMember(transaction, provider, person, now);
  const { userId } = arrived;
  if (arrived.isSwitchedOff) {
    const payload = { providerId, reason: "the membership is disabled" };
    await writeAudit(transaction, { actorId: userId, origin }, [{ type: "signIn.refused", organizationId, payload }]);
    return "disabled";
  }
  const events: DomainEvent[] = [...arrived.events];
  if (held.status !== "active") {
    await transaction.samlProvider.update({ where: { id: providerId }, data: { status: "active" } });
    const payload = { label: provider.label };
    events.push({ type: samlProviderEvents.activated, subjectId: providerId, organizationId, payload });
  }
  if (events.length > 0) await appendEvents(transaction, userId, events);
  const audited = events.filter(({ type }) => auditedEvents.has(type));
  await writeAudit(transaction, { actorId: userId, origin }, audited);
  const by = { providerId, organizationId, nameId, ...(sessionIndex !== null && { sessionIndex }) };
  return openSession(transaction, { userId, way: "saml", ...by, origin, at: now });
}

/** Removes responses that have expired anyway; returns their number. */
export const forgetAnswers = (database: Pick<Database, "query">, now: Date): Promise<number> =>
  removeOlder(database, { table: "SamlAnswer", column: "expiresAt", before: now });
