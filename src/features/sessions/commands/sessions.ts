// Commands that end sessions, and issue tokens for them.
import { endSessions, makeSessionToken, sessionEvents } from "#src/access/sessions.ts";
import { DomainError } from "#src/base/errors.ts";
import { isIdOf } from "#src/base/ids.ts";
import type { Database } from "#src/db/connection/database.ts";
import { removeOlder } from "#src/db/maintenance/remove-rows.ts";
import { project } from "#src/db/reading/entity.ts";
import { changeIfAny } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { mayRevokeSession } from "#src/features/sessions/access.ts";
import { sessions } from "#src/features/sessions/reads.ts";

/** Ends a session of the viewer at once. Ending it again changes nothing. NOT_FOUND for sessions of others. */
export async function revokeSession(context: Context, id: string): Promise<{ id: string }> {
  const session = await context.reader.found(sessions, id, project(["userId"]));
  return changeIfAny(context, mayRevokeSession, session, async (transaction) => {
    const at = context.clock.now();
    const { count } = await transaction.session.updateMany({
      where: { id, endedAt: null },
      data: { endedAt: at, idToken: null },
    });
    return { result: { id }, events: count > 0 ? [{ type: sessionEvents.ended, subjectId: id }] : [] };
  });
}

/** Ends the session of the request, if it has one. */
export async function signOut({ viewer, database, feed, viewers, origin, clock }: Context): Promise<void> {
  if (!isIdOf("Session", viewer.tokenId)) return;
  const by = { actorId: viewer.userId, origin };
  await database.prisma.$transaction((transaction) =>
    endSessions(transaction, { id: viewer.tokenId }, { at: clock.now(), by }),
  );
  feed.wake();
  viewers.forget();
}

/** The limit of a session's valid tokens. */
const tokensOfSession = 100;

/** A short-lived bearer token for the session of the request. INVALID_INPUT without it, RATE_LIMITED for too many. */
export async function tokenOfSession(context: Context): Promise<{ token: string; expiresAt: Date }> {
  const { viewer, database, clock } = context;
  const sessionId = viewer.tokenId;
  if (!isIdOf("Session", sessionId) || viewer.isShort)
    throw new DomainError("INVALID_INPUT", "The request has no session cookie to exchange for a token: sign in first.");
  const now = clock.now();
  return database.prisma.$transaction(async (transaction) => {
    await transaction.sessionToken.deleteMany({ where: { sessionId, expiresAt: { lte: now } } });
    if ((await transaction.sessionToken.count({ where: { sessionId } })) >= tokensOfSession)
      throw new DomainError("RATE_LIMITED", "This session has too many valid tokens: wait until some expire.");
    return makeSessionToken(transaction, sessionId, now);
  });
}

/** Removes sessions, their tokens and sign-in links that ended more than a day ago. */
export async function removeOverSessions(database: Pick<Database, "query">, now: Date): Promise<void> {
  const before = new Date(now.getTime() - 24 * 3_600_000);
  await removeOlder(database, { table: "Session", column: "expiresAt", before });
  await removeOlder(database, { table: "Session", column: "endedAt", before });
  await removeOlder(database, { table: "SessionToken", column: "expiresAt", before });
  await removeOlder(database, { table: "SignInLink", column: "expiresAt", before });
}
