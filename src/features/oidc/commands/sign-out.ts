// Sign-out of OpenID Connect: by the person (RP-initiated logout), or by the provider (back-channel logout).
import type { Configuration } from "openid-client";
import { endSessions } from "#src/access/sessions.ts";
import { hashToken } from "#src/access/tokens.ts";
import type { Secrets } from "#src/base/secrets.ts";
import { type Database, sql } from "#src/db/connection/database.ts";
import type { Origin } from "#src/events/audit.ts";
import type { OidcEnvironment } from "#src/features/oidc/commands/sign-in.ts";
import { OidcError } from "#src/features/oidc/commands/errors.ts";
import { isProviderId } from "#src/features/oidc/model/person.ts";
import { idTokenColumn, type ProviderInUse } from "#src/features/oidc/reads.ts";

/** Ends the session of a browser. Returns the logout address of the provider; null without one. */
export async function signOut(
  { database, viewers, feed, clock, publicUrl, clients, secrets }: OidcEnvironment,
  provider: ProviderInUse,
  { secret, origin }: { secret: string; origin: Origin },
): Promise<string | null> {
  const at = clock.now();
  const ended = await database.prisma.$transaction(async (transaction) => {
    const where = { hash: hashToken(secret), endedAt: null };
    const session = await transaction.session.findFirst({ where, omit: { hash: true } });
    if (session) await endSessions(transaction, { id: session.id }, { at, by: { actorId: session.userId, origin } });
    return session;
  });
  viewers.forget();
  feed.wake();
  if (ended?.providerId !== provider.id) return null;
  const returnTo = { post_logout_redirect_uri: `${publicUrl}/sign-in` };
  try {
    return await logoutAddress(await clients.of(provider), { ...returnTo, ...hintOf(secrets, ended) });
  } catch {
    return null; // the session has ended in any case
  }
}

/** The ID token of a session, by which a provider signs out without a question; empty if it was not kept. */
function hintOf(secrets: Secrets, { id, idToken }: { readonly id: string; readonly idToken: Uint8Array | null }) {
  if (idToken === null) return {};
  try {
    return { id_token_hint: secrets.open(idTokenColumn, id, idToken) };
  } catch {
    return {}; // its key is not in SECRETS_KEY
  }
}

/** The address that signs a person out at the provider; null without one. Throws for one without https. */
async function logoutAddress(
  configuration: Configuration,
  parameters: Readonly<Record<string, string>>,
): Promise<string | null> {
  if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
  const { buildEndSessionUrl } = await import("openid-client");
  return buildEndSessionUrl(configuration, parameters).href;
}

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

/** How long a logout token is valid, in milliseconds. */
const tokenLifeMs = 120_000;

/** Ends the sessions that a logout token names. Throws an {@link OidcError} for others, and for used ones. */
export async function signOutByProvider(
  { database, viewers, feed, clock, clients, signatures }: OidcEnvironment,
  provider: ProviderInUse,
  token: string,
): Promise<void> {
  const at = clock.now();
  const configuration = await clients.of(provider);
  const requiredClaims = ["iat", "jti", "events"];
  const claims = await signatures.verify(configuration, token, { requiredClaims, maxTokenAge: tokenLifeMs / 1000 });
  const { sub, sid, jti, events, nonce } = claims;
  const isLogout = typeof events === "object" && events !== null && Object.hasOwn(events, logoutEvent);
  if (!isLogout || nonce !== undefined || !isProviderId(jti)) throw new OidcError("the token is not a logout token");
  const which = {
    ...(isProviderId(sub) && { nameId: sub }),
    ...(isProviderId(sid) && { sessionIndex: sid }),
  };
  if (Object.keys(which).length === 0) throw new OidcError("the logout token names neither a person nor a session");
  await database.prisma.$transaction(async (transaction) => {
    const use = {
      source: provider.source,
      value: `logout ${jti}`,
      expiresAt: new Date(at.getTime() + 2 * tokenLifeMs),
    };
    const { count } = await transaction.oidcUse.createMany({ data: [use], skipDuplicates: true });
    if (count === 0) throw new OidcError("the logout token was already used"); // it must not end newer sessions
    await endSessions(transaction, { providerId: provider.id, ...which }, { at });
  });
  viewers.forget();
  feed.wake();
}

/** Removes used values that have expired anyway; returns their number. */
export async function forgetUses({ query }: Pick<Database, "query">, now: Date): Promise<number> {
  const forgotten = await query(sql`
    delete from "OidcUse" where "expiresAt" < ${now.toISOString()}::timestamptz returning 1`);
  return forgotten.length;
}
