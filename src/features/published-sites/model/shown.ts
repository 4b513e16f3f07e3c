// The visible part of a site for a visitor: its structure without parts that a condition hides or that become empty.
import { lookup } from "#src/base/lookup.ts";
import { defaultOf } from "#src/features/sites/model/structure.ts";

/** The whole structure of a site, each kind in its order: the values of rows, as a statement reads them. */
export interface StoredStructure {
  readonly groups: readonly (readonly [id: string, title: string, icon: string | null, position: string])[];
  readonly sections: readonly SectionValues[];
  readonly siteSpaces: readonly SiteSpaceValues[];
}

type SectionValues = readonly [
  id: string,
  groupId: string | null,
  title: string,
  description: string | null,
  path: string,
  icon: string | null,
  condition: string | null,
  isChosen: boolean,
  position: string,
];

type SiteSpaceValues = readonly [
  id: string,
  sectionId: string | null,
  title: string,
  path: string,
  condition: string | null,
  isChosen: boolean,
  spaceId: string,
  emoji: string | null,
  revisionId: string,
  treeHash: string | null,
];

/** A visible site space. `Of` identifies the site and the visitor. */
export interface ShownSpace<Of> {
  readonly of: Of;
  readonly kind: "space";
  readonly id: string;
  readonly title: string;
  readonly emoji: string | null;
  readonly path: string;
  /** Its path on the site: that of its section, and its own. */
  readonly segments: readonly string[];
  readonly section: ShownSection<Of> | null;
  isDefault: boolean;
  readonly spaceId: string;
  readonly revision: {
    readonly id: string;
    readonly spaceId: string;
    readonly changeRequestId: null;
    readonly treeHash: string | null;
  };
}

/** A visible section. It is not empty. */
export interface ShownSection<Of> {
  readonly of: Of;
  readonly kind: "section";
  readonly id: string;
  readonly title: string;
  readonly description: string | null;
  readonly icon: string | null;
  readonly path: string;
  readonly segments: readonly string[];
  readonly group: ShownGroup<Of> | null;
  isDefault: boolean;
  readonly siteSpaces: ShownSpace<Of>[];
}

/** A visible group. It is not empty. */
export interface ShownGroup<Of> {
  readonly of: Of;
  readonly kind: "group";
  readonly id: string;
  readonly title: string;
  readonly icon: string | null;
  readonly sections: ShownSection<Of>[];
}

export type ShownEntry<Of> = ShownGroup<Of> | ShownSection<Of> | ShownSpace<Of>;

export interface Shown<Of> {
  /** The top-level entries in order: site spaces at the root, then groups and sections without a group. */
  readonly entries: readonly ShownEntry<Of>[];
  readonly groups: readonly ShownGroup<Of>[];
  readonly sections: readonly ShownSection<Of>[];
  /** All site spaces: those at the root, then those of each section. */
  readonly siteSpaces: readonly ShownSpace<Of>[];
  readonly root: readonly ShownSpace<Of>[];
  readonly defaultSection: ShownSection<Of> | null;
  /** The site space that visitors see first. */
  readonly defaultSiteSpace: ShownSpace<Of> | null;
}

/**
 * The part of a site that `holds` shows, which is called once for each condition. A section without visible site spaces
 * is hidden, and so is a group without visible sections. Defaults are the chosen ones, or else the first visible ones.
 */
export function shownOf<Of>(of: Of, structure: StoredStructure, holds: (condition: string) => boolean): Shown<Of> {
  const known = new Map<string, boolean>();
  const passes = (condition: string | null): boolean => {
    if (condition === null) return true;
    let isMet = known.get(condition);
    if (isMet === undefined) known.set(condition, (isMet = holds(condition)));
    return isMet;
  };
  const groups = structure.groups.map(([id, title, icon, position]) => {
    const group: ShownGroup<Of> = { of, kind: "group", id, title, icon, sections: [] };
    return { group, position };
  });
  const groupById = new Map(groups.map(({ group }) => [group.id, group]));
  const sections = structure.sections.flatMap((values) => (passes(values[6]) ? sectionOf(of, values, groupById) : []));
  const sectionById = new Map(sections.map(({ section }) => [section.id, section]));
  const root: ShownSpace<Of>[] = [];
  for (const values of structure.siteSpaces) {
    const section = values[1] === null ? null : sectionById.get(values[1]);
    if (section === undefined || !passes(values[4])) continue;
    (section?.siteSpaces ?? root).push(siteSpaceOf(of, values, section));
  }
  const left = sections.filter(({ section }) => section.siteSpaces.length > 0);
  for (const { section } of left) section.group?.sections.push(section);
  const top: Placed<ShownGroup<Of> | ShownSection<Of>>[] = [
    ...groups.filter(({ group }) => group.sections.length > 0).map(({ group: entry, ...at }) => ({ entry, ...at })),
    ...left.filter(({ section }) => section.group === null).map(({ section: entry, ...at }) => ({ entry, ...at })),
  ];
  return arrange(
    root,
    left.map(({ section }) => section),
    inOrder(top),
  );
}

