// Reads of backlinks: the pages that link to a page or file in the same content and, for pages of main content, in
// other spaces that the viewer sees.
import DataLoader from "dataloader";
import { canSeeSpace } from "#src/access/content.ts";
import type { Reference } from "#src/documents/references.ts";
import { sql } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";
import type { PageRow } from "#src/features/content/model/page.ts";
import { findPageIn, type PageInRevision, pageIn } from "#src/features/content/reads/pages.ts";
import { linksOfContent } from "#src/features/links/reads/content-links.ts";
import { contentIn, mainContentOf } from "#src/features/links/reads/linked-content.ts";
import type { CheckedLink } from "#src/features/links/reads/statuses.ts";

/** Maximum number of backlinks from other spaces per page. */
const outsideLimit = 1000;

export async function backlinksOfPage(context: Context, page: PageInRevision): Promise<PageInRevision[]> {
  const inside = await pagesThatLink(context, page.revision, page.pageId);
  return page.revision.changeRequestId === null ? [...inside, ...(await outsideOf(context, page))] : inside;
}

/** The pages of a content, in tree order, that link to a page or file of it. */
export async function pagesThatLink(context: Context, revision: { id: string }, id: string): Promise<PageInRevision[]> {
  const content = await contentIn(context, revision);
  const links = await linksOfContent(context, content);
  const byTarget = context.reader.once(links, "by target", () => pagesByTarget(content.spaceId, links));
  return [...(byTarget.get(id) ?? [])].map((page) => pageIn(content, page));
}

function pagesByTarget(spaceId: string, links: readonly CheckedLink[]): ReadonlyMap<string, ReadonlySet<PageRow>> {
  const byTarget = new Map<string, Set<PageRow>>();
  for (const { reference, page } of links) {
    const id = reference && targetIn(spaceId, reference);
    if (id == null) continue;
    const pages = byTarget.get(id);
    if (pages) pages.add(page);
    else byTarget.set(id, new Set([page]));
  }
  return byTarget;
}

/** The id of the page or file in the content of a space that a reference targets; null for other targets. */
function targetIn(spaceId: string, reference: Reference): string | null {
  if (reference.kind === "file") return reference.file;
  if (reference.kind !== "page" && reference.kind !== "anchor") return null;
  return reference.space === undefined || reference.space === spaceId ? (reference.page ?? null) : null;
}

async function outsideOf(context: Context, { pageId, revision }: PageInRevision): Promise<PageInRevision[]> {
  const makeLoader = () => new DataLoader((addresses: readonly string[]) => readOutside(context, addresses));
  const outside = context.reader.once(readOutside, "", makeLoader);
  const rows = await outside.load(`page:${revision.spaceId}/${pageId}`);
  const found = rows.map(async (row) => {
    const content = await mainContentOf(context, { id: row.spaceId });
    return findPageIn(context, content, { id: row.pageId });
  });
  return (await Promise.all(found)).filter((page) => page !== null);
}

/** The current pages of other visible spaces that link to these page URLs or anchors of them. */
async function readOutside({ database, viewer }: Context, addresses: readonly string[]) {
  const rows = await database.query<{ address: string; spaceId: string; pageId: string }>(
    sql`select u.address, x.* from unnest(${addresses}::text[]) u(address) cross join lateral (
      select distinct p."spaceId", p."pageId" from "TextLink" l join "PresentPage" p on p.hash = l.hash
      join "Space" t on t.id = p."spaceId"
      where l.address like 'page:spc\\_%' and split_part(left(l.address, 100), '#', 1) = u.address
        and p."spaceId" <> split_part(substr(u.address, 6), '/', 1) and ${canSeeSpace(viewer)}
      order by p."spaceId", p."pageId" limit ${outsideLimit}::int) x`,
  );
  const byAddress = Map.groupBy(rows, ({ address }) => address);
  return addresses.map((address) => byAddress.get(address) ?? []);
}
