// Links of sites and of what they are made of, and the argument that puts a share key into them.
import type { Links } from "#src/base/links.ts";
import type { PublishedSite } from "#src/features/sites/reads.ts";
import { defineLinks } from "#src/graph/records.ts";
import { builder } from "#src/graph/builder.ts";

const publishedDescription =
  "Where visitors reach it; null while the site is not published, and on a share-link site when the right key was not given.";

export const SiteUrls = defineLinks(
  "SiteUrls",
  "Links of a site.",
  { location: "The site in the REST interface.", app: "The site in the application." },
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

/** The argument of every `urls` of a site, section and site space. */
export const shareKeyArgument = builder.args((t) => ({
  shareKey: t.string({ description: "Secret key of the link, which published addresses of a share-link site carry." }),
}));

/** The columns of a site that its published address is made of. */
export const publishedColumns = [
  "id",
  "hostname",
  "visibility",
  "published",
  "shareKey",
] as const satisfies (keyof PublishedSite)[];

/**
 * The address of a place on a published site, or null while it is not published.
 * That of a share-link site carries the key, and so is shown only to those who have it already.
 */
export function publishedAddress(
  { id, hostname, visibility, published, shareKey }: PublishedSite,
  given: { links: Links; shareKey: string | null | undefined },
  path: readonly string[] = [],
): string | null {
  if (!published) return null;
  const isSecret = visibility === "share_link";
  if (isSecret && (shareKey === null || shareKey !== given.shareKey)) return null;
  const key = isSecret && shareKey !== null ? [shareKey] : [];
  const segments = [...key, ...path.flatMap((part) => part.split("/"))];
  if (hostname === null) return given.links.published(id, segments);
  return [`https://${hostname}`, ...segments.map(encodeURIComponent)].join("/");
}
