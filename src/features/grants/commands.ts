// The commands that grant and revoke roles on collections and spaces.
import { found, invalidInput, notFound } from "#src/base/errors.ts";
import { newId } from "#src/base/ids.ts";
import { sql } from "#src/db/connection/database.ts";
import { project } from "#src/db/reading/entity.ts";
import { change, type Deleted, deleteIfThere, requireAllowed, type Transaction } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { oneOf, type Optional } from "#src/domain/input.ts";
import { beforeCollectionDeletion } from "#src/features/collections/commands/collection.ts";
import { beforeContentTransfer } from "#src/features/collections/commands/move.ts";
import { lockTrees } from "#src/features/collections/commands/place.ts";
import { mayRemoveGrant, maySetGrant } from "#src/features/grants/access.ts";
import type { EventType } from "#src/events/declared.ts";
import { grantEvents } from "#src/features/grants/events.ts";
import { findGrantItem, type GrantItem } from "#src/features/grants/reads.ts";
import { spaceCloses } from "#src/features/spaces/commands/audience.ts";
import { teams } from "#src/features/teams/reads.ts";
import type { Role } from "#src/generated/prisma/enums.ts";

/** The grantee and the target of a grant: exactly one of each pair. */
type GrantKey = GrantItem & Optional<{ userId: string; teamId: string }>;

/** The columns of a key, of which exactly two are not null. */
interface Key {
  readonly userId: string | null;
  readonly teamId: string | null;
  readonly collectionId: string | null;
  readonly spaceId: string | null;
}

function readKey({ userId = null, teamId = null, collectionId = null, spaceId = null }: GrantKey): Key {
  oneOf("holder", { userId, teamId });
  oneOf("target", { spaceId, collectionId });
  return { userId, teamId, collectionId, spaceId };
}

type GrantInput = GrantItem & { readonly role: Role };

/** Sets the role of a user or team on a collection or space. NOT_FOUND for a user who is not active there. */
export async function setGrant(context: Context, input: GrantKey & { role: Role }): Promise<{ id: string }> {
  return writeGrants(context, input, [readKey(input)]);
}

/** The most users, and the most teams, that get a role at once. */
const granteeLimit = 50;

/** Sets the role of several users and teams at once, or of none if one of them is not there. */
export async function setGrants(
  context: Context,
  { userIds, teamIds, ...input }: GrantInput & Optional<{ userIds: readonly string[]; teamIds: readonly string[] }>,
): Promise<{ id: string }> {
  const holders = [
    ...granteesIn("userIds", userIds).map((userId) => ({ userId })),
    ...granteesIn("teamIds", teamIds).map((teamId) => ({ teamId })),
  ];
  if (holders.length === 0) throw invalidInput("userIds", "must have an entry if no team is given.");
  const keys = holders.map((holder) => readKey({ ...input, ...holder }));
  return writeGrants(context, input, keys);
}

function granteesIn(path: string, ids: readonly string[] | null | undefined): string[] {
  const { length } = ids ?? [];
  if (length > granteeLimit) throw invalidInput(path, `must have at most ${granteeLimit} entries, and has ${length}.`);
  return [...new Set(ids)];
}

/** Writes the grants of these keys, which have one target, in one transaction. Returns the id of the first. */
async function writeGrants(context: Context, { role }: GrantInput, keys: readonly Key[]): Promise<{ id: string }> {
  const [first] = keys as [Key]; // it is never empty
  const item = await findItem(context, first);
  const { organizationId } = item;
  // Checked first, so that errors reveal nothing about the grantees.
  await requireAllowed(context, maySetGrant, { item, role });
  for (const { teamId } of keys) {
    if (teamId === null) continue;
    const team = await context.reader.found(teams, teamId, project(["organizationId"]));
    if (team.organizationId !== organizationId) throw notFound("team");
  }
  return change(context, maySetGrant, { item, role }, async (transaction) => {
    await lockTrees(transaction, organizationId);
    await requireItem(transaction, organizationId, first);
    const given = { organizationId, role, createdAt: context.clock.now() };
    const { id, event } = await writeGrant(transaction, first, given);
    const others = [];
    for (const key of keys.slice(1)) others.push((await writeGrant(transaction, key, given)).event);
    return { result: { id }, events: [event, ...others] };
  });
}

async function writeGrant(
  transaction: Transaction,
  key: Key,
  { organizationId, role, createdAt }: { organizationId: string; role: Role; createdAt: Date },
) {
  await lockGrantee(transaction, organizationId, key);
  const present = await transaction.grant.findFirst({ where: { ...key, organizationId } });
  const id = present?.id ?? newId("Grant");
  const data = { ...key, id, organizationId, role, createdAt };
  await transaction.grant.upsert({ where: { id }, update: { role }, create: data });
  const event = eventOf(grantEvents.set, { id, organizationId, role, roleBefore: present?.role ?? null }, key);
  return { id, event };
}

