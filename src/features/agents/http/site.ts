// Opens the site of a request by an agent: who sees it is decided as for other visitors, and `agentsContext` decides
// whether agents do.
import { percentDecoded } from "#src/base/url-text.ts";
import { notFound } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { type Ask, asking } from "#src/features/agents/http/asking.ts";
import type { Gateway } from "#src/features/feature.ts";
import { type Visitor, visitorFinder } from "#src/features/published-sites/reads/visitor.ts";
import { sitePath } from "#src/features/sites/model/root.ts";
import type { Exchange } from "#src/http/exchange.ts";

/** A site that a visitor may read, and that includes agents. */
export interface OpenSite {
  readonly ask: Ask;
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
      readonly agentsContext: string;
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

const profileDocument = siteDocument("SiteForAgents", "", "site { title agentsContext }");

/** The address of a page as Markdown. */
export const markdownAddress = (root: string, path: string): string =>
  `${root}/${path.split("/").map(encodeURIComponent).join("/")}.md`;

/**
 * Finds the site of a request; null if the request was redirected. `expected` is the only path below the root that is
 * expected, if there is one.
 */
export type FindSite = (exchange: Exchange, expected?: string) => Promise<OpenSite | null>;

/** Finds the site of a path below `/published/`. NOT_FOUND if the visitor may not read it, and if agents may not. */
export function siteFinder(gateway: Gateway): FindSite {
  const { executor, contexts } = gateway;
  const visitorOf = visitorFinder(gateway);
  return async (exchange, expected) => {
    const [, , id = "", first = ""] = exchange.path.split("/");
    const visitor = await visitorOf(exchange, id);
    if (!visitor) return null;
    const { path, shareKey, visitorToken } = visitor;
    // Links in texts are whole addresses, as in GraphQL: agents do not resolve them in a page.
    const context = Object.assign(await contexts.ofPage(exchange), { visitorToken });
    const ask = asking(executor, context);
    const variables = { id, shareKey };
    const { site } = (await ask<SiteAnswer>(profileDocument, variables)).publishedSite;
    if (site.agentsContext !== "INCLUDED") throw notFound("published site");
    if (expected !== undefined && path !== expected) throw notFound("page");
    const key = shareKey !== null && percentDecoded(first) === shareKey ? `/${first}` : "";
    return { ask, variables, title: site.title, root: addressOf(visitor, context) + key, path };
  };
}

/** The address of a site that docgraph serves; a frontend at `PUBLISHED_URL` has no texts for agents. */
const addressOf = ({ siteId, root }: Visitor, { links, publicUrl }: Context): string =>
  root.address === links.published(siteId) ? `${publicUrl}${sitePath(siteId)}` : root.address;
