// What the /v1 operations answer of sites, sections, section groups and site spaces, as fragments of their documents.
import { spaceFields } from "#src/features/spaces/routes.ts";

/** How a document asks for links: with the key, where the operation takes `shareKey`, or without. */
export type Links = "urls" | "urls(shareKey: $shareKey)";

export const siteFields = (links: Links) => /* GraphQL */ `
  fragment SiteFields on Site {
    object id type title
    icon { icon: images { light dark } emoji }
    hostname basename
    proxy { origin target }
    visibility published
    siteSpaces: siteSpaceCount
    createdAt
    adaptiveContent { enabled }
    ads { status submittable }
    agentsContext
    features { id: name plan frozen customizations }
    ${links} { location app published }
  }
`;

export const siteSpaceFields = (links: Links) => /* GraphQL */ `
  fragment SiteSpaceFields on SiteSpace {
    object id path
    section: sectionId
    space { ...SpaceFields }
    title
    default: isDefault
    condition hasAdvancedCustomizationFeature
    ${links} { published }
  }
  ${spaceFields}
`;

export const sectionFields = (links: Links) => /* GraphQL */ `
  fragment SiteSectionFields on SiteSection {
    object id title description
    default: isDefault
    path condition
    sectionGroup: sectionGroupId
    icon
    siteSpaces: siteSpaceList { ...SiteSpaceFields }
    ${links} { published }
  }
  ${siteSpaceFields(links)}
`;

export const groupFields = (links: Links) => /* GraphQL */ `
  fragment SiteSectionGroupFields on SiteSectionGroup {
    object
    id
    title
    icon
    sections: sectionList {
      ...SiteSectionFields
    }
  }
  ${sectionFields(links)}
`;
