// The query fields of sites, their sections, section groups and site spaces.
import type { Viewer } from "#src/access/viewer.ts";
import { found, invalidInput } from "#src/base/errors.ts";
import { isRecord } from "#src/base/json.ts";
import { pageSize } from "#src/db/reading/page.ts";
import { OrganizationMember } from "#src/features/members/type.ts";
import { organizations, publishers } from "#src/features/organizations/reads.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { DefaultContent, OrganizationProfile } from "#src/features/organizations/type/profile.ts";
import {
  groupsOfSite,
  namedGroups,
  namedSections,
  namedSites,
  namedSiteSpaces,
  sectionsOfGroup,
  sectionsOfSite,
  sites,
  sitesOfOrganization,
  sitesOfSpace,
  siteSpacesOfSection,
  siteSpacesOfSite,
  siteSpacesOfSpace,
} from "#src/features/sites/reads.ts";
import { checksOf, SiteConditionCheck } from "#src/features/sites/type/adaptive.ts";
import { SiteVisibility } from "#src/features/sites/type/parts.ts";
import { Site, SiteOrder } from "#src/features/sites/type/site.ts";
import { SiteSection, SiteSectionGroup, SiteSpace } from "#src/features/sites/type/structure.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { Space } from "#src/features/spaces/type.ts";
import { users } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { columnsOf, projectionOf } from "#src/graph/run/selection.ts";

const oneArguments = builder.args((t) => ({
  id: t.id({ required: true, description: "Id of the site." }),
  shareKey: t.string({ description: "Secret key of the link, which opens a published share-link site." }),
}));

const withKey = (viewer: Viewer, { shareKey }: { shareKey?: string | null | undefined }): Viewer =>
  shareKey == null ? viewer : { ...viewer, shareKey };

builder.prismaObjectField(OrganizationMember, "siteCount", (t) =>
  t.exposeInt("siteCount", {
    description: "Number of sites that the member sees before they are published; 0 for guests and disabled members.",
  }),
);

builder.queryField("site", (t) =>
  t.field({
    type: Site,
    nullable: true,
    description: "A site by its id. NOT_FOUND if no site with this id is visible to you.",
    args: {
      ...oneArguments,
      organizationId: t.arg.id({
        description: "Id of the organization; NOT_FOUND if the site belongs to another one.",
      }),
    },
    resolve: async (_root, { id, organizationId, ...key }, { reader, viewer }, info) => {
      const opened = key.shareKey == null ? reader : reader.as(withKey(viewer, key));
      if (organizationId == null) return opened.found(sites, id, projectionOf(info));
      const one = { key: { id }, projection: projectionOf(info) };
      return found(await opened.pick(sitesOfOrganization, { id: organizationId }, one), "site");
    },
  }),
);

builder.prismaObjectFields(Organization, (t) => ({
  sites: t.list(sitesOfOrganization, "The sites of the organization that are visible to you, oldest first.", {
    args: {
      spaceId: t.arg.id({ description: "Only sites that show the space with this id." }),
      title: t.arg.string({
        description:
          "Only sites with this text in their title, case-insensitive. Matches are searched in the order of the list.",
      }),
      published: t.arg.boolean({ description: "True lists only published sites, false only unpublished ones." }),
      visibilities: t.arg({ type: [SiteVisibility], description: "Only sites with one of these visibilities." }),
      orderBy: t.arg({ type: SiteOrder, description: "Sort order." }),
    },
  }),
  site: t.pick(
    sitesOfOrganization,
    "A site of the organization by its id. NOT_FOUND if no site with this id is visible to you.",
    { args: oneArguments, key: ({ id }) => ({ id }), scope: withKey },
  ),
}));

builder.objectField(DefaultContent, "site", (t) =>
  t.rowOrNull(sites, "siteId", "The site; null for a space, and if it is not visible to you."),
);

builder.prismaObjectFields(Space, (t) => ({
  siteSpaces: t.list(
    siteSpacesOfSpace,
    "Its site spaces on sites that are visible to you, oldest first. A site may show a space several times.",
  ),
  sites: t.list(sitesOfSpace, "The sites that show it and are visible to you, each once, oldest first."),
}));

