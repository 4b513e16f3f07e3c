// Reads of the links of a content or a page, each with its target and its status.
import type { Context } from "#src/domain/context.ts";
import { inTreeOrder, type PageRow, type PageTree } from "#src/features/content/model/page.ts";
import { type PageInRevision, pagesOf } from "#src/features/content/reads/pages.ts";
import { hashText } from "#src/features/content/model/content-state.ts";
import { linksOfPages, textsOf } from "#src/features/links/model/page-links.ts";
import { contentIn, type LinkedContent, mainContentOf } from "#src/features/links/reads/linked-content.ts";
import { type CheckedLink, checkLinks, type LinkStatus } from "#src/features/links/reads/statuses.ts";
import { findAll, type Lookups, lookupsFor } from "#src/features/links/reads/lookups.ts";

export interface ContentLink extends Omit<CheckedLink, "page"> {
  readonly id: string;
  readonly content: LinkedContent;
  readonly pages: readonly PageRow[];
}

/** All links of a content, distinct per page, in tree order. Read once per operation. */
export function linksOfContent(context: Context, content: LinkedContent): Promise<readonly CheckedLink[]> {
  return context.reader.once(linksOfContent, content.id, async () => {
    const tree = await pagesOf(context, content);
    return linksWithin(context, { content, tree, lookups: lookupsFor(context) });
  });
}

export async function linksWithin(
  context: Context,
  of: { content: LinkedContent; tree: PageTree; lookups: Lookups; pages?: readonly PageRow[] },
): Promise<CheckedLink[]> {
  const { content, tree, lookups, pages = inTreeOrder(tree.pages) } = of;
  const links = linksOfPages(pages, content, new Map(await findAll(lookups.links, textsOf(pages, content))));
  context.reader.takeRows(links.length);
  return checkLinks(context, of, links);
}

export async function linksOfPage(context: Context, page: PageInRevision): Promise<readonly ContentLink[]> {
  const content = await contentIn(context, page.revision);
  const tree = await pagesOf(context, content);
  const links = await linksWithin(context, { content, tree, lookups: lookupsFor(context), pages: [page] });
  return asContentLinks(content, links);
}

export function asContentLinks(content: LinkedContent, links: readonly CheckedLink[]): ContentLink[] {
  const byTarget = Map.groupBy(links, (link) => {
    // The same path refers to different pages on different pages.
    const target = link.isByPath ? JSON.stringify(link.reference) : "";
    return `${link.relation} ${link.address} ${target}`;
  });
  return Array.from(byTarget, ([key, [first, ...others]]) => {
    const { page, ...link } = first as CheckedLink; // a group has at least one
    return { ...link, id: hashText(key), content, pages: [page, ...others.map((other) => other.page)] };
  });
}

/** The key that identifies a link in two contents. */
const linkKey = ({ page, relation, address }: CheckedLink): string => `${page.pageId} ${relation} ${address}`;

export function newlyBroken(links: readonly CheckedLink[], before: readonly CheckedLink[]): CheckedLink[] {
  const isBroken = ({ status }: { readonly status: LinkStatus }) => status === "broken";
  const known = new Set(before.filter(isBroken).map(linkKey));
  return links.filter((link) => isBroken(link) && !known.has(linkKey(link)));
}

/** The links that a change request breaks compared with the current main content; empty for main content. */
export async function brokenByChange(context: Context, content: LinkedContent): Promise<readonly CheckedLink[]> {
  if (content.changeRequestId === null) return [];
  const main = await mainContentOf(context, { id: content.spaceId });
  const [links, before] = await Promise.all([linksOfContent(context, content), linksOfContent(context, main)]);
  return newlyBroken(links, before);
}
