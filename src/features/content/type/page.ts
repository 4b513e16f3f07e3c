// The GraphQL type Page. Its `id` includes the revision, because client caches merge objects with the same `id`.
import { whenThere } from "#src/runtime/waiting.ts";
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
import { referenceOf, wholeLayout } from "#src/features/content/model/page.ts";
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

/** /v1 returns lists of all subpages as a tree. */
export const pageTree = { restTree: { level: "level", below: "pages" } } satisfies RestTreeExtensions;

const evaluation = builder.args((t) => ({
  evaluated: t.boolean({
    defaultValue: false,
    description:
      "True replaces `{{ name }}` with the value of the variable of the page or the revision, and `{{ reusable:<id> }}` with the " +
      "text of the reusable content. Unknown names, code, and expressions after a backslash stay unchanged.",
  }),
}));

const documentArgs = {
  ...evaluation,
  ...builder.args((t) => ({
    renderBlocks: t.boolean({
      defaultValue: false,
      description:
        "True renders blocks of integrations: fenced code of the language `integration:<name>/<component>` with props as JSON, or of a language that " +
        "a block of an integration on the space defines, and blocks of the type `integration` with `data` of `integration`, `block` and `props`. Each gets " +
        "`data.rendered`: `integration`, `componentId`, and `element`, `props` and `state`, or the `error` with `code` and `message`. At most 20 per " +
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
  description: "A page in one revision.",
  fields: (t) => ({
    pageId: t.exposeID("pageId", {
      description:
        "Id of the page, the `id` in /v1: the same in every revision, after edits, moves and merges, and in copies of the space. `id` also names the " +
        "revision.",
    }),
    type: t.expose("type", { type: PageType, description: "Type." }),
    title: t.exposeString("title", { description: "Title, 1 to 200 characters." }),
    slug: t.exposeString("slug", { description: "Last part of the path, unique among its siblings." }),
    path: t.exposeString("path", { description: "Slugs from the top level down to the page, separated by `/`." }),
    parentId: t.exposeID("parentId", { nullable: true, description: "Id of the parent page; null at the top level." }),
    level: t.value("Int", "Level in the tree: 1 at the top.", ({ path }) => path.split("/").length),
    emoji: t.valueOrNull("String", "Emoji.", ({ fields }) => fields.emoji),
    icon: t.valueOrNull("String", "Name of an icon.", ({ fields }) => fields.icon),
    description: t.valueOrNull("String", "Description.", ({ fields }) => fields.description),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Time of creation." }),
    updatedAt: t.expose("updatedAt", {
      type: "DateTime",
      description: "Time of the last change of the page itself, without moves and changes of other pages.",
    }),
    layout: t.valueOrNull(PageLayout, "Layout, as it was set.", ({ fields }) => fields.layout),
    shownLayout: t.value(PageLayout, "Layout, with defaults for all that was not set.", ({ fields }) =>
      wholeLayout(fields.layout),
    ),
    hidden: t.value("Boolean", "Whether it is hidden from tables of contents.", ({ fields }) => fields.hidden ?? false),
    noIndex: t.value(
      "Boolean",
      "Whether it is excluded from the site search.",
      ({ fields }) => fields.noIndex ?? false,
    ),
    noRobotsIndex: t.value(
      "Boolean",
      "Whether search engines are asked not to index it.",
      ({ fields }) => fields.noRobotsIndex ?? false,
    ),
    variables: t.value(
      [Variable],
      "Variables of the page, by name. They take precedence over variables of the revision.",
      ({ fields }) => variablesIn(fields.variables ?? {}),
    ),
    target: t.valueOrNull(ContentReference, "Target of a link; null for other types.", (page) => {
      const target = page.fields.target === undefined ? null : referenceOf(page.fields.target);
      return target && { ...target, within: page.revision };
    }),
    cover: t.valueOrNull(
      PageCover,
      "Cover image.",
      ({ fields: { cover }, revision: within }) => cover && { ...cover, within },
    ),
    computed: t.valueOrNull(
      PageComputed,
      "Computation of a computed page; null for other types.",
      ({ fields: { computed }, revision: within }) => computed && { ...computed, within },
    ),
    computedSeed: t.valueOrNull(
      "String",
      "A hash of the source and the text of a computed page: it changes, for example, with a new version of the specification. Null for other types.",
      ({ fields: { computed }, documentHash }) =>
        computed === undefined ? null : hashText(JSON.stringify([sorted(computed), documentHash])),
    ),
    markdown: t.string({
      nullable: true,
      description: "Text as GitHub Flavored Markdown; null for types without text. Loaded only if selected.",
      args: evaluation,
      resolve: async (page, { evaluated }, context) =>
        evaluated ? evaluatedTextOf(context, page) : context.reader.handOut(await textOf(context, page)),
    }),
    document: t.field({
      type: "RichDocument",
      nullable: true,
      description:
        "Text as a rich document; null for types without text. Loaded only if selected. INVALID_INPUT if the operation converts more text " +
        "than the limit.",
      args: documentArgs,
      resolve: (page, { evaluated, renderBlocks }, context) => {
        const document = evaluated ? evaluatedDocumentOf(context, page) : documentOfPage(context, page);
        return renderBlocks ? whenThere(document, (whole) => drawnDocumentOf(context, page, whole)) : document;
      },
    }),
    revision: t.row(namedRevisions, ({ revision }) => revision.id, "The revision of the page."),
    space: t.rowOrNull(
      spaces,
      ({ revision }) => revision.spaceId,
      "Its space; null for viewers who have access only by a link.",
    ),
    parent: t.field({
      type: Page,
      nullable: true,
      description: "The parent page; null at the top level.",
      resolve: ({ revision, parentId }, _args, context) =>
        parentId === null ? null : findPageIn(context, revision, { id: parentId }),
    }),
    ancestors: t.field({
      type: [Page],
      description: "Ancestor pages, from the top level down to the parent.",
      resolve: (page, _args, context) => listPagesAround(context, page),
    }),
    previous: t.field({
      type: Page,
      nullable: true,
      description: "The previous page of any type in depth-first order; null for the first page.",
      resolve: (page, _args, context) => findBeside(context, page, -1),
    }),
    next: t.field({
      type: Page,
      nullable: true,
      description: "The next page of any type in depth-first order; null for the last page.",
      resolve: (page, _args, context) => findBeside(context, page, 1),
    }),
    children: t.field(below("Child pages, in order.")),
    pages: t.field(below("The same as `children`, with the name in /v1 and `Revision`.")),
    allPages: t.field({
      type: [Page],
      description: "All subpages on all levels, in depth-first order, parents first.",
      extensions: pageTree,
      resolve: (page, _args, context) => listPagesBelow(context, page, { all: true }),
    }),
    git: t.field({
      type: GitObject,
      nullable: true,
      description:
        "The Git object of the page: the file of a document or computed page, or the folder of the subpages of any other page; null if it has no " +
        "subpages.",
      resolve: (page, _args, context) => findPageInGit(context, page),
    }),
    urls: t.value(PageUrls, "Links.", ({ pageId, revision: { spaceId, changeRequestId } }, { links }) => {
      const content = changeRequestId === null ? spaceId : `${spaceId}/change-requests/${changeRequestId}`;
      return { app: links.app(`spaces/${content}/pages/${pageId}`, pageId) };
    }),
  }),
});

makeNode(Page, findPageById, idInRevision("pageId"));
