// Mutations on the sections, section groups and site spaces of sites.
import type { FieldMap } from "@pothos/core";
import type { DeletedOnSite } from "#src/features/sites/commands/rearrange.ts";
import {
  addSectionToGroup,
  createSiteSection,
  createSiteSectionGroup,
  deleteSiteSection,
  deleteSiteSectionGroup,
  moveSiteSection,
  moveSiteSectionGroup,
  removeSectionFromGroup,
  updateSiteSection,
  updateSiteSectionGroup,
} from "#src/features/sites/commands/section.ts";
import {
  createSiteSpace,
  deleteSiteSpace,
  moveSiteSpace,
  updateSiteSpace,
} from "#src/features/sites/commands/site-space.ts";
import { conditionLimit } from "#src/features/sites/model/condition.ts";
import {
  groups,
  groupsOfSite,
  sections,
  sectionsOfSite,
  sites,
  siteSpaces,
  siteSpacesOfSite,
} from "#src/features/sites/reads.ts";
import { SiteSectionPlaceInput, SiteSpacePlaceInput } from "#src/features/sites/type/inputs.ts";
import type { InputFields, ObjectFields } from "#src/graph/schema/builder.ts";
import { createdPayload, defineMutation, deletedPayload, rowPayload } from "#src/graph/schema/mutations.ts";
import { ofLength } from "#src/graph/schema/rest-forms.ts";

/** Who may do all of this, for people. */
export const rights = "For admins of the organization, and for who created the site.";

/** The site that something has to be on, and its organization: for those who address it by a path that names them. */
const within = (t: InputFields) => ({
  organizationId: t.id({ description: "Id of its organization: NOT_FOUND where it is in another one." }),
  siteId: t.id({ description: "Id of its site: NOT_FOUND where it is on another one." }),
});

/** The site that something is made or changed on, and its organization. */
export const onSite = (t: InputFields) => ({
  organizationId: t.id({ description: "Id of its organization: NOT_FOUND where it is in another one." }),
  siteId: t.id({ required: true, description: "Id of the site." }),
});

const condition = (t: InputFields) =>
  t.string({
    extensions: ofLength({ min: 1, max: conditionLimit }),
    description:
      "Expression that decides whether a visitor is shown it, 1 to 1024 characters, such as `visitor.claims.customer && !visitor.claims.unsigned.trial`: a part of CEL with the claims of the adaptive schema of the site, `has()`, `true`, `false`, `!`, `&&`, `||`, `==`, `!=` and `?:`. Null shows it to all.",
  });

const deletedOnSite = (t: ObjectFields<DeletedOnSite>): FieldMap => ({
  ...deletedPayload(t),
  site: t.rowOrNull(sites, "siteId", "The site that it was on; null when it was not there."),
});

const sectionPayload = rowPayload("siteSection", sections, "The section.");
const siteSectionId = { required: true, description: "Id of the section." } as const;
const sectionInput = (t: InputFields) => ({ ...within(t), siteSectionId: t.id(siteSectionId) });

defineMutation({
  name: "createSiteSection",
  description: `Puts a new section behind everything else on a site, with a space in it. Its path is made of the title, with a number where another section has it. A site has site spaces at its root or sections: what is at the root comes into a section of its own before this one, which has the title of the site. ${rights} Needs the role \`review\` on the space.`,
  input: (t) => ({
    ...onSite(t),
    spaceId: t.id({ required: true, description: "Id of the space that is its first one." }),
    title: t.string({
      extensions: ofLength({ min: 2, max: 128 }),
      description: "Title, 2 to 128 characters; that of the space when left out.",
    }),
    icon: t.string({ extensions: ofLength({ max: 50 }), description: "Name of an icon, at most 50 characters." }),
  }),
  run: (input, context) => createSiteSection(context, input),
  payload: createdPayload("siteSection", sectionsOfSite, { description: "The new section.", in: "Site.sections" }),
});

