// The GraphQL types PublishedSite, what one visitor sees of a site, and PublishedSiteProfile.
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
import {
  PublishedEntry,
  PublishedSection,
  PublishedSectionGroup,
  PublishedSpace,
  PublishedStructure,
} from "#src/features/published-sites/type/structure.ts";
import type { StoredIcon } from "#src/features/sites/commands/site.ts";
import { hostnameLimit, hostnamePattern } from "#src/features/sites/model/hostname.ts";
import {
  AgentsContext,
  proxyOf,
  SiteAdaptiveContent,
  SiteIcon,
  SiteProxy,
  SiteType,
  SiteVisibility,
} from "#src/features/sites/type/parts.ts";
import { SiteUrls, urlsOf } from "#src/features/sites/type/urls.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { limited, ofLength, type RestResourceExtensions } from "#src/graph/schema/rest-forms.ts";

// The column `icon` is written only in the form that is read here.
const PublishedSiteProfile = builder.objectRef<PublishedSiteValue>("PublishedSiteProfile").implement({
  description: "What a published site says of itself, as its visitor sees it.",
  extensions: { restResource: "site" } satisfies RestResourceExtensions,
  fields: (t) => ({
    object: t.value("String", "Always `site`.", () => "site"),
    siteId: t.exposeID("id", { description: "Id of the site." }),
    type: t.value(SiteType, "The product that it is on.", ({ row }) => row.type),
    title: t.string({
      extensions: ofLength({ min: 2, max: 128 }),
      description: "Title, 2 to 128 characters.",
      resolve: ({ row }) => row.title,
    }),
    icon: t.valueOrNull(SiteIcon, "Its icon.", ({ row }) => row.icon as StoredIcon | null),
    hostname: t.string({
      extensions: limited({ maxLength: hostnameLimit, pattern: hostnamePattern }),
      nullable: true,
      description: "Custom hostname.",
      resolve: ({ row }) => row.hostname,
    }),
    basename: t.string({
      extensions: ofLength({ min: 1, max: 100 }),
      nullable: true,
      description: "Its name in addresses, unique in its organization.",
      resolve: ({ row }) => row.basename,
    }),
    proxy: t.valueOrNull(SiteProxy, "The address of another server under which it is served.", ({ row }) =>
      proxyOf(row),
    ),
    visibility: t.value(SiteVisibility, "Its audience once it is published.", ({ row }) => row.visibility),
    published: t.value(
      "Boolean",
      "Whether its audience can reach it; false only for members, who may look before.",
      ({ row }) => row.published,
    ),
    createdAt: t.value("DateTime", "When it was created.", ({ row }) => row.createdAt),
    siteSpaceCount: t.value("Int", "Number of spaces on it that are shown.", ({ shown }) => shown.siteSpaces.length),
    adaptiveContent: t.value(SiteAdaptiveContent, "Content that depends on the visitor.", ({ row }) => ({
      enabled: row.adaptiveContentEnabled,
    })),
    agentsContext: t.value(AgentsContext, "Whether agents may access it.", ({ row }) => row.agentsContext),
    urls: t.value(SiteUrls, "Links.", ({ row, shareKey }, context) => urlsOf(row, context, shareKey)),
  }),
});

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
        "The page at a path: that of a section, if there is one, of a site space, and of a page in it. What is left out at the end is the default, so that an empty path leads to the first page of the site. NOT_FOUND where nothing is shown.",
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
