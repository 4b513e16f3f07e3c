// How the operations of sites are called for the examples of the description of /v1.
import type { Ids } from "#test/contract/example-texts.ts";

/** How an operation is called where its ids alone do not say it. */
export interface Call {
  /** With its question mark. */
  readonly query?: string;
  readonly body?: (ids: Ids) => object;
  /** Path parameters that are not the usual ones, by the names of the ids that fill them. */
  readonly at?: Readonly<Record<string, string>>;
  /** The name under which the id of its answer is known to the calls after it. */
  readonly makes?: string;
}

/**
 * How the operations of a feature beyond the contract are called: exported as `calls` by `rest.ts` among its tests.
 * @public `npm run new -- --rest` writes such files; until there is one, only its template names this type.
 */
export interface RestCalls {
  /** The operations that write. Those with `makes` are called before everything that reads. */
  readonly writes: Readonly<Record<string, Call>>;
  /** The path parameter that the ids of the items of a list fill, by the operation. */
  readonly lists: Readonly<Record<string, string>>;
}

const sectionMade = { siteSectionId: "madeSectionId" };
const spaceMade = { siteSpaceId: "madeSiteSpaceId" };

/** The operations that change sites, in an order in which the demo lets them. */
export const siteWrites: Readonly<Record<string, Call>> = {
  createSite: {
    body: ({ errorsId }) => ({ type: "premium", title: "Error codes", visibility: "unlisted", spaces: [errorsId] }),
  },
  updateSite: { body: () => ({ title: "Harbour Instruments handbooks", adaptiveContent: { enabled: true } }) },
  setSiteAdaptiveSchema: {
    body: () => ({
      jsonSchema: {
        type: "object",
        properties: {
          customer: { type: "boolean", title: "Customer", description: "Has bought a device." },
          partner: { type: "boolean" },
          unsigned: {
            type: "object",
            properties: { trial: { type: "boolean", title: "On trial" } },
            additionalProperties: false,
          },
        },
        additionalProperties: false,
      },
    }),
  },
  createSiteSection: {
    body: ({ errorsId }) => ({ spaceId: errorsId, title: "Error codes", icon: "book" }),
    makes: "madeSectionId",
  },
  updateSiteSection: { body: () => ({ title: "When it fails", description: "What each code means" }), at: sectionMade },
  moveSiteSection: {
    body: ({ otherSectionId }) => ({
      position: { after: { type: "site-section", siteSection: otherSectionId } },
    }),
    at: sectionMade,
  },
  addSectionToGroup: { body: ({ madeSectionId }) => ({ sectionId: madeSectionId }) },
  createSiteSectionGroup: {
    body: ({ madeSectionId }) => ({ title: "Service", icon: "wrench", sections: [madeSectionId] }),
    makes: "madeGroupId",
  },
  updateSiteSectionGroup: { body: () => ({ title: "Help and service" }), at: { siteSectionGroupId: "madeGroupId" } },
  createSiteSpace: {
    body: ({ spaceId, siteSectionId }) => ({ spaceId, sectionId: siteSectionId }),
    makes: "madeSiteSpaceId",
  },
  updateSiteSpace: {
    body: () => ({ path: "buoy", condition: "visitor.claims.customer && !visitor.claims.unsigned.trial" }),
    at: spaceMade,
  },
  moveSiteSpace: {
    body: ({ otherSiteSpaceId }) => ({
      position: { before: { type: "site-space", siteSpace: otherSiteSpaceId } },
    }),
    at: spaceMade,
  },
  moveSiteSectionGroup: {
    body: ({ ungroupedId }) => ({ position: { before: { type: "site-section", id: ungroupedId } } }),
    at: { siteSectionGroupId: "madeGroupId" },
  },
  sortSiteStructure: {
    body: ({ plainFirstId, plainSecondId, plainThirdId }) => ({
      structure: [plainSecondId, plainFirstId, plainThirdId].map((siteSpaceId) => ({ siteSpaceId })),
    }),
    at: { organizationId: "opentideId", siteId: "plainSiteId" },
  },
};
