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

/** The rights that all these mutations need, as a sentence of their descriptions. */
export const rights = "For admins of the organization and the creator of the site.";

/** The expected site of a part and its organization, for callers that address the part by a path with both. */
const within = (t: InputFields) => ({
  organizationId: t.id({ description: "Id of the organization; NOT_FOUND if another organization owns the site." }),
  siteId: t.id({ description: "Id of the site; NOT_FOUND if it belongs to another site." }),
});

/** The site to change, and its organization. */
export const onSite = (t: InputFields) => ({
  organizationId: t.id({ description: "Id of the organization; NOT_FOUND if another organization owns the site." }),
  siteId: t.id({ required: true, description: "Id of the site." }),
});

const condition = (t: InputFields) =>
  t.string({
    extensions: ofLength({ min: 1, max: conditionLimit }),
    description:
      "Expression that decides which visitors see it, 1 to 1024 characters, such as `visitor.claims.customer && !visitor.claims.unsigned.trial`: a part of CEL with the claims of the adaptive schema of the site, `has()`, `true`, `false`, `!`, `&&`, `||`, `==`, `!=` and `?:`. Null shows it to all.",
  });

const deletedOnSite = (t: ObjectFields<DeletedOnSite>): FieldMap => ({
  ...deletedPayload(t),
  site: t.rowOrNull(sites, "siteId", "The site it was on; null if it did not exist."),
});

const sectionPayload = rowPayload("siteSection", sections, "The section.");
const siteSectionId = { required: true, description: "Id of the section." } as const;
const sectionInput = (t: InputFields) => ({ ...within(t), siteSectionId: t.id(siteSectionId) });

defineMutation({
  name: "createSiteSection",
  description: `Adds a section with a space in it at the end of a site. Its path is derived from the title, with a number if another section has it. A site has either sections or site spaces at its root: existing site spaces at the root move into a first section with the title of the site. ${rights} Needs the role \`review\` on the space.`,
  input: (t) => ({
    ...onSite(t),
    spaceId: t.id({ required: true, description: "Id of the first space in the section." }),
    title: t.string({
      extensions: ofLength({ min: 2, max: 128 }),
      description: "Title, 2 to 128 characters; the title of the space by default.",
    }),
    icon: t.string({ extensions: ofLength({ max: 50 }), description: "Name of an icon, at most 50 characters." }),
  }),
  run: (input, context) => createSiteSection(context, input),
  payload: createdPayload("siteSection", sectionsOfSite, { description: "The new section.", in: "Site.sections" }),
});

defineMutation({
  name: "updateSiteSection",
  description: `Changes the given fields of a section. CONFLICT if another section of the site has the path. ${rights}`,
  input: (t) => ({
    ...sectionInput(t),
    title: t.string({ extensions: ofLength({ min: 2, max: 128 }), description: "Title, 2 to 128 characters." }),
    path: t.string({
      extensions: ofLength({ min: 1, max: 100 }),
      description: "Path on the site, unique there, 1 to 100 letters and digits, with -, _ and . between.",
    }),
    defaultSiteSpaceId: t.id({ description: "Id of the site space in the section that visitors see first." }),
    condition: condition(t),
    icon: t.string({
      extensions: ofLength({ max: 50 }),
      description: "Name of an icon, at most 50 characters; null removes it.",
    }),
    description: t.string({
      extensions: ofLength({ max: 256 }),
      description: "Description, at most 256 characters; null removes it.",
    }),
  }),
  run: (input, context) => updateSiteSection(context, input),
  payload: sectionPayload,
});

defineMutation({
  name: "moveSiteSection",
  description: `Moves a section, with its site spaces, next to another section or a group of its site: into the group of that section, or out of its own group. \`sortSiteStructure\` sorts a whole site at once. ${rights}`,
  input: (t) => ({
    ...sectionInput(t),
    place: t.field({ type: SiteSectionPlaceInput, required: true, description: "The new position." }),
  }),
  run: (input, context) => moveSiteSection(context, input),
  payload: sectionPayload,
});

