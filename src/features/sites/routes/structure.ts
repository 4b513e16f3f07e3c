// The /v1 operations that list sections, section groups and site spaces (spec 2, sections 4.2 to 4.4).
import { groupFields, sectionFields, siteSpaceFields } from "#src/features/sites/routes/fragments.ts";
import type { Route } from "#src/rest/route.ts";

const sitePath = "/v1/orgs/{organizationId}/sites/{siteId}";
const shareKey = "Secret key of the link, which opens a published share-link site.";
const page = "totalCount pageInfo { hasNextPage endCursor }";

export const siteStructureRoutes: readonly Route[] = [
  {
    operationId: "listSiteSections",
    method: "GET",
    path: `${sitePath}/sections`,
    summary: "List the sections of a site",
    noun: "site",
    list: true,
    query: { shareKey },
    answer: ["site", "sections"],
    document: /* GraphQL */ `
      query ListSiteSections($organizationId: ID!, $siteId: ID!, $shareKey: String, $first: Int, $after: String) {
        site(id: $siteId, organization: $organizationId, shareKey: $shareKey) {
          sections(first: $first, after: $after) { nodes { ...SiteSectionFields } ${page} }
        }
      }
      ${sectionFields("urls(shareKey: $shareKey)")}
    `,
  },
  {
    operationId: "listSiteSectionGroups",
    method: "GET",
    path: `${sitePath}/section-groups`,
    summary: "List the section groups of a site",
    noun: "site",
    list: true,
    answer: ["site", "sectionGroups"],
    document: /* GraphQL */ `
      query ListSiteSectionGroups($organizationId: ID!, $siteId: ID!, $first: Int, $after: String) {
        site(id: $siteId, organization: $organizationId) {
          sectionGroups(first: $first, after: $after) { nodes { ...SiteSectionGroupFields } ${page} }
        }
      }
      ${groupFields("urls")}
    `,
  },
  {
    operationId: "listSiteSpaces",
    method: "GET",
    path: `${sitePath}/site-spaces`,
    summary: "List the spaces placed on a site",
    noun: "site",
    list: true,
    query: { shareKey, default: "True lists only the default ones, false only the others." },
    answer: ["site", "siteSpaces"],
    document: /* GraphQL */ `
      query ListSiteSpaces(
        $organizationId: ID!
        $siteId: ID!
        $shareKey: String
        $default: Boolean
        $first: Int
        $after: String
      ) {
        site(id: $siteId, organization: $organizationId, shareKey: $shareKey) {
          siteSpaces(default: $default, first: $first, after: $after) { nodes { ...SiteSpaceFields } ${page} }
        }
      }
      ${siteSpaceFields("urls(shareKey: $shareKey)")}
    `,
  },
];
