// The GraphQL type Page. It is no node: the same page, by its id, is another thing in each revision, and clients merge what has one `id`.
import {
  listPages,
  type PageLayout as PageLayoutValue,
  type PageRow,
  textOf,
} from "#src/features/content/reads/pages.ts";
import type { PageType as PageTypeValue } from "#src/generated/prisma/enums.ts";
import { builder } from "#src/graph/builder.ts";
import { defineEnum } from "#src/graph/scalars.ts";

export const PageType = defineEnum<PageTypeValue>("PageType", "What a page is.", {
  document: "A text.",
  group: "A heading for the pages below it.",
  link: "An entry that leads elsewhere.",
});

export const PageWidth = defineEnum<"default" | "wide">("PageWidth", "How wide a page is shown.", {
  default: "As wide as a text reads well.",
  wide: "As wide as there is room.",
});

export const PageCoverSize = defineEnum<"hero" | "full" | "background">("PageCoverSize", "How a cover is shown.", {
  hero: "Above the text, as wide as it.",
  full: "Above the text, as wide as the page.",
  background: "Behind the page.",
});

const PageVariable = builder.objectRef<{ name: string; value: string }>("PageVariable").implement({
  description: "A value that texts of a page refer to by its name.",
  fields: (t) => ({
    name: t.exposeString("name", { description: "Its name." }),
    value: t.exposeString("value", { description: "Its value." }),
  }),
});

const PageLayout = builder.objectRef<PageLayoutValue>("PageLayout").implement({
  description: "How a page is laid out. What is null is as its site has it.",
  fields: (t) => ({
    width: t.expose("width", { type: PageWidth, nullable: true, description: "How wide it is shown." }),
    cover: t.exposeBoolean("cover", { nullable: true, description: "Whether its cover is shown." }),
    coverSize: t.expose("coverSize", { type: PageCoverSize, nullable: true, description: "How its cover is shown." }),
    title: t.exposeBoolean("title", { nullable: true, description: "Whether its title is shown." }),
    description: t.exposeBoolean("description", { nullable: true, description: "Whether its description is shown." }),
    tableOfContents: t.exposeBoolean("tableOfContents", {
      nullable: true,
      description: "Whether the pages around it are shown beside it.",
    }),
    outline: t.exposeBoolean("outline", { nullable: true, description: "Whether its headings are shown beside it." }),
    pagination: t.exposeBoolean("pagination", {
      nullable: true,
      description: "Whether links to the pages before and after it are shown.",
    }),
    metadata: t.exposeBoolean("metadata", { nullable: true, description: "Whether it is told when it was changed." }),
  }),
});

export const Page = builder.objectRef<PageRow>("Page");

Page.implement({
  description: "A page, as it is in one revision.",
  fields: (t) => ({
    pageId: t.exposeID("pageId", {
      description:
        "Id of the page, the `id` of /v1: the same in every revision, through edits, moves and merges, and in copies of the space. It is not " +
        "named `id` since the page differs from revision to revision.",
    }),
    type: t.expose("type", { type: PageType, description: "What it is." }),
    title: t.exposeString("title", { description: "Title, 1 to 200 characters." }),
    slug: t.exposeString("slug", { description: "Its part of the path, unique among the pages beside it." }),
    path: t.exposeString("path", { description: "The slugs from the top down to it, with `/` between." }),
    emoji: t.string({ nullable: true, description: "An emoji.", resolve: ({ fields }) => fields.emoji }),
    icon: t.string({ nullable: true, description: "Name of an icon.", resolve: ({ fields }) => fields.icon }),
    description: t.string({
      nullable: true,
      description: "What it is about.",
      resolve: ({ fields }) => fields.description,
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    updatedAt: t.expose("updatedAt", {
      type: "DateTime",
      description: "When it was last changed itself; moving it, and changes of other pages, do not count.",
    }),
    layout: t.field({
      type: PageLayout,
      nullable: true,
      description: "How it is laid out.",
      resolve: ({ fields }) => fields.layout,
    }),
    hidden: t.boolean({
      description: "Whether it is left out of tables of contents.",
      resolve: ({ fields }) => fields.hidden ?? false,
    }),
    noIndex: t.boolean({
      description: "Whether it is left out of the site's own search.",
      resolve: ({ fields }) => fields.noIndex ?? false,
    }),
    noRobotsIndex: t.boolean({
      description: "Whether search engines are asked to leave it out.",
      resolve: ({ fields }) => fields.noRobotsIndex ?? false,
    }),
    variables: t.field({
      type: [PageVariable],
      description: "Values that its text refers to, by name.",
      resolve: ({ fields }) => Object.entries(fields.variables ?? {}).map(([name, value]) => ({ name, value })),
    }),
    target: t.string({
      nullable: true,
      description: "Where a link leads; null for everything else.",
      resolve: ({ fields }) => fields.target,
    }),
    markdown: t.string({
      nullable: true,
      description: "Its text as Markdown (GitHub's); null for groups and links. Loads only when it is selected.",
      resolve: (page, _args, context) => textOf(context, page),
    }),
    pages: t.field({
      type: [Page],
      description: "The pages below it, in their order.",
      resolve: ({ pages }, _args, context) => listPages(context, pages),
    }),
  }),
});
