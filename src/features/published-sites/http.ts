// The route of the pages under `/published/`: the targets of `urls.published` without a separate frontend. A visitor of
// a site brings the key of its link, or their token, in a cookie of the site.
import { isIdOf } from "#src/base/ids.ts";
import type { Gateway } from "#src/features/feature.ts";
import { publishedPages } from "#src/features/published-sites/pages.ts";
import { asVisitor, type Visitor, visitorFinder } from "#src/features/published-sites/reads/visitor.ts";
import type { Exchange } from "#src/http/exchange.ts";
import { type HttpRoute, withoutKey } from "#src/http/route.ts";
import { isAssetPath, sendAsset } from "#src/pages/assets.ts";
import { signInElsewhere } from "#src/pages/errors.ts";
import { type Arrival, servePages } from "#src/pages/serve.ts";

export function publishedHttp(gateway: Gateway): HttpRoute[] {
  const { contexts } = gateway;
  const serve = servePages(publishedPages, gateway);
  const visitorOf = visitorFinder(gateway);
  const handle = async (exchange: Exchange): Promise<void> => {
    const id = exchange.path.split("/")[2] ?? "";
    const contextOf = (one: Exchange) => contexts.ofPage(one);
    if (!isIdOf("Site", id)) return serve(exchange, { contextOf, path: exchange.path, given: {} });
    const visitor = await visitorOf(exchange, id);
    if (!visitor) return;
    if (isAssetPath(`/${visitor.path}`)) return sendAsset(exchange, `/${visitor.path}`);
    await serve(exchange, arrivalOf(visitor, contextOf));
  };
  return [{ path: "/published/", handle, loggedPath: withoutKey }];
}

/** The path does not contain the key of a link, which is in the root of no page. */
function arrivalOf(visitor: Visitor, contextOf: Arrival["contextOf"]): Arrival {
  const { siteId, path, root, shareKey, visitorToken, signInUrl, hasBadToken } = visitor;
  const below = path === "" ? "" : `/${path.split("/").map(encodeURIComponent).join("/")}`;
  return {
    contextOf: async (one) => asVisitor(await contextOf(one), visitor),
    path: `/published/${siteId}${below}`,
    root: root.links,
    ...(root.links.startsWith("https:") && { assetsBelow: root.links }), // a proxy forwards nothing else
    given: { shareKey, visitorToken },
    refusal: signInUrl === null ? null : signInElsewhere(signInUrl, hasBadToken),
  };
}
