// Sign-out by single logout, which starts here or at the provider.
import { endSessions } from "#src/access/sessions.ts";
import { hashToken } from "#src/access/tokens.ts";
import { uncharged } from "#src/runtime/tenant.ts";
import type { Origin } from "#src/events/audit.ts";
import type { ProviderInUse } from "#src/features/saml/reads.ts";
import type { SignInEnvironment } from "#src/access/sign-in.ts";
import { samlAddresses } from "#src/features/saml/model/addresses.ts";
import { presentCertificates } from "#src/features/saml/model/certificates.ts";
import { logoutRequest, logoutResponse } from "#src/features/saml/model/logout-messages.ts";
import { readMessage } from "#src/features/saml/model/message-reader.ts";
import { redirectTo } from "#src/features/saml/model/request.ts";
import { clientNetwork } from "#src/net/networks.ts";

/** Ends the session of a browser. Returns the logout address of the provider; null without one. */
export async function signOut(
  { database, viewers, feed, clock, publicUrl }: SignInEnvironment,
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
  const { logoutURL } = provider;
  if (!ended || ended.providerId !== provider.id || ended.nameId === null || logoutURL === null) return null;
  const { nameId, sessionIndex } = ended;
  const xml = logoutRequest({ at, publicUrl, provider: { ...provider, logoutURL } }, { nameId, sessionIndex });
  return redirectTo(logoutURL, "SAMLRequest", xml);
}

/** A message of the provider: the raw query of a redirect, or a form. */
type LogoutMessage = { readonly origin: Origin } & (
  | { readonly search: string }
  | { readonly posted: string; readonly relay: string | null }
);

/** Ends the sessions that a logout request names. Returns the address for the response; null without one. */
export async function signOutByProvider(
  { database, viewers, feed, clock, publicUrl }: SignInEnvironment,
  provider: ProviderInUse,
  message: LogoutMessage,
): Promise<string | null> {
  const at = clock.now();
  const { origin } = message;
  const { logoutURL } = samlAddresses(publicUrl, provider.id);
  const expected = {
    issuer: provider.entityID,
    certificates: presentCertificates(provider.certificate, at),
    logoutURL,
    now: at,
  };
  const isPosted = "posted" in message;
  const request = await uncharged({ userId: clientNetwork(origin.address) }, () =>
    isPosted
      ? readMessage("postedLogout", message.posted, expected)
      : readMessage("redirectedLogout", message.search, expected),
  );
  const { nameId, sessionIndexes } = request;
  await database.prisma.$transaction(async (transaction) => {
    const of = { providerId: provider.id, nameId };
    const answer = { providerId: provider.id, assertionId: request.id, requestId: request.id, acceptedAt: at };
    const { count } = await transaction.samlAnswer.createMany({
      data: [{ ...answer, expiresAt: request.expiresAt }],
      skipDuplicates: true,
    });
    if (count === 0) return; // a replay must not end newer sessions
    if (sessionIndexes.length === 0) await endSessions(transaction, of, { at });
    for (const sessionIndex of sessionIndexes.slice(0, maxIndexes))
      await endSessions(transaction, { ...of, sessionIndex }, { at });
  });
  viewers.forget();
  feed.wake();
  if (provider.logoutURL === null) return null;
  const xml = logoutResponse({ at, publicUrl, provider: { ...provider, logoutURL: provider.logoutURL } }, request.id);
  const relay = isPosted ? message.relay : new URLSearchParams(message.search).get("RelayState");
  return redirectTo(provider.logoutURL, "SAMLResponse", xml, relay?.slice(0, maxRelay));
}

/** The limit of sessions that one message ends. */
const maxIndexes = 100;
/** The longest RelayState that is returned, in characters; SAML allows 80 bytes. */
const maxRelay = 1000;
