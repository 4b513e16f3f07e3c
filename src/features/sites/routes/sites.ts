// The /v1 operations on sites (spec 2, section 4.1), and what those on their structure share.
import { spaceFields } from "#src/features/spaces/routes.ts";
import { idsOrWord } from "#src/rest/request/property-forms.ts";
import { defineRoutes, type Tag } from "#src/rest/route.ts";

/** How a document asks for links: with the key, where the operation takes `shareKey`, or without. */
type Links = "urls" | "urls(shareKey: $shareKey)";

/** A site. There is no advertising, and no feature that is sold: `ads` and `features` are left out. */
export const siteFields = (links: Links) => `
  fragment SiteFields on Site {
    object id type title
    icon { icon: images { light dark } emoji }
    hostname basename
    proxy { origin target }
    visibility published siteSpaces: siteSpaceCount createdAt
    adaptiveContent { enabled }
    agentsContext structureVersion
    ${links} { location app published }
  }
`;

const adaptiveSchemaFields = `
  fragment SiteAdaptiveSchemaFields on SiteAdaptiveSchema {
    object jsonSchema updatedAt
  }
`;

/** A site space. There is no advanced customization: `hasAdvancedCustomizationFeature` is left out. */
export const siteSpaceFields = (links: Links) => `
  fragment SiteSpaceFields on SiteSpace {
    object id path section: siteSectionId
    space { ...SpaceFields }
    title default: isDefault condition
    ${links} { published }
  }
  ${spaceFields}
`;

export const sectionFields = (links: Links) => `
  fragment SiteSectionFields on SiteSection {
    object id title description default: isDefault path condition sectionGroup: siteSectionGroupId icon
    siteSpaces: siteSpaceList { ...SiteSpaceFields }
    ${links} { published }
  }
  ${siteSpaceFields(links)}
`;

export const groupFields = (links: Links) => `
  fragment SiteSectionGroupFields on SiteSectionGroup {
    object id title icon
    sections: sectionList { ...SiteSectionFields }
  }
  ${sectionFields(links)}
`;

export const sitePath = "/v1/orgs/{organizationId}/sites/{siteId}";

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

export function tagOf(path: string): Tag {
  if (path.includes("/section-groups")) return tags.groups;
  if (path.includes("/sections")) return tags.sections;
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
  createSite: {
    request: "POST /v1/orgs/{organizationId}/sites",
    summary: "Create a site",
    body: {
      type: { description: "The product that it is on; basic when left out.", notNull: true },
      title: { description: "Title, 2 to 128 characters.", notNull: true },
      visibility: { description: "Its audience once it is published; public when left out.", notNull: true },
      spaces: {
        description: "Ids of the spaces that it shows, or `new` for a new space that is made with it.",
        form: idsOrWord({ ids: "spaceIds", word: "new", field: "newSpace" }),
      },
    },
    success: 201,
    answer: ["createSite", "site"],
    fields: siteFields("urls"),
  },
  getSite: {
    request: `GET ${sitePath}`,
    summary: "Get a site",
    query: { shareKey },
    answer: ["site"],
    fields: siteFields("urls(shareKey: $shareKey)"),
  },
  updateSite: {
    request: `PATCH ${sitePath}`,
    summary: "Change a site",
    body: {
      title: "Title, 2 to 128 characters.",
      visibility: "Its audience once it is published.",
      basename: "Its name in addresses, unique in its organization: letters and digits, with -, _ and . between.",
      adaptiveContent: "Content that depends on the visitor.",
      agentsContext: "Whether agents may access it.",
      defaultSiteSpace: "Id of the site space that visitors see first, in the default section or at the root.",
      defaultSiteSection: "Id of its default section.",
      proxy: {
        description: "Host and path of another server under which it is served; null takes it away.",
        mayBeNull: true,
      },
    },
    conflict: "Another site has the basename or the proxy.",
    answer: ["updateSite", "site"],
    fields: siteFields("urls"),
  },
  deleteSite: {
    request: `DELETE ${sitePath}`,
    summary: "Delete a site; the spaces that it shows stay",
    answer: ["deleteSite", "deletedId"],
  },
  getSiteAdaptiveSchema: {
    request: `GET ${sitePath}/adaptive-schema`,
    summary: "Get which claims of visitors the conditions on a site may ask for; 404 where that was not set",
    answer: ["site", "adaptiveSchema"],
    fields: adaptiveSchemaFields,
  },
  setSiteAdaptiveSchema: {
    request: `PUT ${sitePath}/adaptive-schema`,
    summary: "Say which claims of visitors the conditions on a site may ask for",
    body: { jsonSchema: "A JSON schema (draft 07) of an object of truth values, at most 200." },
    conflict: "Conditions on the site ask for claims that it would not have any more; details lists them.",
    answer: ["setSiteAdaptiveSchema", "site", "adaptiveSchema"],
    fields: adaptiveSchemaFields,
  },
  listSiteTemplateConditions: {
    request: `GET ${sitePath}/adaptive-schema/template-conditions`,
    summary: "List ready-made conditions for the claims of a site",
    answer: ["site"],
    fields: "items: templateConditions { description condition }",
  },
  sortSiteStructure: {
    request: `POST ${sitePath}/structure/sort`,
    summary: "Put all that stands on a site in order",
    isAddition: true,
    body: {
      structure:
        "Groups and sections in their order, with all that is in them; or the site spaces of a site without sections.",
      expectedVersion: "The `structureVersion` for which the order was made; 409 when it is another one by now.",
    },
    conflict:
      "Somebody has changed the structure, or the order misses something on the site or names something that is not.",
    answer: ["sortSiteStructure", "site"],
    fields: siteFields("urls"),
  },
});
