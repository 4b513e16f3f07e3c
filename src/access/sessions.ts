// Browser sessions: how they start and end, and the cookie that identifies them.
import { hashToken, newSecret } from "#src/access/tokens.ts";
import { newId } from "#src/base/ids.ts";
import { type Actor, noOrigin, type Origin, writeAudit } from "#src/events/audit.ts";
import { defineEvents } from "#src/events/declared.ts";
import { appendEvents } from "#src/events/outbox.ts";
import type { Prisma } from "#src/generated/prisma/client.ts";
import type { SignInWay } from "#src/generated/prisma/enums.ts";

/** How long an unused session lasts, and how long a session lasts at most, in milliseconds. */
const idleMs = 12 * 3_600_000;
const longestMs = 30 * 24 * 3_600_000;

/** The lifetime of a token of a session, in milliseconds. */
const sessionTokenMs = 10 * 60_000;

export const sessionSpans = { idle: `${idleMs} milliseconds`, longest: `${longestMs} milliseconds` } as const;

export const sessionEvents = defineEvents(
  { opened: "session.opened", ended: "session.ended" },
  { audience: "themselves", isAudited: true },
);

interface SignIn {
  readonly userId: string;
  readonly way: SignInWay;
  /** The organization and provider that it was signed in by, and the provider's ids of the person and its session. */
  readonly organizationId?: string;
  readonly providerId?: string;
  readonly nameId?: string;
  readonly sessionIndex?: string;
  /** Seals the ID token of the sign-in for the session with this id. */
  readonly sealIdToken?: (id: string) => Uint8Array<ArrayBuffer> | null;
  readonly origin: Origin;
  readonly at: Date;
}

/** Starts and audits a session; returns the secret for {@link sessionCookie}. The caller wakes the feed after commit */
export async function openSession(
  transaction: Prisma.TransactionClient,
  { at, origin, sealIdToken, ...signIn }: SignIn,
): Promise<{ id: string; secret: string }> {
  const { userId, way, organizationId, providerId } = signIn;
  const secret = newSecret("dgs_");
  const id = newId("Session");
  const expiresAt = new Date(at.getTime() + idleMs);
  const own = { id, hash: hashToken(secret), idToken: sealIdToken?.(id) ?? null };
  const data = { ...own, ...signIn, ...origin, createdAt: at, lastUsedAt: at, expiresAt };
  await transaction.session.create({ data });
  await appendEvents(transaction, userId, [{ type: sessionEvents.opened, subjectId: id }]);
  const audited = { type: sessionEvents.opened, subjectId: id, payload: { way, ...(providerId && { providerId }) } };
  await writeAudit(transaction, { actorId: userId, origin }, [{ ...audited, organizationId: organizationId ?? null }]);
  return { id, secret };
}

/** Selects sessions: all given conditions must match. At least one is given. */
type WhichSessions = { readonly id?: string } & Partial<Omit<SignIn, "way" | "origin" | "at" | "sealIdToken">>;

/**
 * Ends sessions and their streams, within a second after the commit, and returns their number. `by` is the viewer who
 * ends them; without it each user ended their own. The caller then wakes the feed and clears the cached viewers.
 */
export async function endSessions(
  transaction: Prisma.TransactionClient,
  where: WhichSessions,
  { at = new Date(), by }: { readonly at?: Date; readonly by?: Actor } = {},
): Promise<number> {
  if (Object.values(where).every((value) => value === undefined))
    throw new Error("Ending sessions needs at least one condition");
  const ended = await transaction.session.updateManyAndReturn({
    where: { ...where, endedAt: null },
    data: { endedAt: at, idToken: null },
    select: { id: true, userId: true, organizationId: true },
  });
  for (const { id, userId, organizationId } of ended) {
    // The event belongs to the account that it concerns, even if somebody else ends the session.
    await appendEvents(transaction, userId, [{ type: sessionEvents.ended, subjectId: id }]);
    const actor = by ?? { actorId: userId, origin: noOrigin };
    await writeAudit(transaction, actor, [{ type: sessionEvents.ended, subjectId: id, userId, organizationId }]);
  }
  return ended.length;
}

/** Makes a bearer token for a session, valid for some minutes. */
export async function makeSessionToken(
  transaction: Prisma.TransactionClient,
  sessionId: string,
  at: Date,
): Promise<{ token: string; expiresAt: Date }> {
  const token = newSecret("dgt_");
  const expiresAt = new Date(at.getTime() + sessionTokenMs);
  await transaction.sessionToken.create({ data: { hash: hashToken(token), sessionId, expiresAt } });
  return { token, expiresAt };
}

/** With https the name binds the cookie to this host. */
const cookieName = (publicUrl: string): string =>
  publicUrl.startsWith("https:") ? "__Host-docgraph-session" : "docgraph-session";

/** The value of `Set-Cookie` that gives a browser its session. The cookie expires when the session has to end. */
export const sessionCookie = (secret: string, publicUrl: string): string =>
  cookieText(secret, publicUrl, longestMs / 1000);

export const endedCookie = (publicUrl: string): string => cookieText("", publicUrl, 0);

function cookieText(value: string, publicUrl: string, maxAge: number): string {
  const secure = publicUrl.startsWith("https:") ? "; Secure" : "";
  return `${cookieName(publicUrl)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

/** The secret of a session in a header `Cookie`; null without one. */
export function sessionSecretIn(header: string | undefined, publicUrl: string): string | null {
  const name = cookieName(publicUrl);
  for (const part of header?.split(";") ?? []) {
    const [key, value = ""] = part.trim().split("=");
    if (key === name && /^dgs_\w{40}$/.test(value)) return value;
  }
  return null;
}
