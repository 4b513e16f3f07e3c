// The /v1 operations on sections, section groups and site spaces (spec 2, sections 4.2 to 4.4).
import {
  deprecatedMove,
  groupFields,
  sectionFields,
  shareKey,
  sitePath,
  siteSpaceFields,
  tagOf,
} from "#src/features/sites/routes/sites.ts";
import { besideForm } from "#src/rest/request/property-forms.ts";
import { defineRoutes } from "#src/rest/route.ts";

const sectionPath = `${sitePath}/sections/{siteSectionId}` as const;
const groupPath = `${sitePath}/section-groups/{siteSectionGroupId}` as const;

const condition = {
  description: "Expression that decides which visitors see it; null shows it to all.",
  mayBeNull: true,
} as const;

/** The position of a move next to a section, which is named under `idName`. */
const besideSection = (idName: string) => ({
  description: "The new position: exactly one of `before` and `after`.",
  form: besideForm([{ type: "site-section", idName, kind: "SiteSection" }]),
});

export const sectionRoutes = defineRoutes(tagOf, {
  listSiteSections: {
    request: `GET ${sitePath}/sections`,
    summary: "List the sections of a site",
    list: true,
    query: { shareKey },
    answer: ["site", "sections"],
    fields: sectionFields("urls(shareKey: $shareKey)"),
  },
  createSiteSection: {
    request: `POST ${sitePath}/sections`,
    summary: "Create a section of a site, with a space in it",
    body: {
      spaceId: "Id of the first space in the section.",
      title: { description: "Title, 2 to 128 characters; the title of the space by default.", mayBeNull: true },
      icon: { description: "Name of an icon, at most 50 characters.", mayBeNull: true },
    },
    success: 201,
    answer: ["createSiteSection", "siteSection"],
    fields: sectionFields("urls"),
  },
  updateSiteSection: {
    request: `PATCH ${sectionPath}`,
    summary: "Change a section of a site",
    body: {
      title: "Title, 2 to 128 characters.",
      path: "Path on the site, unique there: letters and digits, with -, _ and . between.",
      defaultSiteSpace: "Id of the site space in the section that visitors see first.",
      condition,
      icon: { description: "Name of an icon, at most 50 characters; null removes it.", mayBeNull: true },
      description: { description: "Description, at most 256 characters; null removes it.", mayBeNull: true },
    },
    conflict: "Another section of the site has the path.",
    answer: ["updateSiteSection", "siteSection"],
    fields: sectionFields("urls"),
  },
  deleteSiteSection: {
    request: `DELETE ${sectionPath}`,
    summary: "Delete a section of a site; its site spaces move to the default section or the root",
    answer: ["deleteSiteSection", "deletedId"],
  },
  moveSiteSection: {
    request: `POST ${sectionPath}/move`,
    summary: "Move a section of a site next to another one",
    deprecated: deprecatedMove,
    named: { place: "position" },
    body: { position: besideSection("siteSection") },
    answer: ["moveSiteSection", "siteSection"],
    fields: sectionFields("urls"),
  },
  listSiteSectionGroups: {
    request: `GET ${sitePath}/section-groups`,
    summary: "List the section groups of a site",
    list: true,
    answer: ["site", "sectionGroups"],
    fields: groupFields("urls"),
  },
  createSiteSectionGroup: {
    request: `POST ${sitePath}/section-groups`,
    summary: "Create a section group of a site",
    named: { siteSectionIds: "sections" },
    body: {
      title: "Title, 1 to 100 characters.",
      icon: { description: "Name of an icon, at most 50 characters.", mayBeNull: true },
      sections: { description: "Ids of the sections to move into the group.", notNull: true },
    },
    success: 201,
    answer: ["createSiteSectionGroup", "siteSectionGroup"],
    fields: groupFields("urls"),
  },
  updateSiteSectionGroup: {
    request: `PATCH ${groupPath}`,
    summary: "Change a section group of a site",
    body: {
      title: "Title, 1 to 100 characters.",
      icon: { description: "Name of an icon, at most 50 characters; null removes it.", mayBeNull: true },
    },
    answer: ["updateSiteSectionGroup", "siteSectionGroup"],
    fields: groupFields("urls"),
  },
  deleteSiteSectionGroup: {
    request: `DELETE ${groupPath}`,
    summary: "Delete a section group of a site; its sections take its place",
    answer: ["deleteSiteSectionGroup", "deletedId"],
  },
  addSectionToGroup: {
    request: `POST ${groupPath}/sections`,
    summary: "Move a section into a group",
    named: { siteSectionId: "sectionId" },
    body: { sectionId: "Id of the section." },
    success: 201,
    answer: ["addSectionToGroup", "siteSectionGroup"],
    fields: groupFields("urls"),
  },
  removeSectionFromGroup: {
    request: `DELETE ${groupPath}/sections/{siteSectionId}`,
    summary: "Move a section out of a group; it stays on the site",
    answer: ["removeSectionFromGroup", "removedId"],
  },
  moveSiteSectionGroup: {
    request: `POST ${groupPath}/move`,
    summary: "Move a section group of a site next to a section",
    deprecated: deprecatedMove,
    named: { place: "position" },
    body: { position: besideSection("id") },
    answer: ["moveSiteSectionGroup", "siteSectionGroup"],
    fields: groupFields("urls"),
  },
});

const siteSpacePath = `${sitePath}/site-spaces/{siteSpaceId}` as const;

export const siteSpaceRoutes = defineRoutes(tagOf, {
  listSiteSpaces: {
    request: `GET ${sitePath}/site-spaces`,
    summary: "List the spaces placed on a site",
    list: true,
    query: { shareKey, default: "True lists only the site space that visitors see first, false only the others." },
    answer: ["site", "siteSpaces"],
    document: `
      query ($organizationId: ID!, $siteId: ID!, $shareKey: String, $default: Boolean, $first: Int, $after: String) {
        site(id: $siteId, organizationId: $organizationId, shareKey: $shareKey) {
          siteSpaces(isSiteDefault: $default, first: $first, after: $after) {
            nodes { ...SiteSpaceFields }
            totalCount
            pageInfo { hasNextPage endCursor }
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
        description: "Id of the section. The default is the default section, or the root of a site without sections.",
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
      path: "Path, unique in the section or root: letters and digits, with -, _ and . between.",
      condition,
      spaceId: "Id of the new space.",
    },
    conflict: "Another site space in the section or root has the path.",
    answer: ["updateSiteSpace", "siteSpace"],
    fields: siteSpaceFields("urls"),
  },
  deleteSiteSpace: {
    request: `DELETE ${siteSpacePath}`,
    summary: "Remove a space from a site; the space itself stays",
    answer: ["deleteSiteSpace", "deletedId"],
  },
  moveSiteSpace: {
    request: `POST ${siteSpacePath}/move`,
    summary: "Move a space placed on a site next to another one",
    deprecated: deprecatedMove,
    named: { place: "position" },
    body: {
      position: {
        description: "The new position: exactly one of `before` and `after`.",
        form: besideForm([{ type: "site-space", idName: "siteSpace", kind: "SiteSpace" }]),
      },
    },
    answer: ["moveSiteSpace", "siteSpace"],
    fields: siteSpaceFields("urls"),
  },
});
