// The input types of mutations on sites: spaces of a new site, positions, and orders of a whole site.
import { builder } from "#src/graph/schema/builder.ts";
import { ofLength } from "#src/graph/schema/rest-forms.ts";

const NewSpaceOnSiteInput = builder.inputType("NewSpaceOnSiteInput", {
  description: "A space that is created with a site: private, at the top level of the organization.",
  fields: (t) => ({
    title: t.string({ description: "Title, at most 50 characters; the title of the site by default." }),
  }),
});

export const NewSiteSpacesInput = builder.inputType("NewSiteSpacesInput", {
  description: "The spaces that a new site shows: set exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    spaceIds: t.idList({ description: "Ids of spaces of the organization, in their order." }),
    newSpace: t.field({ type: NewSpaceOnSiteInput, description: "A new space, created with the site." }),
  }),
});

export const SiteIconImagesInput = builder.inputType("SiteIconImagesInput", {
  description: "Addresses of the pictures of a site: set at least one.",
  fields: (t) => ({
    light: t.string({ description: "For the light theme." }),
    dark: t.string({ description: "For the dark theme." }),
  }),
});

export const SiteIconInput = builder.inputType("SiteIconInput", {
  description: "The icon of a site: set exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    emoji: t.string({ extensions: ofLength({ min: 1, max: 50 }), description: "An emoji, at most 50 characters." }),
    images: t.field({ type: SiteIconImagesInput, description: "Pictures on the web." }),
  }),
});

export const SiteAdaptiveContentInput = builder.inputType("SiteAdaptiveContentInput", {
  description: "Settings of content that depends on the visitor.",
  fields: (t) => ({ enabled: t.boolean({ required: true, description: "Whether it is on." }) }),
});

export const SiteSpacePlaceInput = builder.inputType("SiteSpacePlaceInput", {
  description: "A position on a site, next to a site space: set exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    beforeSiteSpaceId: t.id({ description: "Id of the site space right after the new position." }),
    afterSiteSpaceId: t.id({ description: "Id of the site space right before the new position." }),
  }),
});

export const SiteSectionPlaceInput = builder.inputType("SiteSectionPlaceInput", {
  description:
    "A position among the sections and groups of a site, next to one of them: set exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    beforeSiteSectionId: t.id({ description: "Id of the section right after the new position." }),
    afterSiteSectionId: t.id({ description: "Id of the section right before the new position." }),
    beforeSiteSectionGroupId: t.id({ description: "Id of the group right after the new position." }),
    afterSiteSectionGroupId: t.id({ description: "Id of the group right before the new position." }),
  }),
});

const SiteSectionOrderInput = builder.inputType("SiteSectionOrderInput", {
  description: "A section of a site, and the order of the site spaces in it.",
  fields: (t) => ({
    siteSectionId: t.id({ required: true, description: "Id of the section." }),
    siteSpaceIds: t.idList({
      required: true,
      description: "Ids of all site spaces that it shall contain, in order.",
    }),
  }),
});

const SiteSectionGroupOrderInput = builder.inputType("SiteSectionGroupOrderInput", {
  description: "A section group of a site, and the order of the sections in it.",
  fields: (t) => ({
    siteSectionGroupId: t.id({ required: true, description: "Id of the group." }),
    sections: t.field({
      type: [SiteSectionOrderInput],
      required: true,
      description: "All sections that it shall contain, in order.",
    }),
  }),
});

export const SiteStructureEntryInput = builder.inputType("SiteStructureEntryInput", {
  description: "An entry of the structure of a site: set exactly one of the fields.",
  isOneOf: true,
  fields: (t) => ({
    sectionGroup: t.field({ type: SiteSectionGroupOrderInput, description: "A group with its sections." }),
    section: t.field({ type: SiteSectionOrderInput, description: "A section without a group." }),
    siteSpaceId: t.id({ description: "Id of a site space at the root of a site without sections." }),
  }),
});
