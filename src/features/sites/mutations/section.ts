// Mutations on the sections of sites.
import {
  createSiteSection,
  deleteSiteSection,
  moveSiteSection,
  updateSiteSection,
} from "#src/features/sites/commands/section.ts";
import { condition, deletedOnSite, onSite, rights, within } from "#src/features/sites/mutations/parts.ts";
import { sections, sectionsOfSite } from "#src/features/sites/reads.ts";
import { SiteSectionPlaceInput } from "#src/features/sites/type/inputs.ts";
import { createdPayload, defineMutation, rowPayload } from "#src/graph/schema/mutations.ts";
import { ofLength } from "#src/graph/schema/rest-forms.ts";

const payload = rowPayload("siteSection", sections, "The section.");
const siteSectionId = { required: true, description: "Id of the section." } as const;

defineMutation({
  name: "createSiteSection",
  description:
    "Puts a new section behind everything else on a site, with a space in it. Its path is made of the title, with a number where another section has " +
    "it. A site has site spaces at its root or sections: what is at the root comes into a section of its own before this one, which has the title of " +
    `the site. ${rights} Needs the role \`review\` on the space.`,
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
    ...within(t),
    siteSectionId: t.id(siteSectionId),
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
  payload,
});

defineMutation({
  name: "moveSiteSection",
  description:
    "Puts a section, with its site spaces, beside another section or a group of its site: into the group of the section beside it, or out of its own. " +
    `\`sortSiteStructure\` puts all of a site in order at once. ${rights}`,
  input: (t) => ({
    ...within(t),
    siteSectionId: t.id(siteSectionId),
    place: t.field({ type: SiteSectionPlaceInput, required: true, description: "Its new place." }),
  }),
  run: (input, context) => moveSiteSection(context, input),
  payload,
});

defineMutation({
  name: "deleteSiteSection",
  description:
    "Deletes a section, and nothing in it: its site spaces come last into another section, and get numbers where their paths are taken there; after the " +
    "last section they are at the root of the site. The condition of the section is joined to theirs, so that nobody is shown more than before. " +
    rights,
  input: (t) => ({
    ...within(t),
    siteSectionId: t.id(siteSectionId),
    toSiteSectionId: t.id({
      description: "Id of the section into which its site spaces come; the default section of the site when left out.",
    }),
  }),
  run: (input, context) => deleteSiteSection(context, input),
  payload: deletedOnSite,
});
