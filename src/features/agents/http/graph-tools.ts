// Tools over the whole graph that read, for holders of an API token: each names a GraphQL document, and answers with
// its data as JSON. What a token may read is decided as for other callers.
import { z } from "zod";
import { found } from "#src/base/errors.ts";
import { diffTextOf, type Hunk } from "#src/features/agents/model/diff-text.ts";
import type { Ask } from "#src/features/agents/http/asking.ts";
import { defineTool, type Tool } from "#src/http/mcp.ts";

/** What the calls of these tools run on. */
export interface Graph {
  readonly ask: Ask;
}

/** The most entries of a list. */
const listLimit = 100;
const pageLimit = 500;

export const asJson = (value: unknown): string[] => [JSON.stringify(value, null, 1)];

/** The input that names a content: that of a space, or that of a change request. */
export const contentInput = {
  spaceId: z.string().optional().describe("Id of the space, for its main content."),
  changeRequestId: z.string().optional().describe("Id of the change request, for its content, instead of `spaceId`."),
};

interface OfContent {
  readonly spaceId?: string | undefined;
  readonly changeRequestId?: string | undefined;
}

/** A query of the content of a space or change request: its name, further variables, and its selection. */
const contentDocument = (name: string, variables: string, selection: string): string => `
  query ${name}($spaceId: ID!, $changeRequestId: ID!, $isOfSpace: Boolean!, ${variables}) {
    space(id: $spaceId) @include(if: $isOfSpace) { ${selection} }
    changeRequest(id: $changeRequestId) @skip(if: $isOfSpace) { ${selection} }
  }`;

/** The part of the answer to such a query. */
async function askContent<Owner>(
  { ask }: Graph,
  document: string,
  { spaceId = "", changeRequestId, ...variables }: OfContent & Readonly<Record<string, unknown>>,
): Promise<Owner> {
  const isOfSpace = changeRequestId === undefined;
  const given = { spaceId, changeRequestId: changeRequestId ?? "", isOfSpace, ...variables };
  const { space, changeRequest } = await ask<{ space?: Owner; changeRequest?: Owner }>(document, given);
  return found(space ?? changeRequest ?? null, "content");
}

const spacesDocument = `query SpacesForAgents($title: String, $first: Int!) {
  organizations(first: $first) {
    nodes { id title spaces(first: $first, title: $title) { totalCount nodes { id title permissions { comment edit } } } }
  }
}`;

const pagesDocument = contentDocument(
  "ContentForAgents",
  "",
  "content { id allPages { pageId title path type description } }",
);

interface PagesAnswer {
  readonly content: { readonly id: string; readonly allPages: readonly unknown[] };
}

const hitFields = "totalCount nodes { spaceId pageId title path sections { title anchor body } }";

const searchDocument = `query SearchContentForAgents($in: SearchPlace!, $text: String!, $first: Int!) {
  search(in: $in, text: $text, first: $first) { ${hitFields} }
}`;

const searchAllDocument = `query SearchAllForAgents($text: String!, $first: Int!) {
  organizations(first: ${listLimit}) { nodes { id title search(text: $text, first: $first) { ${hitFields} } } }
}`;

const pageDocument = contentDocument(
  "PageOfContentForAgents",
  "$by: PageKey!",
  "content { id page(by: $by) { pageId title path type description updatedAt urls { app } markdown } }",
);

interface PageAnswer {
  readonly content: { readonly id: string; readonly page: { readonly markdown: string | null } };
}

const requestFields = "id number subject status reviewStatus outdated createdAt updatedAt createdBy { displayName }";

const requestsDocument = `query ChangeRequestsForAgents($spaceId: ID!, $statuses: [ChangeRequestStatus!], $first: Int!) {
  space(id: $spaceId) { changeRequests(first: $first, statuses: $statuses) { totalCount nodes { ${requestFields} } } }
}`;

const changesDocument = `query ChangesForAgents($id: ID!, $first: Int!) {
  changeRequest(id: $id) {
    ${requestFields}
    changes {
      stats { created edited moved deleted }
      pages(first: $first) {
        totalCount
        nodes {
          pageId kinds before { title path } after { title path } fields { field before after }
          text { hunks { beforeStart beforeLines afterStart afterLines lines { kind text } } }
        }
      }
    }
  }
}`;

interface ChangesAnswer {
  readonly changeRequest: {
    readonly changes: {
      readonly pages: {
        readonly totalCount: number;
        readonly nodes: readonly { readonly text: { readonly hunks: readonly Hunk[] | null } | null }[];
      };
    };
  };
}

