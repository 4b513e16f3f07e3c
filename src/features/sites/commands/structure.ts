// The structure of a site as it is in the database, held for a change.
import { found } from "#src/base/errors.ts";
import { sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import { type Entry, type PlacedSpace, type Section, Structure } from "#src/features/sites/model/structure.ts";

/** A site whose structure nobody else changes until the transaction ends. */
export interface HeldSite {
  readonly id: string;
  readonly organizationId: string;
  readonly version: number;
  readonly structure: Structure;
  /** The rows as they are in the database. */
  readonly stored: StructureRows;
}

export interface GroupRow {
  readonly id: string;
  readonly position: string;
}

export interface SectionRow extends GroupRow {
  readonly sectionGroupId: string | null;
  readonly isDefault: boolean;
}

export interface SiteSpaceRow extends GroupRow {
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

/** Locks a site until the transaction ends, and reads its structure. NOT_FOUND when the site was deleted. */
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
