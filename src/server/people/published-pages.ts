// The pages under `/published`: what `urls.published` leads to where no frontend is configured. They show the pages
// of a space, and what is on a site, to those who may view it: anyone for public and unlisted ones, for share-link
// ones whoever has the key, which is the first part of the path.
import { percentDecoded } from "#src/base/url-text.ts";
import { isIdOf } from "#src/base/ids.ts";
import type { Executor } from "#src/graph/run/execute.ts";
import type { ContextOf, Handler } from "#src/http/exchange.ts";
import { html, type PageForPeople } from "#src/http/html.ts";
import { ask, ownQuery, pagesFor } from "#src/http/page-request.ts";
import { articleOf, contentsOf, isOpenToAnybody, placeOf } from "#src/server/people/published-parts.ts";
import { sitePages } from "#src/server/people/published-site.ts";

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

const spaceQuery = `query PublishedSpace($id: ID!, $shareKey: String) {
  space(id: $id, shareKey: $shareKey) {
    id title visibility urls { published }
    content { id allPages { pageId title path level type hidden noIndex noRobotsIndex } }
  }
}`;

const pageQuery = `query PublishedPage($id: ID!, $shareKey: String, $page: ID!) {
  space(id: $id, shareKey: $shareKey) { content { page(by: { id: $page }) { markdown(evaluated: true) } } }
}`;

/** The handler of `/published/…`. */
export function createPublishedPages(executor: Executor, contextOf: ContextOf): Handler {
  const [space, page] = [ownQuery(executor, spaceQuery), ownQuery(executor, pageQuery)];
  const findSitePage = sitePages(executor);
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
    return isIdOf("Site", id) ? findSitePage(context, id, segments) : null;
  });
}

interface PageAnswer {
  readonly space: { readonly content: { readonly page: { readonly markdown: string | null } } };
}

/**
 * The page at a path, or the first one that has a text where there is no path; null if missing at the path.
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
    isOpenToAnybody: isOpenToAnybody(space),
    body: html`${contentsOf(root, pages)} ${shown ? articleOf(shown.title, text) : html`<p>It has no pages.</p>`}`,
  };
}
