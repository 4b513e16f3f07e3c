// The content tree of an organization as a test sees it: what stands where, read from the tables and by GraphQL.
import type { TestApp } from "#test/support/app.ts";

/** A collection or space in the tree. */
export interface Item {
  readonly id: string;
  readonly parentId: string | null;
  readonly ancestors: string[];
  readonly position: string;
}

/** Everything in the trees of these organizations, deleted spaces too, in the order of siblings. */
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

/** Ids of the children of a parent, in their order. */
export function childrenOf(tree: readonly Item[], parentId: string | null): string[] {
  return tree.filter((item) => item.parentId === parentId).map(({ id }) => id);
}

/**
 * What is wrong with a tree: positions that are not unique among siblings, ancestors that are not those of the parent.
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
