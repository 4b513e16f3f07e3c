// What /v1 shows of sites, sections, section groups and site spaces, and what their operations have alike.
import { spaceFields } from "#src/features/spaces/routes.ts";
import type { Tag } from "#src/rest/route.ts";

/** How a document asks for links: with the key, where the operation takes `shareKey`, or without. */
type Links = "urls" | "urls(shareKey: $shareKey)";

/** A site. There is no advertising, and no feature that is sold: `ads` and `features` are left out. */
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
    agentsContext structureVersion
    ${links} { location app published }
  }
`;

/** The adaptive schema of a site. */
export const adaptiveSchemaFields = /* GraphQL */ `
  fragment SiteAdaptiveSchemaFields on SiteAdaptiveSchema {
    object
    jsonSchema
    updatedAt
  }
`;

/** A site space. There is no advanced customization: `hasAdvancedCustomizationFeature` is left out. */
export const siteSpaceFields = (links: Links) => /* GraphQL */ `
  fragment SiteSpaceFields on SiteSpace {
    object id path
    section: siteSectionId
    space { ...SpaceFields }
    title
    default: isDefault
    condition
    ${links} { published }
  }
  ${spaceFields}
`;

/** A section. */
export const sectionFields = (links: Links) => /* GraphQL */ `
  fragment SiteSectionFields on SiteSection {
    object id title description
    default: isDefault
    path condition
    sectionGroup: siteSectionGroupId
    icon
    siteSpaces: siteSpaceList { ...SiteSpaceFields }
    ${links} { published }
  }
  ${siteSpaceFields(links)}
`;

/** A section group. */
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

/** The path of a site. */
export const sitePath = "/v1/orgs/{organizationId}/sites/{siteId}";

/** What the parameter of that name is. */
export const shareKey = "Secret key of the link, which opens a published share-link site.";

/** Moves are deprecated in favour of one operation that sorts all of a site (spec 2, section 9). */
export const deprecatedMove = { since: "2026-11-22", successor: `${sitePath}/structure/sort` } as const;

const tags = {
  sites: {
    name: "sites",
    description:
      "Documentation sites. `ads` and `features` are left out: docgraph has no advertising, and sells no features.",
  },
  sections: { name: "site-sections", description: "Sections of a site." },
  groups: { name: "site-section-groups", description: "Groups of site sections." },
  spaces: {
    name: "site-spaces",
    description:
      "Spaces placed on a site. `hasAdvancedCustomizationFeature` is left out: docgraph has no such feature.",
  },
};

/** The group of an operation in the description, by its path. */
export function tagOf(path: string): Tag {
  if (path.includes("/section-groups")) return tags.groups;
  if (path.includes("/sections")) return tags.sections;
  return path.includes("/site-spaces") ? tags.spaces : tags.sites;
}