defineMutation({
  name: "updateSiteSection",
  description: `Changes a section: the fields that are given. CONFLICT for a path that another section of the site has. ${rights}`,
  input: (t) => ({
    ...sectionInput(t),
    title: t.string({ extensions: ofLength({ min: 2, max: 128 }), description: "Title, 2 to 128 characters." }),
    path: t.string({
      extensions: ofLength({ min: 1, max: 100 }),
      description: "Path on the site, unique there, 1 to 100 letters and digits, with -, _ and . between.",
    }),
    defaultSiteSpaceId: t.id({ description: "Id of the site space in it that visitors see first." }),
    condition: condition(t),
    icon: t.string({
      extensions: ofLength({ max: 50 }),
      description: "Name of an icon, at most 50 characters; null takes it away.",
    }),
    description: t.string({
      extensions: ofLength({ max: 256 }),
      description: "Description, at most 256 characters; null takes it away.",
    }),
  }),
  run: (input, context) => updateSiteSection(context, input),
  payload: sectionPayload,
});

defineMutation({
  name: "moveSiteSection",
  description: `Puts a section, with its site spaces, beside another section or a group of its site: into the group of the section beside it, or out of its own. \`sortSiteStructure\` puts all of a site in order at once. ${rights}`,
  input: (t) => ({
    ...sectionInput(t),
    place: t.field({ type: SiteSectionPlaceInput, required: true, description: "Its new place." }),
  }),
  run: (input, context) => moveSiteSection(context, input),
  payload: sectionPayload,
});

defineMutation({
  name: "deleteSiteSection",
  description: `Deletes a section, and nothing in it: its site spaces come last into another section, and get numbers where their paths are taken there; after the last section they are at the root of the site. The condition of the section is joined to theirs, so that nobody is shown more than before. ${rights}`,
  input: (t) => ({
    ...sectionInput(t),
    toSiteSectionId: t.id({
      description: "Id of the section into which its site spaces come; the default section of the site when left out.",
    }),
  }),
  run: (input, context) => deleteSiteSection(context, input),
  payload: deletedOnSite,
});

const groupPayload = rowPayload("siteSectionGroup", groups, "The group.");
const groupInput = (t: InputFields) => ({
  ...within(t),
  siteSectionGroupId: t.id({ required: true, description: "Id of the group." }),
});

defineMutation({
  name: "createSiteSectionGroup",
  description: `Puts a new group behind everything else on a site, with sections of the site in it. ${rights}`,
  input: (t) => ({
    ...onSite(t),
    title: t.string({
      extensions: ofLength({ min: 1, max: 100 }),
      required: true,
      description: "Title, 1 to 100 characters.",
    }),
    icon: t.string({ extensions: ofLength({ max: 50 }), description: "Name of an icon, at most 50 characters." }),
    siteSectionIds: t.idList({
      description: "Ids of the sections that come into it, from wherever they are on the site.",
    }),
  }),
  run: (input, context) => createSiteSectionGroup(context, input),
  payload: createdPayload("siteSectionGroup", groupsOfSite, {
    description: "The new group.",
    in: "Site.sectionGroups",
  }),
});

defineMutation({
  name: "updateSiteSectionGroup",
  description: `Changes a section group: the fields that are given. ${rights}`,
  input: (t) => ({
    ...groupInput(t),
    title: t.string({ extensions: ofLength({ min: 1, max: 100 }), description: "Title, 1 to 100 characters." }),
    icon: t.string({
      extensions: ofLength({ max: 50 }),
      description: "Name of an icon, at most 50 characters; null takes it away.",
    }),
  }),
  run: (input, context) => updateSiteSectionGroup(context, input),
  payload: groupPayload,
});

defineMutation({
  name: "moveSiteSectionGroup",
  description: `Puts a section group, with its sections, beside another group or a section of its site; beside the group of a section that is in one. \`sortSiteStructure\` puts all of a site in order at once. ${rights}`,
  input: (t) => ({
    ...groupInput(t),
    place: t.field({ type: SiteSectionPlaceInput, required: true, description: "Its new place." }),
  }),
  run: (input, context) => moveSiteSectionGroup(context, input),
  payload: groupPayload,
});

