// Reads the versions of a page in other languages: its source and its translations.
import DataLoader from "dataloader";
import { sql } from "#src/db/connection/database.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { asWritten } from "#src/features/content/model/computed.ts";
import { findPageIn, type PageInRevision, pagesOf, pagesRevisionColumns } from "#src/features/content/reads/pages.ts";
import { contentOf } from "#src/features/content/reads/revisions.ts";
import { spaces } from "#src/features/spaces/reads.ts";
import { sourceHashOf } from "#src/features/translations/model/target-pages.ts";
import type { Language } from "#src/generated/prisma/enums.ts";

type Place = { readonly spaceId: string; readonly pageId: string };

interface Pair {
  readonly translationId: string;
  readonly language: Language;
  readonly sourceLanguage: Language;
  readonly source: Place;
  readonly result: Place;
  /** The hash of the source when it was translated. */
  readonly sourceHash: string;
}

type Row = Omit<Pair, "source" | "result"> & {
  readonly asked: number;
  readonly sourceSpaceId: string;
  readonly sourcePageId: string;
  readonly resultSpaceId: string;
  readonly pageId: string;
};

/** The pairs of pages and of their sources, for any number of pages in one statement. */
async function readPairs({ database }: Context, places: readonly Place[]): Promise<Pair[][]> {
  const [spaceIds, pageIds] = [places.map(({ spaceId }) => spaceId), places.map(({ pageId }) => pageId)];
  const rows = await database.query<Row>(sql`
    with asked as (
      select a.ord::int as asked, a."spaceId", a."pageId"
      from unnest(${spaceIds}::text[], ${pageIds}::text[]) with ordinality a("spaceId", "pageId", ord)
    ), roots as (
      select * from asked
      union
      select a.asked, t."sourceSpaceId", p."sourcePageId" from asked a join "TranslatedPage" p on p."pageId" = a."pageId"
      join "Translation" t on t.id = p."translationId" and t."resultSpaceId" = a."spaceId"
    )
    select r.asked, t.id as "translationId", t.language, t."sourceLanguage", t."sourceSpaceId", p."sourcePageId",
      t."resultSpaceId", p."pageId", p."sourceHash"
    from roots r join "Translation" t on t."sourceSpaceId" = r."spaceId" and t."resultSpaceId" is not null
    join "TranslatedPage" p on p."translationId" = t.id and p."sourcePageId" = r."pageId"
    order by r.asked, t."createdAt", t.id`);
  const pairs: Pair[][] = places.map(() => []);
  for (const { asked, sourceSpaceId, sourcePageId, resultSpaceId, pageId, ...pair } of rows)
    pairs[asked - 1]?.push({
      ...pair,
      source: { spaceId: sourceSpaceId, pageId: sourcePageId },
      result: { spaceId: resultSpaceId, pageId },
    });
  return pairs;
}

const keyOf = ({ spaceId, pageId }: Place): string => `${spaceId} ${pageId}`;

function pairsOf(context: Context, place: Place): Promise<Pair[]> {
  const load = (places: readonly Place[]) => readPairs(context, places);
  const loader = context.reader.once(readPairs, "", () => new DataLoader(load, { cacheKeyFn: keyOf }));
  return loader.load(place);
}

const placeOf = ({ pageId, revision: { spaceId } }: PageInRevision): Place => ({ spaceId, pageId });

export interface PageTranslation {
  readonly language: Language;
  readonly page: PageInRevision;
  readonly translationId: string | null;
  readonly outdated: boolean;
}

/** A page of the current main content of a space; null if the viewer does not see it. */
async function pageAt(context: Context, { spaceId, pageId }: Place): Promise<PageInRevision | null> {
  const space = await context.reader.row(spaces, spaceId, project(["id"]));
  if (!space) return null;
  const revision = await contentOf(context, space, project(pagesRevisionColumns));
  return findPageIn(context, revision, { id: pageId });
}

/** The visible versions of a page in other languages, the source first. */
export async function translationsOfPage(context: Context, page: PageInRevision): Promise<PageTranslation[]> {
  const self = keyOf(placeOf(page));
  const pairs = await pairsOf(context, placeOf(page));
  const found = new Map<string, Promise<PageTranslation | null>>();
  const add = (place: Place, make: (page: PageInRevision) => Promise<PageTranslation>) => {
    const key = keyOf(place);
    if (key === self || found.has(key)) return;
    const made = pageAt(context, place).then((at) => at && make(at));
    found.set(key, made);
  };
  for (const { source, sourceLanguage: language } of pairs)
    add(source, async (at) => ({ language, page: at, translationId: null, outdated: false }));
  for (const pair of pairs) {
    const { language, translationId } = pair;
    add(pair.result, async (at) => ({ language, page: at, translationId, outdated: await isOutdated(context, pair) }));
  }
  const all = await Promise.all(found.values());
  return all.filter((one) => one !== null);
}

/** Whether a page is a translation whose source page has changed since. */
export async function isPageOutdated(context: Context, page: PageInRevision): Promise<boolean> {
  const self = keyOf(placeOf(page));
  const pair = (await pairsOf(context, placeOf(page))).find(({ result }) => keyOf(result) === self);
  return pair !== undefined && isOutdated(context, pair);
}

/** Reveals only this about a source that the viewer may not see. */
async function isOutdated(context: Context, { source, sourceHash }: Pair): Promise<boolean> {
  const hash = await treeHashes(context).load(source.spaceId);
  if (hash === null) return false; // a deleted source does not change
  const page = asWritten(await pagesOf(context, { treeHash: hash })).byId.get(source.pageId);
  return !page || sourceHashOf(page) !== sourceHash;
}

/** Loads the trees of the main contents of spaces; null for deleted spaces, and without pages. */
function treeHashes({ reader, database }: Context): DataLoader<string, string | null> {
  const load = async (ids: readonly string[]) => {
    const rows = await database.query<{ id: string; treeHash: string | null }>(sql`select s.id, r."treeHash"
      from "Space" s join "Revision" r on r.id = s."revisionId" where s.id = any(${ids}::text[]) and s."deletedAt" is null`);
    const known = new Map(rows.map(({ id, treeHash }) => [id, treeHash]));
    return ids.map((id) => known.get(id) ?? null);
  };
  return reader.once(isOutdated, "", () => new DataLoader(load));
}
