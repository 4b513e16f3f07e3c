// Calls of site operations for the examples of the description of /v1.
import type { Ids } from "#test/contract/example-texts.ts";

/** A call of an operation that needs more than ids. */
export interface Call {
  /** The query string with its question mark. */
  readonly query?: string;
  readonly body?: (ids: Ids) => object;
  /** Path parameters filled by ids of another name. */
  readonly at?: Readonly<Record<string, string>>;
  /** The name of the returned id for later calls. */
  readonly makes?: string;
}

/**
 * Calls of a feature's operations beyond the contract: exported as `calls` by `rest.ts` in its tests.
 * @public `npm run new -- --rest` writes such files; until there is one, only its template names this type.
 */
export interface RestCalls {
  /** Write operations. Those with `makes` are called before all reads. */
  readonly writes: Readonly<Record<string, Call>>;
  /** The path parameter filled by ids of list items, by operation. */
  readonly lists: Readonly<Record<string, string>>;
}

const sectionMade = { siteSectionId: "madeSectionId" };
const spaceMade = { siteSpaceId: "madeSiteSpaceId" };

/** Operations that change sites, in a possible order. */
export const siteWrites: Readonly<Record<string, Call>> = {
  createSite: {
    body: ({ errorsId }) => ({ type: "premium", title: "Error codes", visibility: "unlisted", spaces: [errorsId] }),
    makes: "madeSiteId",
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
