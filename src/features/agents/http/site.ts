// Opens the site of a request by an agent: who sees it is decided as for other visitors, and `agentsContext` decides
// whether agents do.
import { percentDecoded } from "#src/base/url-text.ts";
import { notFound } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { type Ask, asking } from "#src/features/agents/http/asking.ts";
import type { Gateway } from "#src/features/feature.ts";
import type { Exchange } from "#src/http/exchange.ts";
import { ownQuery } from "#src/http/page-request.ts";

/** A site that a visitor may read, and that includes agents. */
export interface OpenSite {
  readonly ask: Ask;
  readonly context: Context;
  /** The variables by which each document finds the site. */
  readonly variables: { readonly id: string; readonly shareKey: string | null };
  readonly title: string;
  /** The address under which the agent reads the site; contains the key of a share-link site. */
  readonly root: string;
  /** The segments of the request below the root. */
  readonly segments: readonly string[];
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

const siteDocument = `query SiteForAgents($id: ID!, $shareKey: String) {
  publishedSite(by: { id: $id }, shareKey: $shareKey) { site { title visibility agentsContext urls { published } } }
}`;

export type FindSite = (exchange: Exchange) => Promise<OpenSite>;

/** Finds the site of a path below `/published/`. NOT_FOUND if the visitor may not read it, and if agents may not. */
export function siteFinder({ executor, contexts }: Pick<Gateway, "executor" | "contexts">): FindSite {
  const query = ownQuery(executor, siteDocument);
  return async (exchange) => {
    const context = await contexts.ofPage(exchange);
    const ask = asking(context);
    const [id = "", ...below] = exchange.path
      .split("/")
      .slice(2)
      .map((segment) => percentDecoded(segment) ?? "");
    const variables = { id, shareKey: below[0] ?? null };
    const { site } = (await ask<SiteAnswer>(query, variables)).publishedSite;
    if (site.agentsContext !== "INCLUDED") throw notFound("published site");
    const isOpenedByKey = site.visibility === "SHARE_LINK" && site.urls.published !== null;
    const key = below.slice(0, isOpenedByKey ? 1 : 0);
    const root = [context.publicUrl, "published", id, ...key.map(encodeURIComponent)].join("/");
    return { ask, context, variables, title: site.title, root, segments: below.slice(key.length) };
  };
}
