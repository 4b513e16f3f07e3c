// The structure of a site in memory: its groups, sections and site spaces in their order, and what each change does to
// them. A site has sections, some of them in groups, or else its site spaces are at its root.
import { invalidInput, notFound } from "#src/base/errors.ts";
import { freeSlug } from "#src/features/content/model/slug.ts";
import { bothOf } from "#src/features/sites/model/condition.ts";

/** Something in an order; what is new there has no position yet. */
export type Ordered = { readonly id: string; readonly position: string | null };

/** A site space. `row` holds the other columns of a new one. */
export interface PlacedSpace extends Ordered {
  path: string;
  condition: string | null;
  /** Whether it was chosen as the default of its place. */
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

/** How many sections a site may have, in groups or not, how many groups, and how many site spaces a section or root. */
export const structureLimit = 1000;

/** The default of a place: the one that was chosen, or else the first; undefined where nothing is there. */
export function defaultOf<Of extends { readonly isDefault: boolean }>(place: readonly Of[]): Of | undefined {
  return place.find(({ isDefault }) => isDefault) ?? place[0];
}

export class Structure {
  /** Groups, and sections that are in none. */
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

  /** All places of site spaces: the root, then the sections in their order. */
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

  /** The site spaces of a section; of the root where there is no section. */
  siteSpacesIn(section: Section | undefined): PlacedSpace[] {
    return section?.siteSpaces ?? this.root;
  }

  /** The place of a site space. NOT_FOUND when it is not on the site. */
  placeOf(siteSpaceId: string): { place: PlacedSpace[]; index: number; siteSpace: PlacedSpace } {
    for (const place of this.places) {
      const index = place.findIndex(({ id }) => id === siteSpaceId);
      const siteSpace = place[index];
      if (siteSpace) return { place, index, siteSpace };
    }
    throw notFound("site space");
  }

  /** Puts a new group behind everything else. */
  addGroup(group: Omit<Group, "kind" | "sections" | "position">): void {
    checkRoom("section groups", this.groups);
    this.entries.push({ kind: "group", sections: [], position: null, ...group });
  }

  /** Puts a new section behind everything else. A path that another one has gets a number. */
  addSection(section: { id: string; path: string; row: NonNullable<Section["row"]> }): Section {
    const { sections } = this;
    checkRoom("sections", sections);
    const path = freeSlug(section.path, (one) => sections.some((other) => other.path === one));
    const made = { kind: "section", condition: null, isDefault: false, siteSpaces: [], position: null } as const;
    const added: Section = { ...made, ...section, path, siteSpaces: [] };
    this.entries.push(added);
    return added;
  }

  /** Puts site spaces into a section, or to the root, behind everything else there. Taken paths get numbers. */
  addSiteSpaces(place: PlacedSpace[], added: readonly PlacedSpace[]): void {
    for (const siteSpace of added) this.#insert(place, place.length, siteSpace);
  }

  #insert(place: PlacedSpace[], index: number, siteSpace: PlacedSpace): void {
    checkRoom("site spaces in one place", place);
    siteSpace.path = freeSlug(siteSpace.path, (path) => place.some((other) => other.path === path));
    place.splice(index, 0, siteSpace);
  }

  /** Moves all site spaces at the root into an empty section: the default of the site stays it. */
  putRootInto(section: Section): void {
    section.siteSpaces.push(...this.root.splice(0));
  }

  /** Chooses the default of a place. INVALID_INPUT at `path` for what is not there. */
  chooseDefault(place: readonly { readonly id: string; isDefault: boolean }[], id: string, path: string): void {
    if (!place.some((one) => one.id === id))
      throw invalidInput(path, "must be on this site, and in the place whose default it is to be.");
    for (const one of place) one.isDefault = one.id === id;
  }

  /** Takes a site space off the site. Answers false when it is not there. */
  removeSiteSpace(id: string): boolean {
    const place = this.places.find((one) => one.some((siteSpace) => siteSpace.id === id));
    place?.splice(
      place.findIndex((siteSpace) => siteSpace.id === id),
      1,
    );
    return place !== undefined;
  }

  /** Puts a site space beside another one, in the section of that one. A path that is taken there gets a number. */
  moveSiteSpace(id: string, { side, id: neighbourId }: Beside): void {
    const { place: from, index, siteSpace } = this.placeOf(id);
    const place = this.places.find((one) => one.some((other) => other.id === neighbourId));
    if (!place || neighbourId === id) throw invalidInput("place", "must name another site space of this site.");
    from.splice(index, 1);
    if (place !== from) siteSpace.isDefault = false;
    const at = place.findIndex((other) => other.id === neighbourId);
    this.#insert(place, side === "before" ? at : at + 1, siteSpace);
  }

  /** Puts a section beside a group, or beside another section: into the group of that one, or out of its own. */
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

  /** Puts a group, with its sections, beside another group or a section; beside the group of one that is in a group. */
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

  /** Puts a section last in a group. Answers false where it is in that group already. */
  putIntoGroup(section: Section, group: Group): boolean {
    if (group.sections.includes(section)) return false;
    this.#take(section);
    group.sections.push(section);
    return true;
  }

  /** Puts a section of a group right behind the group. Answers false where it is not in that group. */
  takeOutOfGroup(section: Section, group: Group): boolean {
    if (!group.sections.includes(section)) return false;
    this.#take(section);
    this.entries.splice(this.entries.indexOf(group) + 1, 0, section);
    return true;
  }

  /** Removes a group. Its sections stay, in its place. */
  removeGroup(group: Group): void {
    this.entries.splice(this.entries.indexOf(group), 1, ...group.sections);
  }

  /**
   * Removes a section. Its site spaces go to `to`, or else to the default section, behind what is there; without
   * another section to the root. The condition goes with them, so that nobody is shown more than before. Returns where
   * they went. INVALID_INPUT for conditions that cannot be joined.
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
    throw invalidInput("siteId", `the site has ${structureLimit} ${what} already, which is the most.`);
}

/** The condition that holds when both do; null stays null. */
function joined(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  const both = bothOf(one, other);
  if (both !== null) return both;
  throw invalidInput(
    "siteSectionId",
    "the conditions of the section and of a site space in it are too long or too deep to be joined, or wrong: change one, or move the site space first.",
  );
}
