// Sign-in by an OpenID provider: the redirect of the browser, and the check of the response (code flow with PKCE).
import type { Configuration } from "openid-client";
import { openSession } from "#src/access/sessions.ts";
import { allowedReturn, requireReturn, type SignInEnvironment } from "#src/access/sign-in.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Secrets } from "#src/base/secrets.ts";
import type { Transaction } from "#src/domain/change.ts";
import { type Origin, writeAudit } from "#src/events/audit.ts";
import { auditedEvents } from "#src/events/declared.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { appendEvents } from "#src/events/outbox.ts";
import type { OidcClients } from "#src/features/oidc/commands/client.ts";
import type { TokenSignatures } from "#src/features/oidc/commands/id-tokens.ts";
import { activate, personOfGateway, personOfOrganization } from "#src/features/oidc/commands/newcomers.ts";
import { oidcAddresses } from "#src/features/oidc/model/addresses.ts";
import { OidcError, rejectionOf } from "#src/features/oidc/commands/errors.ts";
import { beginPending, pendingIn, pendingLifeMs, type PendingSignIn } from "#src/features/oidc/model/pending.ts";
import { isProviderId, type OidcPerson, personOf } from "#src/features/oidc/model/person.ts";
import { idTokenColumn, type ProviderInUse } from "#src/features/oidc/reads.ts";
import { auditRefusal } from "#src/features/saml/commands/refusals.ts";

export interface OidcEnvironment extends SignInEnvironment {
  readonly clients: OidcClients;
  readonly signatures: TokenSignatures;
  readonly secrets: Secrets;
}

