// Reads the part of a published site behind an address. Nothing is fetched: the address names a site of this gateway.
import type { VisitorCredentials } from "#src/access/visitor.ts";
import { DomainError, found } from "#src/base/errors.ts";
import { isIdOf } from "#src/base/ids.ts";
import { isSameSecret } from "#src/base/secrets.ts";
import { percentDecoded } from "#src/base/url-text.ts";
import type { Context } from "#src/domain/context.ts";
import { readAddress } from "#src/features/published-sites/model/address.ts";
import { placeAt } from "#src/features/published-sites/model/shown.ts";
import type { PublishedSpace } from "#src/features/published-sites/reads/pages.ts";
import {
  findPublishedSite,
  type PublishedSite,
  type PublishedSiteKey,
} from "#src/features/published-sites/reads/sites.ts";

/** A site space, and the path of a page in it. */
export interface PublishedPlace {
  readonly site: PublishedSite;
  readonly space: PublishedSpace;
  /** The path of the page in the space, decoded; empty for the first page. */
  readonly path: string;
  /** The parts of the path of the address: of the site, of the space, and below it, still encoded. */
  readonly siteBasePath: string;
  readonly basePath: string;
  readonly pathname: string;
  /** Whether the address names the site space itself, and not a default. */
  readonly isComplete: boolean;
  readonly shareKey: string | null;
}

/** A possible root of a site in an address, and the path below it. */
interface Root {
  readonly by: PublishedSiteKey;
  readonly path: string;
}

/** How many paths of proxies an address may have. */
const proxyDepth = 5;

/** The place at an address from the view of a visitor. Throws NOT_FOUND, also for hosts of others. */
export async function findPlaceAt(
  context: Context,
  given: string,
  visitorToken: string | null,
): Promise<PublishedPlace> {
  const address = readAddress("url", given);
  const key = address.searchParams.get("key");
  const roots = rootsOf(context, address).map(async ({ by, path }) => {
    const segments = path.split("/").filter((segment) => segment !== "");
    const credentials = { shareKey: key ?? percentDecoded(segments[0] ?? ""), visitorToken };
    return placeIn(await siteAt(context, by, credentials), { address, path, segments });
  });
  const place = (await Promise.all(roots)).find((one) => one !== null);
  return found(place ?? null, "published content");
}

async function siteAt(context: Context, by: PublishedSiteKey, credentials: VisitorCredentials) {
  try {
    return await findPublishedSite(context, { by }, credentials);
  } catch (error) {
    if (error instanceof DomainError && error.code === "NOT_FOUND") return null;
    throw error;
  }
}

/** The possible roots, the longest first. */
function rootsOf({ links }: Context, address: URL): Root[] {
  const filling = links.readPublished(address);
  if (filling)
    return isIdOf("Site", filling.id ?? "") ? [{ by: { id: filling.id ?? "" }, path: filling.path ?? "" }] : [];
  if (address.port !== "") return [];
  const { hostname, pathname } = address;
  const segments = pathname.split("/").slice(1, 1 + proxyDepth);
  const proxied = segments.map((_, index): Root => {
    const proxyTarget = `/${segments.slice(0, segments.length - index).join("/")}`;
    return { by: { proxyOrigin: hostname, proxyTarget }, path: pathname.slice(proxyTarget.length) };
  });
  return [...proxied, { by: { hostname }, path: pathname }];
}

interface Below {
  readonly address: URL;
  /** The path below the root, encoded, and its segments without empty ones. */
  readonly path: string;
  readonly segments: readonly string[];
}

/** Null if no site space is visible, or if the path is not percent-encoded UTF-8. */
function placeIn(site: PublishedSite | null, { address, path, segments }: Below): PublishedPlace | null {
  if (!site) return null;
  const { visibility, shareKey: key } = site.row;
  const hasKey = visibility === "share_link" && isSameSecret(key, site.shareKey);
  const isKeyInPath = hasKey && isSameSecret(key, percentDecoded(segments[0] ?? ""));
  const below = segments.slice(isKeyInPath ? 1 : 0);
  const decoded = below.map(percentDecoded);
  if (decoded.includes(null)) return null;
  const place = placeAt(site.shown, decoded.join("/"));
  const space = place?.space ?? site.shown.defaultSiteSpace;
  if (!space) return null;
  const rest = place?.path ?? decoded.join("/");
  const taken = below.length - rest.split("/").filter((segment) => segment !== "").length;
  const { pathname } = address;
  const root = pathname.endsWith(path) ? pathname.slice(0, pathname.length - path.length) : "";
  const siteBasePath = folder([root.replace(/\/$/, ""), ...segments.slice(0, segments.length - below.length)]);
  return {
    site,
    space,
    path: rest,
    siteBasePath,
    basePath: folder([siteBasePath.slice(0, -1), ...below.slice(0, taken)]),
    pathname: `/${below.slice(taken).join("/")}`,
    isComplete: taken === space.segments.length || site.shown.siteSpaces.length === 1,
    shareKey: hasKey ? key : null,
  };
}

const folder = (parts: readonly string[]): string => `${parts.join("/")}/`;
