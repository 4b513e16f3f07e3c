// The structure of a site in memory: its groups, sections and site spaces in their order, and the operations that
// change them. A site has either sections, some of them in groups, or site spaces at its root.
import { invalidInput, notFound } from "#src/base/errors.ts";
import { freeSlug } from "#src/base/text/slugs.ts";
import { bothOf } from "#src/features/sites/model/condition.ts";

/** An ordered entry; a new one has no position yet. */
export type Ordered = { readonly id: string; readonly position: string | null };

/** A site space. `row` has the other columns of a new one. */
export interface PlacedSpace extends Ordered {
  path: string;
  condition: string | null;
  /** Whether it was chosen as the default of its section or root. */
  isDefault: boolean;
  readonly row?: { readonly spaceId: string; readonly title: string };
}

export interface Section extends Ordered {
  readonly kind: "section";
  readonly path: string;
  readonly condition: string | null;
  /** Whether it was chosen as the default of the site. */
  isDefault: boolean;
  readonly siteSpaces: PlacedSpace[];
  readonly row?: { readonly title: string; readonly icon: string | null };
}

interface Group extends Ordered {
  readonly kind: "group";
  readonly sections: Section[];
  readonly row?: { readonly title: string; readonly icon: string | null };
}

export type Entry = Group | Section;

export type Beside = { readonly side: "before" | "after"; readonly id: string };

/** The limit of a site's sections, of its groups, and of the site spaces of a section or the root. */
export const structureLimit = 1000;

/** The default of a section or root: the chosen one, or else the first; undefined if it is empty. */
export function defaultOf<Of extends { readonly isDefault: boolean }>(place: readonly Of[]): Of | undefined {
  return place.find(({ isDefault }) => isDefault) ?? place[0];
}

export class Structure {
  /** Groups, and sections without a group. */
  readonly entries: Entry[];
  readonly root: PlacedSpace[];

  constructor({ entries, root }: { entries: Entry[]; root: PlacedSpace[] }) {
    this.entries = entries;
    this.root = root;
  }

  get groups(): Group[] {
    return this.entries.filter((entry) => entry.kind === "group");
  }

  get sections(): Section[] {
    return this.entries.flatMap((entry) => (entry.kind === "group" ? entry.sections : entry));
  }

  /** All lists of site spaces: the root, then the sections in their order. */
  get places(): PlacedSpace[][] {
    return [this.root, ...this.sections.map(({ siteSpaces }) => siteSpaces)];
  }

  get defaultSection(): Section | undefined {
    return defaultOf(this.sections);
  }

  /** The section of this id, or NOT_FOUND. */
  section(id: string): Section {
    const section = this.sections.find((one) => one.id === id);
    if (!section) throw notFound("section");
    return section;
  }

  /** The group of this id, or NOT_FOUND. */
  group(id: string): Group {
    const group = this.groups.find((one) => one.id === id);
    if (!group) throw notFound("section group");
    return group;
  }

  /** The site spaces of a section; of the root if the site has no section. */
  siteSpacesIn(section: Section | undefined): PlacedSpace[] {
    return section?.siteSpaces ?? this.root;
  }

  /** The list that contains a site space. NOT_FOUND if it is not on the site. */
  placeOf(siteSpaceId: string): { place: PlacedSpace[]; index: number; siteSpace: PlacedSpace } {
    for (const place of this.places) {
      const index = place.findIndex(({ id }) => id === siteSpaceId);
      const siteSpace = place[index];
      if (siteSpace) return { place, index, siteSpace };
    }
    throw notFound("site space");
  }

  /** Adds a new group at the end. */
  addGroup(group: Omit<Group, "kind" | "sections" | "position">): void {
    checkRoom("section groups", this.groups);
    this.entries.push({ kind: "group", sections: [], position: null, ...group });
  }

  /** Adds a new section at the end. A path that another section has gets a number. */
  addSection(section: { id: string; path: string; row: NonNullable<Section["row"]> }): Section {
    const { sections } = this;
    checkRoom("sections", sections);
    const path = freeSlug(section.path, (one) => sections.some((other) => other.path === one));
    const made = { kind: "section", condition: null, isDefault: false, siteSpaces: [], position: null } as const;
    const added: Section = { ...made, ...section, path, siteSpaces: [] };
    this.entries.push(added);
    return added;
  }

  /** Adds site spaces at the end of a section or of the root. Taken paths get numbers. */
  addSiteSpaces(place: PlacedSpace[], added: readonly PlacedSpace[]): void {
    for (const siteSpace of added) this.#insert(place, place.length, siteSpace);
  }

