// The /v1 operations on sites (spec 2, section 4.1), and definitions shared with those on their structure.
import { spaceFields } from "#src/features/spaces/routes.ts";
import { idsOrWord } from "#src/rest/request/property-forms.ts";
import { defineRestFields } from "#src/rest/own-fields.ts";
import { defineAdditions, defineRoutes, type Tag } from "#src/rest/route.ts";

/** The selection of links in a document, with the key if the operation takes `shareKey`. */
type Links = "urls" | "urls(shareKey: $shareKey)";

/** A site. `ads` is omitted: docgraph has no advertising. */
export const siteFields = (links: Links) => `
  fragment SiteFields on Site {
    object id type appliedType: type title
    icon { icon: images { light dark } emoji }
    hostname basename defaultLevel: __typename features: __typename
    permissions {
      view access admin edit: admin create: admin installIntegration: admin
      viewAdaptiveSchema: view editAdaptiveSchema: admin
    }
    proxy { origin target }
    visibility published siteSpaces: siteSpaceCount createdAt
    adaptiveContent { enabled }
    agentsContext structureVersion
    ${links} { location app preview published }
  }
`;

defineRestFields("Site", {
  defaultLevel: {
    description: "Default role of members on it; always that in the organization.",
    schema: { type: "string", const: "inherit" },
    value: "inherit",
  },
  features: {
    description: "Its paid features; docgraph has none.",
    schema: {
      type: "array",
      maxItems: 0,
      items: { type: "object" },
    },
    value: [],
  },
});

export const draft = {
  description: "Whether it is a draft; docgraph has no drafts of the structure of sites.",
  schema: { type: "boolean" },
  value: false,
} as const;

defineRestFields("SiteSpace", { draft });
defineRestFields("SiteSection", { draft });
defineRestFields("SiteSectionGroup", { draft });

const adaptiveSchemaFields = `
  fragment SiteAdaptiveSchemaFields on SiteAdaptiveSchema {
    object jsonSchema updatedAt
  }
`;

/** A site space. `hasAdvancedCustomizationFeature` is omitted: docgraph has no advanced customization. */
export const siteSpaceFields = (links: Links) => `
  fragment SiteSpaceFields on SiteSpace {
    object id path section: siteSectionId
    space { ...SpaceFields }
    title default: isDefault condition draft: __typename
    ${links} { published }
  }
  ${spaceFields}
`;

export const sectionFields = (links: Links) => `
  fragment SiteSectionFields on SiteSection {
    object id title description default: isDefault path condition sectionGroup: siteSectionGroupId icon draft: __typename
    siteSpaces: siteSpaceList { ...SiteSpaceFields }
    ${links} { published }
  }
  ${siteSpaceFields(links)}
`;

export const groupFields = (links: Links) => `
  fragment SiteSectionGroupFields on SiteSectionGroup {
    object id title icon draft: __typename
    sections: sectionList { ...SiteSectionFields }
    children: sectionList { ...SiteSectionFields }
  }
  ${sectionFields(links)}
`;

export const sitePath = "/v1/orgs/{organizationId}/sites/{siteId}";

export const shareKey = "Secret key of the link, which opens a published share-link site.";

/** Moves are deprecated in favour of one operation that sorts a whole site (spec 2, section 9). */
export const deprecatedMove = { since: "2026-11-22", successor: `${sitePath}/structure/sort` } as const;

const tags = {
  sites: {
    name: "sites",
    description:
      "Documentation sites. `ads` is omitted, and `features` is empty: docgraph has neither advertising nor paid features.",
  },
  sections: { name: "site-sections", description: "Sections of a site." },
  groups: { name: "site-section-groups", description: "Groups of site sections." },
  spaces: {
    name: "site-spaces",
    description: "Spaces placed on a site. `hasAdvancedCustomizationFeature` is omitted: docgraph has no such feature.",
  },
};

export function tagOf(path: string): Tag {
  if (path.includes("/section-groups")) return tags.groups;
  if (path.includes("/sections")) return tags.sections;
  return path.includes("/site-spaces") ? tags.spaces : tags.sites;
}

/** Sites are read without `organization`, which outsiders cannot see: a share key opens a site to them, too. */
export const siteRoutes = defineRoutes(tagOf, {
  listSites: {
    request: "GET /v1/orgs/{organizationId}/sites",
    summary: "List the sites of an organization",
    list: true,
    query: {
      space: "Only sites that show the space with this id.",
      title: "Only sites with this text in their title, case-insensitive.",
      published: "True lists only published sites, false only unpublished ones.",
    },
    answer: ["organization", "sites"],
    fields: siteFields("urls"),
  },
  createSite: {
    request: "POST /v1/orgs/{organizationId}/sites",
    summary: "Create a site",
    body: {
      type: { description: "Plan of the site; basic by default.", notNull: true },
      title: { description: "Title, 2 to 128 characters.", notNull: true },
      visibility: { description: "Audience once the site is published; public by default.", notNull: true },
      spaces: {
        description: "Ids of the spaces the site shows, or `new` for a new space that is created with it.",
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
      visibility: "Audience once the site is published.",
      basename: "Name in addresses, unique in the organization: letters and digits, with -, _ and . between.",
      adaptiveContent: "Settings of content that depends on the visitor.",
      agentsContext: "Whether agents may access the site.",
      defaultSiteSpace: "Id of the site space that visitors see first, in the default section or at the root.",
      defaultSiteSection: "Id of the default section.",
      proxy: {
        description: "Host and path on another server that serves the site; null removes it.",
        mayBeNull: true,
      },
    },
    conflict: "Another site has the basename or the proxy.",
    answer: ["updateSite", "site"],
    fields: siteFields("urls"),
  },
  deleteSite: {
    request: `DELETE ${sitePath}`,
    summary: "Delete a site; the spaces it shows stay",
    answer: ["deleteSite", "deletedId"],
  },
  getSiteAdaptiveSchema: {
    request: `GET ${sitePath}/adaptive-schema`,
    summary: "Get the claims of visitors that conditions on a site may use; 404 if they were not set",
    answer: ["site", "adaptiveSchema"],
    fields: adaptiveSchemaFields,
  },
  setSiteAdaptiveSchema: {
    request: `PUT ${sitePath}/adaptive-schema`,
    summary: "Set the claims of visitors that conditions on a site may use",
    body: { jsonSchema: "A JSON schema (draft 07) of an object with at most 200 boolean properties." },
    conflict: "Conditions on the site use claims that the schema no longer declares; details lists them.",
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
    summary: "Sort the whole structure of a site",
    isAddition: true,
    body: {
      structure:
        "Groups and sections in their order, with their entries; or the site spaces of a site without sections.",
      expectedVersion: "The `structureVersion` that the order is based on; 409 if the structure has another version.",
    },
    conflict: "The structure was changed meanwhile, or the order omits entries of the site or names unknown ones.",
    answer: ["sortSiteStructure", "site"],
    fields: siteFields("urls"),
  },
});

export const siteAdditions = defineAdditions(tagOf, {
  publishSite: {
    request: `POST ${sitePath}/publish`,
    summary: "Publish a site",
    conflict: "The site shows no space, or its visibility needs settings that are missing.",
    answer: ["publishSite", "site"],
    fields: siteFields("urls"),
  },
  unpublishSite: {
    request: `POST ${sitePath}/unpublish`,
    summary: "Take a site offline",
    answer: ["unpublishSite", "site"],
    fields: siteFields("urls"),
  },
});
