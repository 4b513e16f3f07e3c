// Random steps on a site: each is a mutation with ids chosen from the present structure.
import fc from "fast-check";
import { schemaOf } from "#test/features/sites/factory.ts";
import type { ShownSite } from "#test/features/sites/standing.ts";

/** A step: numbers that select from the structure when it is applied. */
export interface Step {
  readonly kind: number;
  readonly one: number;
  readonly other: number;
  readonly third: number;
}

export const aStep: fc.Arbitrary<Step> = fc.record({
  kind: fc.nat(99),
  one: fc.nat(999),
  other: fc.nat(999),
  third: fc.nat(999),
});

/** The ids that a step selects from. */
interface Ground {
  readonly siteId: string;
  readonly spaceIds: readonly string[];
  readonly site: ShownSite;
}

const pick = <Of>(from: readonly Of[], number: number): Of | undefined => from[number % Math.max(from.length, 1)];

/** An unknown id, if nothing can be selected. */
const nobody = "sec_01aaaaaaaaaaaaaaaaaaaaaaaa";

/** Claims that the site declares. */
const claims = [["a"], ["a", "unsigned.b"], ["a", "b", "unsigned.b"]] as const;

/** Conditions: some are valid only with some of these claims, one never, and one is long. */
const conditions = [
  "visitor.claims.a",
  "visitor.claims.b || visitor.claims.a",
  "!visitor.claims.unsigned.b // not those",
  "true",
  "visitor.claims.c",
  `${"(".repeat(30)}visitor.claims.a${")".repeat(30)}`,
  `${"!".repeat(450)}visitor.claims.unsigned.b`,
];

/** Names of icons: short ones, the longest, one that is too long, none. */
const icons = ["book", "🌊".repeat(50), "i".repeat(51), "", null];

/** The mutations with their weights and the input of a step. */
const kinds: readonly (readonly [weight: number, mutation: string, input: (ground: Chosen, step: Step) => object])[] = [
  [
    10,
    "createSiteSpace",
    ({ siteId, space, section }, { third }) => ({
      siteId,
      spaceId: space,
      ...(third % 2 && section !== nobody && { siteSectionId: section }),
    }),
  ],
  [9, "createSiteSection", ({ siteId, space }) => ({ siteId, spaceId: space })],
  [
    6,
    "createSiteSectionGroup",
    ({ siteId, section }) => ({ siteId, title: "Group", siteSectionIds: section === nobody ? [] : [section] }),
  ],
  [6, "deleteSiteSpace", ({ siteSpace }) => ({ siteSpaceId: siteSpace })],
  [
    6,
    "deleteSiteSection",
    ({ section, otherSection }, { third }) => ({
      siteSectionId: section,
      ...(third % 2 && otherSection !== section && { toSiteSectionId: otherSection }),
    }),
  ],
  [4, "deleteSiteSectionGroup", ({ group }) => ({ siteSectionGroupId: group })],
  [
    10,
    "moveSiteSpace",
    ({ siteSpace, otherSiteSpace }, { third }) => ({
      siteSpaceId: siteSpace,
      place: { [third % 2 ? "beforeSiteSpaceId" : "afterSiteSpaceId"]: otherSiteSpace },
    }),
  ],
  [
    10,
    "moveSiteSection",
    ({ section, otherSection, group }, { third }) => ({
      siteSectionId: section,
      place:
        third % 3
          ? { [third % 2 ? "beforeSiteSectionId" : "afterSiteSectionId"]: otherSection }
          : { afterSiteSectionGroupId: group },
    }),
  ],
  [
    6,
    "moveSiteSectionGroup",
    ({ group, otherSection }, { third }) => ({
      siteSectionGroupId: group,
      place: { [third % 2 ? "beforeSiteSectionId" : "afterSiteSectionId"]: otherSection },
    }),
  ],
  [6, "addSectionToGroup", ({ group, section }) => ({ siteSectionGroupId: group, siteSectionId: section })],
  [4, "removeSectionFromGroup", ({ group, section }) => ({ siteSectionGroupId: group, siteSectionId: section })],
  [
    3,
    "setSiteAdaptiveSchema",
    ({ siteId }, { third }) => ({ siteId, jsonSchema: schemaOf(...(claims[third % 3] ?? [])) }),
  ],
  [
    4,
    "updateSiteSection",
    ({ section }, { other, third }) => ({
      siteSectionId: section,
      ...(other % 2 === 1 && { icon: icons[other % 5] }),
      condition: conditions[third % 8] ?? null,
    }),
  ],
  [
    3,
    "updateSiteSpace",
    ({ siteSpace }, { third }) => ({ siteSpaceId: siteSpace, condition: conditions[third % 8] ?? null }),
  ],
  [4, "updateSite", ({ siteId, section }) => ({ siteId, defaultSiteSectionId: section })],
  [2, "updateSiteSection", ({ section, siteSpace }) => ({ siteSectionId: section, defaultSiteSpaceId: siteSpace })],
  [3, "updateSiteSpace", ({ siteSpace }, { third }) => ({ siteSpaceId: siteSpace, path: `path-${third % 3}` })],
  [4, "sortSiteStructure", ({ siteId, turned: reverseStructure }) => ({ siteId, structure: reverseStructure })],
];

