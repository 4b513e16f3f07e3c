// The root of a site: where its visitors reach it, and where the pages of one request link to.
import { type AddressedSite, type Links, proxyAddress, siteAddress } from "#src/base/public-urls.ts";

export interface SiteRoot {
  /** The public address without a slash at the end. Addresses in answers and canonical addresses begin with it. */
  readonly address: string;
  /** The path of the site in the browser, without a slash at the end: empty at a hostname. Cookies have this path. */
  readonly path: string;
  /** The beginning of links in a page: `path`, or the address of the proxy, since links of it work everywhere. */
  readonly links: string;
}

/**
 * The root of a site. A proxy comes first: it forwards to docgraph under another name, so only its configuration says
 * which address the browser shows. `isAtHostname` says whether the request came to the hostname of the site.
 */
export function siteRoot(site: AddressedSite, { links, isAtHostname }: { links: Links; isAtHostname: boolean }) {
  const address = siteAddress(site, links);
  const proxy = proxyAddress(site);
  const own = isAtHostname ? "" : sitePath(site.id);
  const root: SiteRoot = { address, path: proxy === null ? own : (site.proxyTarget ?? ""), links: proxy ?? own };
  return root;
}

/** The path of a site at docgraph's own host. */
export const sitePath = (siteId: string): string => `/published/${siteId}`;