/** The address to sign in at, and the cookie that binds the sign-in to the browser. INVALID_INPUT for `returnTo`. */
export async function startSignIn(
  environment: OidcEnvironment,
  provider: ProviderInUse,
  returnTo: string | null,
): Promise<{ location: string; cookie: string }> {
  const { clients, clock, publicUrl } = environment;
  const back = requireReturn(environment, returnTo);
  const configuration = await clients.of(provider);
  const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import("openid-client");
  const { state, nonce, verifier, cookie } = beginPending(back, {
    publicUrl,
    providerId: provider.id,
    now: clock.now(),
  });
  const location = buildAuthorizationUrl(configuration, {
    scope: "openid email profile",
    response_type: "code",
    state,
    nonce,
    redirect_uri: oidcAddresses(publicUrl, provider.id).redirectURL,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  return { location: location.href, cookie };
}

interface Brought {
  /** The query of the response. */
  readonly search: string;
  readonly cookies: string | undefined;
  readonly origin: Origin;
}

interface Accepted {
  /** The secret of the session. */
  readonly secret: string;
  readonly returnTo: string;
  readonly state: string;
}

/** Throws an {@link OidcError} for a rejected response, FORBIDDEN for a disabled member. */
export async function acceptResponse(
  environment: OidcEnvironment,
  provider: ProviderInUse,
  { search, cookies, origin }: Brought,
): Promise<Accepted> {
  const { clock, publicUrl, database, secrets } = environment;
  const now = clock.now();
  const state = new URLSearchParams(search).get("state") ?? "";
  const pending = pendingIn(cookies, state, { publicUrl, providerId: provider.id, now });
  if (!pending) throw new OidcError(notBegun);
  const accept = async () => {
    const named = await readResponse(environment, provider, pending, search);
    return database.prisma.$transaction((transaction) =>
      signIn(transaction, provider, { ...named, state, origin, now, sealIdToken: sealerOf(secrets, named) }),
    );
  };
  const outcome = await accept().catch(async (error: unknown) => {
    const rejection = rejectionOf(error);
    if (provider.of && (rejection instanceof OidcError || rejection instanceof DomainError)) {
      const place = { id: provider.id, organizationId: provider.of.organizationId };
      await auditRefusal(database, place, { reason: rejection.message, origin, now });
    }
    throw rejection;
  });
  if (outcome === "disabled")
    throw new DomainError("FORBIDDEN", "Your membership of this organization is disabled: ask one of its admins.");
  environment.viewers.forget();
  environment.feed.wake();
  const returnTo = allowedReturn(environment, pending.returnTo) ?? environment.home;
  return { secret: outcome.secret, returnTo, state };
}

/** The longest ID token that is kept, in characters: it becomes a part of an address. */
const longestIdToken = 4_000;

/** Seals the ID token for a session; null for a long one, and without a key: sign-out at the provider then asks. */
const sealerOf =
  (secrets: Secrets, { idToken }: Named) =>
  (sessionId: string) =>
    secrets.presentHead === null || idToken.length > longestIdToken
      ? null
      : secrets.seal(idTokenColumn, sessionId, idToken);

const notBegun = "this browser did not begin it within the last ten minutes, or has completed it";

interface Named {
  readonly person: OidcPerson;
  /** The provider's id of its session; null without one. */
  readonly sid: string | null;
  readonly idToken: string;
}

/** Exchanges the code of a response, and checks all that comes back. */
async function readResponse(
  { clients, signatures, publicUrl }: OidcEnvironment,
  provider: ProviderInUse,
  { state, nonce, verifier }: PendingSignIn,
  search: string,
): Promise<Named> {
  const configuration = await clients.of(provider);
  const { authorizationCodeGrant } = await import("openid-client");
  const address = new URL(oidcAddresses(publicUrl, provider.id).redirectURL);
  address.search = search;
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
  const tokens = await authorizationCodeGrant(configuration, address, checks);
  const { id_token: idToken = "", access_token: accessToken } = tokens;
  const claims = await signatures.verify(configuration, idToken);
  const { sub: subject = "", sid } = claims;
  if (!isProviderId(subject)) throw new OidcError("the ID token does not name a person (sub)");
  const person = personOf(subject, claims);
  const sources = person.email === null ? [await userInfo(configuration, accessToken, subject)] : [];
  return { person: personOf(subject, claims, ...sources), sid: isProviderId(sid) ? sid : null, idToken };
}

/** Some providers have the e-mail address only here. */
async function userInfo(configuration: Configuration, accessToken: string, subject: string) {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  const { fetchUserInfo } = await import("openid-client");
  return fetchUserInfo(configuration, accessToken, subject);
}

interface Arrival extends Omit<Named, "idToken"> {
  readonly state: string;
  readonly origin: Origin;
  readonly now: Date;
  readonly sealIdToken: (sessionId: string) => Uint8Array<ArrayBuffer> | null;
}

/** Throws an {@link OidcError} for a state that was used before, without writing anything. */
async function signIn(
  transaction: Transaction,
  provider: ProviderInUse,
  { person, sid, state, origin, now, sealIdToken }: Arrival,
): Promise<{ secret: string } | "disabled"> {
  const { id: providerId, source, of } = provider;
  const organizationId = of?.organizationId;
  const events: DomainEvent[] = of ? await activate(transaction, provider, of, now) : [];
  const expiresAt = new Date(now.getTime() + pendingLifeMs);
  const use = { source, value: state, expiresAt };
  const { count } = await transaction.oidcUse.createMany({ data: [use], skipDuplicates: true });
  if (count === 0) throw new OidcError(notBegun);
  const arrived = of
    ? await personOfOrganization(transaction, { ...provider, of }, person, now)
    : { userId: await personOfGateway(transaction, provider, person, now), isDisabled: false, events: [] };
  const { userId } = arrived;
  if (arrived.isDisabled) {
    const payload = { providerId, reason: "the membership is disabled" };
    const refused = { type: "signIn.refused" as const, organizationId: organizationId ?? null, payload };
    await writeAudit(transaction, { actorId: userId, origin }, [refused]);
    return "disabled";
  }
  events.push(...arrived.events);
  if (events.length > 0) await appendEvents(transaction, userId, events);
  const audited = events.filter(({ type }) => auditedEvents.has(type));
  await writeAudit(transaction, { actorId: userId, origin }, audited);
  const by = { providerId, nameId: person.subject, ...(organizationId !== undefined && { organizationId }) };
  return openSession(transaction, {
    userId,
    way: "oidc",
    ...by,
    ...(sid !== null && { sessionIndex: sid }),
    sealIdToken,
    origin,
    at: now,
  });
}