builder.prismaObjectFields(Site, (t) => ({
  organization: t.rowOrNull(organizations, "organizationId", "The owning organization; null for outsiders."),
  publisher: t.field({
    type: OrganizationProfile,
    description: "The public profile of the owning organization, for everybody who sees the site.",
    select: { organizationId: true },
    resolve: ({ organizationId }, _args, { reader }, info) =>
      reader.found(publishers, organizationId, projectionOf(info)),
  }),
  createdBy: t.rowOrNull(
    users,
    "createdById",
    "The user who created it; null if unknown, and if you share no organization with them.",
  ),
  sections: t.list(sectionsOfSite, "Its sections, in their order, with and without a group."),
  section: t.pick(sectionsOfSite, "One of its sections. NOT_FOUND if no section with this id is visible to you."),
  sectionGroups: t.list(groupsOfSite, "Its section groups, in their order."),
  sectionGroup: t.pick(
    groupsOfSite,
    "One of its section groups. NOT_FOUND if no group with this id is visible to you.",
  ),
  siteSpaces: t.list(siteSpacesOfSite, "The spaces placed on it, in their order, with and without a section.", {
    args: {
      default: t.arg.boolean({ description: "True lists only the default ones (`isDefault`), false only the others." }),
      isSiteDefault: t.arg.boolean({
        description:
          "True lists only the site space that visitors see first (`defaultSiteSpace`), false only the others.",
      }),
    },
  }),
  defaultSection: t.rowOrNull(
    namedSections,
    "defaultSectionId",
    "Its default section: the chosen one, or else the first. Null without sections.",
  ),
  defaultSiteSpace: t.rowOrNull(
    namedSiteSpaces,
    "defaultSiteSpaceId",
    "The site space that visitors see first: the default of the default section, or of the first section that is not empty, or of the root. Null if the site shows no spaces.",
  ),
  conditionChecks: t.field({
    type: [SiteConditionCheck],
    description: `The outcomes of the conditions on the site for a visitor with these claims: first of its sections, then of its site spaces, at most ${pageSize.max} of each. While adaptive content is off, claims are ignored. Empty for outsiders.`,
    args: {
      claims: t.arg({
        type: "JSON",
        required: true,
        description:
          "The claims: an object with boolean properties, and the claims that visitors make themselves below `unsigned`, such as `{ customer: true, unsigned: { trial: false } }`.",
      }),
    },
    select: { organizationId: true, adaptiveContentEnabled: true, ...columnsOf(["conditions"]) },
    resolve: (site, { claims }, { viewer }) => {
      if (!isRecord(claims)) throw invalidInput("claims", "must be an object.");
      return viewer.memberOf.includes(site.organizationId) ? checksOf(site, claims) : [];
    },
  }),
  publishedBy: t.rowOrNull(
    users,
    "publishedById",
    "The user who published it; null while it is not published, if unknown, and if you share no organization with them.",
  ),
  siteSpace: t.pick(
    siteSpacesOfSite,
    "One of the spaces placed on it. NOT_FOUND if no site space with this id is visible to you.",
  ),
}));

builder.objectFields(SiteConditionCheck, (t) => ({
  siteSection: t.rowOrNull(
    namedSections,
    "siteSectionId",
    "The section with the condition; null if a site space has it.",
  ),
  siteSpace: t.rowOrNull(
    namedSiteSpaces,
    "siteSpaceId",
    "The site space with the condition; null if a section has it.",
  ),
}));

builder.prismaObjectFields(SiteSection, (t) => ({
  site: t.row(namedSites, "siteId", "Its site."),
  siteSectionGroup: t.rowOrNull(namedGroups, "sectionGroupId", "The group that contains it; null without one."),
  siteSpaces: t.list(siteSpacesOfSection, "The spaces placed in it, in their order."),
  siteSpaceList: t.rows(
    siteSpacesOfSection,
    `The same as a plain list: the first ${pageSize.max}. \`siteSpaces\` pages through all.`,
  ),
}));

builder.prismaObjectFields(SiteSectionGroup, (t) => ({
  sections: t.list(sectionsOfGroup, "The sections in it, in their order."),
  sectionList: t.rows(
    sectionsOfGroup,
    `The same as a plain list: the first ${pageSize.max}. \`sections\` pages through all.`,
  ),
  site: t.row(namedSites, "siteId", "Its site."),
}));

builder.prismaObjectFields(SiteSpace, (t) => ({
  siteSection: t.rowOrNull(namedSections, "sectionId", "The section that contains it; null at the root of the site."),
  site: t.row(namedSites, "siteId", "Its site."),
  space: t.rowOrNull(spaces, "spaceId", "The space it shows; null if the space was deleted or is not visible to you."),
}));
