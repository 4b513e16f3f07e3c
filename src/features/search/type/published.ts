// The GraphQL types of search results on a published site.
import { findPageOfId } from "#src/features/published-sites/reads/pages.ts";
import { PublishedPage, PublishedPageUrls } from "#src/features/published-sites/type/page.ts";
import { addressAt, PublishedSpace } from "#src/features/published-sites/type/structure.ts";
import type { PublishedHit } from "#src/features/search/reads/published.ts";
import type { SectionHit } from "#src/features/search/reads/sections.ts";
import { hash, hitFields, sectionFields, sectionsOf } from "#src/features/search/type/hit.ts";
import type { Links } from "#src/base/public-urls.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { connectionOf } from "#src/graph/schema/nodes.ts";
import { defineLinks } from "#src/graph/schema/flag-types.ts";
import { rowsWith } from "#src/graph/run/selection.ts";

/** The address of a hit on the site; null while the site is not published. */
const addressOf = ({ siteSpace, path }: PublishedHit, context: { readonly links: Links }): string | null =>
  addressAt(siteSpace.of, [path], context);

const PublishedSearchSectionUrls = defineLinks(
  "PublishedSearchSectionUrls",
  "Links of a section of a published page.",
  {},
  { published: "The address for visitors; null if the site has no such address." },
);

const PublishedSearchSection = builder.objectRef<SectionHit<PublishedHit>>("PublishedSearchSection").implement({
  description: "A section of a published page, from one heading to the next, with matches of a search.",
  fields: (t) => ({
    ...sectionFields(t),
    urls: t.value(PublishedSearchSectionUrls, "Links.", ({ hit, anchor }, context) => {
      const address = addressOf(hit, context);
      return { published: address && `${address}${hash(anchor)}` };
    }),
  }),
});

const PublishedSearchHit = builder.objectRef<PublishedHit>("PublishedSearchHit").implement({
  description: "A page of a published site that matches a search in its title, description and text.",
  ...rowsWith("id"),
  fields: (t) => ({
    ...hitFields(t),
    path: t.exposeString("path", {
      description: "Full path on the site: of the section, if any, of the site space, and of the page.",
    }),
    urls: t.value(PublishedPageUrls, "Links.", (hit, context) => ({ published: addressOf(hit, context) })),
    sections: t.field(sectionsOf(PublishedSearchSection)),
    siteSpace: t.value(PublishedSpace, "The site space that contains it.", ({ siteSpace }) => siteSpace),
    page: t.field({
      type: PublishedPage,
      nullable: true,
      description: "The page itself; null if it was deleted meanwhile. Reads the whole tree of its content.",
      resolve: ({ siteSpace, pageId }, _args, context) => findPageOfId(context, siteSpace, pageId),
    }),
  }),
});

export const PublishedSearchHitConnection = connectionOf(PublishedSearchHit);