  #insert(place: PlacedSpace[], index: number, siteSpace: PlacedSpace): void {
    checkRoom("site spaces in one place", place);
    siteSpace.path = freeSlug(siteSpace.path, (path) => place.some((other) => other.path === path));
    place.splice(index, 0, siteSpace);
  }

  /** Moves all site spaces at the root into an empty section: the default of the site stays the same. */
  putRootInto(section: Section): void {
    section.siteSpaces.push(...this.root.splice(0));
  }

  /** Chooses the default of a section, the root or the site. INVALID_INPUT at `path` if the entry is not in it. */
  chooseDefault(place: readonly { readonly id: string; isDefault: boolean }[], id: string, path: string): void {
    if (!place.some((one) => one.id === id))
      throw invalidInput(path, "must be on this site, and in the section whose default it becomes.");
    for (const one of place) one.isDefault = one.id === id;
  }

  /** Removes a site space from the site. Returns false if it is not there. */
  removeSiteSpace(id: string): boolean {
    const place = this.places.find((one) => one.some((siteSpace) => siteSpace.id === id));
    place?.splice(
      place.findIndex((siteSpace) => siteSpace.id === id),
      1,
    );
    return place !== undefined;
  }

  /** Moves a site space next to another one, into its section. A path that is taken there gets a number. */
  moveSiteSpace(id: string, { side, id: neighbourId }: Beside): void {
    const { place: from, index, siteSpace } = this.placeOf(id);
    const place = this.places.find((one) => one.some((other) => other.id === neighbourId));
    if (!place || neighbourId === id) throw invalidInput("place", "must name another site space of this site.");
    from.splice(index, 1);
    if (place !== from) siteSpace.isDefault = false;
    const at = place.findIndex((other) => other.id === neighbourId);
    this.#insert(place, side === "before" ? at : at + 1, siteSpace);
  }

  /** Moves a section next to a group or another section: into that section's group, or out of its own. */
  moveSection(id: string, { side, id: neighbourId }: Beside): void {
    const section = this.section(id);
    const siblings = [this.entries, ...this.groups.map(({ sections }) => sections)].find((entries: Entry[]) =>
      entries.some((entry) => entry.id === neighbourId),
    );
    if (!siblings || neighbourId === id)
      throw invalidInput("place", "must name another section or group of this site.");
    this.#take(section);
    const at = siblings.findIndex((entry) => entry.id === neighbourId);
    siblings.splice(side === "before" ? at : at + 1, 0, section);
  }

  /** Moves a group with its sections next to another group or a section, or next to the group of a section. */
  moveGroup(id: string, { side, id: neighbourId }: Beside): void {
    const group = this.group(id);
    const isAround = (entry: Entry) =>
      entry.id === neighbourId || (entry.kind === "group" && entry.sections.some((one) => one.id === neighbourId));
    if (isAround(group) || !this.entries.some(isAround))
      throw invalidInput("place", "must name another group, or a section outside this group, of this site.");
    this.entries.splice(this.entries.indexOf(group), 1);
    const at = this.entries.findIndex(isAround);
    this.entries.splice(side === "before" ? at : at + 1, 0, group);
  }

  /** Moves a section to the end of a group. Returns false if it is already in that group. */
  putIntoGroup(section: Section, group: Group): boolean {
    if (group.sections.includes(section)) return false;
    this.#take(section);
    group.sections.push(section);
    return true;
  }

  /** Moves a section out of a group, right after it. Returns false if it is not in that group. */
  takeOutOfGroup(section: Section, group: Group): boolean {
    if (!group.sections.includes(section)) return false;
    this.#take(section);
    this.entries.splice(this.entries.indexOf(group) + 1, 0, section);
    return true;
  }

  /** Removes a group. Its sections take its place. */
  removeGroup(group: Group): void {
    this.entries.splice(this.entries.indexOf(group), 1, ...group.sections);
  }

  /**
   * Removes a section. Its site spaces move to the end of `to`, or else of the default section; without
   * another section, to the root. The condition moves with them, so that nobody sees more than before. Returns the
   * section they moved to. INVALID_INPUT if conditions cannot be joined.
   */
  removeSection(section: Section, to: Section | undefined): Section | undefined {
    this.#take(section);
    const target = to ?? this.defaultSection;
    const place = this.siteSpacesIn(target);
    for (const siteSpace of section.siteSpaces) {
      siteSpace.condition = joined(section.condition, siteSpace.condition);
      siteSpace.isDefault &&= target === undefined && place.length === 0;
    }
    this.addSiteSpaces(place, section.siteSpaces);
    return target;
  }

  #take(section: Section): void {
    for (const siblings of [this.entries, ...this.groups.map(({ sections }) => sections)] as Entry[][]) {
      const index = siblings.indexOf(section);
      if (index >= 0) siblings.splice(index, 1);
    }
  }
}

function checkRoom(what: string, present: readonly unknown[]): void {
  if (present.length >= structureLimit)
    throw invalidInput("siteId", `already has ${structureLimit} ${what}, which is the limit.`);
}

/** The conjunction of two conditions; null counts as true. */
function joined(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  const both = bothOf(one, other);
  if (both !== null) return both;
  throw invalidInput(
    "siteSectionId",
    "the conditions of the section and of a site space in it are invalid, or too long or too deep to be joined: change one, or move the site space first.",
  );
}
