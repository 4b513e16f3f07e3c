// Signing in by e-mail: a link is sent to an address, and the person who opens it within ten minutes has the address.
import { checkEmail } from "#src/domain/input.ts";
import { openSession } from "#src/access/sessions.ts";
import { requireReturn, type SignInEnvironment } from "#src/access/sign-in.ts";
import { hashToken, newSecret } from "#src/access/tokens.ts";
import { DomainError } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import type { Transaction } from "#src/domain/change.ts";
import { takeAdvisoryLock } from "#src/domain/advisory-lock.ts";
import type { Origin } from "#src/events/audit.ts";
import type { EmailKind } from "#src/jobs/emails.ts";
import { clientNetwork } from "#src/net/networks.ts";

/** How long a link is good, and the time in which requests are counted, in milliseconds. */
const linkMs = 10 * 60_000;
const countedMs = 15 * 60_000;

/** The most requests of a client in that time. */
const mostOfClient = 20;

/** The most links of an address that were sent and are still good: those that one client asked for, and all of them. */
const mostGood = { ofClient: 3, inAll: 10 } as const;

interface Asked {
  readonly email: string;
  /** Where the browser goes after it; by default to docgraph itself. */
  readonly returnTo: string | null;
  /** Without an address on the command line, which nothing limits. */
  readonly origin: Origin;
}

/** Says whether who has an e-mail address may have an account. */
type IsInvited = (transaction: Transaction, email: string, at: Date) => Promise<boolean>;

/**
 * Makes and counts a sign-in link whether somebody has the address or not. `isSent` says whether to send it, and must
 * not be shown: not to unknown addresses, nor to those with links that are still good, so that asking for links of
 * others does not keep them from signing in. RATE_LIMITED after 20 to a client in 15 minutes.
 */
export async function makeSignInLink(
  environment: SignInEnvironment,
  asked: Asked & { readonly isInvited: IsInvited },
): Promise<{ id: string; email: string; secret: string; isSent: boolean }> {
  const { email } = checkEmail("email", asked.email);
  const returnTo = requireReturn(environment, asked.returnTo);
  const address = asked.origin.address === null ? null : clientNetwork(asked.origin.address);
  const createdAt = environment.clock.now();
  const secret = newSecret("dgl_");
  const expiresAt = new Date(createdAt.getTime() + linkMs);
  const link = { id: newId("SignInLink"), hash: hashToken(secret), email, address, returnTo, createdAt, expiresAt };
  const isSent = await environment.database.prisma.$transaction(async (transaction) => {
    await countLinks(transaction, link);
    const hasRoom = await isRoomForLink(transaction, link);
    const isInvited = await asked.isInvited(transaction, email, createdAt);
    const isKnown = (await transaction.user.count({ where: { email } })) > 0 || isInvited;
    await transaction.signInLink.create({ data: { ...link, isSent: isKnown && hasRoom } });
    return isKnown && hasRoom;
  });
  return { id: link.id, email, secret, isSent };
}

/** The address of the page that takes a link. Browsers send no query with `Referer`, and no log has it. */
export const signInLinkAddress = (publicUrl: string, secret: string, invite: string | null): string =>
  `${publicUrl}/sign-in/link?${new URLSearchParams({ secret, ...(invite !== null && { invite }) }).toString()}`;

/** The e-mail with a link. It gets a new secret when it is sent: the queue of e-mails does not have it. */
export const signInEmail: EmailKind<{ id: string; to: string; publicUrl: string; invite: string | null }> = {
  name: "A link to sign in",
  async write({ database, clock }, { id, to, publicUrl, invite }) {
    const secret = newSecret("dgl_");
    const { count } = await database.prisma.signInLink.updateMany({
      where: { id, usedAt: null, expiresAt: { gt: clock.now() } },
      data: { hash: hashToken(secret) },
    });
    if (count === 0) return null;
    const text = `Somebody asked to sign in to docgraph with this address. Was it you? Then open this link within ten minutes,
and press the button there:

${signInLinkAddress(publicUrl, secret, invite)}

It works once. Was it not you? Then do nothing: without this link nobody gets in.
`;
    return { to, subject: "Sign in to docgraph", text };
  },
};

interface CountedLink {
  readonly email: string;
  /** The network of the client; null on the command line. */
  readonly address: string | null;
  readonly createdAt: Date;
}

/** Requests for the same are counted one after another, on all gateways: by e-mail address first, then by client. */
async function countLinks(transaction: Transaction, { email, address, createdAt }: CountedLink): Promise<void> {
  if (address === null) return;
  await takeAdvisoryLock(transaction, `sign-in links by email ${email}`);
  await takeAdvisoryLock(transaction, `sign-in links by address ${address}`);
  const since = { gt: new Date(createdAt.getTime() - countedMs) };
  if ((await transaction.signInLink.count({ where: { address, createdAt: since } })) >= mostOfClient)
    throw new DomainError(
      "RATE_LIMITED",
      "Too many links to sign in were asked for from here: wait 15 minutes, or use the last one.",
    );
}

/** Whether a further link may go to an address. Where not, it has good ones: those that were used do not count. */
async function isRoomForLink(transaction: Transaction, { email, address, createdAt }: CountedLink): Promise<boolean> {
  if (address === null) return false; // the command line prints it
  const isGood = { email, isSent: true, usedAt: null, createdAt: { gt: new Date(createdAt.getTime() - linkMs) } };
  const ofClient = await transaction.signInLink.count({ where: { ...isGood, address } });
  const inAll = await transaction.signInLink.count({ where: isGood });
  return ofClient < mostGood.ofClient && inAll < mostGood.inAll;
}

/** Opens a session, also for invited people without an account. INVALID_INPUT in the same words for all failures. */
export async function useSignInLink(
  { database, viewers, feed, clock }: SignInEnvironment,
  { secret, origin, isInvited }: { secret: string; origin: Origin; isInvited: IsInvited },
): Promise<{ secret: string; returnTo: string | null }> {
  const at = clock.now();
  const taken = await database.prisma.$transaction(async (transaction) => {
    const [link] = await transaction.signInLink.updateManyAndReturn({
      where: { hash: hashToken(secret), usedAt: null, expiresAt: { gt: at } },
      data: { usedAt: at },
      select: { email: true, returnTo: true },
    });
    if (!link) throw noLink();
    if (await isInvited(transaction, link.email, at)) await provideUser(transaction, link.email, at);
    const user = await transaction.user.findUnique({ where: { email: link.email }, select: { id: true } });
    if (!user) throw noLink();
    const session = await openSession(transaction, { userId: user.id, way: "email", origin, at });
    return { secret: session.secret, returnTo: link.returnTo };
  });
  viewers.forget();
  feed.wake();
  return taken;
}

const noLink = () =>
  new DomainError("INVALID_INPUT", "This link was used already, or is older than 10 minutes: ask for a new one.");

async function provideUser(transaction: Transaction, email: string, createdAt: Date): Promise<void> {
  const [displayName = ""] = email.split("@");
  await transaction.user.createMany({
    data: [{ id: newId("User"), email, displayName, createdAt }],
    skipDuplicates: true,
  });
}
