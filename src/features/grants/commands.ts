// Granting roles on collections and spaces, and taking them back.
import { found, invalidInput, notFound } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { sql } from "#src/db/database.ts";
import { want } from "#src/db/entity.ts";
import { change, requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { deletedUnlessGone } from "#src/features/collections/commands/gone.ts";
import { lockTrees } from "#src/features/collections/commands/place.ts";
import { removeGrant as remove, setGrant as set } from "#src/features/grants/access.ts";
import { findGrantItem, type GrantItem } from "#src/features/grants/reads.ts";
import { findTeam } from "#src/features/teams/reads.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

/** Who holds a grant, and on what: exactly one of each pair. */
export interface GrantKey extends GrantItem {
  readonly userId?: string | null | undefined;
  readonly teamId?: string | null | undefined;
}

/** The columns of a key, of which exactly two are not null. */
interface Key {
  readonly userId: string | null;
  readonly teamId: string | null;
  readonly collectionId: string | null;
  readonly spaceId: string | null;
}

function readKey({ userId = null, teamId = null, collectionId = null, spaceId = null }: GrantKey): Key {
  if ((userId === null) === (teamId === null)) throw invalidInput("userId", "give either this or teamId.");
  if ((collectionId === null) === (spaceId === null))
    throw invalidInput("spaceId", "give either this or collectionId.");
  return { userId, teamId, collectionId, spaceId };
}

/**
 * Gives a user or a team a role on a collection or space, in place of the one that was granted there before. Needs `admin` there. Grants only raise:
 * a member whose role is higher anyway keeps it.
 *
 * Throws NOT_FOUND for a collection or space that the viewer may not see, a user who is no active member or guest of its organization, and a team
 * that is not of it or that the viewer may not see; INVALID_INPUT unless exactly one holder and one subject are given.
 */
export async function setGrant(context: Context, input: GrantKey & { role: Role }): Promise<{ id: string }> {
  const key = readKey(input);
  const { role } = input;
  const { organizationId, own } = await findItem(context, key);
  await requireAllowed(context, set, { own, role }); // before anything is said of the holder
  if (key.teamId !== null) {
    const team = found(await findTeam(context, key.teamId, want(["organizationId"])), "team");
    if (team.organizationId !== organizationId) throw notFound("team");
  }
  return change(context, set, { own, role }, async (transaction) => {
    await lockTrees(transaction, organizationId);
    await holdItem(transaction, organizationId, key);
    await holdHolder(transaction, organizationId, key);
    const present = await transaction.grant.findFirst({ where: { ...key, organizationId }, select: { id: true } });
    const id = present?.id ?? newId("Grant");
    const data = { ...key, id, organizationId, role, createdAt: context.clock.now() };
    await transaction.grant.upsert({ where: { id }, update: { role }, create: data });
    return { result: { id }, events: [eventOf("grant.set", id, organizationId, key)] };
  });
}

/**
 * Takes back what was granted to a user or a team on a collection or space. Needs `admin` there. Answers false when nothing was.
 *
 * Throws NOT_FOUND for a collection or space that the viewer may not see, INVALID_INPUT unless exactly one holder and one subject are given.
 */
export async function removeGrant(context: Context, input: GrantKey): Promise<{ deleted: boolean }> {
  const key = readKey(input);
  const { organizationId, own } = await findItem(context, key);
  const removal = change(context, remove, { own }, async (transaction) => {
    await lockTrees(transaction, organizationId);
    const grant = found(await transaction.grant.findFirst({ where: { ...key, organizationId } }), "grant");
    await transaction.grant.deleteMany({ where: { id: grant.id } });
    return { result: null, events: [eventOf("grant.removed", grant.id, organizationId, key)] };
  });
  return deletedUnlessGone(removal);
}

async function findItem(context: Context, key: Key) {
  return found(await findGrantItem(context, key), key.spaceId === null ? "collection" : "space");
}

function eventOf(type: `grant.${string}`, subjectId: string, organizationId: string, { spaceId, ...payload }: Key) {
  return { type, subjectId, organizationId, spaceId, payload: { ...payload } };
}

/** Checks that the item is still where it was seen. The tree is locked: it stays there. */
async function holdItem(
  transaction: Transaction,
  organizationId: string,
  { collectionId, spaceId }: Key,
): Promise<void> {
  const count =
    spaceId === null
      ? await transaction.collection.count({ where: { id: collectionId ?? "", organizationId } })
      : await transaction.space.count({ where: { id: spaceId, organizationId, deletedAt: null } });
  if (count === 0) throw notFound(spaceId === null ? "collection" : "space");
}

/** Checks that the holder is in the organization, and keeps them there until the transaction ends. */
async function holdHolder(transaction: Transaction, organizationId: string, { userId, teamId }: Key): Promise<void> {
  const rows = await transaction.$queryRaw<object[]>(
    userId === null
      ? sql`select id from "Team" where id = ${teamId} and "organizationId" = ${organizationId} for key share`
      : sql`select id from "OrganizationMember" where "userId" = ${userId} and "organizationId" = ${organizationId} and not disabled for share`,
  );
  if (rows.length === 0) throw notFound(userId === null ? "team" : "user");
}
