// The /v1 operations on sites (spec 2, section 4.1).
import { siteFields } from "#src/features/sites/routes/fragments.ts";
import { defineRoutes, pageOfList } from "#src/rest/route.ts";

/** Sites are reached past `organization`, which outsiders cannot see: a share key opens a site to them too. */
export const siteRoutes = defineRoutes({
  listSites: {
    request: "GET /v1/orgs/{organizationId}/sites",
    summary: "List the sites of an organization",
    list: true,
    query: {
      space: "Only sites that show the space of this id.",
      title: "Only sites with this text in their title, in any letter case.",
      published: "True lists those that are published, false the others.",
    },
    answer: ["organization", "sites"],
    document: /* GraphQL */ `
      query ($organizationId: ID!, $space: ID, $title: String, $published: Boolean, $first: Int, $after: String) {
        organization(id: $organizationId) {
          sites(space: $space, title: $title, published: $published, first: $first, after: $after) {
            nodes { ...SiteFields } ${pageOfList}
          }
        }
      }
      ${siteFields("urls")}
    `,
  },
  getSite: {
    request: "GET /v1/orgs/{organizationId}/sites/{siteId}",
    summary: "Get a site",
    query: { shareKey: "Secret key of the link, which opens a published share-link site." },
    answer: ["site"],
    document: /* GraphQL */ `
      query ($organizationId: ID!, $siteId: ID!, $shareKey: String) {
        site(id: $siteId, organization: $organizationId, shareKey: $shareKey) {
          ...SiteFields
        }
      }
      ${siteFields("urls(shareKey: $shareKey)")}
    `,
  },
});
