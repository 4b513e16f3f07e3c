// The GraphQL type Page. Its `id` says the revision, too: the same page is another thing in each one, and clients merge
// what has one `id`.
import { documentOfPage, drawnDocumentOf, evaluatedDocumentOf } from "#src/features/content/reads/documents.ts";
import { evaluatedTextOf, textOf } from "#src/features/content/reads/page-texts.ts";
import {
  findBeside,
  findPageById,
  findPageIn,
  listPagesAround,
  listPagesBelow,
  type PageInRevision,
} from "#src/features/content/reads/pages.ts";
import { findPageInGit } from "#src/features/content/reads/git.ts";
import { GitObject } from "#src/features/content/type/file.ts";
import { namedRevisions } from "#src/features/content/reads/revisions.ts";
import { hashText, sorted } from "#src/features/content/model/content-state.ts";
import { referenceOf } from "#src/features/content/model/page.ts";
import {
  ContentReference,
  PageComputed,
  PageCover,
  PageLayout,
  PageType,
  PageUrls,
  Variable,
  variablesIn,
} from "#src/features/content/type/page-parts.ts";
import type { Context } from "#src/domain/context.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { idInRevision, makeNode } from "#src/graph/schema/nodes.ts";
import type { RestTreeExtensions } from "#src/graph/schema/rest-forms.ts";

/** REST answers lists of all pages below something as a tree. */
export const pageTree = { restTree: { level: "level", below: "pages" } } satisfies RestTreeExtensions;

const evaluation = builder.args((t) => ({
  evaluated: t.boolean({
    defaultValue: false,
    description:
      "Whether `{{ name }}` becomes the value of the variable of this name, of the page or else of the revision, and `{{ reusable:<id> }}` the " +
      "text of the reusable content of this id. What is not known, is in code or has a backslash before it stays as it is.",
  }),
}));

const documentArgs = {
  ...evaluation,
  ...builder.args((t) => ({
    renderBlocks: t.boolean({
      defaultValue: false,
      description:
        "Whether blocks of integrations are drawn: fenced code of the language `integration:<name>/<component>` with props as JSON, or of a language that " +
        "a block of an integration on the space names, and blocks of the type `integration` with `data` of `integration`, `block` and `props`. Each gets " +
        "`data.rendered`: `integration`, `componentId`, and `element`, `props` and `state`, or the `error` with `code` and `message`. At most 20 in an " +
        "operation.",
    }),
  })),
};

export const Page = builder.objectRef<PageInRevision>("Page");

const below = (description: string) => ({
  type: [Page] satisfies [unknown],
  description,
  resolve: (page: PageInRevision, _args: object, context: Context) => listPagesBelow(context, page),
});

