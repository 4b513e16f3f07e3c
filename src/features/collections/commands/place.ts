// Positions in the content tree: a lock per organization, and fractional indexes that order collections and spaces.
import { generateKeyBetween, generateNKeysBetween } from "fractional-indexing";
import { andBelow, canSeeCollection, canSeeSpace } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import { found, invalidInput } from "#src/base/errors.ts";
import { emptySql, joinSql, type Sql, sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import { oneOf, type Optional } from "#src/domain/input.ts";
import { takeAdvisoryLock } from "#src/domain/advisory-lock.ts";

export interface Anchor {
  readonly side: "before" | "after";
  readonly kind: "Space" | "Collection";
  readonly id: string;
}

/** The children of a collection, or of the top level of an organization. */
interface Siblings {
  readonly organizationId: string;
  readonly parentId: string | null;
  /** An item that is being moved: it is excluded from the siblings. */
  readonly without?: string;
}

export interface Place {
  readonly parentId: string | null;
  readonly ancestors: string[];
  readonly position: string;
}

/** A position as clients give it: exactly one of its fields. */
export type PlaceInput = Optional<Record<keyof typeof anchors, string>>;

const anchors = {
  beforeSpaceId: { side: "before", kind: "Space" },
  afterSpaceId: { side: "after", kind: "Space" },
  beforeCollectionId: { side: "before", kind: "Collection" },
  afterCollectionId: { side: "after", kind: "Collection" },
} as const;

export function readAnchor(place: PlaceInput | null | undefined): Anchor | undefined {
  if (place == null) return undefined;
  const { beforeSpaceId, afterSpaceId, beforeCollectionId, afterCollectionId } = place;
  const [name, id] = oneOf("place", { beforeSpaceId, afterSpaceId, beforeCollectionId, afterCollectionId });
  return { ...anchors[name], id };
}

/** Locks content trees until the transaction ends; call it first. Ordered by id, so that transfers never deadlock. */
export async function lockTrees(transaction: Transaction, ...organizationIds: string[]): Promise<void> {
  for (const id of [...new Set(organizationIds)].toSorted()) {
    await takeAdvisoryLock(transaction, `content tree of ${id}`);
  }
}

/** The condition of siblings, in one of their tables. Includes deleted spaces, which keep their position. */
function isAmong({ organizationId, parentId, without }: Siblings): Sql {
  const parent = parentId === null ? sql`"parentId" is null` : sql`"parentId" = ${parentId}`;
  const others = without === undefined ? emptySql : sql` and id <> ${without}`;
  return sql`"organizationId" = ${organizationId} and ${parent}${others}`;
}

/** The tables of siblings. Deleted spaces are separate: the index of the top level covers only the others. */
const siblingTables = [
  sql`"Collection" where true`,
  sql`"Space" where "deletedAt" is null`,
  sql`"Space" where "deletedAt" is not null`,
];

/** Siblings as rows of id and position: those in each table that fulfil a condition, optionally limited by `some`. */
const ofAll = (condition: Sql, some = emptySql): Sql =>
  joinSql(
    siblingTables.map((table) => sql`(select id, position from ${table} and ${condition} ${some})`),
    " union all ",
  );

/** The position of the first sibling in an order that fulfils a condition: each table has an index for it. */
function firstOf(condition: Sql, order: Sql): Sql {
  const first = sql`order by position ${order}, id ${order} limit 1`;
  return sql`select s.position from (${ofAll(condition, first)}) s ${first}`;
}

type Gap = { readonly before: string | null; readonly after: string | null };

/** The positions around a new sibling. INVALID_INPUT if the anchor is not a sibling that the viewer sees. */
export async function findGap(
  transaction: Transaction,
  viewer: Viewer,
  siblings: Siblings,
  anchor: Anchor | undefined,
): Promise<Gap> {
  const among = isAmong(siblings);
  if (!anchor) {
    const [last] = await transaction.$queryRaw<{ position: string }[]>(firstOf(among, sql`desc`));
    return { before: last?.position ?? null, after: null };
  }
  const table = anchor.kind === "Space" ? sql`"Space"` : sql`"Collection"`;
  const isVisible = anchor.kind === "Space" ? canSeeSpace(viewer) : canSeeCollection(viewer);
  const beside =
    anchor.side === "before"
      ? firstOf(sql`${among} and (position, id) < (a.position, a.id)`, sql`desc`)
      : firstOf(sql`${among} and (position, id) > (a.position, a.id)`, sql`asc`);
  const [at] = await transaction.$queryRaw<{ position: string; neighbour: string | null }[]>(
    sql`select a.position, (${beside}) as neighbour
      from (select t.id, t.position from ${table} t where t.id = ${anchor.id} and ${among} and ${isVisible}) a`,
  );
  if (!at) throw invalidInput("place", "must name a space or collection with the same parent.");
  return anchor.side === "before"
    ? { before: at.neighbour, after: at.position }
    : { before: at.position, after: at.neighbour };
}

/** Longest index, in characters. Only very many moves to one spot exceed it; then all siblings are renumbered. */
const longest = 64;

/** New positions in a gap, or null if it has no room: equal neighbours, or indexes that became too long. */
function positionsIn({ before, after }: Gap, count: number): string[] | null {
  try {
    const positions = generateNKeysBetween(before, after, count);
    return positions.some((position) => position.length > longest) ? null : positions;
  } catch {
    return null; // the neighbours are not in order
  }
}

async function renumber(transaction: Transaction, siblings: Siblings): Promise<void> {
  const rows = await transaction.$queryRaw<{ id: string }[]>(
    sql`select s.id from (${ofAll(isAmong(siblings))}) s order by s.position, s.id`,
  );
  const ids = rows.map(({ id }) => id);
  const positions = generateNKeysBetween(null, null, ids.length);
  const numbered = sql`from unnest(${ids}::text[], ${positions}::text[]) n(id, position)`;
  await transaction.$executeRaw(
    sql`with c as (update "Collection" t set position = n.position ${numbered} where t.id = n.id)
      update "Space" t set position = n.position ${numbered} where t.id = n.id`,
  );
}

/** New positions between two siblings, in order; renumbers all siblings if necessary. */
export async function findPositions(
  transaction: Transaction,
  siblings: Siblings,
  count: number,
  findAGap: () => Promise<Gap>,
): Promise<string[]> {
  const positions = positionsIn(await findAGap(), count);
  if (positions) return positions;
  await renumber(transaction, siblings);
  const { before, after } = await findAGap();
  return generateNKeysBetween(before, after, count);
}

/** The position beside `anchor`, or at the end of the parent; the tree must be locked. NOT_FOUND for the parent. */
export async function findPlace(
  transaction: Transaction,
  viewer: Viewer,
  siblings: Siblings,
  anchor?: Anchor,
): Promise<Place> {
  const { organizationId, parentId } = siblings;
  const ancestors = parentId === null ? [] : [...(await ancestorsOf(transaction, organizationId, parentId)), parentId];
  const gap = () => findGap(transaction, viewer, siblings, anchor);
  const [position = generateKeyBetween(null, null)] = await findPositions(transaction, siblings, 1, gap);
  return { parentId, ancestors, position };
}

/** Whether an item is already the last of its parent; `place` is the last position without it. */
export const isLast = (current: Pick<Place, "parentId" | "position">, place: Place): boolean =>
  current.parentId === place.parentId && current.position >= place.position;

async function ancestorsOf(transaction: Transaction, organizationId: string, id: string): Promise<string[]> {
  const collection = await transaction.collection.findFirst({
    where: { id, organizationId },
    select: { ancestors: true },
  });
  return found(collection, "collection").ancestors;
}

/** Above this number of descendants, collections are matched by their ancestors instead of a recursive query. */
const manyBelow = 1_000;

/** The condition of descendants of a collection: few are found recursively, which is slow for many. */
export async function belowCollection(
  transaction: Transaction,
  { id, organizationId }: { readonly id: string; readonly organizationId: string },
): Promise<Sql> {
  const within = andBelow(sql`select ${id}::text`);
  const [few] = await transaction.$queryRaw<{ count: number }[]>(
    sql`select count(*)::int as count from (${within} limit ${manyBelow}) within`,
  );
  if (few && few.count < manyBelow) return sql`id <> ${id} and id in (${within})`;
  return sql`"organizationId" = ${organizationId} and ancestors @> array[${id}]`;
}
