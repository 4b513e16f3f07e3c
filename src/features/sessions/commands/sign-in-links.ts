// Sign-in by e-mail: opening a link within ten minutes proves control of the address it was sent to.
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
import { layOutEmail } from "#src/pages/email.ts";

/** How long a link is valid, and the window in which requests are counted, in milliseconds. */
const linkMs = 10 * 60_000;
const countedMs = 15 * 60_000;

/** The limit of requests of a client in that window. */
const mostOfClient = 20;

/** The limits of valid sent links of an address: those requested by one client, and all. */
const mostGood = { ofClient: 3, inAll: 10 } as const;

interface Asked {
  readonly email: string;
  /** The address to redirect to afterwards; by default docgraph itself. */
  readonly returnTo: string | null;
  /** The client; without an address on the command line, which is not limited. */
  readonly origin: Origin;
}

/** Whether the owner of an e-mail address may have an account. */
type IsInvited = (transaction: Transaction, email: string, at: Date) => Promise<boolean>;

/**
 * Creates and counts a sign-in link whether or not the address has an account. `isSent` is whether to send it; it
 * and `isKnown` must not be revealed: links are not sent to unknown addresses, nor to those with enough valid links, so
 * that requests by strangers do not prevent a sign-in. RATE_LIMITED after 20 requests of a client in 15 minutes.
 */
export async function makeSignInLink(
  environment: Omit<SignInEnvironment, "viewers" | "feed">,
  asked: Asked & { readonly isInvited: IsInvited },
): Promise<{ id: string; email: string; secret: string; isSent: boolean; isKnown: boolean }> {
  const { email } = checkEmail("email", asked.email);
  const returnTo = requireReturn(environment, asked.returnTo);
  const address = asked.origin.address === null ? null : clientNetwork(asked.origin.address);
  const createdAt = environment.clock.now();
  const secret = newSecret("dgl_");
  const expiresAt = new Date(createdAt.getTime() + linkMs);
  const link = { id: newId("SignInLink"), hash: hashToken(secret), email, address, returnTo, createdAt, expiresAt };
  const found = await environment.database.prisma.$transaction(async (transaction) => {
    await countLinks(transaction, link);
    const hasRoom = await isRoomForLink(transaction, link);
    const isInvited = await asked.isInvited(transaction, email, createdAt);
    const isKnown = (await transaction.user.count({ where: { email } })) > 0 || isInvited;
    await transaction.signInLink.create({ data: { ...link, isSent: isKnown && hasRoom } });
    return { isSent: isKnown && hasRoom, isKnown };
  });
  return { id: link.id, email, secret, ...found };
}

/** The address of the page that redeems a link. Its query is neither logged nor sent in `Referer`. */
export const signInLinkAddress = (publicUrl: string, secret: string, invite: string | null): string =>
  `${publicUrl}/sign-in/link?${new URLSearchParams({ secret, ...(invite !== null && { invite }) }).toString()}`;

/** The e-mail with a link. The secret is created when it is sent, so the queue of e-mails does not contain it. */
export const signInEmail: EmailKind<{ id: string; to: string; publicUrl: string; invite: string | null }> = {
  name: "A link to sign in",
  async write({ database, clock }, { id, to, publicUrl, invite }) {
    const secret = newSecret("dgl_");
    const { count } = await database.prisma.signInLink.updateMany({
      where: { id, usedAt: null, expiresAt: { gt: clock.now() } },
      data: { hash: hashToken(secret) },
    });
    if (count === 0) return null;
    return layOutEmail({
      to,
      subject: "Sign in to docgraph",
      title: "Sign in to docgraph",
      says: [
        "Somebody requested to sign in to docgraph with this address. If it was you, open this link within ten minutes, and press the button there:",
      ],
      button: { label: "Sign in", address: signInLinkAddress(publicUrl, secret, invite) },
      after: ["It works once. If it was not you, ignore this e-mail: nobody can sign in without this link."],
    });
  },
};

interface CountedLink {
  readonly email: string;
  /** The network of the client; null on the command line. */
  readonly address: string | null;
  readonly createdAt: Date;
}

/** Serializes the counting of requests across all gateways: by e-mail address first, then by client. */
async function countLinks(transaction: Transaction, { email, address, createdAt }: CountedLink): Promise<void> {
  if (address === null) return;
  await takeAdvisoryLock(transaction, `sign-in links by email ${email}`);
  await takeAdvisoryLock(transaction, `sign-in links by address ${address}`);
  const since = { gt: new Date(createdAt.getTime() - countedMs) };
  if ((await transaction.signInLink.count({ where: { address, createdAt: since } })) >= mostOfClient)
    throw new DomainError(
      "RATE_LIMITED",
      "Too many sign-in links were requested from your network: wait 15 minutes, or use the last link.",
    );
}

/** Whether another link may be sent to an address; false if it has enough valid, unused links. */
async function isRoomForLink(transaction: Transaction, { email, address, createdAt }: CountedLink): Promise<boolean> {
  if (address === null) return false; // the command line prints it
  const isGood = { email, isSent: true, usedAt: null, createdAt: { gt: new Date(createdAt.getTime() - linkMs) } };
  const ofClient = await transaction.signInLink.count({ where: { ...isGood, address } });
  const inAll = await transaction.signInLink.count({ where: isGood });
  return ofClient < mostGood.ofClient && inAll < mostGood.inAll;
}

/** Opens a session, also for invited people without an account. INVALID_INPUT with one message for all failures. */
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
  new DomainError("INVALID_INPUT", "This link was already used, or is older than 10 minutes: request a new one.");

async function provideUser(transaction: Transaction, email: string, createdAt: Date): Promise<void> {
  const [displayName = ""] = email.split("@");
  await transaction.user.createMany({
    data: [{ id: newId("User"), email, displayName, createdAt }],
    skipDuplicates: true,
  });
}
