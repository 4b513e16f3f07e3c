// Commands that create, rotate and revoke API tokens.
import { newId } from "#src/base/ids.ts";
import { newToken } from "#src/access/tokens.ts";
import { DomainError, invalidInput } from "#src/base/errors.ts";
import { inFigures } from "#src/base/limits.ts";
import { project } from "#src/db/reading/entity.ts";
import { change, changeIfAny, requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { takeAdvisoryLock } from "#src/domain/advisory-lock.ts";
import { checkFuture, checkText, type Optional } from "#src/domain/input.ts";
import type { DomainEvent } from "#src/events/event.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import {
  mayCreateApiToken,
  mayCreateServiceToken,
  mayRevokeApiToken,
  mayRotateApiToken,
} from "#src/features/tokens/access.ts";
import { serviceTokenEvents, tokenEvents } from "#src/features/tokens/events.ts";
import { type ApiTokenRow, tokens } from "#src/features/tokens/reads.ts";
import type { Role, TokenScope } from "#src/generated/prisma/enums.ts";

/** A new token with its text, which is returned only once. */
type MadeToken = { id: string; token: string };

type TokenInput = { name: string } & Optional<{ scope: TokenScope; expiresAt: Date }>;

/** The new token inherits the limits of the token that creates it. CONFLICT beyond the quota. */
export async function createApiToken(
  context: Context,
  input: TokenInput & { organizationId?: string | null | undefined },
): Promise<MadeToken> {
  const { userId, onlyIn } = context.viewer;
  const organizationId = input.organizationId ?? onlyIn;
  if (organizationId !== null) await context.reader.found(organizations, organizationId, project([]));
  const data = { userId, organizationId, ...checked(context, input) };
  return change(context, mayCreateApiToken, { userId, organizationId, isService: false }, async (transaction) => {
    const limits = stricter(data, await makerOf(transaction, context));
    const made = await insert(transaction, context, { ...data, ...limits });
    const payload = { name: data.name, scope: data.scope, onlyIn: organizationId };
    return { result: made, events: [{ type: tokenEvents.created, subjectId: made.id, payload }] };
  });
}

/** Creates a token that acts as itself, with only a role in the organization. It ends no later than its creator. */
export async function createServiceToken(
  context: Context,
  input: TokenInput & { organizationId: string; role: Role },
): Promise<MadeToken> {
  const { organizationId, role } = input;
  await context.reader.found(organizations, organizationId, project([]));
  await requireAllowed(context, mayCreateServiceToken, { organizationId });
  const settings = checked(context, input);
  const userId = newId("User");
  return change(context, mayCreateServiceToken, { organizationId }, async (transaction) => {
    // This reserved domain (RFC 2606) receives no e-mail, so nobody can sign in as this user.
    const user = { id: userId, email: `${userId}@service.invalid`, displayName: settings.name, isService: true };
    await transaction.user.create({ data: { ...user, createdAt: settings.createdAt } });
    const { expiresAt } = stricter(settings, await makerOf(transaction, context));
    const row = { userId, organizationId, isService: true, role, ...settings, expiresAt };
    const made = await insert(transaction, context, row);
    const payload = { name: settings.name, scope: settings.scope, role };
    const event = { type: serviceTokenEvents.created, subjectId: made.id, organizationId, payload };
    return { result: made, events: [event] };
  });
}

/** The longest overlap of the old token, in seconds: a week. */
const longestOverlap = 7 * 24 * 60 * 60;

/**
 * Replaces a token, which ends after an overlap, an hour by default. A session renews the lifetime
 * of the old token; a token only up to its own end, so that a token that rotates itself keeps its end.
 * CONFLICT if it has ended, INVALID_INPUT for an overlap beyond a week. FORBIDDEN if the token opens an
 * organization that is closed to the viewer, and to a token that ends before the token to rotate.
 */
export async function rotateApiToken(
  context: Context,
  input: { apiTokenId: string; overlapSeconds?: number | null | undefined },
): Promise<MadeToken> {
  const overlap = input.overlapSeconds ?? 60 * 60;
  if (overlap < 0 || overlap > longestOverlap)
    throw invalidInput("overlapSeconds", `must be from 0 to ${longestOverlap} (a week).`);
  const token = await context.reader.found(tokens, input.apiTokenId, owned);
  await requireSameOrganizations(context, token);
  const now = context.clock.now();
  return change(context, mayRotateApiToken, token, async (transaction) => {
    await transaction.$queryRaw`select from "ApiToken" where id = ${token.id} for update`;
    const old = await transaction.apiToken.findUniqueOrThrow({ where: { id: token.id }, omit: { hash: true } });
    if (old.revokedAt || (old.expiresAt && old.expiresAt <= now))
      throw new DomainError("CONFLICT", "This token has ended: create a new one.");
    const maker = await makerOf(transaction, context);
    if (earlier(old.expiresAt, maker.expiresAt) !== old.expiresAt) throw new DomainError("FORBIDDEN", endsFirst);
    const { id, createdAt, lastUsedAt: _used, revokedAt: _revoked, ...kept } = old;
    const renewed = old.expiresAt && new Date(now.getTime() + (old.expiresAt.getTime() - createdAt.getTime()));
    const limits = stricter({ ...old, expiresAt: renewed }, maker);
    const end = new Date(Math.min(old.expiresAt?.getTime() ?? Infinity, now.getTime() + overlap * 1_000));
    await transaction.apiToken.update({ where: { id }, data: { expiresAt: end } });
    const made = await insert(transaction, context, { ...kept, ...limits, createdAt: now });
    const payload = { name: old.name, newTokenId: made.id, expiresAt: end.toISOString() };
    return { result: made, events: [eventOf(token, "rotated", payload)] };
  });
}

