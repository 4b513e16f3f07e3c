// The GraphQL types PublishedSite, the view of one visitor, and PublishedSiteProfile.
import { found } from "#src/base/errors.ts";
import { pageSize } from "#src/db/reading/page.ts";
import {
  findFile,
  findFileOf,
  findFormerPage,
  findPageAt,
  findPageInSpace,
  listPages,
  listReadable,
} from "#src/features/published-sites/reads/pages.ts";
import type { PublishedSite as PublishedSiteValue } from "#src/features/published-sites/reads/sites.ts";
import { PublishedFile, PublishedPage } from "#src/features/published-sites/type/page.ts";
import {
  addressAt,
  PublishedEntry,
  PublishedSection,
  PublishedSectionGroup,
  PublishedSpace,
  PublishedStructure,
} from "#src/features/published-sites/type/structure.ts";
import { placeAt, type Shown } from "#src/features/published-sites/model/shown.ts";
import { versionOf } from "#src/features/published-sites/model/version.ts";
import { onlySpaceOf } from "#src/features/published-sites/model/space.ts";
import { Space } from "#src/features/spaces/type.ts";
import type { StoredIcon } from "#src/features/sites/commands/site.ts";
import { hostnameLimit, hostnamePattern } from "#src/features/sites/model/hostname.ts";
import { customizationOf, SiteCustomization } from "#src/features/sites/type/customization.ts";
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

// The column `icon` is only ever written in the form that is read here.
const PublishedSiteProfile = builder.objectRef<PublishedSiteValue>("PublishedSiteProfile").implement({
  description: "The profile of a published site from the view of its visitor.",
  extensions: { restResource: "site" } satisfies RestResourceExtensions,
  fields: (t) => ({
    object: t.value("String", "Always `site`.", () => "site"),
    siteId: t.exposeID("id", { description: "Id of the site." }),
    type: t.value(SiteType, "Plan of the site.", ({ row }) => row.type),
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
      description: "Name in addresses, unique in the organization.",
      resolve: ({ row }) => row.basename,
    }),
    proxy: t.valueOrNull(SiteProxy, "The address on another server that serves the site.", ({ row }) => proxyOf(row)),
    visibility: t.value(SiteVisibility, "Audience once the site is published.", ({ row }) => row.visibility),
    published: t.value(
      "Boolean",
      "Whether its audience can reach it; false only for members, who may read it before it is published.",
      ({ row }) => row.published,
    ),
    createdAt: t.value("DateTime", "When it was created.", ({ row }) => row.createdAt),
    siteSpaceCount: t.value("Int", "Number of visible spaces on it.", ({ shown }) => shown.siteSpaces.length),
    adaptiveContent: t.value(SiteAdaptiveContent, "Settings of content that depends on the visitor.", ({ row }) => ({
      enabled: row.adaptiveContentEnabled,
    })),
    agentsContext: t.value(AgentsContext, "Whether agents may access the site.", ({ row }) => row.agentsContext),
    urls: t.value(SiteUrls, "Links.", (site, context) => ({
      ...urlsOf(site.row, context, site.shareKey),
      published: addressAt(site, [], context),
    })),
  }),
});

