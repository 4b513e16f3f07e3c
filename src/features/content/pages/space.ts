// The page of a space, `/app/spaces/:spaceId`, and the page that makes a page in it or in a change request.
import { newId } from "#src/base/ids.ts";
import { addressOf, beginChangeRequest, contentIn, contentPages } from "#src/features/content/pages/content.ts";
import { documentOf } from "#src/features/content/views/answer.ts";
import { type DeletedSpace, deletedSpaceView } from "#src/features/content/views/deleted-space.ts";
import { appFrame } from "#src/features/users/views/app-frame.ts";
import { latestImport } from "#src/features/content/views/import.ts";
import { newPageView, spaceView } from "#src/features/content/views/new-page.ts";
import { type Asked, defineForm, definePage, type Page } from "#src/pages/page.ts";

type Answer = Parameters<typeof newPageView>[0];

const templates = `templates { name title description }`;

const forms: NonNullable<Page["forms"]> = {
  begin: beginChangeRequest(() => "/pages/new"),
  create: defineForm<{ readonly editContent: { readonly revision: { readonly page: { readonly pageId: string } } } }>({
    mutation: `mutation CreatePage($input: EditContentInput!, $pageId: ID!) {
      editContent(input: $input) { revision { page(by: { id: $pageId }) { pageId } } }
    }`,
    variables(fields, asked) {
      const pageId = newId("Page");
      const parentId = fields.get("parentId") || null;
      const kind = fields.get("type") === "GROUP" ? { type: "GROUP" } : { markdown: "" };
      const createPage = { pageId, title: fields.get("title") ?? "", parentId, ...kind };
      return { pageId, input: { contentOf: contentIn(asked), edits: [{ createPage }] } };
    },
    then: ({ editContent: { revision } }, asked) => `${addressOf(asked)}/pages/${revision.page.pageId}/edit`,
  }),
  archive: defineForm<{ readonly startArchiveImport: object }>({
    mutation: `mutation ImportFiles($input: StartArchiveImportInput!) {
      startArchiveImport(input: $input) { import { id } }
    }`,
    takes: "one archive",
    notice: "The import has begun.",
    variables: (_fields, asked, archive) => ({ input: { contentOf: contentIn(asked), archive } }),
    then: (_answer, asked) => `${addressOf(asked)}/pages/new`,
  }),
  cancelImport: defineForm<{ readonly cancelImport: object }>({
    mutation: `mutation CancelImportByForm($input: CancelImportInput!) { cancelImport(input: $input) { import { id } } }`,
    notice: "Cancelled.",
    variables: (fields) => ({ input: { importId: fields.get("id") } }),
    then: (_answer, asked) => `${addressOf(asked)}/pages/new`,
  }),
  template: defineForm<{ readonly applyTemplate: object }>({
    mutation: `mutation UseTemplate($input: ApplyTemplateInput!) { applyTemplate(input: $input) { pageCount } }`,
    variables: (fields, asked) => ({ input: { contentOf: contentIn(asked), template: fields.get("template") } }),
    then: (_answer, asked) => nextOf(asked),
  }),
  import: defineForm<{ readonly startImport: object }>({
    mutation: `mutation ImportByForm($input: StartImportInput!) { startImport(input: $input) { import { id } } }`,
    variables: (fields, asked) => ({
      input: { contentOf: contentIn(asked), source: fields.get("source"), url: fields.get("url") },
    }),
    then: (_answer, asked) => `${addressOf(asked)}/pages/new`,
  }),
};

const listens: NonNullable<Page["listens"]> = {
  subscription: `subscription ImportsOfSpace($space: ID!) { importEvents(of: { spaceId: $space }) { __typename } }`,
  variables: ({ named }) => ({ space: named["spaceId"] }),
};

/** After a template: the space, or the pages of the change request, of which it shows the first. */
const nextOf = (asked: Asked): string =>
  asked.named["changeRequestId"] === undefined ? addressOf(asked) : `${addressOf(asked)}/pages`;

/** Of a deleted space, whose page is the second row of its path: the first row with forms gets all of them. */
const restore = defineForm<{ readonly restoreSpace: object }>({
  mutation: `mutation RestoreSpaceByForm($input: RestoreSpaceInput!) { restoreSpace(input: $input) { space { id } } }`,
  variables: (_fields, { named }) => ({ input: { spaceId: named["spaceId"] } }),
  then: (_answer, asked) => addressOf(asked),
});

export const spacePages: readonly Page[] = [
  definePage<Answer>({
    path: "/app/spaces/:spaceId",
    query: documentOf("space", { name: "SpacePage", content: "", more: latestImport, beside: templates }),
    variables: ({ named }) => ({ space: named["spaceId"] }),
    view: spaceView,
    listens,
    forms: { ...forms, restore },
  }),
  definePage<DeletedSpace>({
    path: "/app/spaces/:spaceId",
    query: `query DeletedSpacePage($space: ID!) {
      space(id: $space) { id title deletedAt permissions { admin } } ...AppFrame
    } ${appFrame}`,
    variables: ({ named }) => ({ space: named["spaceId"] }),
    view: deletedSpaceView,
  }),
  ...contentPages({
    path: "/pages",
    document: { name: "PagesOfContent", content: "", more: latestImport, beside: templates },
    view: (answer, asked) => spaceView(answer as Answer, asked),
    listens,
    forms,
  }),
  ...contentPages({
    path: "/pages/new",
    document: { name: "NewPage", content: "", more: latestImport, beside: templates },
    view: (answer, asked) => newPageView(answer as Answer, asked),
    listens,
    forms,
  }),
];