const endsFirst =
  "A token that expires may rotate only itself and tokens that end no later. Use a session, or a token that ends later.";

/** FORBIDDEN if a token opens an organization that is closed to the viewer, for example by single sign-on. */
async function requireSameOrganizations({ viewers, viewer }: Context, token: ApiTokenRow): Promise<void> {
  const opened = await viewers.renew({ ...viewer, userId: token.userId, tokenId: token.id });
  if (opened?.organizations.every((id) => viewer.memberships.has(id)) ?? true) return;
  throw new DomainError(
    "FORBIDDEN",
    "This token gives access to an organization that this session cannot access. Sign in with its single sign-on, or create a new token.",
  );
}

/** Revokes a token at once. Revoking it again changes nothing. NOT_FOUND if the viewer does not see it. */
export async function revokeApiToken(context: Context, id: string): Promise<{ id: string }> {
  const token = await context.reader.found(tokens, id, owned);
  return changeIfAny(context, mayRevokeApiToken, token, async (transaction) => {
    const revokedAt = context.clock.now();
    const { count } = await transaction.apiToken.updateMany({ where: { id, revokedAt: null }, data: { revokedAt } });
    return { result: { id }, events: count > 0 ? [eventOf(token, "revoked")] : [] };
  });
}

/** The limits of a token besides its scope and organization. */
type Limits = { readonly madeByEmail?: boolean; readonly expiresAt: Date | null };

/** The limits of the session or token that creates another one. Tokens created in a session may outlast it. */
async function makerOf(transaction: Transaction, { viewer: { tokenId: id } }: Context): Promise<Limits> {
  const session = await transaction.session.findUnique({ where: { id }, select: { organizationId: true } });
  if (session) return { madeByEmail: session.organizationId === null, expiresAt: null };
  const token = await transaction.apiToken.findUnique({
    where: { id },
    select: { madeByEmail: true, expiresAt: true },
  });
  return token ?? { expiresAt: null }; // the command line
}

const stricter = (one: Limits, other: Limits) => ({
  madeByEmail: (one.madeByEmail ?? false) || (other.madeByEmail ?? false),
  expiresAt: earlier(one.expiresAt, other.expiresAt),
});

/** The earlier of two ends, where null means no end. The first one if both are equal. */
function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return other < one ? other : one;
}

const owned = project(["userId", "organizationId", "isService", "name"]);

type TokenRow = Omit<Parameters<Transaction["apiToken"]["create"]>[0]["data"] & object, "id" | "hash">;

/** Throws CONFLICT if another token would exceed the quota of the user, or of the organization that owns it. */
async function insert(transaction: Transaction, context: Context, data: TokenRow): Promise<MadeToken> {
  await requireTokensLeft(transaction, context, data);
  const { token, hash } = newToken();
  const id = newId("ApiToken");
  await transaction.apiToken.create({ data: { ...data, id, hash } as never }); // the row without these two columns
  return { id, token };
}

async function requireTokensLeft(
  transaction: Transaction,
  { clock, quotas: { tokensPerUser: most } }: Context,
  { userId = "", organizationId = null, isService = false }: TokenRow,
): Promise<void> {
  const owner = isService ? { organizationId, isService } : { userId };
  // Counts must include concurrent creations.
  await takeAdvisoryLock(transaction, `tokens of ${isService ? organizationId : userId}`);
  const isGood = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: clock.now() } }] };
  const count = await transaction.apiToken.count({ where: { ...owner, ...isGood } });
  if (count < most) return;
  const whose = isService ? "An organization may have at most" : "You may have at most";
  throw new DomainError(
    "CONFLICT",
    `${whose} ${inFigures(most)} valid tokens, and already ${isService ? "has" : "have"} ${inFigures(count)}: revoke one first.`,
  );
}

function checked(context: Context, { name, scope, expiresAt }: TokenInput) {
  const createdAt = context.clock.now();
  return {
    name: checkText("name", name, { min: 1, max: 100 }),
    scope: scope ?? ("admin" as const),
    expiresAt: expiresAt ? checkFuture("expiresAt", expiresAt, createdAt) : null,
    createdAt,
  };
}

/** An event of a token, for its owners. */
function eventOf(
  { id, name, isService, organizationId }: ApiTokenRow,
  verb: "rotated" | "revoked",
  payload: DomainEvent["payload"] = { name },
): DomainEvent {
  return isService
    ? { type: serviceTokenEvents[verb], subjectId: id, organizationId, payload }
    : { type: tokenEvents[verb], subjectId: id, payload };
}
