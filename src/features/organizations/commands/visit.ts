// Presence in an organization: when its members were last seen, and signed claims about them for
// other services.
import { randomBytes } from "node:crypto";
import { found, notFound } from "#src/base/errors.ts";
import type { SealedColumn } from "#src/base/secrets.ts";
import { project } from "#src/db/reading/entity.ts";
import { change } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { answersWith } from "#src/domain/idempotency.ts";
import { mayPingOrganization, mayRotateVisitorKey } from "#src/features/organizations/access.ts";
import { presenceEvents, visitorKeyEvents } from "#src/features/organizations/events.ts";
import { findVisitor, type Visitor, organizations } from "#src/features/organizations/reads.ts";

export const visitorKeySecret: SealedColumn = { table: "Organization", column: "visitorKey", wasPlain: true };

/** The precision of lastSeenAt: at most one write and one event per member in this time. */
const seenPrecisionMs = 60_000;
const claimsLifetimeSeconds = 3600;

/** Records that the viewer is active. Returns their signed claims; null without a visitor key that can be opened. */
export async function pingOrganization(
  context: Context,
  organizationId: string,
): Promise<{ organizationId: string; claims: string | null }> {
  const visitor = found(await findVisitor(context, organizationId), "organization");
  const now = context.clock.now();
  const seenAt = visitor.lastSeenAt === null ? -Infinity : Date.parse(visitor.lastSeenAt);
  const answer = { organizationId, claims: await signClaims(context, visitor, now) };
  if (Math.abs(now.getTime() - seenAt) < seenPrecisionMs) return answer;
  return answersWith(context, answer, () => noteSeen(context, visitor, now));
}

function noteSeen(context: Context, { id, organizationId, userId }: Visitor, lastSeenAt: Date): Promise<object> {
  return change(context, mayPingOrganization, { organizationId }, async (transaction) => {
    const seen = await transaction.organizationMember.updateMany({ where: { id }, data: { lastSeenAt } });
    if (seen.count === 0) throw notFound("organization"); // they have left it meanwhile
    const event = { type: presenceEvents.pinged, subjectId: id, organizationId, payload: { userId } };
    return { result: {}, events: [event] };
  });
}

/** A JSON Web Token (HS256), valid for an hour, with the claims of a member; `role` is null for a guest. */
async function signClaims(context: Context, visitor: Visitor, now: Date): Promise<string | null> {
  const key = openKey(context, visitor);
  if (key === null) return null;
  const { userId, email, displayName: name, organizationId: organization, role } = visitor;
  const { SignJWT } = await import("jose/jwt/sign"); // most gateways never sign one
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT({ email, name, organization, role })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setSubject(userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + claimsLifetimeSeconds)
    .sign(new TextEncoder().encode(key));
}

/** Null without a key, and if it cannot be decrypted, which is logged: a ping must not fail. */
function openKey({ secrets, log }: Context, { organizationId, visitorKey }: Visitor): string | null {
  if (visitorKey === null) return null;
  try {
    return secrets.open(visitorKeySecret, organizationId, visitorKey);
  } catch (error) {
    log.warn({ err: error, organizationId }, "The visitor key of an organization cannot be opened");
    return null;
  }
}

/** Replaces the visitor key, which is returned once. CONFLICT if the gateway has no key to seal it with. */
export async function rotateVisitorKey(
  context: Context,
  organizationId: string,
): Promise<{ id: string; visitorKey: string }> {
  const { id } = await context.reader.found(organizations, organizationId, project([]));
  const visitorKey = randomBytes(32).toString("base64url");
  return change(context, mayRotateVisitorKey, { organizationId }, async (transaction) => {
    const sealed = context.secrets.seal(visitorKeySecret, id, visitorKey);
    await transaction.organization.update({ where: { id }, data: { visitorKey: sealed } });
    const event = { type: visitorKeyEvents.rotated, subjectId: id, organizationId: id };
    return { result: { id, visitorKey }, events: [event] };
  });
}
