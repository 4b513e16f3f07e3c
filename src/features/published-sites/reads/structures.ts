// The whole structures of sites, each of which is kept as long as its rows are the same.
import { operationAllowance } from "#src/db/connection/budget.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import type { StoredStructure } from "#src/features/published-sites/model/shown.ts";
import { cacheOf } from "#src/runtime/cache-budget.ts";

/** The rows of a kind on a site, each `x`, and the values of each that the structure has. */
interface Kind {
  readonly table: Sql;
  readonly join: Sql;
  readonly values: Sql;
}

const groups: Kind = {
  table: sql`"SiteSectionGroup"`,
  join: sql``,
  values: sql`x.id, x.title, x.icon, x."position"`,
};

const sections: Kind = {
  table: sql`"SiteSection"`,
  join: sql``,
  values: sql`x.id, x."sectionGroupId", x.title, x.description, x.path, x.icon, x.condition, x."isDefault", x."position"`,
};

/** Without deleted spaces. */
const siteSpaces: Kind = {
  table: sql`"SiteSpace"`,
  join: sql`join "Space" s on s.id = x."spaceId" and s."deletedAt" is null join "Revision" r on r.id = s."revisionId"`,
  values: sql`x.id, x."sectionId", x.title, x.path, x.condition, x."isDefault", s.id, s.emoji, r.id, r."treeHash"`,
};

/** The rows of a kind on site `t`. */
const rowsOf = ({ table, join }: Kind): Sql =>
  sql`(select * from ${table} x where x."siteId" = t.id limit ${operationAllowance.rows}) x ${join}`;

/** Arrays of values in order. */
const listOf = (kind: Kind): Sql =>
  sql`(select coalesce(json_agg(json_build_array(${kind.values}) order by x."position", x.id), '[]') from ${rowsOf(kind)})`;

/** A hash of the rows in any order: a sum takes less time than putting them in one, and than writing JSON. */
const hashOf = (kind: Kind): Sql =>
  sql`(select coalesce(sum(hash_record_extended(row(${kind.values}, x."position"), 0)), 0) from ${rowsOf(kind)})`;

/** The whole structure of site `t` ({@link StoredStructure}). */
export const structure: Sql = sql`json_build_object(
  'groups', ${listOf(groups)}, 'sections', ${listOf(sections)}, 'siteSpaces', ${listOf(siteSpaces)})`;

/** A hash of that structure: another one when a value in it changes. */
export const structureHash: Sql = sql`concat_ws(' ', ${hashOf(groups)}, ${hashOf(sections)}, ${hashOf(siteSpaces)})`;

/** A structure with its hash, of one statement. */
export interface HashedStructure {
  readonly structure: StoredStructure;
  readonly structureHash: string;
}

/** Keyed by the ids of sites. A row of a structure takes half a kilobyte. */
const kept = cacheOf<string, HashedStructure>("site structures", 8, ({ structure: { groups, ...others } }) => {
  const rows = groups.length + others.sections.length + others.siteSpaces.length;
  return 200 + 500 * rows;
});

/** The structure of a site that has this hash now, if it is kept. */
export function keptStructure(siteId: string, hash: string): StoredStructure | undefined {
  const known = kept.get(siteId);
  return known?.structureHash === hash ? known.structure : undefined;
}

/** Keeps the structure of a site in place of an earlier one, and returns it. */
export function keepStructure(siteId: string, { structure, structureHash }: HashedStructure): StoredStructure {
  kept.keep(siteId, { structure, structureHash });
  return structure;
}
