// The GraphQL types PublishedPage and PublishedFile: what a visitor reads on a site.
import { PageLayout, PageType } from "#src/features/content/type/page-parts.ts";
import type { FileRow } from "#src/features/content/reads/files.ts";
import { downloadPath } from "#src/features/content/model/download-address.ts";
import { Dimensions } from "#src/features/content/type/file.ts";
import {
  findBeside,
  findFileOf,
  listAround,
  listBelow,
  type PublishedPage as PublishedPageValue,
} from "#src/features/published-sites/reads/pages.ts";
import type { Links } from "#src/base/public-urls.ts";
import { type AddressOf, publishedDocumentOf, publishedTextOf } from "#src/features/published-sites/reads/texts.ts";
import { addressAt, PublishedSpace } from "#src/features/published-sites/type/structure.ts";
import { defineLinks } from "#src/graph/schema/flag-types.ts";
import { builder } from "#src/graph/schema/builder.ts";

export const PublishedFile = builder.objectRef<FileRow>("PublishedFile").implement({
  description: "A file of a published content. Files never change: another content is another file.",
  fields: (t) => ({
    fileId: t.exposeID("fileId", { description: "Id of the file, as texts name it (`file:<id>`)." }),
    name: t.exposeString("name", { description: "Name." }),
    contentType: t.exposeString("contentType", { description: "What it is, such as `image/png`." }),
    size: t.exposeInt("size", { description: "Bytes." }),
    dimensions: t.valueOrNull(
      Dimensions,
      "Its size when it is an image; null for everything else.",
      ({ width, height }) => (width === null || height === null ? null : { width, height }),
    ),
    downloadURL: t.value(
      "String",
      "Where it is downloaded, without a token. For good where anybody may read it; else for 6 to 12 hours, and as long as who asked may read it: ask again then.",
      (file, context) => context.publicUrl + downloadPath(file, context),
    ),
  }),
});

export const PublishedPageUrls = defineLinks(
  "PublishedPageUrls",
  "Links of a published page.",
  {},
  { published: "Where visitors reach it; null as that of its site." },
);

const PublishedCover = builder.objectRef<PublishedPageValue>("PublishedCover").implement({
  description: "The picture of a published page.",
  fields: (t) => ({
    file: t.field({
      type: PublishedFile,
      nullable: true,
      description: "The file; null where the content no longer has it.",
      resolve: ({ space, page }, _args, context) => findFileOf(context, space, page.fields.cover?.file ?? ""),
    }),
    fileDark: t.field({
      type: PublishedFile,
      nullable: true,
      description: "The file where colours are dark; null for the same one.",
      resolve: ({ space, page }, _args, context) => findFileOf(context, space, page.fields.cover?.fileDark ?? ""),
    }),
    yPos: t.valueOrNull("Float", "How far it is moved down, in pixels.", ({ page }) => page.fields.cover?.yPos),
  }),
});

const addressesFor =
  ({ space }: PublishedPageValue, context: { readonly links: Links }): AddressOf =>
  (segments) =>
    addressAt(space.of, segments, context);

export const PublishedPage = builder.objectRef<PublishedPageValue>("PublishedPage");

PublishedPage.implement({
  description: "A page of a published site, in the place where a visitor reads it.",
  fields: (t) => ({
    pageId: t.value("ID", "Id of the page. One that stands on a site twice has two paths.", ({ page }) => page.pageId),
    type: t.value(PageType, "What it is.", ({ page }) => page.type),
    title: t.value("String", "Title.", ({ page }) => page.title),
    path: t.value(
      "String",
      "Its whole path on the site: of the section, if there is one, of the site space, and of the page.",
      ({ space, page }) => [...space.segments, page.path].join("/"),
    ),
    level: t.value("Int", "Its level in the site space: 1 at the top.", ({ page }) => page.path.split("/").length),
    emoji: t.valueOrNull("String", "An emoji.", ({ page }) => page.fields.emoji),
    icon: t.valueOrNull("String", "Name of an icon.", ({ page }) => page.fields.icon),
    description: t.valueOrNull("String", "What it is about.", ({ page }) => page.fields.description),
    updatedAt: t.value("DateTime", "When it was last changed itself.", ({ page }) => page.updatedAt),
    layout: t.valueOrNull(PageLayout, "How it is laid out.", ({ page }) => page.fields.layout),
    cover: t.valueOrNull(PublishedCover, "Its picture.", (one) => (one.page.fields.cover ? one : null)),
    hidden: t.value(
      "Boolean",
      "Whether it is left out of tables of contents and of the site map, and reached by its address alone.",
      ({ page }) => page.fields.hidden ?? false,
    ),
    noIndex: t.value(
      "Boolean",
      "Whether it is left out of the site's own search.",
      ({ page }) => page.fields.noIndex ?? false,
    ),
    noRobotsIndex: t.value(
      "Boolean",
      "Whether search engines are asked to leave it out: always where the site is for others than everybody.",
      ({ space, page }) => space.of.row.visibility !== "public" || (page.fields.noRobotsIndex ?? false),
    ),
    markdown: t.string({
      nullable: true,
      description:
        "Its text as Markdown (GitHub's), with the values of variables and with reusable contents; null for what has none by its type. Links to pages and spaces that the visitor is shown on the site have the addresses of these there; of other links to pages, spaces and people the text is left.",
      resolve: (page, _args, context) => publishedTextOf(context, page, addressesFor(page, context)),
    }),
    document: t.field({
      type: "RichDocument",
      nullable: true,
      description: "The same as a rich document. INVALID_INPUT for more text at a time than can be converted.",
      resolve: (page, _args, context) => publishedDocumentOf(context, page, addressesFor(page, context)),
    }),
    siteSpace: t.value(PublishedSpace, "The site space that it is in.", ({ space }) => space),
    breadcrumbs: t.field({
      type: [PublishedPage],
      description: "The pages around it, from the top down to its parent; none at the top.",
      resolve: (page, _args, context) => listAround(context, page),
    }),
    previous: t.field({
      type: PublishedPage,
      nullable: true,
      description: "The page that is read before it in its site space; null for the first one, and for hidden ones.",
      resolve: (page, _args, context) => findBeside(context, page, -1),
    }),
    next: t.field({
      type: PublishedPage,
      nullable: true,
      description: "The page that is read after it in its site space; null for the last one, and for hidden ones.",
      resolve: (page, _args, context) => findBeside(context, page, 1),
    }),
    children: t.field({
      type: [PublishedPage],
      description: "The pages right below it that tables of contents list, in their order.",
      resolve: (page, _args, context) => listBelow(context, page),
    }),
    urls: t.value(PublishedPageUrls, "Links.", ({ space, page }, context) => ({
      published: addressAt(space.of, [...space.segments, page.path], context),
    })),
  }),
});
