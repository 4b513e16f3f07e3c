// Reads of the pages of a published site: by path, around a page, and the whole site map.
import { lookup } from "#src/base/lookup.ts";
import { invalidInput } from "#src/base/errors.ts";
import { sql } from "#src/db/connection/database.ts";
import { project } from "#src/db/reading/entity.ts";
import { pageSize } from "#src/db/reading/page.ts";
import type { Context } from "#src/domain/context.ts";
import { findPage, hasText, type PageRow, type PageTree } from "#src/features/content/model/page.ts";
import { type FileRow, findFileIn } from "#src/features/content/reads/files.ts";
import { pageIn, pagesOf } from "#src/features/content/reads/pages.ts";
import { type FormerSitePath, formerPlaceAt, placeNamesIn } from "#src/features/published-sites/model/former-places.ts";
import { placeAt, type ShownSpace } from "#src/features/published-sites/model/shown.ts";
import type { PublishedSite } from "#src/features/published-sites/reads/sites.ts";

/** A site space from the view of one visitor. */
export type PublishedSpace = ShownSpace<PublishedSite>;

export type PublishedPage = { readonly space: PublishedSpace; readonly page: PageRow };

const published = (space: PublishedSpace, page: PageRow | null | undefined): PublishedPage | null =>
  page ? { space, page } : null;

export const inRevision = ({ space, page }: PublishedPage) => pageIn(space.revision, page);

/** The listed pages of a site space, computed once per operation. */
async function listedIn(context: Context, { revision }: PublishedSpace): Promise<ListedPages> {
  const tree = await pagesOf(context, revision);
  return context.reader.once(tree, "listed", () => listedPages(tree));
}

export async function findPageAt(context: Context, site: PublishedSite, path: string): Promise<PublishedPage | null> {
  const place = placeAt(site.shown, path);
  return place && findPageInSpace(context, place.space, place.path);
}

/**
 * The page that had a path on the site last, as long as no other page has it: the page, its site space or its section
 * had another path then. Null if the visitor may not see it.
 */
export async function findFormerPage(
  context: Context,
  site: PublishedSite,
  path: string,
): Promise<PublishedPage | null> {
  const place = placeAt(site.shown, path);
  if (place && (await findPageInSpace(context, place.space, place.path))) return null;
  const moved = place && (await findMovedPage(context, place.space, place.path));
  if (moved) return moved;
  const former = await context.database.query<FormerSitePath>(
    sql`select "sectionId", "path", "placeId" from "FormerSitePath"
      where "siteId" = ${site.id} and "path" = any(${placeNamesIn(path)}::text[])`,
  );
  const before = formerPlaceAt(site.shown, path, former);
  if (!before) return null;
  return (
    (await findPageInSpace(context, before.space, before.path)) ?? findMovedPage(context, before.space, before.path)
  );
}

/** The page of a site space that had a path there last. */
async function findMovedPage(context: Context, space: PublishedSpace, path: string): Promise<PublishedPage | null> {
  const [former] = await context.database.query<{ pageId: string }>(
    sql`select "pageId" from "FormerPath" where "spaceId" = ${space.spaceId} and "path" = ${path}`,
  );
  return former ? findPageOfId(context, space, former.pageId) : null;
}

/** The page at a path in a site space, where an empty path is the first page; null if missing. */
export async function findPageInSpace(
  context: Context,
  space: PublishedSpace,
  path: string,
): Promise<PublishedPage | null> {
  if (path === "") return published(space, (await listedIn(context, space)).readable[0]);
  return published(space, findPage(await pagesOf(context, space.revision), { path }));
}

export async function findPageOfId(context: Context, space: PublishedSpace, id: string): Promise<PublishedPage | null> {
  return published(space, findPage(await pagesOf(context, space.revision), { id }));
}

/** The pages of a site space that tables of contents list, in the order of the tree. */
export async function listPages(context: Context, space: PublishedSpace): Promise<PublishedPage[]> {
  const { listed } = await listedIn(context, space);
  context.reader.takeRows(listed.length);
  return listed.map((page) => ({ space, page }));
}

/** A part of a list: `first` rows, or all of them, after the first `skip`. */
interface Part {
  readonly skip: number;
  readonly first?: number | null | undefined;
}

/**
 * The listed pages of all site spaces that have their own text, in the order of the site. INVALID_INPUT for a part
 * outside the limits.
 */
export async function listReadable(
  context: Context,
  { shown }: PublishedSite,
  { skip, first }: Part,
): Promise<PublishedPage[]> {
  if (skip < 0) throw invalidInput("skip", "must be at least 0.");
  if (first != null && (first < 1 || first > pageSize.max))
    throw invalidInput("first", `must be from 1 to ${pageSize.max}.`);
  const lists = await Promise.all(shown.siteSpaces.map((space) => listedIn(context, space)));
  const all = shown.siteSpaces.flatMap((space, index) =>
    (lists[index]?.readable ?? []).map((page) => ({ space, page })),
  );
  const part = all.slice(skip, first == null ? undefined : skip + first);
  context.reader.takeRows(part.length);
  return part;
}

/** The page at an offset from another one in the reading order of its site space; null beyond the ends. */
export async function findBeside(
  context: Context,
  { space, page }: PublishedPage,
  steps: 1 | -1,
): Promise<PublishedPage | null> {
  const { readable, places } = await listedIn(context, space);
  return published(space, readable[(places.get(page.pageId) ?? Number.NaN) + steps]);
}

/** The ancestors of a page, from the top down to its parent. */
export async function listAround(context: Context, { space, page }: PublishedPage): Promise<PublishedPage[]> {
  const { byId } = await pagesOf(context, space.revision);
  const around: PublishedPage[] = [];
  for (let one = lookup(byId, page.parentId); one; one = lookup(byId, one.parentId)) around.push({ space, page: one });
  context.reader.takeRows(around.length);
  return around.toReversed();
}

export function listBelow(context: Context, { space, page }: PublishedPage): PublishedPage[] {
  const below = page.pages.filter(({ fields }) => !fields.hidden);
  context.reader.takeRows(below.length);
  return below.map((one) => ({ space, page: one }));
}

const fileColumns = project(["fileId", "name", "contentType", "size", "key", "width", "height", "place"]);

/** The file with this permanent id in the published content of a visible site space; null if missing. */
export async function findFile(context: Context, { shown }: PublishedSite, id: string): Promise<FileRow | null> {
  const ids = new Map(shown.siteSpaces.map((space) => [space.revision.id, space]));
  const found = await Promise.all([...ids.values()].map((space) => findFileOf(context, space, id)));
  return found.find((file) => file !== null) ?? null;
}

export function findFileOf(context: Context, { revision }: PublishedSpace, id: string): Promise<FileRow | null> {
  return findFileIn(context, revision, id, fileColumns);
}

interface ListedPages {
  /** The pages of tables of contents, in the order of the tree: without hidden pages and pages below them. */
  readonly listed: readonly PageRow[];
  /** The pages among them with a text: neither groups nor links. */
  readonly readable: readonly PageRow[];
  readonly places: ReadonlyMap<string, number>;
}

/** The listed pages of a tree. Hidden pages can still be read by their path. */
function listedPages({ pages }: PageTree): ListedPages {
  const listed: PageRow[] = [];
  const add = (level: readonly PageRow[]): void => {
    for (const page of level) {
      if (page.fields.hidden) continue;
      listed.push(page);
      add(page.pages);
    }
  };
  add(pages);
  const readable = listed.filter(({ type }) => hasText(type));
  return { listed, readable, places: new Map(readable.map(({ pageId }, place) => [pageId, place])) };
}