export const PublishedSite = builder.objectRef<PublishedSiteValue>("PublishedSite").implement({
  description:
    "A published site from the view of one visitor. Parts that a condition hides from them are missing everywhere: in lists, counts, defaults, paths and files.",
  extensions: { restResource: "published-content-site" } satisfies RestResourceExtensions,
  fields: (t) => ({
    object: t.value("String", "Always `published-content-site`.", () => "published-content-site"),
    siteId: t.exposeID("id", { description: "Id of the site." }),
    site: t.part(PublishedSiteProfile, "Profile of the site."),
    customization: t.value(SiteCustomization, "Its appearance.", ({ row }) => customizationOf(row)),
    structure: t.part(PublishedStructure, "Structure of the site in the form of /v1."),
    entries: t.value(
      [PublishedEntry],
      "The top-level entries in order: groups, sections without a group, and site spaces without a section.",
      ({ shown }) => [...shown.entries],
    ),
    sectionGroups: t.value([PublishedSectionGroup], "Its groups, in their order.", ({ shown }) => [...shown.groups]),
    sections: t.value([PublishedSection], "Its sections, with and without a group, in their order.", ({ shown }) => [
      ...shown.sections,
    ]),
    siteSpaces: t.value(
      [PublishedSpace],
      "Its site spaces, with and without a section, in their order.",
      ({ shown }) => [...shown.siteSpaces],
    ),
    defaultSection: t.valueOrNull(
      PublishedSection,
      "The default section: the chosen one, or else the first; null without sections.",
      ({ shown }) => shown.defaultSection,
    ),
    defaultSiteSpace: t.valueOrNull(
      PublishedSpace,
      "The site space that the visitor sees first: the default of the default section, or of the root without sections; null if no site space is visible.",
      ({ shown }) => shown.defaultSiteSpace,
    ),
    page: t.field({
      type: PublishedPage,
      nullable: true,
      description:
        "The page at a path, which joins the paths of a section, if any, of a site space, and of a page in it. Missing last parts are the defaults, so an empty path returns the first page of the site. NOT_FOUND if no page is visible at the path.",
      args: { path: t.arg.string({ required: true, description: "The path, such as `guides/api/start`." }) },
      resolve: async (site, { path }, context) => found(await findPageAt(context, site, path), "page"),
    }),
    version: t.value(
      "String",
      "A hash of everything that this visitor sees on the site: its settings, structure and contents. Equal versions have equal pages.",
      ({ row, shown }) => versionOf(row, shown),
    ),
    siteSpaceAt: t.field({
      type: PublishedSpace,
      nullable: true,
      description:
        "The site space at the beginning of a path, whether or not a page is there; the default one if no site space is there. Null if no site space is visible.",
      args: { path: t.arg.string({ required: true, description: "The path, such as `guides/api/start`." }) },
      resolve: ({ shown }, { path }) => placeAt(shown, path)?.space ?? shown.defaultSiteSpace,
    }),
    formerPage: t.field({
      type: PublishedPage,
      nullable: true,
      description:
        "The page that had a path on the site before, as long as no other page is there: the page, its site space or its section had another path then. Null if the path was never used, or its page is not visible. Redirect visitors from the path to the page.",
      args: { path: t.arg.string({ required: true, description: "The path, as for `page`." }) },
      resolve: (site, { path }, context) => findFormerPage(context, site, path),
    }),
    siteMap: t.field({
      type: [PublishedPage],
      description:
        "All pages with a text, in the order of the site, without hidden pages, groups and links. Omit pages with `noRobotsIndex` from the site map for search engines.",
      args: {
        first: t.arg.int({ description: `How many pages to return: 1 to ${pageSize.max}. Default: all.` }),
        skip: t.arg.int({ required: true, defaultValue: 0, description: "How many pages to omit from the start." }),
      },
      resolve: (site, part, context) => listReadable(context, site, part),
    }),
    file: t.field({
      type: PublishedFile,
      nullable: true,
      description: "A file of one of its contents, by the id in texts. NOT_FOUND if no visible content has it.",
      args: { id: t.arg.id({ required: true, description: "Id of the file." }) },
      resolve: async (site, { id }, context) => found(await findFile(context, site, id), "file"),
    }),
  }),
});

builder.prismaObjectField(Space, "published", (t) =>
  t.value(
    PublishedSpace,
    "Its published content: its readers have addresses for its pages (`urls.published`) if the space has one.",
    ["title", "emoji", "visibility", "givenKey", "revisionId", "contentTreeHash", "deletedAt"],
    ({ visibility, givenKey, deletedAt, ...space }) => {
      const isOpen = visibility === "public" || visibility === "unlisted" || givenKey !== null;
      const row = { id: space.id, hostname: null, visibility, published: isOpen && deletedAt === null };
      const site = { id: space.id, row: { ...row, shareKey: givenKey }, shareKey: givenKey };
      return onlySpaceOf(site as PublishedSiteValue & { shown: Shown<PublishedSiteValue> }, space); // what pages read
    },
  ),
);

builder.objectFields(PublishedSpace, (t) => ({
  version: t.value(
    "String",
    "The version of its site, or of a space without a site: a hash of everything that this visitor sees there.",
    ({ of: { row, shown } }) => versionOf(row, shown),
  ),
  pages: t.field({
    type: [PublishedPage],
    description:
      "The pages that its table of contents lists, on all levels, in the order of the tree: parents before children.",
    resolve: (space, _args, context) => listPages(context, space),
  }),
  page: t.field({
    type: PublishedPage,
    nullable: true,
    description:
      "The page at a path in it; the first page for an empty path. NOT_FOUND if no page is visible at the path.",
    args: { path: t.arg.string({ required: true, description: "Path of the page in the space." }) },
    resolve: async (space, { path }, context) => found(await findPageInSpace(context, space, path), "page"),
  }),
  file: t.field({
    type: PublishedFile,
    nullable: true,
    description: "A file of its content, by the id in texts. NOT_FOUND if the content does not have it.",
    args: { id: t.arg.id({ required: true, description: "Id of the file." }) },
    resolve: async (space, { id }, context) => found(await findFileOf(context, space, id), "file"),
  }),
}));
