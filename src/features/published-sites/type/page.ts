// The GraphQL types PublishedPage and PublishedFile: the content that visitors of a site read.
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
import { type InLanguage, listLanguages } from "#src/features/published-sites/reads/languages.ts";
import { mayEditSpace } from "#src/features/published-sites/reads/spaces.ts";
import type { Context } from "#src/domain/context.ts";
import { aboutSection, PageHeading, PageSection, sectionArguments } from "#src/features/content/type/heading.ts";
import {
  type AddressOf,
  publishedDocumentOf,
  publishedHtmlOf,
  publishedOutlineOf,
  publishedSectionOf,
  publishedTargetOf,
  publishedTextOf,
} from "#src/features/published-sites/reads/texts.ts";
import { addressAt, PublishedSpace } from "#src/features/published-sites/type/structure.ts";
import { defineLinks } from "#src/graph/schema/flag-types.ts";
import { builder } from "#src/graph/schema/builder.ts";

export const PublishedFile = builder.objectRef<FileRow>("PublishedFile").implement({
  description: "A file of a published content. Files never change: a new content is a new file.",
  fields: (t) => ({
    fileId: t.exposeID("fileId", { description: "Id of the file, which texts use (`file:<id>`)." }),
    name: t.exposeString("name", { description: "Name." }),
    contentType: t.exposeString("contentType", { description: "Media type, such as `image/png`." }),
    size: t.exposeInt("size", { description: "Bytes." }),
    dimensions: t.valueOrNull(Dimensions, "Dimensions of an image; null for other files.", ({ width, height }) =>
      width === null || height === null ? null : { width, height },
    ),
    downloadURL: t.value(
      "String",
      "Download address, which needs no token. It is permanent if anybody may read the file; otherwise it is valid for 6 to 12 hours, as long as the requester may read the file: request a new one then.",
      (file, context) => context.publicUrl + downloadPath(file, context),
    ),
  }),
});

export const PublishedPageUrls = defineLinks(
  "PublishedPageUrls",
  "Links of a published page.",
  {},
  { published: "The address for visitors; null if the site has no such address." },
);

const PublishedCover = builder.objectRef<PublishedPageValue>("PublishedCover").implement({
  description: "The picture of a published page.",
  fields: (t) => ({
    file: t.field({
      type: PublishedFile,
      nullable: true,
      description: "The file; null if the content no longer has it.",
      resolve: ({ space, page }, _args, context) => findFileOf(context, space, page.fields.cover?.file ?? ""),
    }),
    fileDark: t.field({
      type: PublishedFile,
      nullable: true,
      description: "The file for the dark theme; null if it is the same.",
      resolve: ({ space, page }, _args, context) => findFileOf(context, space, page.fields.cover?.fileDark ?? ""),
    }),
    yPos: t.valueOrNull("Float", "Vertical offset in pixels.", ({ page }) => page.fields.cover?.yPos),
  }),
});

/** The addresses of links in a text: in a page they begin as all links of the page do, and never contain a key. */
function addressesFor({ space }: PublishedPageValue, context: Pick<Context, "links" | "pageRoot">): AddressOf {
  const { pageRoot } = context;
  if (pageRoot?.siteId !== space.of.id) return (segments) => addressAt(space.of, segments, context);
  return (segments) =>
    [pageRoot.links, ...segments.flatMap((part) => part.split("/")).map(encodeURIComponent)].join("/");
}

export const PublishedPage = builder.objectRef<PublishedPageValue>("PublishedPage");

const PublishedLanguage = builder.objectRef<InLanguage>("PublishedLanguage").implement({
  description: "A published page in one language.",
  fields: (t) => ({
    language: t.exposeString("language", { description: "Code of the language by BCP 47, such as `pt-br`." }),
    page: t.value(PublishedPage, "The page in it.", ({ page }) => page),
  }),
});