defineMutation({
  name: "deleteSiteSection",
  description: `Deletes a section but not its site spaces: they move to the end of another section, and get numbers if their paths are taken there; if it was the last section, they move to the root of the site. Its condition is joined to theirs, so that nobody sees more than before. ${rights}`,
  input: (t) => ({
    ...sectionInput(t),
    toSiteSectionId: t.id({
      description: "Id of the section that receives its site spaces; the default section of the site by default.",
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
  description: `Adds a group at the end of a site, and moves sections of the site into it. ${rights}`,
  input: (t) => ({
    ...onSite(t),
    title: t.string({
      extensions: ofLength({ min: 1, max: 100 }),
      required: true,
      description: "Title, 1 to 100 characters.",
    }),
    icon: t.string({ extensions: ofLength({ max: 50 }), description: "Name of an icon, at most 50 characters." }),
    siteSectionIds: t.idList({
      description: "Ids of the sections to move into the group, from anywhere on the site.",
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
  description: `Changes the given fields of a section group. ${rights}`,
  input: (t) => ({
    ...groupInput(t),
    title: t.string({ extensions: ofLength({ min: 1, max: 100 }), description: "Title, 1 to 100 characters." }),
    icon: t.string({
      extensions: ofLength({ max: 50 }),
      description: "Name of an icon, at most 50 characters; null removes it.",
    }),
  }),
  run: (input, context) => updateSiteSectionGroup(context, input),
  payload: groupPayload,
});

defineMutation({
  name: "moveSiteSectionGroup",
  description: `Moves a section group, with its sections, next to another group or a section of its site; for a section in a group, next to its group. \`sortSiteStructure\` sorts a whole site at once. ${rights}`,
  input: (t) => ({
    ...groupInput(t),
    place: t.field({ type: SiteSectionPlaceInput, required: true, description: "The new position." }),
  }),
  run: (input, context) => moveSiteSectionGroup(context, input),
  payload: groupPayload,
});

defineMutation({
  name: "deleteSiteSectionGroup",
  description: `Deletes a section group but not its sections, which take its place. ${rights}`,
  input: groupInput,
  run: (input, context) => deleteSiteSectionGroup(context, input),
  payload: deletedOnSite,
});

defineMutation({
  name: "addSectionToGroup",
  description: `Moves a section to the end of a group of its site, out of its former group. ${rights}`,
  input: (t) => ({ ...groupInput(t), siteSectionId: t.id(siteSectionId) }),
  run: (input, context) => addSectionToGroup(context, input),
  payload: groupPayload,
});

defineMutation({
  name: "removeSectionFromGroup",
  description: `Moves a section out of its group, right after the group. ${rights}`,
  input: (t) => ({ ...groupInput(t), siteSectionId: t.id(siteSectionId) }),
  run: (input, context) => removeSectionFromGroup(context, input),
  payload: (t) => ({
    removedId: t.valueOrNull("ID", "Id of the section; null if it was not in the group.", ({ removedId }) => removedId),
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
  description: `Places a space at the end of a section, or of the root of a site without sections. The site space gets the title of the space, and a path derived from it, with a number if the path is taken. A space may be placed more than once. ${rights} Needs the role \`review\` on the space.`,
  input: (t) => ({
    ...onSite(t),
    spaceId: t.id({ required: true, description: "Id of a space of the organization." }),
    siteSectionId: t.id({
      description: "Id of the section. The default is the default section, or the root of a site without sections.",
    }),
  }),
  run: (input, context) => createSiteSpace(context, input),
  payload: createdPayload("siteSpace", siteSpacesOfSite, { description: "The new site space.", in: "Site.siteSpaces" }),
});

defineMutation({
  name: "updateSiteSpace",
  description: `Changes the given fields of a site space. CONFLICT if a sibling has the path. ${rights}`,
  input: (t) => ({
    ...siteSpaceInput(t),
    title: t.string({
      extensions: ofLength({ min: 1, max: 128 }),
      description: "Title on the site, 1 to 128 characters.",
    }),
    path: t.string({
      extensions: ofLength({ min: 1, max: 100 }),
      description: "Path, unique in the section or root, 1 to 100 letters and digits, with -, _ and . between.",
    }),
    condition: condition(t),
    spaceId: t.id({
      description:
        "Id of the new space, on which `review` is needed. The title changes to the title of that space; the path stays.",
    }),
  }),
  run: (input, context) => updateSiteSpace(context, input),
  payload: siteSpacePayload,
});

defineMutation({
  name: "moveSiteSpace",
  description: `Moves a site space next to another one of its site, into its section, where it gets a number if its path is taken. \`sortSiteStructure\` sorts a whole site at once. ${rights}`,
  input: (t) => ({
    ...siteSpaceInput(t),
    place: t.field({ type: SiteSpacePlaceInput, required: true, description: "The new position." }),
  }),
  run: (input, context) => moveSiteSpace(context, input),
  payload: siteSpacePayload,
});

defineMutation({
  name: "deleteSiteSpace",
  description: `Removes a site space from its site; the space itself stays unchanged. ${rights}`,
  input: siteSpaceInput,
  run: (input, context) => deleteSiteSpace(context, input),
  payload: deletedOnSite,
});
