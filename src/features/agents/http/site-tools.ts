// The MCP server of a published site: agents list, search and read its pages, and each page is a resource. Visitors
// see there what they see on the site.
import { z } from "zod";
import { percentDecoded } from "#src/base/url-text.ts";
import { markdownAddress, type OpenSite, readPage, siteDocument, siteFinder } from "#src/features/agents/http/site.ts";
import type { Gateway } from "#src/features/feature.ts";
import { defineTool, mcpHandler, type Resources, type Tool } from "#src/http/mcp.ts";
import { type HttpRoute, withoutKey } from "#src/http/route.ts";

/** The most pages of a list. */
const listLimit = 200;

const listDocument = siteDocument(
  "ListPagesForAgents",
  "$first: Int!, $skip: Int!",
  "siteMap(first: $first, skip: $skip) { title path description }",
);

interface ListAnswer {
  readonly publishedSite: {
    readonly siteMap: readonly { readonly title: string; readonly path: string; readonly description: string | null }[];
  };
}

async function listPages({ ask, variables }: OpenSite, skip: number) {
  const { publishedSite } = await ask<ListAnswer>(listDocument, { ...variables, first: listLimit + 1, skip });
  const { siteMap } = publishedSite;
  return { pages: siteMap.slice(0, listLimit), next: siteMap.length > listLimit ? skip + listLimit : null };
}

const searchDocument = siteDocument(
  "SearchForAgents",
  "$text: String!, $first: Int!",
  "search(text: $text, first: $first) { totalCount nodes { title path sections { title anchor body } } }",
);

interface SearchAnswer {
  readonly publishedSite: {
    readonly search: {
      readonly totalCount: number;
      readonly nodes: readonly {
        readonly title: string;
        readonly path: string;
        readonly sections: readonly { readonly title: string; readonly anchor: string | null; readonly body: string }[];
      }[];
    };
  };
}

/** The path of a page, from its path or its address on the site, with or without `.md`. */
function pathIn(root: string, given: string): string {
  const below = given.startsWith(`${root}/`) ? percentDecoded(given.slice(root.length + 1)) : given;
  return (below ?? given).replace(/[?#].*$/s, "").replaceAll(/^\/+|\.md$|\/+$/g, "");
}

const tools: readonly Tool<OpenSite>[] = [
  defineTool({
    name: "list_pages",
    title: "List the pages",
    description: `Lists the pages of the documentation in their order, ${listLimit} at a time: path, title and description.`,
    input: z.object({ skip: z.int().min(0).default(0).describe("How many pages to omit from the start.") }),
    async call(site: OpenSite, { skip }) {
      const { pages, next } = await listPages(site, skip);
      const lines = pages.map(({ path, title, description }) =>
        description === null ? `${path}: ${title}` : `${path}: ${title}. ${description}`,
      );
      return [[...lines, ...(next === null ? [] : [`Further pages: skip ${next}.`])].join("\n")];
    },
  }),
  defineTool({
    name: "search_pages",
    title: "Search the pages",
    description:
      'Finds pages by words in their title, description and text, best first, with the matching sections. "Quoted words" must be adjacent, - excludes a word, or separates alternatives.',
    input: z.object({
      query: z.string().min(1).max(512).describe("The words to find."),
      limit: z.int().min(1).max(50).default(10).describe("The most pages to return."),
    }),
    async call({ ask, variables }: OpenSite, { query, limit }) {
      const answer = await ask<SearchAnswer>(searchDocument, { ...variables, text: query, first: limit });
      const { totalCount, nodes } = answer.publishedSite.search;
      const hits = nodes.map(({ path, title, sections }) =>
        [
          `## ${title}`,
          `path: ${path}`,
          ...sections.map((section) =>
            [`### ${section.title}${section.anchor === null ? "" : ` (#${section.anchor})`}`, section.body].join("\n"),
          ),
        ].join("\n"),
      );
      return [[`Matching pages: ${totalCount}`, ...hits].join("\n\n")];
    },
  }),
  defineTool({
    name: "read_page",
    title: "Read a page",
    description: "Returns the text of a page as Markdown, after its title, address and last change.",
    input: z.object({
      path: z.string().max(2_000).describe("The path of the page, as other tools return it, or its address."),
    }),
    async call(site: OpenSite, { path }) {
      const page = await readPage(site, pathIn(site.root, path));
      const address = page.urls.published ?? markdownAddress(site.root, page.path);
      return [`${page.title}\n${address}\nLast change: ${page.updatedAt}`, page.markdown];
    },
  }),
];

const mimeType = "text/markdown";

const resources: Resources<OpenSite> = {
  async list(site, cursor) {
    const skip = /^\d{1,9}$/.test(cursor ?? "0") ? Number(cursor ?? "0") : 0;
    const { pages, next } = await listPages(site, skip);
    return {
      resources: pages.map(({ path, title, description }) => ({
        uri: markdownAddress(site.root, path),
        name: path,
        title,
        ...(description !== null && { description }),
        mimeType,
      })),
      ...(next !== null && { nextCursor: String(next) }),
    };
  },
  async read(site, uri) {
    if (!uri.startsWith(`${site.root}/`)) return null;
    const { markdown } = await readPage(site, pathIn(site.root, uri));
    return { mimeType, text: markdown };
  },
};

/** The route of the server. Browsers see a page of the site at the same path, if one is there. */
export function siteToolsRoute(gateway: Gateway): HttpRoute {
  const { origins, log } = gateway;
  const findSite = siteFinder(gateway);
  return {
    path: "/published/",
    pattern: /^\/published\/sit_\w+\/(?:[^/]+\/)?mcp$/,
    selects: ({ method = "", headers: { accept = "" } }) =>
      !["GET", "HEAD"].includes(method) || accept.includes("text/event-stream"),
    methods: ["POST"],
    loggedPath: withoutKey,
    handle: mcpHandler({
      name: "docgraph-site",
      async open(exchange) {
        const site = await findSite(exchange, "mcp");
        return (
          site && {
            of: site,
            title: site.title,
            instructions: `The documentation "${site.title}". Search it before you answer, read the pages that you use, and name their addresses.`,
          }
        );
      },
      tools,
      resources,
      origins,
      log,
    }),
  };
}
