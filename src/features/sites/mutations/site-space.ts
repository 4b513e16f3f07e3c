// Mutations on the spaces that are placed on sites.
import {
  createSiteSpace,
  deleteSiteSpace,
  moveSiteSpace,
  updateSiteSpace,
} from "#src/features/sites/commands/site-space.ts";
import { condition, deletedOnSite, onSite, rights, within } from "#src/features/sites/mutations/parts.ts";
import { siteSpaces, siteSpacesOfSite } from "#src/features/sites/reads.ts";
import { SiteSpacePlaceInput } from "#src/features/sites/type/inputs.ts";
import { createdPayload, defineMutation, rowPayload } from "#src/graph/schema/mutations.ts";
import { ofLength } from "#src/graph/schema/rest-forms.ts";

const payload = rowPayload("siteSpace", siteSpaces, "The site space.");
const siteSpaceId = { required: true, description: "Id of the site space." } as const;

defineMutation({
  name: "createSiteSpace",
  description:
    "Places a space on a site, last in a section, or at the root of a site without sections. Its title is that of the space, its path is made of it, " +
    `with a number where another one there has it. A space may be placed more than once. ${rights} Needs the role \`review\` on the space.`,
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
    ...within(t),
    siteSpaceId: t.id(siteSpaceId),
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
  payload,
});

defineMutation({
  name: "moveSiteSpace",
  description:
    "Puts a site space beside another one of its site, into the section of that one, where it gets a number when its path is taken. " +
    `\`sortSiteStructure\` puts all of a site in order at once. ${rights}`,
  input: (t) => ({
    ...within(t),
    siteSpaceId: t.id(siteSpaceId),
    place: t.field({ type: SiteSpacePlaceInput, required: true, description: "Its new place." }),
  }),
  run: (input, context) => moveSiteSpace(context, input),
  payload,
});

defineMutation({
  name: "deleteSiteSpace",
  description: `Takes a space off a site; the space itself stays as it is. ${rights}`,
  input: (t) => ({ ...within(t), siteSpaceId: t.id(siteSpaceId) }),
  run: (input, context) => deleteSiteSpace(context, input),
  payload: deletedOnSite,
});
