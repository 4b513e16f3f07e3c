// The visitor of a site in a browser: the key or token that they bring is taken out of the address, and kept in a
// cookie of that site.
import { isSameSecret } from "#src/base/secrets.ts";
import { Links } from "#src/base/public-urls.ts";
import { percentDecoded } from "#src/base/url-text.ts";
import type { Context } from "#src/domain/context.ts";
import type { Gateway, PathOfHost } from "#src/features/feature.ts";
import {
  type VisitorCookie,
  visitorCookie,
  visitorSecretIn,
} from "#src/features/published-sites/model/visitor-cookies.ts";
import { type FoundSite, SiteAddresses } from "#src/features/published-sites/reads/addresses.ts";
import { sitePath, type SiteRoot, siteRoot } from "#src/features/sites/model/root.ts";
import { type Exchange, searchOf } from "#src/http/exchange.ts";
import { redirect } from "#src/http/send.ts";
import { type PromiseOrValue, whenThere } from "#src/runtime/waiting.ts";

export interface Visitor {
  readonly siteId: string;
  readonly root: SiteRoot;
  /** The path below the root, decoded, without a key. */
  readonly path: string;
  readonly shareKey: string | null;
  readonly visitorToken: string | null;
  /** Whether the visitor sent a token that has expired or is not valid; this response removes its cookie. */
  readonly hasBadToken: boolean;
  /** Where visitors get a token, and come back to this path; null if the site names no such address. */
  readonly signInUrl: string | null;
}

/** The visitor of a request below `/published/<siteId>`; null if the request was redirected. */
export type VisitorOf = (exchange: Exchange, siteId: string) => Promise<Visitor | null>;

type Needed = Pick<
  Gateway,
  "database" | "visitorTokens" | "visitorSignIn" | "publicUrl" | "publishedUrl" | "intervals"
>;

/** Makes the function that finds the path of the site that a hostname serves. */
export function sitePathFinder({ database, intervals }: Pick<Gateway, "database" | "intervals">): PathOfHost {
  const addresses = new SiteAddresses(database, intervals.siteAgeMs);
  return async (hostname) => {
    const site = await addresses.byHostname(hostname);
    return site && sitePath(site.id);
  };
}

/** Makes the function that finds visitors. */
export function visitorFinder(gateway: Needed): VisitorOf {
  const addresses = new SiteAddresses(gateway.database, gateway.intervals.siteAgeMs);
  return async (exchange, siteId) => {
    const finding = addresses.byId(siteId);
    const site = (finding instanceof Promise ? await finding : finding) ?? { ...unknownSite, id: siteId };
    const links = new Links({ publicUrl: gateway.publicUrl(), publishedUrl: gateway.publishedUrl });
    const arrival = {
      ...arrivalOf(exchange, site),
      root: siteRoot(site, { links, isAtHostname: exchange.base !== "" }),
    };
    const cookies = { siteId, path: arrival.root.path, isSecure: links.addresses.publicUrl.startsWith("https:") };
    const given = secretsToKeep(exchange, arrival);
    if (given.length > 0) {
      const kept = given.map(([kind, secret]) => visitorCookie(kind, secret, cookies));
      redirect(exchange.response, cleanAddress(arrival), kept);
      return null;
    }
    const visitorToken = tokenOf(exchange, siteId);
    const hasBadToken = visitorToken !== null && (await gateway.visitorTokens.claimsOf(siteId, visitorToken)) === null;
    if (hasBadToken) exchange.response.appendHeader("set-cookie", visitorCookie("token", null, cookies));
    const isKnown = visitorToken !== null && !hasBadToken;
    const signingIn = signInAddress(gateway, site, { ...arrival, isKnown });
    return {
      siteId,
      root: arrival.root,
      path: arrival.path,
      shareKey: arrival.key ?? visitorSecretIn(exchange.request.headers.cookie, "key", siteId),
      visitorToken: hasBadToken ? null : visitorToken,
      hasBadToken,
      signInUrl: signingIn instanceof Promise ? await signingIn : signingIn,
    };
  };
}

