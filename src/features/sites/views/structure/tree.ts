// The structure of a site as its page shows it: groups, sections and site spaces in each other.
import type { SiteAnswer } from "#src/features/sites/views/site-frame.ts";
import type { Line } from "#src/features/sites/views/structure/order.ts";

export interface GroupRow {
  readonly id: string;
  readonly title: string;
  readonly icon: string | null;
  readonly position: string;
}

export interface SectionRow extends GroupRow {
  readonly path: string;
  readonly description: string | null;
  readonly isDefault: boolean;
  readonly condition: string | null;
  readonly siteSectionGroupId: string | null;
}

export interface SpaceRow {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  readonly isDefault: boolean;
  readonly condition: string | null;
  readonly siteSectionId: string | null;
  /** Null if it was deleted or is not visible to the viewer. */
  readonly space: { readonly id: string; readonly title: string } | null;
}

/** A space that can be placed on the site, if the viewer may publish it. */
export interface PlaceableSpace {
  readonly id: string;
  readonly title: string;
  readonly permissions: { readonly review: boolean };
}

interface Rows<Row> {
  readonly nodes: readonly Row[];
  readonly pageInfo: { readonly hasNextPage: boolean };
}

export interface StructureSite {
  readonly structureVersion: number;
  readonly sectionGroups: Rows<GroupRow>;
  readonly sections: Rows<SectionRow>;
  readonly siteSpaces: Rows<SpaceRow>;
  readonly templateConditions: readonly { readonly description: string; readonly condition: string }[];
  readonly organization: { readonly spaces: Rows<PlaceableSpace> } | null;
}

export type StructureAnswer = SiteAnswer<StructureSite>;

export interface SectionNode {
  readonly section: SectionRow;
  readonly siteSpaces: readonly SpaceRow[];
}

export interface GroupNode {
  readonly group: GroupRow;
  readonly sections: readonly SectionNode[];
}

export interface Tree {
  readonly root: readonly SpaceRow[];
  readonly entries: readonly (GroupNode | SectionNode)[];
  /** The same, as a form contains it. */
  readonly lines: readonly Line[];
  /** Whether all of it is here: only then can it be sorted. */
  readonly isWhole: boolean;
}

/** The tree of a structure. */
export function treeOf({ sectionGroups, sections, siteSpaces }: StructureSite): Tree {
  const inSections = Map.groupBy(siteSpaces.nodes, ({ siteSectionId }) => siteSectionId);
  const nodes = sections.nodes.map((section) => ({ section, siteSpaces: inSections.get(section.id) ?? [] }));
  const inGroups = Map.groupBy(nodes, ({ section }) => section.siteSectionGroupId);
  const groups = sectionGroups.nodes.map((group) => ({ group, sections: inGroups.get(group.id) ?? [] }));
  const entries = [...groups, ...(inGroups.get(null) ?? [])].toSorted(byPosition);
  const root = inSections.get(null) ?? [];
  return {
    root,
    entries,
    lines: [...root.map(lineOfSpace), ...entries.flatMap(linesOf)],
    isWhole: [sectionGroups, sections, siteSpaces].every(({ pageInfo }) => !pageInfo.hasNextPage),
  };
}

/** Positions have ASCII characters only. */
function byPosition(one: GroupNode | SectionNode, other: GroupNode | SectionNode): number {
  const [first, second] = [positionOf(one), positionOf(other)];
  return first < second ? -1 : Number(first > second);
}

const positionOf = (node: GroupNode | SectionNode): string => ("group" in node ? node.group : node.section).position;

const lineOfSpace = ({ id }: SpaceRow): Line => ({ kind: "space", id });

function linesOf(node: GroupNode | SectionNode): Line[] {
  if ("section" in node) return linesOfSection("section", node);
  return [{ kind: "group", id: node.group.id }, ...node.sections.flatMap((one) => linesOfSection("inner", one))];
}

const linesOfSection = (kind: "section" | "inner", { section, siteSpaces }: SectionNode): Line[] => [
  { kind, id: section.id },
  ...siteSpaces.map(lineOfSpace),
];

/** Values and names of a choice. */
export type Options = readonly (readonly [value: string, name: string])[];

/** The choice of one of these rows. */
export const optionsIn = (rows: readonly { readonly id: string; readonly title: string }[]): Options =>
  rows.map(({ id, title }) => [id, title]);

/** The choice of a space that the viewer may publish. */
export const placeableSpaces = ({ organization }: StructureSite): Options =>
  optionsIn((organization?.spaces.nodes ?? []).filter(({ permissions }) => permissions.review));
