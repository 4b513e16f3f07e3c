// The /v1 operation that reads a published site (spec 2, section 4.1).
import { shareKey, sitePath, tagOf } from "#src/features/sites/routes/sites.ts";
import { spaceFields } from "#src/features/spaces/routes.ts";
import { defineAdditions, defineRoutes } from "#src/rest/route.ts";

const links = "urls { published }";

const publishedSpaceFields = `
  fragment PublishedSpaceFields on PublishedSpace {
    object id path section: siteSectionId
    space { ...SpaceFields }
    title default: isDefault ${links}
  }
  ${spaceFields}
`;

const publishedSectionFields = `
  fragment PublishedSectionFields on PublishedSection {
    object id title description default: isDefault path sectionGroup: siteSectionGroupId icon
    siteSpaces { ...PublishedSpaceFields }
    ${links}
  }
`;

export const publishedSiteRoutes = defineRoutes(tagOf, {
  getPublishedSite: {
    request: `GET ${sitePath}/published`,
    summary: "Get the published site from the view of its visitor",
    query: { shareKey },
    openToVisitors: true,
    readsPublished: true,
    answer: ["publishedSite"],
    document: `
      query ($organizationId: ID!, $siteId: ID!, $shareKey: String) {
        publishedSite(by: { id: $siteId }, organizationId: $organizationId, shareKey: $shareKey) {
          object
          site {
            object id: siteId type title
            icon { icon: images { light dark } emoji }
            hostname basename
            proxy { origin target }
            visibility published siteSpaces: siteSpaceCount createdAt
            adaptiveContent { enabled }
            agentsContext
            urls { location app published }
          }
          customizations: customization {
            title
            primaryColor { chosen light dark }
            logo { light dark }
            font fontFamily
            headerLinks { title url }
            footer
          }
          structure { type structure { object title ...PublishedSectionFields ...PublishedSpaceFields } }
        }
      }
      ${publishedSectionFields}
      ${publishedSpaceFields}
    `,
  },
});

export const publishedSiteAdditions = defineAdditions(tagOf, {
  getSiteStructure: {
    request: `GET ${sitePath}/structure`,
    summary: "Get the structure of a site from the view of its visitor",
    query: { shareKey },
    openToVisitors: true,
    readsPublished: true,
    answer: ["publishedSite", "structure"],
    document: `
      query ($organizationId: ID!, $siteId: ID!, $shareKey: String) {
        publishedSite(by: { id: $siteId }, organizationId: $organizationId, shareKey: $shareKey) {
          structure { type structure { object title ...PublishedSectionFields ...PublishedSpaceFields } }
        }
      }
      ${publishedSectionFields}
      ${publishedSpaceFields}
    `,
  },
});