/** The context of a request for a page: texts link within the root of the page, and conditions see the visitor. */
export const asVisitor = (context: Context, { siteId, root, visitorToken }: Visitor): Context =>
  Object.assign(context, { visitorToken, pageRoot: { siteId, links: root.links } });

/** Of a site that does not exist, the request is answered like that of any visitor. */
const unknownSite: Omit<FoundSite, "id"> = {
  hostname: null,
  proxyOrigin: null,
  proxyTarget: null,
  visibility: "public",
  published: false,
  shareKey: null,
  signInUrl: null,
};

interface Arrival {
  readonly path: string;
  /** The right key of a share-link site in the address. */
  readonly key: string | null;
  /** The token in the address, not verified. */
  readonly token: string | null;
  /** The query of the address without its secrets. */
  readonly query: URLSearchParams;
}

const [keyName, tokenName] = ["key", "jwt_token"] as const;

/** What the address of a request says. A wrong key in the path is part of the path, in the query it is ignored. */
function arrivalOf({ path, request }: Exchange, { visibility, shareKey }: FoundSite): Arrival {
  const decoded = path
    .split("/")
    .slice(3)
    .map((segment) => percentDecoded(segment) ?? "");
  const segments = decoded.filter((segment) => segment !== "");
  const query = new URLSearchParams(searchOf(request));
  const isByKey = visibility === "share_link";
  const keys = isByKey ? [segments[0], query.get(keyName)] : [];
  const key = keys.find((one) => isSameSecret(shareKey, one)) ?? null;
  const token = isReading(request) ? query.get(tokenName) : null;
  if (isByKey) query.delete(keyName);
  query.delete(tokenName);
  const below = segments.slice(key !== null && key === segments[0] ? 1 : 0).flatMap((segment) => segment.split("/"));
  // Two slashes at the beginning of an address would lead to another server.
  return { path: below.filter((segment) => segment !== "").join("/"), key, token, query };
}

const isReading = ({ method }: { readonly method?: string | undefined }): boolean =>
  method === "GET" || method === "HEAD";

/**
 * The secrets of the address that go into cookies. Programs, which keep no cookies, may use a key in the address; a
 * token there is never answered in place.
 */
function secretsToKeep({ request }: Exchange, { key, token }: Arrival): (readonly [VisitorCookie, string])[] {
  const isOfBrowser = isReading(request) && /^text\/html\b/.test(request.headers.accept ?? "");
  const given: (readonly [VisitorCookie, string])[] = [];
  if (key !== null && (isOfBrowser || token !== null)) given.push(["key", key]);
  if (token !== null) given.push(["token", token]);
  return given;
}

/** The address of a request without its secrets. */
function cleanAddress({ root, path, query }: Arrival & { readonly root: SiteRoot }): string {
  const address = [root.links, ...(path === "" ? [] : path.split("/").map(encodeURIComponent))].join("/");
  return `${address === "" ? "/" : address}${query.size === 0 ? "" : `?${query.toString()}`}`;
}

function tokenOf({ request: { headers } }: Exchange, siteId: string): string | null {
  const sent = headers["x-visitor-token"];
  return typeof sent === "string" ? sent : visitorSecretIn(headers.cookie, "token", siteId);
}

/** Where a visitor signs in: at the owner's address, else at an integration; `location` is the path to return to. */
function signInAddress(
  { visitorSignIn }: Needed,
  { id, published, visibility, signInUrl }: FoundSite,
  { path, isKnown }: Arrival & { readonly isKnown: boolean },
): PromiseOrValue<string | null> {
  if (!published) return null;
  const byIntegration = signInUrl === null && visibility === "visitor_auth" && !isKnown;
  return whenThere(byIntegration ? visitorSignIn(id) : signInUrl, (address) => {
    if (address === null) return null;
    const url = new URL(address);
    url.searchParams.set("location", `/${path}`);
    return url.href;
  });
}
