// Sorting of a whole site structure: the requested order is checked against the current entries.
import { abridgedValue } from "#src/base/text/cut.ts";
import { DomainError, type ErrorDetail, invalidInput } from "#src/base/errors.ts";
import { freeSlug } from "#src/base/text/slugs.ts";
import type { Entry, Section, Structure } from "#src/features/sites/model/structure.ts";

type WishedSection = { readonly siteSectionId: string; readonly siteSpaceIds: readonly string[] };

/** One entry of a requested order: exactly one of the fields. */
export interface WishedEntry {
  readonly sectionGroup?:
    | { readonly siteSectionGroupId: string; readonly sections: readonly WishedSection[] }
    | null
    | undefined;
  readonly section?: WishedSection | null | undefined;
  readonly siteSpaceId?: string | null | undefined;
}

/** A requested order by kind: the entries it names, each with its path in the input. */
type Named = { readonly id: string; readonly path: string };

interface Taken {
  readonly groups: Named[];
  readonly sections: (Named & WishedSection)[];
  readonly siteSpaces: Named[];
  readonly root: string[];
}

/**
 * Puts a structure into the requested order. A site space that changes its section gets a number if its path is taken.
 * CONFLICT, with details, for missing entries or entries of other sites; INVALID_INPUT for duplicates, and for site
 * spaces at the root beside sections. Changes nothing on errors.
 */
export function sortStructure(structure: Structure, wished: readonly WishedEntry[]): void {
  const taken = takeApart(wished);
  requireOnce(taken);
  requireSame(structure, taken);
  requireOnePlace(taken);
  placeSiteSpaces(structure, taken);
  placeEntries(structure, wished);
}

function placeSiteSpaces(structure: Structure, { sections, root }: Taken): void {
  const siteSpaces = byId(structure.places.flat());
  const wishes = [
    { place: structure.root, ids: root },
    ...sections.map(({ id, siteSpaceIds }) => ({ place: structure.section(id).siteSpaces, ids: siteSpaceIds })),
  ].map(({ place, ids }) => ({ place, there: new Set(place), wanted: ids.flatMap((id) => siteSpaces.get(id) ?? []) }));
  for (const { place, there, wanted } of wishes) {
    const paths = new Set(wanted.flatMap((siteSpace) => (there.has(siteSpace) ? siteSpace.path : [])));
    for (const siteSpace of wanted.filter((one) => !there.has(one))) {
      siteSpace.isDefault = false;
      siteSpace.path = freeSlug(siteSpace.path, (path) => paths.has(path));
      paths.add(siteSpace.path);
    }
    place.splice(0, place.length, ...wanted);
  }
}

function placeEntries(structure: Structure, wished: readonly WishedEntry[]): void {
  const [groups, sections] = [byId(structure.groups), byId(structure.sections)];
  const sectionsOf = (of: readonly WishedSection[]): Section[] =>
    of.flatMap(({ siteSectionId }) => sections.get(siteSectionId) ?? []);
  const entries = wished.flatMap(({ sectionGroup, section }): Entry[] => {
    if (section) return sectionsOf([section]);
    const group = sectionGroup && groups.get(sectionGroup.siteSectionGroupId);
    if (!group) return [];
    group.sections.splice(0, group.sections.length, ...sectionsOf(sectionGroup.sections));
    return [group];
  });
  structure.entries.splice(0, structure.entries.length, ...entries);
}

function byId<Of extends { readonly id: string }>(items: readonly Of[]): Map<string, Of> {
  return new Map(items.map((item) => [item.id, item]));
}

function takeApart(wished: readonly WishedEntry[]): Taken {
  const taken: Taken = { groups: [], sections: [], siteSpaces: [], root: [] };
  const takeSection = (section: WishedSection, at: string) => {
    taken.sections.push({ ...section, id: section.siteSectionId, path: `${at}/siteSectionId` });
    section.siteSpaceIds.forEach((id, index) => taken.siteSpaces.push({ id, path: `${at}/siteSpaceIds/${index}` }));
  };
  wished.forEach(({ sectionGroup, section, siteSpaceId }, index) => {
    const at = `structure/${index}`;
    if (sectionGroup) {
      taken.groups.push({ id: sectionGroup.siteSectionGroupId, path: `${at}/sectionGroup/siteSectionGroupId` });
      sectionGroup.sections.forEach((one, place) => takeSection(one, `${at}/sectionGroup/sections/${place}`));
    }
    if (section) takeSection(section, `${at}/section`);
    if (siteSpaceId != null) {
      taken.siteSpaces.push({ id: siteSpaceId, path: `${at}/siteSpaceId` });
      taken.root.push(siteSpaceId);
    }
  });
  return taken;
}

function requireOnce({ groups, sections, siteSpaces }: Taken): void {
  const seen = new Set<string>();
  for (const { id, path } of [...groups, ...sections, ...siteSpaces]) {
    if (seen.has(id)) throw invalidInput(path, "is named twice.");
    seen.add(id);
  }
}

/** A site with sections has no site spaces at its root. */
function requireOnePlace({ root: [first], sections, siteSpaces }: Taken): void {
  const atRoot = siteSpaces.find(({ id }) => id === first);
  if (atRoot && sections.length > 0)
    throw invalidInput(atRoot.path, "must be in a section: a site with sections has no site spaces at its root.");
}

function requireSame(structure: Structure, { groups, sections, siteSpaces }: Taken): void {
  const details = [
    ...differences("section group", structure.groups, groups),
    ...differences("section", structure.sections, sections),
    ...differences("site space", structure.places.flat(), siteSpaces),
  ];
  if (details.length > 0)
    throw new DomainError(
      "CONFLICT",
      "The structure does not list exactly the entries of the site: see `details`.",
      details,
    );
}

function differences(what: string, there: readonly { readonly id: string }[], named: readonly Named[]): ErrorDetail[] {
  const ids = new Set(there.map(({ id }) => id));
  const known = new Set(named.map(({ id }) => id));
  return [
    ...named.flatMap(({ id, path }) =>
      ids.has(id) ? [] : [{ path, message: `names the ${what} ${abridgedValue(id)}, which is not on the site.` }],
    ),
    ...there.flatMap(({ id }) =>
      known.has(id) ? [] : [{ path: "structure", message: `omits the ${what} ${id}, which is on the site.` }],
    ),
  ];
}