PublishedPage.implement({
  description: "A page of a published site, at one of its paths.",
  fields: (t) => ({
    pageId: t.value("ID", "Id of the page. A page that is on a site twice has two paths.", ({ page }) => page.pageId),
    type: t.value(PageType, "Type of the page.", ({ page }) => page.type),
    title: t.value("String", "Title.", ({ page }) => page.title),
    path: t.value(
      "String",
      "Full path on the site: of the section, if any, of the site space, and of the page.",
      ({ space, page }) => [...space.segments, page.path].join("/"),
    ),
    level: t.value("Int", "Level in the site space; 1 at the top.", ({ page }) => page.path.split("/").length),
    emoji: t.valueOrNull("String", "An emoji.", ({ page }) => page.fields.emoji),
    icon: t.valueOrNull("String", "Name of an icon.", ({ page }) => page.fields.icon),
    description: t.valueOrNull("String", "Description.", ({ page }) => page.fields.description),
    updatedAt: t.value("DateTime", "When it was last changed itself.", ({ page }) => page.updatedAt),
    layout: t.valueOrNull(PageLayout, "Layout.", ({ page }) => page.fields.layout),
    cover: t.valueOrNull(PublishedCover, "Cover picture.", (one) => (one.page.fields.cover ? one : null)),
    hidden: t.value(
      "Boolean",
      "Whether it is omitted from tables of contents and the site map, and reachable only by its address.",
      ({ page }) => page.fields.hidden ?? false,
    ),
    noIndex: t.value("Boolean", "Whether the site's own search omits it.", ({ page }) => page.fields.noIndex ?? false),
    noRobotsIndex: t.value(
      "Boolean",
      "Whether search engines are asked not to index it; always true unless the site is public.",
      ({ space, page }) => space.of.row.visibility !== "public" || (page.fields.noRobotsIndex ?? false),
    ),
    markdown: t.string({
      nullable: true,
      description:
        "Text as GitHub Flavored Markdown, with the values of variables and reusable contents inserted; null for types without a text. Links to visible pages and spaces of the site have their addresses there; other links to pages, spaces and people are replaced by their text.",
      resolve: (page, _args, context) => publishedTextOf(context, page, addressesFor(page, context)),
    }),
    document: t.field({
      type: "RichDocument",
      nullable: true,
      description: "The same as a rich document. INVALID_INPUT for more text than can be converted at a time.",
      resolve: (page, _args, context) => publishedDocumentOf(context, page, addressesFor(page, context)),
    }),
    html: t.string({
      nullable: true,
      description:
        "The same as HTML without scripts and styles, for the style sheet `text.css` of the published pages; null for types without a text. Links lead to addresses of the site and of files; a link to what the visitor cannot see is its text.",
      resolve: (page, _args, context) => publishedHtmlOf(context, page, addressesFor(page, context)),
    }),
    section: t.field({
      type: PageSection,
      nullable: true,
      description: aboutSection,
      args: sectionArguments,
      resolve: (page, { anchor: name }, context) =>
        publishedSectionOf(context, page, { name, addressOf: addressesFor(page, context) }),
    }),
    outline: t.field({
      type: [PageHeading],
      description: "The headings of the text, in order: each is in `html` with its anchor as id.",
      resolve: (page, _args, context) => publishedOutlineOf(context, page),
    }),
    siteSpace: t.value(PublishedSpace, "The site space that contains it.", ({ space }) => space),
    breadcrumbs: t.field({
      type: [PublishedPage],
      description: "The ancestors of the page, from the top down to its parent; empty at the top.",
      resolve: (page, _args, context) => listAround(context, page),
    }),
    previous: t.field({
      type: PublishedPage,
      nullable: true,
      description:
        "The previous page of its site space in reading order; null for the first one, and for hidden pages.",
      resolve: (page, _args, context) => findBeside(context, page, -1),
    }),
    next: t.field({
      type: PublishedPage,
      nullable: true,
      description: "The next page of its site space in reading order; null for the last one, and for hidden pages.",
      resolve: (page, _args, context) => findBeside(context, page, 1),
    }),
    children: t.field({
      type: [PublishedPage],
      description: "Its child pages that tables of contents list, in order.",
      resolve: (page, _args, context) => listBelow(context, page),
    }),
    languages: t.field({
      type: [PublishedLanguage],
      description:
        "The page in each language in which the visitor sees it on the site, in its source language first; empty if it is not translated.",
      resolve: (page, _args, context) => listLanguages(context, page),
    }),
    target: t.string({
      nullable: true,
      description: "The address that a link leads to; null for other types, and if the target is not visible.",
      resolve: (page, _args, context) => publishedTargetOf(context, page, addressesFor(page, context)),
    }),
    editURL: t.string({
      nullable: true,
      description: "Its address in the application, for viewers who may edit it; null for all others.",
      resolve: async ({ space: { spaceId }, page: { pageId } }, _args, context) =>
        (await mayEditSpace(context, spaceId)) ? context.links.app(`spaces/${spaceId}/pages/${pageId}`, pageId) : null,
    }),
    urls: t.value(PublishedPageUrls, "Links.", ({ space, page }, context) => ({
      published: addressAt(space.of, [...space.segments, page.path], context),
    })),
  }),
});
