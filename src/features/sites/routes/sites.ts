// The /v1 operations on sites (spec 2, section 4.1).
import { siteFields } from "#src/features/sites/routes/fragments.ts";
import type { Route } from "#src/rest/route.ts";

/** Sites are reached past `organization`, which outsiders cannot see: a share key opens a site to them too. */
export const siteRoutes: readonly Route[] = [
  {
    operationId: "listSites",
    method: "GET",
    path: "/v1/orgs/{organizationId}/sites",
    summary: "List the sites of an organization",
    noun: "organization",
    list: true,
    query: {
      space: "Only sites that show the space of this id.",
      title: "Only sites with this text in their title, in any letter case.",
      published: "True lists those that are published, false the others.",
    },
    answer: ["organization", "sites"],
    document: /* GraphQL */ `
      query ListSites(
        $organizationId: ID!
        $space: ID
        $title: String
        $published: Boolean
        $first: Int
        $after: String
      ) {
        organization(id: $organizationId) {
          sites(space: $space, title: $title, published: $published, first: $first, after: $after) {
            totalCount
            nodes {
              ...SiteFields
            }
            pageInfo {
              hasNextPage
              endCursor
            }
          }
        }
      }
      ${siteFields("urls")}
    `,
  },
  {
    operationId: "getSite",
    method: "GET",
    path: "/v1/orgs/{organizationId}/sites/{siteId}",
    summary: "Get a site",
    noun: "site",
    query: { shareKey: "Secret key of the link, which opens a published share-link site." },
    answer: ["site"],
    document: /* GraphQL */ `
      query GetSite($organizationId: ID!, $siteId: ID!, $shareKey: String) {
        site(id: $siteId, organization: $organizationId, shareKey: $shareKey) {
          ...SiteFields
        }
      }
      ${siteFields("urls(shareKey: $shareKey)")}
    `,
  },
];
