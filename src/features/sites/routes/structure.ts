// The /v1 operations that list sections, section groups and site spaces (spec 2, sections 4.2 to 4.4).
import { groupFields, sectionFields, siteSpaceFields } from "#src/features/sites/routes/fragments.ts";
import { defineRoutes, pageOfList } from "#src/rest/route.ts";

const sitePath = "/v1/orgs/{organizationId}/sites/{siteId}";
const shareKey = "Secret key of the link, which opens a published share-link site.";

export const siteStructureRoutes = defineRoutes({
  listSiteSections: {
    request: `GET ${sitePath}/sections`,
    summary: "List the sections of a site",
    list: true,
    query: { shareKey },
    answer: ["site", "sections"],
    document: /* GraphQL */ `
      query ($organizationId: ID!, $siteId: ID!, $shareKey: String, $first: Int, $after: String) {
        site(id: $siteId, organization: $organizationId, shareKey: $shareKey) {
          sections(first: $first, after: $after) { nodes { ...SiteSectionFields } ${pageOfList} }
        }
      }
      ${sectionFields("urls(shareKey: $shareKey)")}
    `,
  },
  listSiteSectionGroups: {
    request: `GET ${sitePath}/section-groups`,
    summary: "List the section groups of a site",
    list: true,
    answer: ["site", "sectionGroups"],
    document: /* GraphQL */ `
      query ($organizationId: ID!, $siteId: ID!, $first: Int, $after: String) {
        site(id: $siteId, organization: $organizationId) {
          sectionGroups(first: $first, after: $after) { nodes { ...SiteSectionGroupFields } ${pageOfList} }
        }
      }
      ${groupFields("urls")}
    `,
  },
  listSiteSpaces: {
    request: `GET ${sitePath}/site-spaces`,
    summary: "List the spaces placed on a site",
    list: true,
    query: { shareKey, default: "True lists only the default ones, false only the others." },
    answer: ["site", "siteSpaces"],
    document: /* GraphQL */ `
      query ($organizationId: ID!, $siteId: ID!, $shareKey: String, $default: Boolean, $first: Int, $after: String) {
        site(id: $siteId, organization: $organizationId, shareKey: $shareKey) {
          siteSpaces(default: $default, first: $first, after: $after) { nodes { ...SiteSpaceFields } ${pageOfList} }
        }
      }
      ${siteSpaceFields("urls(shareKey: $shareKey)")}
    `,
  },
});
