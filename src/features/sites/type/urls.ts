// Links of sites, sections and site spaces, and the argument that puts a share key into them.
import { keyQuery, type Links, siteAddress } from "#src/base/public-urls.ts";
import { isSameSecret } from "#src/base/secrets.ts";
import type { Context } from "#src/domain/context.ts";
import type { PublishedSite } from "#src/features/sites/reads.ts";
import { defineLinks } from "#src/graph/schema/flag-types.ts";
import { builder } from "#src/graph/schema/builder.ts";

const publishedDescription =
  "The address for visitors; null while the site is not published, and on a share-link site without the right key.";

export const SiteUrls = defineLinks(
  "SiteUrls",
  "Links of a site.",
  {
    location: "The site in the REST interface; with the key of a share-link site if the right one was given.",
    app: "The site in the application.",
    preview: "Its pages, which members of the organization read even before it is published.",
  },
  { published: publishedDescription },
);

export const SiteSectionUrls = defineLinks(
  "SiteSectionUrls",
  "Links of a section.",
  {},
  { published: publishedDescription },
);

export const SiteSpaceUrls = defineLinks(
  "SiteSpaceUrls",
  "Links of a site space.",
  {},
  { published: publishedDescription },
);

export const shareKeyArgument = builder.args((t) => ({
  shareKey: t.string({ description: "Secret key of a share-link site, which its published addresses contain." }),
}));

export const publishedColumns = [
  "id",
  "hostname",
  "proxyOrigin",
  "proxyTarget",
  "visibility",
  "published",
  "shareKey",
] as const satisfies (keyof PublishedSite)[];

/** The links of a site, with the key of a share-link site if the right one was given. */
export function urlsOf(
  site: PublishedSite & { readonly organizationId: string },
  { publicUrl, links }: Pick<Context, "publicUrl" | "links">,
  shareKey: string | null | undefined,
) {
  const { id, organizationId } = site;
  return {
    location: `${publicUrl}/v1/orgs/${organizationId}/sites/${id}${keyQuery(givenKey(site, { shareKey }))}`,
    app: links.app(`orgs/${organizationId}/sites/${id}`, id),
    preview: links.published(id),
    published: publishedAddress(site, { links, shareKey }),
  };
}

/** The key of a share-link site if it equals the given key; null otherwise. */
function givenKey(
  { visibility, shareKey }: Pick<PublishedSite, "visibility" | "shareKey">,
  given: { shareKey: string | null | undefined },
): string | null {
  return visibility === "share_link" && isSameSecret(shareKey, given.shareKey) ? shareKey : null;
}

/** The address of a part of a published site, or null. It contains the key only if the request did. */
export function publishedAddress(
  site: PublishedSite,
  given: { links: Links; shareKey: string | null | undefined },
  path: readonly string[] = [],
): string | null {
  const { visibility, published, shareKey } = site;
  if (!published) return null;
  const key = givenKey({ visibility, shareKey }, given);
  if (visibility === "share_link" && key === null) return null;
  const segments = [...(key === null ? [] : [key]), ...path.flatMap((part) => part.split("/"))];
  return siteAddress(site, given.links, segments);
}
