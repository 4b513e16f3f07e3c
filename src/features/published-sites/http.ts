// The pages under `/published/`: the targets of `urls.published` without a separate frontend. They show the pages
// of a space or site to visitors who may view it: anyone for public and unlisted ones, and for share-link ones
// everybody with the key, which is the first part of the path, or in a cookie of the site.
import { percentDecoded } from "#src/base/url-text.ts";
import { isIdOf } from "#src/base/ids.ts";
import type { Context } from "#src/domain/context.ts";
import type { Gateway } from "#src/features/feature.ts";
import type { Executor } from "#src/graph/run/execute.ts";
import { asVisitor, type Visitor, visitorFinder } from "#src/features/published-sites/reads/visitor.ts";
import type { ContextOf, Exchange } from "#src/http/exchange.ts";
import { type Html, html, type PageForPeople } from "#src/http/html.ts";
import { htmlPages } from "#src/http/negotiation.ts";
import { ask, type FindPage, ownQuery, pagesFor } from "#src/http/page-request.ts";
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

export function publishedHttp(gateway: Gateway): HttpRoute[] {
  const { executor, contexts } = gateway;
  const findSpacePage = spacePages(executor);
  const findSitePage = sitePages(executor);
  const visitorOf = visitorFinder(gateway);
  const handle = async (exchange: Exchange): Promise<void> => {
    const [id = "", ...segments] = exchange.path
      .split("/")
      .slice(2)
      .map((segment) => percentDecoded(segment) ?? "");
    if (!isIdOf("Site", id)) {
      const find: FindPage = async (context) => (isIdOf("Space", id) ? findSpacePage(context, id, segments) : null);
      return pagesFor((one) => contexts.ofPage(one), find).handle(exchange);
    }
    const visitor = await visitorOf(exchange, id);
    if (visitor === null) return;
    const contextOf: ContextOf = async (one) => asVisitor(await contexts.ofPage(one), visitor);
    const find: FindPage = async (context) => (await findSitePage(context, visitor)) ?? signInPage(visitor);
    await pagesFor(contextOf, find).handle(exchange);
  };
  return [{ path: "/published/", answers: htmlPages, handle, loggedPath: withoutKey }];
}

/** Leads a visitor to the application of the site's owner, which makes tokens; null if the site does not name it. */
function signInPage({ signInUrl, hasBadToken }: Visitor): PageForPeople | null {
  if (signInUrl === null) return null;
  return {
    status: 401,
    title: hasBadToken ? "Your sign-in has expired" : "Sign in to read this",
    body: html`<p>If this page exists, it is for visitors who are signed in: <a href="${signInUrl}">sign in</a>.</p>`,
  };
}

type FindSpacePage = (context: Context, id: string, segments: readonly string[]) => Promise<PageForPeople | null>;

/** Finds the page of a space at a path, or its first page with a text if the path is empty. */
function spacePages(executor: Executor): FindSpacePage {
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

/** Finds a page of a site, or its list of pages. */
function sitePages(executor: Executor): (context: Context, visitor: Visitor) => Promise<PageForPeople | null> {
  const [site, page] = [ownQuery(executor, siteQuery), ownQuery(executor, sitePageQuery)];
  return async (context, { siteId: id, shareKey, path, root }) => {
    const found = await ask<SiteAnswer>(site, context, { id, shareKey });
    if (!found) return null;
    const read = path === "" ? null : await ask<PageAnswer>(page, context, { id, shareKey, path });
    return show(found, { root: root.links, path, page: read?.publishedSite.page ?? null });
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