Page.implement({
  description: "A page, as it is in one revision.",
  fields: (t) => ({
    pageId: t.exposeID("pageId", {
      description:
        "Id of the page, the `id` of /v1: the same in every revision, through edits, moves and merges, and in copies of the space. `id` says the " +
        "revision, too.",
    }),
    type: t.expose("type", { type: PageType, description: "What it is." }),
    title: t.exposeString("title", { description: "Title, 1 to 200 characters." }),
    slug: t.exposeString("slug", { description: "Its part of the path, unique among the pages beside it." }),
    path: t.exposeString("path", { description: "The slugs from the top down to it, with `/` between." }),
    parentId: t.exposeID("parentId", { nullable: true, description: "Id of the page around it; null at the top." }),
    level: t.value("Int", "Its level: 1 at the top.", ({ path }) => path.split("/").length),
    emoji: t.valueOrNull("String", "An emoji.", ({ fields }) => fields.emoji),
    icon: t.valueOrNull("String", "Name of an icon.", ({ fields }) => fields.icon),
    description: t.valueOrNull("String", "What it is about.", ({ fields }) => fields.description),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    updatedAt: t.expose("updatedAt", {
      type: "DateTime",
      description: "When it was last changed itself; moving it, and changes of other pages, do not count.",
    }),
    layout: t.valueOrNull(PageLayout, "How it is laid out.", ({ fields }) => fields.layout),
    hidden: t.value("Boolean", "Whether it is left out of tables of contents.", ({ fields }) => fields.hidden ?? false),
    noIndex: t.value(
      "Boolean",
      "Whether it is left out of the site's own search.",
      ({ fields }) => fields.noIndex ?? false,
    ),
    noRobotsIndex: t.value(
      "Boolean",
      "Whether search engines are asked to leave it out.",
      ({ fields }) => fields.noRobotsIndex ?? false,
    ),
    variables: t.value(
      [Variable],
      "Values that its text refers to, by name. They take precedence over those of the same name of the revision.",
      ({ fields }) => variablesIn(fields.variables ?? {}),
    ),
    target: t.valueOrNull(ContentReference, "Where a link leads; null for everything else.", (page) => {
      const target = page.fields.target === undefined ? null : referenceOf(page.fields.target);
      return target && { ...target, within: page.revision };
    }),
    cover: t.valueOrNull(
      PageCover,
      "Its picture.",
      ({ fields: { cover }, revision: within }) => cover && { ...cover, within },
    ),
    computed: t.valueOrNull(
      PageComputed,
      "How a computed page is computed, and from what; null for everything else.",
      ({ fields: { computed }, revision: within }) => computed && { ...computed, within },
    ),
    computedSeed: t.valueOrNull(
      "String",
      "A text that changes with what a computed page is computed from, such as a new version of it, and with its own text; null for everything else.",
      ({ fields: { computed }, documentHash }) =>
        computed === undefined ? null : hashText(JSON.stringify([sorted(computed), documentHash])),
    ),
    markdown: t.string({
      nullable: true,
      description:
        "Its text as Markdown (GitHub's); null for what has none by its type. Loads only when it is selected.",
      args: evaluation,
      resolve: async (page, { evaluated }, context) =>
        evaluated ? evaluatedTextOf(context, page) : context.reader.handOut(await textOf(context, page)),
    }),
    document: t.field({
      type: "RichDocument",
      nullable: true,
      description:
        "Its text as a rich document; null for what has none by its type. Loads only when it is selected. INVALID_INPUT for more text at a " +
        "time than can be converted.",
      args: documentArgs,
      resolve: async (page, { evaluated, renderBlocks }, context) => {
        const document = await (evaluated ? evaluatedDocumentOf(context, page) : documentOfPage(context, page));
        return renderBlocks ? drawnDocumentOf(context, page, document) : document;
      },
    }),
    revision: t.row(namedRevisions, ({ revision }) => revision.id, "The revision that it is in."),
    space: t.rowOrNull(
      spaces,
      ({ revision }) => revision.spaceId,
      "Its space; null for those who came by a link and may not see the space without.",
    ),
    parent: t.field({
      type: Page,
      nullable: true,
      description: "The page around it; null at the top.",
      resolve: ({ revision, parentId }, _args, context) =>
        parentId === null ? null : findPageIn(context, revision, { id: parentId }),
    }),
    ancestors: t.field({
      type: [Page],
      description: "The pages around it, from the top down to its parent; none at the top.",
      resolve: (page, _args, context) => listPagesAround(context, page),
    }),
    previous: t.field({
      type: Page,
      nullable: true,
      description: "The page before it in the reading order of the whole tree, of any type; null for the first one.",
      resolve: (page, _args, context) => findBeside(context, page, -1),
    }),
    next: t.field({
      type: Page,
      nullable: true,
      description:
        "The page after it in the reading order of the whole tree, of any type: the first one below it, or else the one that follows; null for the last one.",
      resolve: (page, _args, context) => findBeside(context, page, 1),
    }),
    children: t.field(below("The pages directly below it, in their order.")),
    pages: t.field(below("The same as `children`, under the name that they have in /v1 and below a revision.")),
    allPages: t.field({
      type: [Page],
      description:
        "All pages below it, on every level, in the order of the tree: each before those below it, and these before what follows beside it.",
      extensions: pageTree,
      resolve: (page, _args, context) => listPagesBelow(context, page, { all: true }),
    }),
    git: t.field({
      type: GitObject,
      nullable: true,
      description:
        "The page as Git has it: a document or computed page as the file of its text, any other page as the folder of what is below it; null for one of these with nothing " +
        "below it.",
      resolve: (page, _args, context) => findPageInGit(context, page),
    }),
    urls: t.value(PageUrls, "Links.", ({ pageId, revision: { spaceId, changeRequestId } }, { links }) => {
      const content = changeRequestId === null ? spaceId : `${spaceId}/change-requests/${changeRequestId}`;
      return { app: links.app(`spaces/${content}/pages/${pageId}`, pageId) };
    }),
  }),
});

makeNode(Page, findPageById, idInRevision("pageId"));
