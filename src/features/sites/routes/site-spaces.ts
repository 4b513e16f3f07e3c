// The /v1 operations on the spaces that are placed on sites (spec 2, section 4.4).
import { deprecatedMove, shareKey, sitePath, siteSpaceFields, tagOf } from "#src/features/sites/routes/parts.ts";
import { besideForm } from "#src/rest/request/property-forms.ts";
import { defineRoutes } from "#src/rest/route.ts";

const siteSpacePath = `${sitePath}/site-spaces/{siteSpaceId}` as const;

export const siteSpaceRoutes = defineRoutes(tagOf, {
  listSiteSpaces: {
    request: `GET ${sitePath}/site-spaces`,
    summary: "List the spaces placed on a site",
    list: true,
    query: { shareKey, default: "True lists only the one that visitors see first, false only the others." },
    answer: ["site", "siteSpaces"],
    document: /* GraphQL */ `
      query ($organizationId: ID!, $siteId: ID!, $shareKey: String, $default: Boolean, $first: Int, $after: String) {
        site(id: $siteId, organizationId: $organizationId, shareKey: $shareKey) {
          siteSpaces(isSiteDefault: $default, first: $first, after: $after) {
            nodes {
              ...SiteSpaceFields
            }
            totalCount
            pageInfo {
              hasNextPage
              endCursor
            }
          }
        }
      }
      ${siteSpaceFields("urls(shareKey: $shareKey)")}
    `,
  },
  createSiteSpace: {
    request: `POST ${sitePath}/site-spaces`,
    summary: "Place a space on a site",
    named: { siteSectionId: "sectionId" },
    body: {
      spaceId: "Id of the space.",
      sectionId: {
        description: "Id of the section; when left out, the default section, or the root of a site without sections.",
        notNull: true,
      },
    },
    success: 201,
    answer: ["createSiteSpace", "siteSpace"],
    fields: siteSpaceFields("urls"),
  },
  updateSiteSpace: {
    request: `PATCH ${siteSpacePath}`,
    summary: "Change a space placed on a site",
    body: {
      path: "Path in its section, or on the site, unique there: letters and digits, with -, _ and . between.",
      condition: {
        description: "Expression that decides whether a visitor is shown it; null shows it to all.",
        mayBeNull: true,
      },
      spaceId: "Id of the space that it shows from now on.",
    },
    conflict: "Another site space beside it has the path.",
    answer: ["updateSiteSpace", "siteSpace"],
    fields: siteSpaceFields("urls"),
  },
  deleteSiteSpace: {
    request: `DELETE ${siteSpacePath}`,
    summary: "Take a space off a site; the space itself stays",
    answer: ["deleteSiteSpace", "deletedId"],
  },
  moveSiteSpace: {
    request: `POST ${siteSpacePath}/move`,
    summary: "Move a space placed on a site beside another one",
    deprecated: deprecatedMove,
    named: { place: "position" },
    body: {
      position: {
        description: "Its new place: exactly one of `before` and `after`.",
        form: besideForm([{ type: "site-space", idName: "siteSpace", kind: "SiteSpace" }]),
      },
    },
    answer: ["moveSiteSpace", "siteSpace"],
    fields: siteSpaceFields("urls"),
  },
});
