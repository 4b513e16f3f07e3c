// Ending sessions, and making tokens of them.
import { endSessions, makeSessionToken, sessionEvents } from "#src/access/sessions.ts";
import { DomainError } from "#src/base/errors.ts";
import { isIdOf } from "#src/base/ids.ts";
import type { Database } from "#src/db/connection/database.ts";
import { project } from "#src/db/reading/entity.ts";
import { changeIfAny } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { mayRevokeSession } from "#src/features/sessions/access.ts";
import { sessions } from "#src/features/sessions/reads.ts";

/** Ends a session of the viewer's at once. Ending it again changes nothing. NOT_FOUND for any other. */
export async function revokeSession(context: Context, id: string): Promise<{ id: string }> {
  const session = await context.reader.found(sessions, id, project(["userId"]));
  return changeIfAny(context, mayRevokeSession, session, async (transaction) => {
    const at = context.clock.now();
    const { count } = await transaction.session.updateMany({ where: { id, endedAt: null }, data: { endedAt: at } });
    return { result: { id }, events: count > 0 ? [{ type: sessionEvents.ended, subjectId: id }] : [] };
  });
}

/** Ends the session that came with the request, if one did. */
export async function signOut({ viewer, database, feed, viewers, origin, clock }: Context): Promise<void> {
  if (!isIdOf("Session", viewer.tokenId)) return;
  const by = { actorId: viewer.userId, origin };
  await database.prisma.$transaction((transaction) =>
    endSessions(transaction, { id: viewer.tokenId }, { at: clock.now(), by }),
  );
  feed.wake();
  viewers.forget();
}

/** The most tokens of a session that are good at a time. */
const tokensOfSession = 100;

/** A short-lived bearer token for the session of the request. INVALID_INPUT without one, RATE_LIMITED for many. */
export async function tokenOfSession(context: Context): Promise<{ token: string; expiresAt: Date }> {
  const { viewer, database, clock } = context;
  const sessionId = viewer.tokenId;
  if (!isIdOf("Session", sessionId) || viewer.isShort)
    throw new DomainError("INVALID_INPUT", "This turns the cookie of a session into a token, and none came with it.");
  const now = clock.now();
  return database.prisma.$transaction(async (transaction) => {
    await transaction.sessionToken.deleteMany({ where: { sessionId, expiresAt: { lte: now } } });
    if ((await transaction.sessionToken.count({ where: { sessionId } })) >= tokensOfSession)
      throw new DomainError("RATE_LIMITED", "This session has many tokens already: wait until some have expired.");
    return makeSessionToken(transaction, sessionId, now);
  });
}

/** Removes sessions, their tokens and links to sign in that were over a day ago. */
export async function removeOverSessions({ prisma }: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 24 * 3_600_000);
  await prisma.session.deleteMany({ where: { OR: [{ expiresAt: { lt: before } }, { endedAt: { lt: before } }] } });
  await prisma.sessionToken.deleteMany({ where: { expiresAt: { lt: before } } });
  await prisma.signInLink.deleteMany({ where: { expiresAt: { lt: before } } });
}
