// The GraphQL type PublishedSite: what one visitor sees of a site.
import { found } from "#src/base/errors.ts";
import {
  findFile,
  findFileOf,
  findPageAt,
  findPageInSpace,
  listPages,
  listReadable,
} from "#src/features/published-sites/reads/pages.ts";
import type { PublishedSite as PublishedSiteValue } from "#src/features/published-sites/reads/sites.ts";
import { PublishedFile, PublishedPage } from "#src/features/published-sites/type/page.ts";
import { PublishedSiteProfile } from "#src/features/published-sites/type/profile.ts";
import {
  PublishedEntry,
  PublishedSection,
  PublishedSectionGroup,
  PublishedSpace,
  PublishedStructure,
} from "#src/features/published-sites/type/structure.ts";
import { builder } from "#src/graph/schema/builder.ts";
import type { RestResourceExtensions } from "#src/graph/schema/rest-forms.ts";

export const PublishedSite = builder.objectRef<PublishedSiteValue>("PublishedSite").implement({
  description:
    "A published site as one visitor sees it. What a condition hides from them is not there: in no list, number, default, path or file.",
  extensions: { restResource: "published-content-site" } satisfies RestResourceExtensions,
  fields: (t) => ({
    object: t.value("String", "Always `published-content-site`.", () => "published-content-site"),
    siteId: t.exposeID("id", { description: "Id of the site." }),
    site: t.part(PublishedSiteProfile, "What it says of itself."),
    structure: t.part(PublishedStructure, "What it is made of, as /v1 has it."),
    entries: t.value(
      [PublishedEntry],
      "What stands at its top, in order: groups, sections that are in none, and site spaces that are in no section.",
      ({ shown }) => [...shown.entries],
    ),
    sectionGroups: t.value([PublishedSectionGroup], "Its groups, in their order.", ({ shown }) => [...shown.groups]),
    sections: t.value([PublishedSection], "Its sections, in groups or not, in their order.", ({ shown }) => [
      ...shown.sections,
    ]),
    siteSpaces: t.value([PublishedSpace], "Its site spaces, in sections or not, in their order.", ({ shown }) => [
      ...shown.siteSpaces,
    ]),
    defaultSection: t.valueOrNull(
      PublishedSection,
      "The one that was chosen, or else the first; null where there are none.",
      ({ shown }) => shown.defaultSection,
    ),
    defaultSiteSpace: t.valueOrNull(
      PublishedSpace,
      "What the visitor sees first: the default of the default section, or of the root where there are no sections; null where nothing is shown.",
      ({ shown }) => shown.defaultSiteSpace,
    ),
    page: t.field({
      type: PublishedPage,
      nullable: true,
      description:
        "The page at a path: that of a section, if there is one, of a site space, and of a page in it. What is left out at the end is the default, so that an " +
        "empty path leads to the first page of the site. NOT_FOUND where nothing is shown.",
      args: { path: t.arg.string({ required: true, description: "The path, such as `guides/api/start`." }) },
      resolve: async (site, { path }, context) => found(await findPageAt(context, site, path), "page"),
    }),
    siteMap: t.field({
      type: [PublishedPage],
      description:
        "All pages on it that are read, in its order: without hidden ones, headings and links. One that says `noRobotsIndex` does not belong in the map that search engines are given.",
      resolve: (site, _args, context) => listReadable(context, site),
    }),
    file: t.field({
      type: PublishedFile,
      nullable: true,
      description:
        "A file of one of its contents, by the id that texts have. NOT_FOUND where none that is shown has it.",
      args: { id: t.arg.id({ required: true, description: "Id of the file." }) },
      resolve: async (site, { id }, context) => found(await findFile(context, site, id), "file"),
    }),
  }),
});

builder.objectFields(PublishedSpace, (t) => ({
  pages: t.field({
    type: [PublishedPage],
    description:
      "The pages that its table of contents lists, on every level, in the order of the tree: each before those below it.",
    resolve: (space, _args, context) => listPages(context, space),
  }),
  page: t.field({
    type: PublishedPage,
    nullable: true,
    description: "The page at a path in it; the first one for an empty path. NOT_FOUND when there is none.",
    args: { path: t.arg.string({ required: true, description: "Path of the page in the space." }) },
    resolve: async (space, { path }, context) => found(await findPageInSpace(context, space, path), "page"),
  }),
  file: t.field({
    type: PublishedFile,
    nullable: true,
    description: "A file of its content, by the id that texts have. NOT_FOUND when there is none.",
    args: { id: t.arg.id({ required: true, description: "Id of the file." }) },
    resolve: async (space, { id }, context) => found(await findFileOf(context, space, id), "file"),
  }),
}));
