// The structure of a site in the database: read under a lock, changed in memory, and its differences written back.
import { generateNKeysBetween } from "fractional-indexing";
import { found } from "#src/base/errors.ts";
import { sql, type Sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import {
  type Entry,
  type Ordered,
  type PlacedSpace,
  type Section,
  Structure,
} from "#src/features/sites/model/structure.ts";

/** A site whose structure is locked until the transaction ends. */
export interface HeldSite {
  readonly id: string;
  readonly organizationId: string;
  readonly version: number;
  readonly structure: Structure;
  /** The rows as stored in the database. */
  readonly stored: StructureRows;
}

type GroupRow = { readonly id: string; readonly position: string };

interface SectionRow extends GroupRow {
  readonly sectionGroupId: string | null;
  readonly isDefault: boolean;
}

interface SiteSpaceRow extends GroupRow {
  readonly sectionId: string | null;
  readonly path: string;
  readonly condition: string | null;
  readonly isDefault: boolean;
}

interface StructureRows {
  readonly groups: readonly GroupRow[];
  readonly sections: readonly (SectionRow & { readonly path: string; readonly condition: string | null })[];
  readonly siteSpaces: readonly SiteSpaceRow[];
}

/** Locks a site until the transaction ends, and reads its structure. NOT_FOUND if the site was deleted. */
export async function holdStructure(
  transaction: Transaction,
  { id, organizationId }: { readonly id: string; readonly organizationId: string },
): Promise<HeldSite> {
  const [site = null] = await transaction.$queryRaw<{ version: number }[]>(
    sql`select "structureVersion" as version from "Site"
      where id = ${id} and "organizationId" = ${organizationId} for no key update`,
  );
  const { version } = found(site, "site");
  const [stored = { groups: [], sections: [], siteSpaces: [] }] = await transaction.$queryRaw<StructureRows[]>(
    sql`select
      coalesce((select json_agg(json_build_object('id', t.id, 'position', t."position") order by t."position", t.id)
        from "SiteSectionGroup" t where t."siteId" = ${id}), '[]') as groups,
      coalesce((select json_agg(json_build_object('id', t.id, 'position', t."position", 'sectionGroupId', t."sectionGroupId",
        'isDefault', t."isDefault", 'path', t."path", 'condition', t."condition") order by t."position", t.id)
        from "SiteSection" t where t."siteId" = ${id}), '[]') as sections,
      coalesce((select json_agg(json_build_object('id', t.id, 'position', t."position", 'sectionId', t."sectionId",
        'isDefault', t."isDefault", 'path', t."path", 'condition', t."condition") order by t."position", t.id)
        from "SiteSpace" t where t."siteId" = ${id}), '[]') as "siteSpaces"`,
  );
  return { id, organizationId, version, structure: structureOf(stored), stored };
}

function structureOf({ groups, sections, siteSpaces }: StructureRows): Structure {
  const spacesIn = Map.groupBy(siteSpaces, ({ sectionId }) => sectionId);
  const placed = (sectionId: string | null): PlacedSpace[] =>
    (spacesIn.get(sectionId) ?? []).map(({ sectionId: _place, ...siteSpace }) => siteSpace);
  const made = sections.map(({ sectionGroupId, ...row }): [group: string | null, section: Section] => [
    sectionGroupId,
    { kind: "section", ...row, siteSpaces: placed(row.id) },
  ]);
  const inGroup = (id: string | null) => made.flatMap(([group, section]) => (group === id ? section : []));
  const entries: Entry[] = [
    ...groups.map((row) => ({ kind: "group" as const, ...row, sections: inGroup(row.id) })),
    ...inGroup(null),
  ];
  const key = ({ position, id }: Entry) => `${position ?? ""} ${id}`;
  return new Structure({
    entries: entries.toSorted((one, other) => (key(one) < key(other) ? -1 : 1)),
    root: placed(null),
  });
}

/** Writes what changed in a locked structure; returns whether anything changed. Moves increment the version. */
export async function storeStructure(transaction: Transaction, held: HeldSite): Promise<boolean> {
  const after = rowsOf(held.structure);
  const differences: Differences = {
    groups: compare(held.stored.groups, after.groups),
    sections: compare<SectionRow>(held.stored.sections, after.sections),
    siteSpaces: compare(held.stored.siteSpaces, after.siteSpaces),
  };
  const all = Object.values(differences);
  if (all.every(({ added, changed, gone }) => added.length + changed.length + gone.length === 0)) return false;
  await makeRoom(transaction, differences);
  await insertNew(transaction, held, differences);
  await updateChanged(transaction, differences);
  await removeGone(transaction, differences);
  if (all.some(({ isRearranged }) => isRearranged))
    await transaction.site.update({ where: { id: held.id }, data: { structureVersion: held.version + 1 } });
  return true;
}

/** The rows of a structure, with positions in its order. */
function rowsOf(structure: Structure): { groups: GroupRow[]; sections: SectionRow[]; siteSpaces: SiteSpaceRow[] } {
  const siteSpaces = structure.places.flat();
  const inOrder = structure.entries.flatMap((entry) => (entry.kind === "group" ? [entry, ...entry.sections] : entry));
  const positions = new Map([...positionsOf(inOrder), ...positionsOf(siteSpaces)]);
  const at = (id: string) => positions.get(id) ?? "";
  const ofSection =
    (sectionGroupId: string | null) =>
    ({ id, isDefault }: Section): SectionRow => ({ id, position: at(id), sectionGroupId, isDefault });
  const ofPlace = (sectionId: string | null, place: readonly PlacedSpace[]): SiteSpaceRow[] =>
    place.map(({ id, path, condition, isDefault }) => ({
      id,
      position: at(id),
      sectionId,
      path,
      condition,
      isDefault,
    }));
  return {
    groups: structure.groups.map(({ id }) => ({ id, position: at(id) })),
    sections: structure.entries.flatMap((entry) =>
      entry.kind === "group" ? entry.sections.map(ofSection(entry.id)) : ofSection(null)(entry),
    ),
    siteSpaces: [
      ...ofPlace(null, structure.root),
      ...structure.sections.flatMap(({ id, siteSpaces: place }) => ofPlace(id, place)),
    ],
  };
}

interface Difference<Row> {
  readonly added: readonly Row[];
  readonly changed: readonly Row[];
  /** Ids of the removed rows. */
  readonly gone: readonly string[];
  /** Whether rows were added, removed or moved; other changes concern paths, conditions and defaults. */
  readonly isRearranged: boolean;
}

interface Differences {
  readonly groups: Difference<GroupRow>;
  readonly sections: Difference<SectionRow>;
  readonly siteSpaces: Difference<SiteSpaceRow>;
}

/** The columns that hold the position of a row. */
const placeColumns = ["position", "sectionGroupId", "sectionId"];

function compare<Row extends { readonly id: string }>(before: readonly Row[], after: readonly Row[]): Difference<Row> {
  const old = new Map<string, object>(before.map((row) => [row.id, row]));
  const ids = new Set(after.map(({ id }) => id));
  const added = after.filter(({ id }) => !old.has(id));
  const gone = before.flatMap(({ id }) => (ids.has(id) ? [] : id));
  const changes = after.flatMap((row) => {
    const present = Object.entries(old.get(row.id) ?? row);
    const columns = Object.entries(row).flatMap(([name, value]) =>
      present.some((entry) => entry[0] === name && entry[1] === value) ? [] : name,
    );
    return columns.length > 0 ? [{ row, columns }] : [];
  });
  const isMoved = changes.some(({ columns }) => columns.some((name) => placeColumns.includes(name)));
  const isRearranged = added.length + gone.length > 0 || isMoved;
  return { added, changed: changes.map(({ row }) => row), gone, isRearranged };
}

/** Frees the paths and default flags of all changed rows: rows may swap them, and unique indexes are not deferred. */
async function makeRoom(transaction: Transaction, { sections, siteSpaces }: Differences): Promise<void> {
  const ids = (rows: readonly GroupRow[]) => rows.map(({ id }) => id);
  if (siteSpaces.gone.length > 0)
    await transaction.siteSpace.deleteMany({ where: { id: { in: [...siteSpaces.gone] } } });
  if (siteSpaces.changed.length > 0)
    await transaction.$executeRaw(
      sql`update "SiteSpace" set "path" = id, "isDefault" = false where id = any(${ids(siteSpaces.changed)}::text[])`,
    );
  if (sections.changed.length > 0)
    await transaction.$executeRaw(
      sql`update "SiteSection" set "isDefault" = false where id = any(${ids(sections.changed)}::text[]) and "isDefault"`,
    );
}

async function insertNew(
  transaction: Transaction,
  { id: siteId, structure }: HeldSite,
  { groups, sections, siteSpaces }: Differences,
): Promise<void> {
  const nodes = [...structure.groups, ...structure.sections, ...structure.places.flat()];
  const rows = new Map(nodes.map(({ id, row }) => [id, row]));
  // New rows have their other columns with them.
  const whole = <Row extends GroupRow>(added: readonly Row[]) =>
    added.map((row) => ({ ...row, ...rows.get(row.id), siteId })) as never[];
  if (groups.added.length > 0) await transaction.siteSectionGroup.createMany({ data: whole(groups.added) });
  if (sections.added.length > 0) {
    const paths = new Map(structure.sections.map(({ id, path }) => [id, path]));
    const data = sections.added.map((row) => ({ ...row, path: paths.get(row.id) }));
    await transaction.siteSection.createMany({ data: whole(data) });
  }
  if (siteSpaces.added.length > 0) await transaction.siteSpace.createMany({ data: whole(siteSpaces.added) });
}

async function updateChanged(transaction: Transaction, { groups, sections, siteSpaces }: Differences): Promise<void> {
  if (groups.changed.length > 0)
    await transaction.$executeRaw(
      sql`update "SiteSectionGroup" t set "position" = n."position" from ${recordset(groups.changed)}
        n(id text, "position" text) where t.id = n.id`,
    );
  if (sections.changed.length > 0)
    await transaction.$executeRaw(
      sql`update "SiteSection" t set "position" = n."position", "sectionGroupId" = n."sectionGroupId", "isDefault" = n."isDefault"
        from ${recordset(sections.changed)} n(id text, "position" text, "sectionGroupId" text, "isDefault" boolean)
        where t.id = n.id`,
    );
  if (siteSpaces.changed.length > 0)
    await transaction.$executeRaw(
      sql`update "SiteSpace" t set "position" = n."position", "sectionId" = n."sectionId", "path" = n."path",
          "condition" = n."condition", "isDefault" = n."isDefault"
        from ${recordset(siteSpaces.changed)}
          n(id text, "position" text, "sectionId" text, "path" text, "condition" text, "isDefault" boolean)
        where t.id = n.id`,
    );
}

const recordset = (rows: readonly object[]): Sql => sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`;

/** Removed sections and groups are already empty. */
async function removeGone(transaction: Transaction, { sections, groups }: Differences): Promise<void> {
  if (sections.gone.length > 0) await transaction.siteSection.deleteMany({ where: { id: { in: [...sections.gone] } } });
  if (groups.gone.length > 0)
    await transaction.siteSectionGroup.deleteMany({ where: { id: { in: [...groups.gone] } } });
}

/** Only very many moves to one position make an index longer than this; then all rows are renumbered. */
const longest = 64;

/** The position of each row, so that positions sort in this order; changes as few positions as possible. */
function positionsOf(items: readonly Ordered[]): ReadonlyMap<string, string> {
  const kept = longestRise(items);
  const positions = new Map<string, string>();
  try {
    let before: string | null = null;
    let waiting: string[] = [];
    const place = (after: string | null) => {
      const keys = generateNKeysBetween(before, after, waiting.length);
      waiting.forEach((id, index) => positions.set(id, keys[index] ?? ""));
      waiting = [];
    };
    for (const { id, position } of items) {
      if (position === null || !kept.has(id)) waiting.push(id);
      else {
        place(position);
        positions.set(id, (before = position));
      }
    }
    place(null);
    if ([...positions.values()].every((position) => position.length <= longest)) return positions;
  } catch {
    // Some positions are not fractional indexes.
  }
  const keys = generateNKeysBetween(null, null, items.length);
  return new Map(items.map(({ id }, index) => [id, keys[index] ?? ""]));
}

/** Ids of the longest increasing subsequence of positions. */
function longestRise(items: readonly Ordered[]): ReadonlySet<string> {
  interface Step {
    readonly id: string;
    readonly position: string;
    readonly before: Step | undefined;
  }
  const ends: Step[] = []; // at `n`, the increasing run of n + 1 items with the lowest end
  for (const { id, position } of items) {
    if (position === null) continue;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle]?.position ?? "") < position) low = middle + 1;
      else high = middle;
    }
    ends[low] = { id, position, before: ends[low - 1] };
  }
  const kept = new Set<string>();
  for (let step = ends.at(-1); step; step = step.before) kept.add(step.id);
  return kept;
}
