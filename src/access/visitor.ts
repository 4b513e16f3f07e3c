// The visitor: the reader of a published site, identified by credentials of the request other than the account.
import type { Claims } from "#src/base/visitor-claims.ts";
import { isSameSecret } from "#src/base/secrets.ts";
import { isMember, type Viewer } from "#src/access/viewer.ts";
import type { VisitorTokens } from "#src/access/visitor-tokens.ts";
import type { SiteVisibility } from "#src/generated/prisma/enums.ts";

export interface VisitorCredentials {
  /** The secret key of the link of a share-link site. */
  readonly shareKey: string | null;
  /** A JWT that the site's owner issued to this visitor. */
  readonly visitorToken: string | null;
}

export interface VisitedSite {
  readonly id: string;
  readonly organizationId: string;
  readonly visibility: SiteVisibility;
  readonly published: boolean;
  readonly shareKey: string | null;
  readonly adaptiveContentEnabled: boolean;
}

export const visitedColumns = [
  "id",
  "organizationId",
  "visibility",
  "published",
  "shareKey",
  "adaptiveContentEnabled",
] as const satisfies (keyof VisitedSite)[];

export interface Visit {
  readonly mayRead: boolean;
  readonly claims: Claims;
}

/**
 * Decides who may read a site: its members always; others while it is published, by its visibility (anyone, its share
 * key, a valid token). A token's claims count on every site with adaptive content. Invalid keys and tokens count as
 * ignored.
 */
export async function visit(
  { viewer, visitorTokens }: { readonly viewer: Viewer; readonly visitorTokens: Pick<VisitorTokens, "claimsOf"> },
  site: VisitedSite,
  { shareKey, visitorToken }: VisitorCredentials,
): Promise<Visit> {
  const claims = visitorToken === null ? null : await visitorTokens.claimsOf(site.id, visitorToken);
  const isOpen: Record<SiteVisibility, boolean> = {
    public: true,
    unlisted: true,
    share_link: isSameSecret(site.shareKey, shareKey),
    visitor_auth: claims !== null,
  };
  const mayRead = isMember(viewer, site.organizationId) || (site.published && isOpen[site.visibility]);
  return { mayRead, claims: claimsOn(site, claims ?? {}) };
}

/** The claims of a visitor that count on a site; empty while its adaptive content is off. */
export const claimsOn = (site: Pick<VisitedSite, "adaptiveContentEnabled">, claims: Claims): Claims =>
  site.adaptiveContentEnabled ? claims : {};