defineMutation({
  name: "deleteSiteSectionGroup",
  description: `Deletes a section group, and nothing in it: its sections stay in its place. ${rights}`,
  input: groupInput,
  run: (input, context) => deleteSiteSectionGroup(context, input),
  payload: deletedOnSite,
});

defineMutation({
  name: "addSectionToGroup",
  description: `Puts a section last in a group of its site, out of the one that it was in. ${rights}`,
  input: (t) => ({ ...groupInput(t), siteSectionId: t.id(siteSectionId) }),
  run: (input, context) => addSectionToGroup(context, input),
  payload: groupPayload,
});

defineMutation({
  name: "removeSectionFromGroup",
  description: `Takes a section out of its group, and puts it right behind the group. ${rights}`,
  input: (t) => ({ ...groupInput(t), siteSectionId: t.id(siteSectionId) }),
  run: (input, context) => removeSectionFromGroup(context, input),
  payload: (t) => ({
    removedId: t.valueOrNull(
      "ID",
      "Id of the section; null when it was not in the group.",
      ({ removedId }) => removedId,
    ),
    siteSectionGroup: t.row(groups, "id", "The group."),
  }),
});

const siteSpacePayload = rowPayload("siteSpace", siteSpaces, "The site space.");
const siteSpaceInput = (t: InputFields) => ({
  ...within(t),
  siteSpaceId: t.id({ required: true, description: "Id of the site space." }),
});

defineMutation({
  name: "createSiteSpace",
  description: `Places a space on a site, last in a section, or at the root of a site without sections. Its title is that of the space, its path is made of it, with a number where another one there has it. A space may be placed more than once. ${rights} Needs the role \`review\` on the space.`,
  input: (t) => ({
    ...onSite(t),
    spaceId: t.id({ required: true, description: "Id of a space of the organization." }),
    siteSectionId: t.id({
      description: "Id of the section; when left out, the default section, or the root of a site without sections.",
    }),
  }),
  run: (input, context) => createSiteSpace(context, input),
  payload: createdPayload("siteSpace", siteSpacesOfSite, { description: "The new site space.", in: "Site.siteSpaces" }),
});

defineMutation({
  name: "updateSiteSpace",
  description: `Changes a site space: the fields that are given. CONFLICT for a path that another one beside it has. ${rights}`,
  input: (t) => ({
    ...siteSpaceInput(t),
    title: t.string({
      extensions: ofLength({ min: 1, max: 128 }),
      description: "Title on the site, 1 to 128 characters.",
    }),
    path: t.string({
      extensions: ofLength({ min: 1, max: 100 }),
      description:
        "Path in its section, or on the site, unique there, 1 to 100 letters and digits, with -, _ and . between.",
    }),
    condition: condition(t),
    spaceId: t.id({
      description:
        "Id of the space that it shows from now on, on which `review` is needed. It gets the title of it; the path stays.",
    }),
  }),
  run: (input, context) => updateSiteSpace(context, input),
  payload: siteSpacePayload,
});

defineMutation({
  name: "moveSiteSpace",
  description: `Puts a site space beside another one of its site, into the section of that one, where it gets a number when its path is taken. \`sortSiteStructure\` puts all of a site in order at once. ${rights}`,
  input: (t) => ({
    ...siteSpaceInput(t),
    place: t.field({ type: SiteSpacePlaceInput, required: true, description: "Its new place." }),
  }),
  run: (input, context) => moveSiteSpace(context, input),
  payload: siteSpacePayload,
});

defineMutation({
  name: "deleteSiteSpace",
  description: `Takes a space off a site; the space itself stays as it is. ${rights}`,
  input: siteSpaceInput,
  run: (input, context) => deleteSiteSpace(context, input),
  payload: deletedOnSite,
});
