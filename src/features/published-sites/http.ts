// The pages under `/published/`: the targets of `urls.published` without a separate frontend. They show the pages
// of a space or site to visitors who may view it: anyone for public and unlisted ones, and for share-link ones
// everybody with the key, which is the first part of the path.
import { percentDecoded } from "#src/base/url-text.ts";
import { isIdOf } from "#src/base/ids.ts";
import type { Context } from "#src/domain/context.ts";
import type { Gateway } from "#src/features/feature.ts";
import type { Executor } from "#src/graph/run/execute.ts";
import { type Html, html, type PageForPeople } from "#src/http/html.ts";
import { ask, ownQuery, pagesFor } from "#src/http/page-request.ts";
import { type HttpRoute, withoutKey } from "#src/http/route.ts";

interface Published {
  readonly id: string;
  readonly title: string;
  readonly visibility: string;
  readonly urls: { readonly published: string | null };
}

type Listed = { readonly title: string; readonly path: string; readonly level: number };

interface PublishedPage extends Listed {
  readonly pageId: string;
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

interface TextAnswer {
  readonly space: { readonly content: { readonly page: { readonly markdown: string | null } } };
}

export function publishedHttp({ executor, contexts }: Gateway): HttpRoute[] {
  const findSpacePage = spacePages(executor);
  const findSitePage = sitePages(executor);
  const page = pagesFor(
    (exchange) => contexts.ofPage(exchange),
    async (context, path) => {
      const parts = path.split("/").slice(2);
      const [id = "", ...segments] = parts.map((segment) => percentDecoded(segment) ?? "");
      if (isIdOf("Space", id)) return findSpacePage(context, id, segments);
      return isIdOf("Site", id) ? findSitePage(context, id, segments) : null;
    },
  );
  return [{ path: "/published/", ...page, loggedPath: withoutKey }];
}

type FindBelow = (context: Context, id: string, segments: readonly string[]) => Promise<PageForPeople | null>;

/** Finds the page of a space at a path, or its first page with a text if the path is empty. */
function spacePages(executor: Executor): FindBelow {
  const [spaceOperation, pageOperation] = [ownQuery(executor, spaceQuery), ownQuery(executor, pageQuery)];
  return async (context, id, segments) => {
    const variables = { id, shareKey: segments[0] ?? null };
    const found = await ask<SpaceAnswer>(spaceOperation, context, variables);
    if (!found) return null;
    const { space } = found;
    const { root, path } = placeOf(space, segments);
    const pages = space.content.allPages.filter(({ hidden }) => !hidden);
    const asked = space.content.allPages.find((page) => page.path === path);
    const shown = path === "" ? pages.find(({ type }) => type === "DOCUMENT") : asked;
    if (path !== "" && !shown) return null;
    const text = shown && (await ask<TextAnswer>(pageOperation, context, { ...variables, page: shown.pageId }));
    const contents = contentsOf(root, pages);
    return {
      status: 200,
      title: shown && path !== "" ? `${shown.title} · ${space.title}` : space.title,
      isListed: space.visibility === "PUBLIC" && !shown?.noIndex && !shown?.noRobotsIndex,
      isOpenToAnybody: isOpenToAnybody(space),
      body: shown
        ? html`${contents} ${articleOf(shown.title, text?.space.content.page.markdown)}`
        : html`${contents}
            <p>This space has no pages.</p>`,
    };
  };
}

interface SiteAnswer {
  readonly publishedSite: {
    readonly site: Published;
    readonly sections: readonly { readonly title: string; readonly path: string }[];
    readonly siteSpaces: readonly {
      readonly title: string;
      readonly path: string;
      readonly siteSection: { readonly path: string } | null;
    }[];
  };
}

interface PageAnswer {
  readonly publishedSite: {
    readonly page: {
      readonly title: string;
      readonly markdown: string | null;
      readonly noRobotsIndex: boolean;
      readonly siteSpace: { readonly pages: readonly Listed[] };
    };
  };
}

const siteQuery = `query PublishedSite($id: ID!, $shareKey: String) {
  publishedSite(by: { id: $id }, shareKey: $shareKey) {
    site { id: siteId title visibility urls { published } }
    sections { title path }
    siteSpaces { title path siteSection { path } }
  }
}`;

const sitePageQuery = `query PublishedSitePage($id: ID!, $shareKey: String, $path: String!) {
  publishedSite(by: { id: $id }, shareKey: $shareKey) {
    page(path: $path) { title markdown noRobotsIndex siteSpace { pages { title path level } } }
  }
}`;

/** Finds a page of a site, or its list of pages; the path may begin with the key of its link. */
function sitePages(executor: Executor): FindBelow {
  const [site, page] = [ownQuery(executor, siteQuery), ownQuery(executor, sitePageQuery)];
  return async (context, id, segments) => {
    const variables = { id, shareKey: segments[0] ?? null };
    const found = await ask<SiteAnswer>(site, context, variables);
    if (!found) return null;
    const { root, path } = placeOf(found.publishedSite.site, segments);
    const read = path === "" ? null : await ask<PageAnswer>(page, context, { ...variables, path });
    return show(found, { root, path, page: read?.publishedSite.page ?? null });
  };
}

interface Place {
  readonly root: string;
  readonly path: string;
  readonly page: PageAnswer["publishedSite"]["page"] | null;
}

function show({ publishedSite }: SiteAnswer, { root, path, page }: Place): PageForPeople | null {
  const { site, sections, siteSpaces } = publishedSite;
  const places = siteSpaces.map(({ title, path: own, siteSection }) => ({
    title,
    path: siteSection ? `${siteSection.path}/${own}` : own,
    level: 1,
  }));
  const place = [...sections, ...places].find((one) => one.path === path);
  if (path !== "" && !page && !place) return null;
  return {
    status: 200,
    title: [page?.title ?? place?.title, site.title].filter(Boolean).join(" · "),
    isListed: site.visibility === "PUBLIC" && !page?.noRobotsIndex,
    isOpenToAnybody: isOpenToAnybody(site),
    body: html`${contentsOf(root, places)}
    ${page ? html`${contentsOf(root, page.siteSpace.pages)}${articleOf(page.title, page.markdown)}` : ""}`,
  };
}

/** The target of a request: the path of the whole content here with the key that opened it, and the path below it. */
function placeOf({ id, visibility, urls }: Published, segments: readonly string[]) {
  const isOpenedByKey = visibility === "SHARE_LINK" && urls.published !== null;
  const key = segments.slice(0, isOpenedByKey ? 1 : 0);
  return { root: ["/published", id, ...key].join("/"), path: segments.slice(key.length).join("/") };
}

const isOpenToAnybody = ({ visibility }: Pick<Published, "visibility">): boolean =>
  visibility === "PUBLIC" || visibility === "UNLISTED";

function contentsOf(root: string, pages: readonly Listed[]): Html {
  const addressOf = ({ path }: Listed) => `${root}/${path.split("/").map(encodeURIComponent).join("/")}`;
  const entries = pages.map(
    (page) => html`<li>${"– ".repeat(page.level)}<a href="${addressOf(page)}">${page.title}</a></li>`,
  );
  return html`<nav>
    <ul>
      ${entries}
    </ul>
  </nav>`;
}

const articleOf = (title: string, text: string | null | undefined): Html =>
  html`<article>
    <h2>${title}</h2>
    ${text ? html`<pre>${text}</pre>` : ""}
  </article>`;
