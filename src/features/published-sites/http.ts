// The route of the pages under `/published/`: the targets of `urls.published` without a separate frontend. A visitor of
// a site brings the key of its link, or their token, in a cookie of the site.
import { isIdOf } from "#src/base/ids.ts";
import { percentDecoded } from "#src/base/url-text.ts";
import type { Gateway } from "#src/features/feature.ts";
import { sitePages } from "#src/features/published-sites/pages/site.ts";
import { spacePages } from "#src/features/published-sites/pages/space.ts";
import { asVisitor, type Visitor, visitorFinder } from "#src/features/published-sites/reads/visitor.ts";
import { sitePath } from "#src/features/sites/model/root.ts";
import type { Exchange } from "#src/http/exchange.ts";
import { type HttpRoute, withoutKey } from "#src/http/route.ts";
import { isAssetPath, sendAsset } from "#src/pages/assets.ts";
import { signInElsewhere } from "#src/pages/errors.ts";
import { type Arrival, servePages } from "#src/pages/serve.ts";
import { whenThere } from "#src/runtime/waiting.ts";

export function publishedHttp(gateway: Gateway): HttpRoute[] {
  const { contexts } = gateway;
  const serve = servePages([...sitePages, ...spacePages], gateway);
  const visitorOf = visitorFinder(gateway);
  const handle = async (exchange: Exchange): Promise<void> => {
    const id = exchange.path.split("/")[2] ?? "";
    const contextOf = (one: Exchange) => contexts.ofPage(one);
    if (!isIdOf("Site", id)) return serve(exchange, { contextOf, path: exchange.path, given: {} });
    const visitor = await visitorOf(exchange, id);
    if (!visitor) return;
    if (isAssetPath(`/${visitor.path}`)) return sendAsset(exchange, `/${visitor.path}`);
    const withoutSlash = addressOf(exchange, visitor);
    return serve(exchange, { ...arrivalOf(relative(exchange, visitor), contextOf), withoutSlash });
  };
  return [{ path: "/published/", handle, loggedPath: withoutKey }];
}

/**
 * The address without a slash at its end; null for a root that has one, at a hostname or in front of a proxy, and for a
 * program that sends the key in each address.
 */
function addressOf({ path: sent }: Exchange, { siteId, root, path, shareKey }: Visitor): string | null {
  if (path === "" && root.links !== sitePath(siteId)) return null;
  if (shareKey !== null && percentDecoded(sent.split("/")[3] ?? "") === shareKey) return null;
  return root.links + pathBelow(path);
}

/**
 * The visitor of a site with a proxy, whose pages link to each other by relative addresses: so they work at the proxy
 * and at docgraph itself, though docgraph cannot know to which of them a request was sent. A proxy sends a path with a
 * slash for its root.
 */
function relative({ path: sent }: Exchange, visitor: Visitor): Visitor {
  const { siteId, root, path } = visitor;
  if (!root.links.startsWith("https:")) return visitor;
  const depth = path === "" ? 0 : path.split("/").length - 1;
  const up = depth === 0 ? "." : Array.from({ length: depth }, () => "..").join("/");
  const isRootOfGateway = path === "" && !sent.endsWith("/");
  return { ...visitor, root: { ...root, links: isRootOfGateway ? sitePath(siteId) : up } };
}

const pathBelow = (path: string): string =>
  path === "" ? "" : `/${path.split("/").map(encodeURIComponent).join("/")}`;

/** The path does not contain the key of a link, which is in the root of no page. */
function arrivalOf(visitor: Visitor, contextOf: Arrival["contextOf"]): Arrival {
  const { siteId, path, root, shareKey, visitorToken, signInUrl, hasBadToken } = visitor;
  return {
    contextOf: (one) => whenThere(contextOf(one), (context) => asVisitor(context, visitor)),
    path: sitePath(siteId) + pathBelow(path),
    root: root.links,
    ...(root.links.startsWith(".") && { assetsBelow: root.links }), // a proxy forwards nothing else
    given: { shareKey, visitorToken },
    refusal: signInUrl === null ? null : signInElsewhere(signInUrl, hasBadToken),
  };
}
