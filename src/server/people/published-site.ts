// The pages of a published site for people: what stands on it, and its pages by path, as `Query.publishedSite` shows
// them to a visitor without a token.
import type { Context } from "#src/domain/context.ts";
import type { Executor } from "#src/graph/run/execute.ts";
import { html, type PageForPeople } from "#src/server/http/html.ts";
import { ask, ownQuery } from "#src/server/http/page-request.ts";
import { articleOf, contentsOf, isOpenToAnybody, type Listed, placeOf } from "#src/server/people/published-parts.ts";

interface SiteAnswer {
  readonly publishedSite: {
    readonly site: {
      readonly id: string;
      readonly title: string;
      readonly visibility: string;
      readonly urls: { readonly published: string | null };
    };
    readonly sections: readonly { readonly title: string; readonly path: string }[];
    readonly siteSpaces: readonly {
      readonly title: string;
      readonly path: string;
      readonly section: { readonly path: string } | null;
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

const pageQuery = `query PublishedSitePage($id: ID!, $shareKey: String, $path: String!) {
  publishedSite(by: { id: $id }, shareKey: $shareKey) {
    page(path: $path) { title markdown noRobotsIndex siteSpace { pages { title path level } } }
  }
}`;

/** Finds what to show of a site: the path may begin with the key of its link. Null where nothing is shown. */
export function sitePages(executor: Executor) {
  const [site, page] = [ownQuery(executor, siteQuery), ownQuery(executor, pageQuery)];
  return async (context: Context, id: string, segments: readonly string[]): Promise<PageForPeople | null> => {
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
  const places = siteSpaces.map(({ title, path: own, section }) => ({
    title,
    path: section ? `${section.path}/${own}` : own,
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
