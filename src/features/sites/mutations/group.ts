// Mutations on the section groups of sites.
import {
  addSectionToGroup,
  createSiteSectionGroup,
  deleteSiteSectionGroup,
  moveSiteSectionGroup,
  removeSectionFromGroup,
  updateSiteSectionGroup,
} from "#src/features/sites/commands/group.ts";
import { deletedOnSite, onSite, rights, within } from "#src/features/sites/mutations/parts.ts";
import { groups, groupsOfSite } from "#src/features/sites/reads.ts";
import { SiteSectionPlaceInput } from "#src/features/sites/type/inputs.ts";
import { createdPayload, defineMutation, rowPayload } from "#src/graph/schema/mutations.ts";
import { ofLength } from "#src/graph/schema/rest-forms.ts";

const payload = rowPayload("siteSectionGroup", groups, "The group.");
const siteSectionGroupId = { required: true, description: "Id of the group." } as const;

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
    ...within(t),
    siteSectionGroupId: t.id(siteSectionGroupId),
    title: t.string({ extensions: ofLength({ min: 1, max: 100 }), description: "Title, 1 to 100 characters." }),
    icon: t.string({
      extensions: ofLength({ max: 50 }),
      description: "Name of an icon, at most 50 characters; null takes it away.",
    }),
  }),
  run: (input, context) => updateSiteSectionGroup(context, input),
  payload,
});

defineMutation({
  name: "moveSiteSectionGroup",
  description:
    "Puts a section group, with its sections, beside another group or a section of its site; beside the group of a section that is in one. " +
    `\`sortSiteStructure\` puts all of a site in order at once. ${rights}`,
  input: (t) => ({
    ...within(t),
    siteSectionGroupId: t.id(siteSectionGroupId),
    place: t.field({ type: SiteSectionPlaceInput, required: true, description: "Its new place." }),
  }),
  run: (input, context) => moveSiteSectionGroup(context, input),
  payload,
});

defineMutation({
  name: "deleteSiteSectionGroup",
  description: `Deletes a section group, and nothing in it: its sections stay in its place. ${rights}`,
  input: (t) => ({ ...within(t), siteSectionGroupId: t.id(siteSectionGroupId) }),
  run: (input, context) => deleteSiteSectionGroup(context, input),
  payload: deletedOnSite,
});

defineMutation({
  name: "addSectionToGroup",
  description: `Puts a section last in a group of its site, out of the one that it was in. ${rights}`,
  input: (t) => ({
    ...within(t),
    siteSectionGroupId: t.id(siteSectionGroupId),
    siteSectionId: t.id({ required: true, description: "Id of the section." }),
  }),
  run: (input, context) => addSectionToGroup(context, input),
  payload,
});

defineMutation({
  name: "removeSectionFromGroup",
  description: `Takes a section out of its group, and puts it right behind the group. ${rights}`,
  input: (t) => ({
    ...within(t),
    siteSectionGroupId: t.id(siteSectionGroupId),
    siteSectionId: t.id({ required: true, description: "Id of the section." }),
  }),
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
