// The view of an address of a site: the page there, or that nothing is there, with the navigation.
import { html } from "#src/http/html.ts";
import type { Asked, Shown } from "#src/pages/page.ts";
import {
  isOpenToAnybody,
  robotsFor,
  type ShownPage,
  type SiteAt,
  type SiteProfile,
} from "#src/features/published-sites/views/answer.ts";
import { articleOf, layoutOf } from "#src/features/published-sites/views/article.ts";
import { framed, searchIn, themeOf, titleOf } from "#src/features/published-sites/views/frame.ts";
import { iconLink, metadataOf } from "#src/features/published-sites/views/metadata.ts";
import { belowTitle } from "#src/features/content/views/title.ts";
import { outlineOf } from "#src/features/content/views/outline.ts";
import { addressesBelow, breadcrumbsOf, languageOf } from "#src/features/published-sites/views/navigation.ts";

type Place = Pick<Asked, "root" | "path">;

/** The page at a path. A link leads to its target. */
export function pageView(site: SiteAt, { root, path }: Place): Shown {
  const { page } = site;
  if (!page) return isAddressOf(site, path) ? emptyView(site, root) : missingView(site, root);
  if (page.type === "LINK" && page.target !== null) return { kind: "moved", status: 307, to: page.target };
  return foundView(site, page, { root, path });
}

/** Whether a path is that of the site, its section or its site space, which then has no pages. */
function isAddressOf({ space }: SiteAt, path: string): boolean {
  const section = space?.siteSection?.path;
  const paths = section === undefined ? [space?.path] : [section, `${section}/${space?.path}`];
  return path === "" || paths.includes(path);
}

export const keptFor = (site: SiteProfile): "by anybody" | "by its reader" =>
  isOpenToAnybody(site) ? "by anybody" : "by its reader";

function foundView(site: SiteAt, found: ShownPage, { root, path }: Place): Shown {
  const addressOf = addressesBelow(root);
  const layout = layoutOf(found);
  const page = layout.title ? belowTitle(found) : { ...found, anchor: null };
  const language = languageOf(page);
  const outline = layout.outline ? outlineOf(page.outline) : null;
  const above = html`${breadcrumbsOf(page, site.space, addressOf)}${outline?.button ?? ""}`;
  const title = titleOf(site);
  const isListed = site.site.visibility === "PUBLIC" && !page.noRobotsIndex;
  return {
    kind: "page",
    status: 200,
    title: path === "" ? title : `${page.title} · ${title}`,
    head: metadataOf({ ...site, page }),
    isLive: true,
    ...(language !== undefined && { language }),
    ...themeOf(site),
    style: layout.isWide ? "wide" : "",
    robots: robotsFor(site.site, isListed),
    kept: keptFor(site.site),
    body: framed(site, root, {
      main: articleOf(page, addressOf, above),
      hasTree: layout.tree,
      ...(outline && { aside: outline.list }),
    }),
  };
}

const about = (site: SiteAt) =>
  ({
    kind: "page",
    head: iconLink(site.site),
    ...themeOf(site),
    robots: robotsFor(site.site, false),
    kept: keptFor(site.site),
  }) as const;

const emptyView = (site: SiteAt, root: string): Shown => ({
  ...about(site),
  status: 200,
  title: titleOf(site),
  body: framed(site, root, {
    main: html`<article>
      <h1>${titleOf(site)}</h1>
      <p class="lead">Nothing has been published here yet.</p>
    </article>`,
  }),
});

const missingView = (site: SiteAt, root: string): Shown => ({
  ...about(site),
  status: 404,
  title: `Page not found · ${titleOf(site)}`,
  body: framed(site, root, {
    hasSearch: false,
    main: html`<article class="missing">
      <p class="code" aria-hidden="true">404</p>
      <h1>Page not found</h1>
      <p class="lead">The page does not exist, was moved, or is not visible to you.</p>
      ${searchIn(addressesBelow(root), "")}
      <p class="actions">
        <a class="button" href="${addressesBelow(root)("")}">Start page</a>
      </p>
    </article>`,
  }),
});