const commentsDocument = contentDocument(
  "CommentsForAgents",
  "$pageId: ID, $first: Int!",
  `comments(first: $first, pageId: $pageId) {
    totalCount
    nodes {
      id status postedAt postedBy { displayName } body { markdown } target { page { pageId title } }
      replies(first: $first) { nodes { id postedAt postedBy { displayName } body { markdown } } }
    }
  }`,
);

const statuses = z.enum(["DRAFT", "OPEN", "ARCHIVED", "MERGED"]);
const first = z.int().min(1).max(listLimit).default(20).describe("The most entries to return.");

export const readingTools: readonly Tool<Graph>[] = [
  defineTool({
    name: "list_spaces",
    title: "List the spaces",
    description: "Lists the organizations and spaces that you may read, with their ids, and what you may do there.",
    input: z.object({ title: z.string().optional().describe("Only spaces whose title contains this text.") }),
    call: async ({ ask }: Graph, { title }) => asJson(await ask(spacesDocument, { title, first: listLimit })),
  }),
  defineTool({
    name: "list_pages",
    title: "List the pages of a content",
    description: `Lists the pages of a space or change request in the order of the tree, ${pageLimit} at a time.`,
    input: z.object({ ...contentInput, skip: z.int().min(0).default(0).describe("How many pages to omit.") }),
    async call(graph: Graph, { skip, ...of }) {
      const { content } = await askContent<PagesAnswer>(graph, pagesDocument, of);
      const pages = content.allPages.slice(skip, skip + pageLimit);
      return asJson({ revisionId: content.id, pageCount: content.allPages.length, pages });
    },
  }),
  defineTool({
    name: "search_pages",
    title: "Search pages",
    description:
      "Finds pages by words in their title, description and text, best first: of a space, of a change request, or else of everything that you may read.",
    input: z.object({ query: z.string().min(1).max(512).describe("The words to find."), ...contentInput, first }),
    async call({ ask }: Graph, { query: text, first: most, spaceId, changeRequestId }) {
      if (spaceId === undefined && changeRequestId === undefined)
        return asJson(await ask(searchAllDocument, { text, first: most }));
      const place = changeRequestId === undefined ? { spaceId } : { changeRequestId };
      return asJson(await ask(searchDocument, { in: place, text, first: most }));
    },
  }),
  defineTool({
    name: "read_page",
    title: "Read a page",
    description:
      "Returns a page, and after it the source of its text as Markdown. Variables and reusable contents are as they are written, so that the text can be edited.",
    input: z.object({
      ...contentInput,
      pageId: z.string().optional().describe("Id of the page."),
      path: z.string().optional().describe("Path of the page, instead of `pageId`."),
    }),
    async call(graph: Graph, { pageId: id, path, ...of }) {
      const by = id === undefined ? { path } : { id };
      const { content } = await askContent<PageAnswer>(graph, pageDocument, { ...of, by });
      const { markdown, ...page } = content.page;
      return [...asJson({ revisionId: content.id, page }), ...(markdown === null ? [] : [markdown])];
    },
  }),
  defineTool({
    name: "list_change_requests",
    title: "List the change requests of a space",
    description: "Lists the change requests of a space, newest first.",
    input: z.object({
      spaceId: z.string().describe("Id of the space."),
      statuses: z.array(statuses).optional().describe("Only change requests with one of these statuses."),
      first,
    }),
    call: async ({ ask }: Graph, input) => asJson(await ask(requestsDocument, input)),
  }),
  defineTool({
    name: "read_change_request",
    title: "Read a change request",
    description: "Returns a change request with its changed pages: fields, and texts as changed lines.",
    input: z.object({ changeRequestId: z.string().describe("Id of the change request."), first }),
    async call({ ask }: Graph, { changeRequestId: id, first: most }) {
      const { changeRequest } = await ask<ChangesAnswer>(changesDocument, { id, first: most });
      const { changes, ...request } = changeRequest;
      const nodes = changes.pages.nodes.map(({ text, ...page }) => ({
        ...page,
        ...(text && { text: text.hunks && diffTextOf(text.hunks) }),
      }));
      return asJson({ ...request, changes: { ...changes, pages: { ...changes.pages, nodes } } });
    },
  }),
  defineTool({
    name: "list_comments",
    title: "List comments",
    description: "Lists the comments on a space or a change request, or on one of its pages, newest first.",
    input: z.object({ ...contentInput, pageId: z.string().optional().describe("Only comments on this page."), first }),
    call: async (graph: Graph, input) => asJson(await askContent(graph, commentsDocument, input)),
  }),
];
