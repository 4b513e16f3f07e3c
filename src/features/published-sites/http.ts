// The route of the pages under `/published/`: the targets of `urls.published` without a separate frontend.
import type { Gateway } from "#src/features/feature.ts";
import { publishedPages } from "#src/features/published-sites/pages.ts";
import { type HttpRoute, withoutKey } from "#src/http/route.ts";
import { servePages } from "#src/pages/serve.ts";

export function publishedHttp({ executor, contexts }: Gateway): HttpRoute[] {
  const contextOf = contexts.ofPage.bind(contexts);
  const handle = servePages(publishedPages, { executor, contextOf });
  return [{ path: "/published/", handle, loggedPath: withoutKey }];
}
