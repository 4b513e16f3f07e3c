// The content tree of an organization in tests, read from the tables and by GraphQL.
import type { TestApp } from "#test/support/app.ts";

/** A collection or space in the tree. */
export interface Item {
  readonly id: string;
  readonly parentId: string | null;
  readonly ancestors: string[];
  readonly position: string;
}

/** Everything in the trees of these organizations, including deleted spaces, in sibling order. */
export async function readTree({ database }: TestApp, ...organizationIds: string[]): Promise<Item[]> {
  const { rows } = await database.pool.query<Item>(
    `select id, "parentId", ancestors, position from (
      select id, "organizationId", "parentId", ancestors, position from "Collection"
      union all select id, "organizationId", "parentId", ancestors, position from "Space") t
    where "organizationId" = any($1) order by position, id`,
    [organizationIds],
  );
  return rows;
}

/** Ids of a parent's children, in order. */
export function childrenOf(tree: readonly Item[], parentId: string | null): string[] {
  return tree.filter((item) => item.parentId === parentId).map(({ id }) => id);
}

/**
 * The errors of a tree: positions not unique among siblings, ancestors that differ from the parent's.
 */
export function faultsOf(tree: readonly Item[]): string[] {
  const known = new Map(tree.map((item) => [item.id, item]));
  const taken = new Set<string>();
  return tree.flatMap(({ id, parentId, ancestors, position }) => {
    const place = `${parentId} ${position}`;
    const isTwice = taken.has(place);
    taken.add(place);
    const parent = parentId === null ? undefined : known.get(parentId);
    const expected = parent ? [...parent.ancestors, parent.id] : [];
    const isAstray = (parentId !== null && !parent) || expected.join() !== ancestors.join();
    return [...(isTwice ? [`${id} shares its position`] : []), ...(isAstray ? [`${id} has wrong ancestors`] : [])];
  });
}
