// Placement in the content tree: one lock an organization, and the fractional index of a place among collections and
// spaces.
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

/** Siblings: the items of a collection, or of the top of an organization. */
interface Siblings {
  readonly organizationId: string;
  readonly parentId: string | null;
  /** An item that is being moved, and so is not a sibling of its new place. */
  readonly without?: string;
}

export interface Place {
  readonly parentId: string | null;
  readonly ancestors: string[];
  readonly position: string;
}

/** A place as clients give it: exactly one of its fields. */
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

/** Locks content trees until the transaction ends; call it first. By id, so that two transfers never deadlock. */
export async function lockTrees(transaction: Transaction, ...organizationIds: string[]): Promise<void> {
  for (const id of [...new Set(organizationIds)].toSorted()) {
    await takeAdvisoryLock(transaction, `content tree of ${id}`);
  }
}

/** The condition of siblings, in one of their tables. Deleted spaces keep their place, and so are among them. */
function isAmong({ organizationId, parentId, without }: Siblings): Sql {
  const parent = parentId === null ? sql`"parentId" is null` : sql`"parentId" = ${parentId}`;
  const others = without === undefined ? emptySql : sql` and id <> ${without}`;
  return sql`"organizationId" = ${organizationId} and ${parent}${others}`;
}

/** Where siblings are. Deleted spaces are apart from the others, which have an index of those at the top. */
const places = [
  sql`"Collection" where true`,
  sql`"Space" where "deletedAt" is null`,
  sql`"Space" where "deletedAt" is not null`,
];

/** Siblings as rows of id and position: those of each place that fulfil a condition, or only some of them. */
const ofAll = (condition: Sql, some = emptySql): Sql =>
  joinSql(
    places.map((place) => sql`(select id, position from ${place} and ${condition} ${some})`),
    " union all ",
  );

/** The position of the first sibling in an order, of those that fulfil a condition: each place has an index for it. */
function firstOf(condition: Sql, order: Sql): Sql {
  const first = sql`order by position ${order}, id ${order} limit 1`;
  return sql`select s.position from (${ofAll(condition, first)}) s ${first}`;
}

type Gap = { readonly before: string | null; readonly after: string | null };

/** The positions between which a new sibling comes. INVALID_INPUT for an anchor that the viewer does not see there. */
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
  if (!at) throw invalidInput("place", "must name a space or collection in the same parent.");
  return anchor.side === "before"
    ? { before: at.neighbour, after: at.position }
    : { before: at.position, after: at.neighbour };
}

/** A longer index comes only from very many moves to one spot; then all siblings are numbered again. */
const longest = 64;

/** New positions in a gap, or null where there is no room: equal neighbours, or indexes that have grown too long. */
function positionsIn({ before, after }: Gap, count: number): string[] | null {
  try {
    const positions = generateNKeysBetween(before, after, count);
    return positions.some((position) => position.length > longest) ? null : positions;
  } catch {
    return null; // the neighbours are not two indexes in order
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

/** New positions between two siblings, in order; if needed, all siblings are numbered again. */
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

/** The place beside `anchor`, or behind everything in the parent; the tree must be locked. NOT_FOUND for the parent. */
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

/** Whether something is behind everything in its parent already: `place` is the one that it would get there. */
export const isLast = (current: Pick<Place, "parentId" | "position">, place: Place): boolean =>
  current.parentId === place.parentId && current.position >= place.position;

async function ancestorsOf(transaction: Transaction, organizationId: string, id: string): Promise<string[]> {
  const collection = await transaction.collection.findFirst({
    where: { id, organizationId },
    select: { ancestors: true },
  });
  return found(collection, "collection").ancestors;
}

/** From how many collections below one on they are not followed from parent to child. */
const manyBelow = 1_000;

/** Whether a row of Collection is below a collection: a few are found from parent to child, which is slow for many. */
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
