// The pages under `/published`: what `urls.published` leads to where no frontend is configured. They show the pages
// of a space, and what is on a site, to those who may view it: anyone for public and unlisted ones, for share-link
// ones whoever has the key, which is the first part of the path.
import { percentDecoded } from "#src/base/percent.ts";
import { isIdOf } from "#src/base/ids.ts";
import type { Executor } from "#src/graph/execute.ts";
import type { ContextOf, Handler } from "#src/server/exchange.ts";
import { type Html, html, linkTo, type PageForPeople } from "#src/server/people/html.ts";
import { ask, pagesFor, prepareQuery } from "#src/server/people/page-request.ts";

interface Published {
  readonly id: string;
  readonly title: string;
  readonly visibility: string;
  readonly urls: { readonly published: string | null };
}

interface PublishedPage {
  readonly pageId: string;
  readonly title: string;
  readonly path: string;
  readonly level: number;
  readonly type: string;
  readonly hidden: boolean;
  readonly noIndex: boolean;
  readonly noRobotsIndex: boolean;
}

interface SpaceAnswer {
  readonly space: Published & {
    readonly content: { readonly id: string; readonly allPages: readonly PublishedPage[] };
  };
}

interface Placed {
  readonly title: string;
  readonly path: string;
  readonly section: { readonly path: string } | null;
  readonly space: { readonly urls: { readonly published: string | null } } | null;
}

interface SiteAnswer {
  readonly site: Published & {
    readonly sections: { readonly nodes: readonly { title: string; path: string }[] };
    readonly siteSpaces: { readonly nodes: readonly Placed[] };
  };
}

const spaceQuery = `query PublishedSpace($id: ID!, $shareKey: String) {
  space(id: $id, shareKey: $shareKey) {
    id title visibility urls { published }
    content { id allPages { pageId title path level type hidden noIndex noRobotsIndex } }
  }
}`;

const pageQuery = `query PublishedPage($id: ID!, $shareKey: String, $page: ID!) {
  space(id: $id, shareKey: $shareKey) { content { page(by: { id: $page }) { markdown(evaluated: true) } } }
}`;

const siteQuery = `query PublishedSite($id: ID!, $shareKey: String) {
  site(id: $id, shareKey: $shareKey) {
    id title visibility urls(shareKey: $shareKey) { published }
    sections(first: 1000) { nodes { title path } }
    siteSpaces(first: 1000) { nodes { title path section { path } space { urls { published } } } }
  }
}`;

/** The handler of `/published/…`. */
export function createPublishedPages(executor: Executor, contextOf: ContextOf): Handler {
  const [space, page, site] = [spaceQuery, pageQuery, siteQuery].map((query) => prepareQuery(executor, query));
  if (!space || !page || !site) throw new Error("There are three queries"); // those of the line before
  return pagesFor(contextOf, async (context, path) => {
    const [id = "", ...segments] = path
      .split("/")
      .slice(2)
      .map((segment) => percentDecoded(segment) ?? "");
    const [first = null] = segments;
    const variables = { id, shareKey: first };
    if (isIdOf("Space", id)) {
      const data = await ask<SpaceAnswer>(space, context, variables);
      return data && findSpacePage(data, segments, (pageId) => ask(page, context, { ...variables, page: pageId }));
    }
    const data = isIdOf("Site", id) ? await ask<SiteAnswer>(site, context, variables) : null;
    return data && sitePage(data, segments);
  });
}

/**
 * Where a request leads: the address of the whole content here, with the key that opened it, and the path below that.
 */
function placeOf({ id, visibility, urls }: Published, segments: readonly string[]) {
  const isOpenedByKey = visibility === "SHARE_LINK" && urls.published !== null;
  const key = segments.slice(0, isOpenedByKey ? 1 : 0);
  return { root: ["/published", id, ...key].join("/"), path: segments.slice(key.length).join("/") };
}

interface PageAnswer {
  readonly space: { readonly content: { readonly page: { readonly markdown: string | null } } };
}

/**
 * The page at a path, or the first one that has a text where there is no path; null where there is none at the path.
 */
async function findSpacePage(
  { space }: SpaceAnswer,
  segments: readonly string[],
  read: (pageId: string) => Promise<PageAnswer | null>,
): Promise<PageForPeople | null> {
  const { root, path } = placeOf(space, segments);
  const pages = space.content.allPages.filter(({ hidden }) => !hidden);
  const asked = space.content.allPages.find((page) => page.path === path);
  const shown = path === "" ? pages.find(({ type }) => type === "DOCUMENT") : asked;
  if (path !== "" && !shown) return null;
  const text = shown ? (await read(shown.pageId))?.space.content.page.markdown : null;
  return {
    status: 200,
    title: shown && path !== "" ? `${shown.title} · ${space.title}` : space.title,
    isListed: space.visibility === "PUBLIC" && !shown?.noIndex && !shown?.noRobotsIndex,
    body: html`${contentsOf(root, pages)}
    ${
      shown
        ? html`<article>
            <h2>${shown.title}</h2>
            ${text ? html`<pre>${text}</pre>` : ""}
          </article>`
        : html`<p>It has no pages.</p>`
    }`,
  };
}

/** The list of the pages, with links. */
function contentsOf(root: string, pages: readonly PublishedPage[]): Html {
  const addressOf = ({ path }: PublishedPage) => `${root}/${path.split("/").map(encodeURIComponent).join("/")}`;
  const entries = pages.map(
    (page) => html`<li>${"– ".repeat(page.level)}<a href="${addressOf(page)}">${page.title}</a></li>`,
  );
  return html`<nav>
    <ul>
      ${entries}
    </ul>
  </nav>`;
}

/** What is on a site; null for a path at which nothing is. */
function sitePage({ site }: SiteAnswer, segments: readonly string[]): PageForPeople | null {
  const { path } = placeOf(site, segments);
  const placed = site.siteSpaces.nodes.map((one) => ({
    ...one,
    path: [one.section?.path, one.path].filter(Boolean).join("/"),
  }));
  const section = site.sections.nodes.find((one) => one.path === path);
  const place = placed.find((one) => one.path === path);
  if (path !== "" && !section && !place) return null;
  const listed = place ? [place] : placed.filter((one) => path === "" || one.path.startsWith(`${path}/`));
  return {
    status: 200,
    title: [place?.title ?? section?.title, site.title].filter(Boolean).join(" · "),
    isListed: site.visibility === "PUBLIC",
    body: html`<ul>
        ${listed.map(({ title, space }) => html`<li>${linkTo(space?.urls.published, title)}</li>`)}
      </ul>
      <p>The spaces that are open to everybody are links.</p>`,
  };
}