/** Revokes a grant. Requires `admin`. INVALID_INPUT unless exactly one grantee and one target are given. */
export async function removeGrant(context: Context, input: GrantKey): Promise<Deleted> {
  const key = readKey(input);
  const item = await findItem(context, key);
  const { organizationId } = item;
  return deleteIfThere(context, mayRemoveGrant, item, async (transaction) => {
    await lockTrees(transaction, organizationId);
    const grant = await transaction.grant.findFirst({ where: { ...key, organizationId } });
    if (!grant) return null;
    await transaction.grant.deleteMany({ where: { id: grant.id } });
    return eventOf(grantEvents.removed, { id: grant.id, organizationId, role: grant.role }, key);
  });
}

async function findItem(context: Context, key: Key) {
  return found(await findGrantItem(context, key), key.spaceId === null ? "collection" : "space");
}

function eventOf(
  type: EventType,
  {
    id: subjectId,
    organizationId,
    ...roles
  }: { id: string; organizationId: string; role: Role; roleBefore?: Role | null },
  { spaceId, ...grantee }: Key,
) {
  return { type, subjectId, organizationId, spaceId, payload: { ...grantee, ...roles } };
}

/** Checks that the item is still in the organization. The tree is locked, so it cannot be moved meanwhile. */
async function requireItem(
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

/** Checks that the grantee is in the organization, and locks its row until the transaction ends. */
async function lockGrantee(transaction: Transaction, organizationId: string, { userId, teamId }: Key): Promise<void> {
  const rows = await transaction.$queryRaw<object[]>(
    userId === null
      ? sql`select id from "Team" where id = ${teamId} and "organizationId" = ${organizationId} for key share`
      : sql`select id from "OrganizationMember" where "userId" = ${userId} and "organizationId" = ${organizationId} and not disabled for share`,
  );
  if (rows.length === 0) throw notFound(userId === null ? "team" : "user");
}

/** Copies the grants of a collection to its heirs; if the grantee already has a grant there, the higher role wins. */
export const copyGrantsToHeirs = beforeCollectionDeletion.join(async (transaction, { id, organizationId, heirs }) => {
  const grants = await transaction.grant.findMany({ where: { collectionId: id } });
  if (grants.length === 0) return;
  const copies = heirs.flatMap((child) => grants.map((grant) => ({ id: newId("Grant"), child, grant: grant.id })));
  // Grantees and items are compared by one column each: the prefix of an id distinguishes users from teams and
  // collections from spaces.
  await transaction.$executeRaw(
    sql`merge into "Grant" g
      using (
        select n.id, c.id as "collectionId", s.id as "spaceId", o."userId", o."teamId", o.role, n.child, coalesce(o."userId", o."teamId") as grantee
        from json_to_recordset(${JSON.stringify(copies)}::json) n(id text, child text, "grant" text)
        join "Grant" o on o.id = n."grant"
        left join "Collection" c on c.id = n.child
        left join "Space" s on s.id = n.child
      ) n
      on g."organizationId" = ${organizationId} and coalesce(g."collectionId", g."spaceId") = n.child and coalesce(g."userId", g."teamId") = n.grantee
      when matched and g.role < n.role then update set role = n.role
      when not matched then insert (id, "organizationId", "userId", "teamId", "collectionId", "spaceId", role)
        values (n.id, ${organizationId}, n."userId", n."teamId", n."collectionId", n."spaceId", n.role)`,
  );
});

/** Grants users who close a space to members the role that they had on it; a higher granted role stays. */
export const keepRoleOfCloser = spaceCloses.join(async (transaction, { id: spaceId, organizationId, userId, role }) => {
  await transaction.$executeRaw(
    sql`insert into "Grant" as g (id, "organizationId", "userId", "spaceId", role)
      values (${newId("Grant")}, ${organizationId}, ${userId}, ${spaceId}, ${role}::"Role")
      on conflict ("spaceId", "userId") do update set role = excluded.role where g.role < excluded.role`,
  );
});

/** Keeps grants to users in both organizations, including guests; revokes those to other users and to teams. */
export const revokeGrantsOnTransfer = beforeContentTransfer.join(
  async (transaction, { from, to, collections, spaces }) => {
    const there = sql`select m."userId" from "OrganizationMember" m where m."organizationId" = ${to}`;
    await transaction.$executeRaw(
      sql`delete from "Grant" g where g."organizationId" = ${from} and (g."collectionId" in (${collections}) or g."spaceId" in (${spaces}))
      and (g."teamId" is not null or g."userId" not in (${there}))`,
    );
  },
);
