// Where sites, their sections, section groups and site spaces are asked for.
import type { Viewer } from "#src/access/viewer.ts";
import { found, invalidInput } from "#src/base/errors.ts";
import { isRecord } from "#src/base/json.ts";
import { pageSize } from "#src/db/reading/page.ts";
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

builder.queryField("site", (t) =>
  t.field({
    type: Site,
    nullable: true,
    description: "A site. NOT_FOUND when there is none with this id that the viewer may see.",
    args: {
      ...oneArguments,
      organizationId: t.arg.id({ description: "Id of an organization: only when the site belongs to it." }),
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
  sites: t.list(sitesOfOrganization, "Its sites that the viewer may see, oldest first.", {
    args: {
      spaceId: t.arg.id({ description: "Only sites that show the space of this id." }),
      title: t.arg.string({
        description:
          "Only sites with this text in their title, in any letter case; the list is looked through in its order.",
      }),
      published: t.arg.boolean({ description: "True lists those that are published, false the others." }),
      visibilities: t.arg({ type: [SiteVisibility], description: "Only those of one of these visibilities." }),
      orderBy: t.arg({ type: SiteOrder, description: "How they are sorted." }),
    },
  }),
  site: t.pick(
    sitesOfOrganization,
    "One of its sites. NOT_FOUND when there is none with this id that the viewer may see.",
    { args: oneArguments, key: ({ id }) => ({ id }), scope: withKey },
  ),
}));

builder.objectField(DefaultContent, "site", (t) =>
  t.rowOrNull(sites, "siteId", "The site; null for a space, and where the viewer may not see it."),
);

builder.prismaObjectFields(Space, (t) => ({
  siteSpaces: t.list(
    siteSpacesOfSpace,
    "Where it is placed on sites that the viewer may see; the oldest place first. A space may be on a site several times.",
  ),
  sites: t.list(sitesOfSpace, "The sites that show it and that the viewer may see, each once, oldest first."),
}));

builder.prismaObjectFields(Site, (t) => ({
  organization: t.rowOrNull(organizations, "organizationId", "The owning organization; null for those outside it."),
  publisher: t.field({
    type: OrganizationProfile,
    description: "The owning organization as everybody who sees the site is shown it.",
    select: { organizationId: true },
    resolve: ({ organizationId }, _args, { reader }, info) =>
      reader.found(publishers, organizationId, projectionOf(info)),
  }),
  createdBy: t.rowOrNull(
    users,
    "createdById",
    "Who created it; null when that is not known, and for those who share no organization with them.",
  ),
  sections: t.list(sectionsOfSite, "Its sections, in their order, whether in a group or not."),
  section: t.pick(sectionsOfSite, "One of its sections. NOT_FOUND when there is none with this id."),
  sectionGroups: t.list(groupsOfSite, "Its section groups, in their order."),
  sectionGroup: t.pick(groupsOfSite, "One of its section groups. NOT_FOUND when there is none with this id."),
  siteSpaces: t.list(siteSpacesOfSite, "The spaces placed on it, in their order, whether in a section or not.", {
    args: {
      default: t.arg.boolean({ description: "True lists only the default ones (`isDefault`), false only the others." }),
      isSiteDefault: t.arg.boolean({
        description: "True lists only the one that visitors see first (`defaultSiteSpace`), false only the others.",
      }),
    },
  }),
  defaultSection: t.rowOrNull(
    namedSections,
    "defaultSectionId",
    "Its default section: the one that was chosen, or else the first. Null where it has no sections.",
  ),
  defaultSiteSpace: t.rowOrNull(
    namedSiteSpaces,
    "defaultSiteSpaceId",
    "What visitors see first: the default of the default section, or of the first section that is not empty, or of the root. Null where nothing stands on it.",
  ),
  conditionChecks: t.field({
    type: [SiteConditionCheck],
    description: `What the conditions on it come to for a visitor with these claims: those of its sections, then those of its site spaces, the first ${pageSize.max} of each. While adaptive content is off, no claims count. Empty for those outside the organization.`,
    args: {
      claims: t.arg({
        type: "JSON",
        required: true,
        description:
          "The claims: an object of truth values, with those that visitors make of themselves below `unsigned`, such as `{ customer: true, unsigned: { trial: false } }`.",
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
    "Who published it; null while it is not published, where that is not known, and for those who share no organization with them.",
  ),
  siteSpace: t.pick(siteSpacesOfSite, "One of the spaces placed on it. NOT_FOUND when there is none with this id."),
}));

builder.objectFields(SiteConditionCheck, (t) => ({
  siteSection: t.rowOrNull(namedSections, "siteSectionId", "The section that has it; null where a site space has it."),
  siteSpace: t.rowOrNull(namedSiteSpaces, "siteSpaceId", "The site space that has it; null where a section has it."),
}));

builder.prismaObjectFields(SiteSection, (t) => ({
  site: t.row(namedSites, "siteId", "Its site."),
  siteSectionGroup: t.rowOrNull(namedGroups, "sectionGroupId", "The group that it is in; null when it is in none."),
  siteSpaces: t.list(siteSpacesOfSection, "The spaces placed in it, in their order."),
  siteSpaceList: t.rows(
    siteSpacesOfSection,
    `The same as a plain list: the first ${pageSize.max}. \`siteSpaces\` has them all, by pages.`,
  ),
}));

builder.prismaObjectFields(SiteSectionGroup, (t) => ({
  sections: t.list(sectionsOfGroup, "The sections in it, in their order."),
  sectionList: t.rows(
    sectionsOfGroup,
    `The same as a plain list: the first ${pageSize.max}. \`sections\` has them all, by pages.`,
  ),
  site: t.row(namedSites, "siteId", "Its site."),
}));

builder.prismaObjectFields(SiteSpace, (t) => ({
  siteSection: t.rowOrNull(namedSections, "sectionId", "The section that it is in; null at the root of the site."),
  site: t.row(namedSites, "siteId", "Its site."),
  space: t.rowOrNull(
    spaces,
    "spaceId",
    "The space that it shows; null when it is deleted, and for those who may not see that space.",
  ),
}));