function sectionOf<Of>(
  of: Of,
  [id, groupId, title, description, path, icon, , isDefault, position]: SectionValues,
  groups: ReadonlyMap<string, ShownGroup<Of>>,
): { section: ShownSection<Of>; position: string } {
  const group = lookup(groups, groupId) ?? null;
  const shown = { id, title, description, icon, path, segments: [path], group, isDefault, siteSpaces: [] };
  return { section: { of, kind: "section", ...shown }, position };
}

function siteSpaceOf<Of>(
  of: Of,
  [id, , title, path, , isDefault, spaceId, emoji, revisionId, treeHash]: SiteSpaceValues,
  section: ShownSection<Of> | null,
): ShownSpace<Of> {
  const segments = section ? [section.path, path] : [path];
  const revision = { id: revisionId, spaceId, changeRequestId: null, treeHash };
  return { of, kind: "space", id, title, emoji, path, segments, section, isDefault, spaceId, revision };
}

type Placed<Entry> = { readonly entry: Entry; readonly position: string };

/** Positions compare byte by byte, and are ASCII. */
function inOrder<Entry extends { readonly id: string }>(placed: readonly Placed<Entry>[]): Entry[] {
  const sorted = placed.toSorted((one, other) =>
    one.position === other.position ? (one.entry.id < other.entry.id ? -1 : 1) : one.position < other.position ? -1 : 1,
  );
  return sorted.map(({ entry }) => entry);
}

/** Assembles the visible parts, with exactly one default in each section or root that is not empty. */
function arrange<Of>(
  root: ShownSpace<Of>[],
  sections: ShownSection<Of>[],
  entries: (ShownGroup<Of> | ShownSection<Of>)[],
): Shown<Of> {
  for (const place of [root, sections, ...sections.map(({ siteSpaces }) => siteSpaces)]) markDefault(place);
  const defaultSection = defaultOf(sections) ?? null;
  return {
    entries: [...root, ...entries],
    groups: entries.filter((entry) => entry.kind === "group"),
    sections,
    siteSpaces: [...root, ...sections.flatMap(({ siteSpaces }) => siteSpaces)],
    root,
    defaultSection,
    defaultSiteSpace: defaultOf(defaultSection?.siteSpaces ?? root) ?? null,
  };
}

function markDefault(place: readonly { isDefault: boolean }[]): void {
  const chosen = defaultOf(place);
  for (const one of place) one.isDefault = one === chosen;
}

/** A site space, and the path of a page in it, which is empty for its first page. */
export type Place<Of> = { readonly space: ShownSpace<Of>; readonly path: string };

/** Resolves a path (section, site space, page), whose missing last parts are the defaults. Null without a match. */
export function placeAt<Of>(
  { sections, root, siteSpaces, defaultSiteSpace }: Shown<Of>,
  path: string,
): Place<Of> | null {
  const segments = path.split("/").filter((segment) => segment !== "");
  const [first, second] = segments;
  if (first === undefined) return defaultSiteSpace && { space: defaultSiteSpace, path: "" };
  const section = sections.find((one) => one.path === first);
  const inSection = section && second !== undefined ? section.siteSpaces.find((one) => one.path === second) : undefined;
  if (inSection) return { space: inSection, path: segments.slice(2).join("/") };
  const atRoot = root.find((one) => one.path === first);
  if (atRoot) return { space: atRoot, path: segments.slice(1).join("/") };
  const byDefault = siteSpaces.find((one) => one.section === section && one.isDefault);
  return section && byDefault && second === undefined ? { space: byDefault, path: "" } : null;
}
