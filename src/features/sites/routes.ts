// The /v1 operations on sites, and on their sections, section groups and site spaces (spec 2, sections 4.1 to 4.4).
import { spaceFields } from "#src/features/spaces/routes.ts";
import { defineRoutes, type Tag } from "#src/rest/route.ts";

/** How a document asks for links: with the key, where the operation takes `shareKey`, or without. */
type Links = "urls" | "urls(shareKey: $shareKey)";

const siteFields = (links: Links) => /* GraphQL */ `
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

const siteSpaceFields = (links: Links) => /* GraphQL */ `
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

const sectionFields = (links: Links) => /* GraphQL */ `
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

const groupFields = (links: Links) => /* GraphQL */ `
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

const sitePath = "/v1/orgs/{organizationId}/sites/{siteId}";
const shareKey = "Secret key of the link, which opens a published share-link site.";

const tags = {
  sites: { name: "sites", description: "Documentation sites." },
  sections: { name: "site-sections", description: "Sections of a site." },
  groups: { name: "site-section-groups", description: "Groups of site sections." },
  spaces: { name: "site-spaces", description: "Spaces placed on a site." },
};

function tagOf(path: string): Tag {
  if (path.includes("/sections")) return tags.sections;
  if (path.includes("/section-groups")) return tags.groups;
  return path.includes("/site-spaces") ? tags.spaces : tags.sites;
}

/** Sites are reached past `organization`, which outsiders cannot see: a share key opens a site to them too. */
export const siteRoutes = defineRoutes(tagOf, {
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
    fields: siteFields("urls"),
  },
  getSite: {
    request: `GET ${sitePath}`,
    summary: "Get a site",
    query: { shareKey },
    answer: ["site"],
    fields: siteFields("urls(shareKey: $shareKey)"),
  },
  listSiteSections: {
    request: `GET ${sitePath}/sections`,
    summary: "List the sections of a site",
    list: true,
    query: { shareKey },
    answer: ["site", "sections"],
    fields: sectionFields("urls(shareKey: $shareKey)"),
  },
  listSiteSectionGroups: {
    request: `GET ${sitePath}/section-groups`,
    summary: "List the section groups of a site",
    list: true,
    answer: ["site", "sectionGroups"],
    fields: groupFields("urls"),
  },
  listSiteSpaces: {
    request: `GET ${sitePath}/site-spaces`,
    summary: "List the spaces placed on a site",
    list: true,
    query: { shareKey, default: "True lists only the default ones, false only the others." },
    answer: ["site", "siteSpaces"],
    fields: siteSpaceFields("urls(shareKey: $shareKey)"),
  },
});
