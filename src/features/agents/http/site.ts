// Opens the site of a request by an agent: who sees it is decided as for other visitors, and `agentsContext` decides
// whether agents do.
import { percentDecoded } from "#src/base/url-text.ts";
import { notFound } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { type Ask, asking } from "#src/features/agents/http/asking.ts";
import type { Gateway } from "#src/features/feature.ts";
import type { Exchange } from "#src/http/exchange.ts";

/** A site that a visitor may read, and that includes agents. */
export interface OpenSite {
  readonly ask: Ask;
  readonly context: Context;
  /** The variables by which each document finds the site. */
  readonly variables: { readonly id: string; readonly shareKey: string | null };
  readonly title: string;
  /** The address under which the agent reads the site; contains the key of a share-link site. */
  readonly root: string;
  /** The path of the request below the root. */
  readonly path: string;
}

interface SiteAnswer {
  readonly publishedSite: {
    readonly site: {
      readonly title: string;
      readonly visibility: string;
      readonly agentsContext: string;
      readonly urls: { readonly published: string | null };
    };
  };
}

/** A query of the site, as its visitor sees it: its name, further variables, and its selection. */
export const siteDocument = (name: string, variables: string, selection: string): string =>
  `query ${name}($id: ID!, $shareKey: String, ${variables}) {
    publishedSite(by: { id: $id }, shareKey: $shareKey) { ${selection} }
  }`;

const pageDocument = siteDocument(
  "PageForAgents",
  "$path: String!",
  "page(path: $path) { title path markdown updatedAt urls { published } }",
);

interface PageAnswer {
  readonly publishedSite: {
    readonly page: {
      readonly title: string;
      readonly path: string;
      readonly markdown: string | null;
      readonly updatedAt: string;
      readonly urls: { readonly published: string | null };
    };
  };
}

/** The page at a path. NOT_FOUND for pages without a text, too, such as groups. */
export async function readPage({ ask, variables }: Pick<OpenSite, "ask" | "variables">, path: string) {
  const { page } = (await ask<PageAnswer>(pageDocument, { ...variables, path })).publishedSite;
  if (page.markdown === null) throw notFound("text of this page");
  return { ...page, markdown: page.markdown };
}

const profileDocument = siteDocument("SiteForAgents", "", "site { title visibility agentsContext urls { published } }");

/** The address of a page as Markdown. */
export const markdownAddress = (root: string, path: string): string =>
  `${root}/${path.split("/").map(encodeURIComponent).join("/")}.md`;

/** Finds the site of a request; `below` is the only path below the root that is expected, if there is one. */
export type FindSite = (exchange: Exchange, below?: string) => Promise<OpenSite>;

/** Finds the site of a path below `/published/`. NOT_FOUND if the visitor may not read it, and if agents may not. */
export function siteFinder({ executor, contexts }: Pick<Gateway, "executor" | "contexts">): FindSite {
  return async (exchange, expected) => {
    const context = await contexts.ofPage(exchange);
    const ask = asking(executor, context);
    const [id = "", ...segments] = exchange.path
      .split("/")
      .slice(2)
      .map((segment) => percentDecoded(segment) ?? "");
    const variables = { id, shareKey: segments[0] ?? null };
    const { site } = (await ask<SiteAnswer>(profileDocument, variables)).publishedSite;
    if (site.agentsContext !== "INCLUDED") throw notFound("published site");
    const isOpenedByKey = site.visibility === "SHARE_LINK" && site.urls.published !== null;
    const key = segments.slice(0, isOpenedByKey ? 1 : 0);
    const path = segments.slice(key.length).join("/");
    if (expected !== undefined && path !== expected) throw notFound("page");
    const root = [context.publicUrl, "published", id, ...key.map(encodeURIComponent)].join("/");
    return { ask, context, variables, title: site.title, root, path };
  };
}