interface Chosen {
  readonly siteId: string;
  readonly space: string;
  readonly siteSpace: string;
  readonly otherSiteSpace: string;
  readonly section: string;
  readonly otherSection: string;
  readonly group: string;
  /** The whole structure, with the same groups and sections in reverse order. */
  readonly turned: readonly object[];
}

/** The mutation of a step, and its input. */
export function mutationOf(step: Step, { siteId, spaceIds, site }: Ground): { mutation: string; input: object } {
  const [sections, siteSpaces] = [site.sections.nodes, site.siteSpaces.nodes];
  const id = (from: readonly { readonly id: string }[], number: number) => pick(from, number)?.id ?? nobody;
  const chosen: Chosen = {
    siteId,
    space: pick(spaceIds, step.one) ?? nobody,
    siteSpace: id(siteSpaces, step.one),
    otherSiteSpace: id(siteSpaces, step.other),
    section: id(sections, step.one),
    otherSection: id(sections, step.other),
    group: id(site.sectionGroups.nodes, step.third),
    turned: reverseStructure(site),
  };
  let left = step.kind;
  for (const [weight, mutation, input] of kinds) {
    if (left < weight) return { mutation, input: input(chosen, step) };
    left -= weight;
  }
  throw new Error("The weights of the kinds do not sum up to 100.");
}

function reverseStructure(site: ShownSite): object[] {
  const orderOf = (sectionId: string) => ({
    siteSectionId: sectionId,
    siteSpaceIds: site.siteSpaces.nodes
      .filter((one) => one.sectionId === sectionId)
      .map(({ id }) => id)
      .toReversed(),
  });
  const grouped = new Set(site.sectionGroups.nodes.flatMap(({ sections }) => sections.nodes.map(({ id }) => id)));
  const entries = [
    ...site.siteSpaces.nodes.filter(({ sectionId }) => sectionId === null).map(({ id }) => ({ siteSpaceId: id })),
    ...site.sections.nodes.filter(({ id }) => !grouped.has(id)).map(({ id }) => ({ section: orderOf(id) })),
    ...site.sectionGroups.nodes.map(({ id, sections }) => ({
      sectionGroup: { siteSectionGroupId: id, sections: sections.nodes.map((one) => orderOf(one.id)).toReversed() },
    })),
  ];
  return entries.toReversed();
}

/** A document with this mutation. */
export const documentOf = (mutation: string): string =>
  `mutation ($input: ${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input!) { ${mutation}(input: $input) { __typename } }`;
