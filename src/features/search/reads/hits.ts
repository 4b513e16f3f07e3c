// Searches pages: lists of matches of a search text, best first, limited by the viewer's rights.
import { canAccessSpace, canSeeSpace } from "#src/access/content.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { Order } from "#src/db/reading/cursor.ts";
import { emptySql, type Sql, sql } from "#src/db/connection/database.ts";
import { entity, type Projection } from "#src/db/reading/entity.ts";
import { emptyPage, type Page, type PageArguments } from "#src/db/reading/page.ts";
import type { PageList } from "#src/db/reading/page-list.ts";
import type { Context } from "#src/domain/context.ts";
import { checkText } from "#src/domain/input.ts";
import {
  anyQuery,
  readQuery,
  runsOf,
  type SearchQuery,
  speltWords,
  type Spellings,
  wholeQuery,
} from "#src/features/search/model/query.ts";
import { findSpellings } from "#src/features/search/reads/spellings.ts";
import { isSpaceShownOnSite } from "#src/features/sites/access.ts";
import type { PageType } from "#src/generated/prisma/enums.ts";

interface HitRow {
  readonly id: string;
  readonly rank: number;
  /** The position among the ranked hits in the scope, from 1. */
  readonly place: number;
  readonly pageId: string;
  readonly spaceId: string;
  readonly changeRequestId: string | null;
  readonly title: string;
  readonly description: string | null;
  readonly path: string;
  readonly type: PageType;
  readonly hash: string | null;
  readonly variant: string;
}

const hitColumns = [
  "id",
  "rank",
  "place",
  "pageId",
  "spaceId",
  "changeRequestId",
  "title",
  "description",
  "path",
  "type",
  "hash",
  "variant",
] as const satisfies (keyof HitRow)[];

/** The search conditions for `to_tsquery`. */
export interface Sought {
  readonly whole: string;
  readonly any: string;
  /** Phrases of letters of scripts that join words: these are marked as they are. */
  readonly runs: readonly (readonly string[])[];
}

export interface Hit extends HitRow {
  readonly sought: Sought;
}

/** The scope of a search. In its SQL, `p.id` is the id of the scope. */
export interface SearchPlace {
  readonly spaces: Sql;
  /** The pages `t` there, with all columns of PresentPage, and the `changeRequestId` and `revisionId` of drafts. */
  readonly pages: Sql;
  readonly found?: Sql;
  /** Whether the viewer may see hits in space `t."spaceId"`. */
  readonly visible: (viewer: Viewer) => Sql;
}

const languageOf = sql`coalesce(s."searchLanguage"::text, 'simple')`;

const presentPages = sql`(select pp.*, null::text as "revisionId", null::text as "changeRequestId" from "PresentPage" pp)`;

/** The pages of a change request: those of the space, with changed pages replaced. */
const draftPages = sql`(with draft as materialized (
    select b.*, cr."spaceId", cr."revisionId", cr.id from "ChangeRequest" cr join "Revision" r on r.id = cr."revisionId"
      join "Space" h on h.id = cr."spaceId" join "Revision" m on m.id = h."revisionId"
      cross join lateral "pages_between"(m."treeHash", r."treeHash") b where cr.id = p.id)
  select pp.*, cr."revisionId", cr.id as "changeRequestId" from "ChangeRequest" cr join "PresentPage" pp on pp."spaceId" = cr."spaceId"
    where cr.id = p.id and not exists (select from draft d where d."pageId" = pp."pageId")
  union all select d."spaceId", d."pageId", d."parentId", d.path, d.type, d.title, d.fields, d.hash,
      w.words || coalesce(ts_filter(x.vector, '{b}'), ''), w.words || coalesce(x.vector, ''), x.hash is not null, d."revisionId", d.id
    from draft d join "Space" s on s.id = d."spaceId" left join "SearchText" x on x.hash = d.hash and x.variant = ${languageOf}
      cross join lateral present_page_words(d."spaceId", d.title, d.fields) w(words) where d."isThere")`;

const seesSpace = (viewer: Viewer): Sql =>
  sql`t."spaceId" in (select t.id from "Space" t where ${canSeeSpace(viewer)})`;

export const inSpace: SearchPlace = { spaces: sql`s.id = p.id`, pages: presentPages, visible: seesSpace };

export const inOrganization: SearchPlace = { ...inSpace, spaces: sql`s."organizationId" = p.id` };

const foundOnSites = sql`(t.fields->>'noIndex')::boolean is not true and not exists (select from "PresentPage" h
  where h."spaceId" = t."spaceId" and (h.fields->>'hidden')::boolean
    and (h."pageId" = t."pageId" or starts_with(t.path, h.path || '/')))`;

/** The pages of a site found there; people outside the organization do not see spaces shown under a condition. */
export const inSite: SearchPlace = {
  ...inSpace,
  spaces: sql`s.id in (select ss."spaceId" from "SiteSpace" ss where ss."siteId" = p.id)`,
  visible: (viewer) => sql`(${seesSpace(viewer)} and t."spaceId" in (select x."spaceId" from "SiteSpace" x
    where x."siteId" = p.id and ${isSpaceShownOnSite(viewer, "x")}))`,
  found: foundOnSites,
};

/** The pages of the spaces that a published site shows to a visitor: the right to read the site includes them. */
export const inShownSpaces = (ids: readonly string[]): SearchPlace => ({
  spaces: sql`s.id = any(${ids}::text[])`,
  pages: presentPages,
  visible: () => sql`t."spaceId" = any(${ids}::text[])`,
  found: foundOnSites,
});

export const inChangeRequest: SearchPlace = {
  spaces: sql`s.id = (select cr."spaceId" from "ChangeRequest" cr where cr.id = p.id)`,
  pages: draftPages,
  visible: (viewer) => canAccessSpace(viewer, sql`t."spaceId"`),
};

/** The limits of ranked pages: pages without matches in the title only fill up the rest. */
const ranked = { withTitle: 250, others: 350 } as const;

/** The `spaces` of a query are an array: one index scan finds the pages of all spaces of a language. */
function found(place: SearchPlace, { whole, any }: Sought, viewer: Viewer): { queries: Sql; pages: Sql } {
  const { spaces, pages, found: some, visible } = place;
  return {
    queries: sql`(select distinct ${languageOf} from "Space" s where ${spaces}) l(variant)
      cross join lateral (select to_tsquery(search_configuration(l.variant), ${whole}) as whole,
        to_tsquery(search_configuration(l.variant), ${any}) as "any",
        array(select t."spaceId" from (select s.id as "spaceId" from "Space" s where ${spaces} and ${languageOf} = l.variant) t
          where ${visible(viewer)}) as spaces offset 0) q`,
    pages: sql`${pages} t where t."spaceId" = any(q.spaces) and t."allWords" @@ q.whole${some ? sql` and ${some}` : emptySql}`,
  };
}

/**
 * Titles weigh more than headings, headings more than text, and text more than code. Of too many, those with matches
 * in the title, description or headings are ranked, and if these are few, the newest of the others.
 */
function hitsTable(place: SearchPlace, sought: Sought, viewer: Viewer): Sql {
  const { queries, pages } = found(place, sought, viewer);
  return sql`(select 'pag_' || substr(coalesce(c."revisionId", h."revisionId"), 5) || substr(c."pageId", 5) as id, l.variant,
      c."pageId", c."spaceId", c."changeRequestId", c.title, c.fields->>'description' as description, c.path, c.type, c.hash, ${rank} as rank
    from ${queries} cross join lateral (
      with titled as materialized (select t.* from ${pages} and t.words @@ q."any"
        order by t.words @@ q.whole desc, t."pageId" desc limit ${ranked.withTitle}::int)
      select * from titled union all
      select o.* from (select t.* from ${pages} and (select count(*) from titled) < ${ranked.withTitle}::int
        order by t."pageId" desc limit ${ranked.others}::int) o where not o.words @@ q."any") c
      join "Space" h on h.id = c."spaceId")`;
}

function foundTable(place: SearchPlace, sought: Sought, viewer: Viewer): Sql {
  const { queries, pages } = found(place, sought, viewer);
  return sql`(select c.* from ${queries} cross join lateral (select t."pageId" as id, t."spaceId" from ${pages}) c)`;
}

/** How well a page `c` and its title match. Any matching word of the title counts a little. */
const rank = sql`((ts_rank_cd('{0.1, 0.4, 0.7, 1}', c."allWords", q.whole, 33) + ts_rank_cd('{0, 0, 0.4, 1}', c.words, q.whole, 33)
  + 0.02 * ts_rank('{0, 0, 0.4, 1}', c.words, q."any")) * 1000000000)::int`;

/** How relevant a rank is, from 0. */
export const scoreOf = (rank: number): number => rank / 1_000_000_000;

const byRank: Order = { name: "relevance", key: sql`t.rank`, type: "int4", direction: "desc" };

/** The same order for hits of spelling suggestions. */
const byRankOfSpellings: Order = { ...byRank, name: "relevance of similar words" };

const isOfSpellings = (cursor: string | null | undefined): boolean =>
  cursor != null && Buffer.from(cursor, "base64url").toString().startsWith(`["${byRankOfSpellings.name}"`);

interface Asked {
  readonly sought: Sought;
  readonly viewer: Viewer;
  readonly order: Order;
}

const everywhere = { parent: sql`true`, visible: "by its own rule" } as const;

/** The list of the hits in a scope. Its tables include the visibility rules, since rights affect the ranking. */
function hitsIn(place: SearchPlace, { sought, viewer, order }: Asked): PageList<HitRow, Viewer> {
  return {
    entity: entity<HitRow, Viewer>({
      kind: "Page",
      // In the order of the list, whose conditions on cursors do not reach into the window.
      table: sql`(select h.*, row_number() over (order by h.rank desc, h.id desc)::int as place
        from ${hitsTable(place, sought, viewer)} h)`,
      stored: Object.fromEntries(hitColumns.map((name) => [name, name])),
      visible: () => sql`true`,
    }),
    ...everywhere,
    counted: foundTable(place, sought, viewer),
    order,
  };
}

interface SpaceHitRow {
  readonly id: string;
  readonly spaceId: string;
  readonly title: string;
  readonly rank: number;
}

function spacesIn(place: SearchPlace, { sought, viewer, order }: Asked): PageList<SpaceHitRow, Viewer> {
  return {
    entity: entity<SpaceHitRow, Viewer>({
      kind: "Space",
      // Materialized: a nested loop would rank all hits again for each space.
      table: sql`(with best as materialized (select h."spaceId", max(h.rank) as rank
          from ${hitsTable(place, sought, viewer)} h group by h."spaceId")
        select a."spaceId" as id, a."spaceId", s.title, coalesce(b.rank, 0) as rank
        from (select distinct f."spaceId" from ${foundTable(place, sought, viewer)} f) a join "Space" s on s.id = a."spaceId"
          left join best b on b."spaceId" = a."spaceId")`,
      stored: { id: "id", spaceId: "spaceId", title: "title", rank: "rank" },
      visible: () => sql`true`,
    }),
    ...everywhere,
    counted: sql`(select distinct f."spaceId" as id from ${foundTable(place, sought, viewer)} f)`,
    order,
  };
}

export interface Search {
  /** The search text: words, "phrases", -words and `or`. */
  readonly text: string;
  readonly page: PageArguments;
  /** Whether cursors are requested, and which columns of each row. */
  readonly projection: Pick<Projection, "cursors" | "selected">;
}

export const searchTextLimit = 512;

/**
 * Reads a page of hits, and if it is empty, a page of hits for similar words. For the same search in any
 * number of scopes of a kind it runs one statement, and one more without hits.
 */
async function findPage<Row extends { id: string }>(
  context: Context,
  listOf: (asked: Asked) => PageList<Row, Viewer>,
  parent: { id: string },
  { text, page, projection }: { text: string; page: PageArguments; projection: Projection },
): Promise<{ page: Page<Row>; sought: Sought } | null> {
  const query = readQuery(checkText("text", text, { max: searchTextLimit }));
  if (!query) return null;
  const read = async (sought: Sought, order: Order) => {
    const list = context.reader.once(listOf, `${order.name} ${JSON.stringify(sought)}`, () =>
      listOf({ sought, viewer: context.viewer, order }),
    );
    return { page: await context.reader.page(list, parent, { page, args: {}, projection }), sought };
  };
  if (!isOfSpellings(page.after) && !isOfSpellings(page.before)) {
    const found = await read(soughtBy(query), byRank);
    if (found.page.nodes.length > 0 || page.after != null || page.before != null) return found;
  }
  const words = speltWords(query);
  const spellings = await context.reader.once(findSpellings, words.join(" "), () => findSpellings(context, words));
  return read(soughtBy(query, spellings), byRankOfSpellings);
}

const soughtBy = (query: SearchQuery, spellings?: Spellings): Sought => ({
  whole: wholeQuery(query, spellings),
  any: anyQuery(query, spellings),
  runs: runsOf(query),
});

/** The lists of a scope, created once per operation, so that equal searches share their reads. */
const listsOf = ({ reader }: Context, place: SearchPlace) =>
  reader.once(place, "lists of hits", () => ({
    hits: (asked: Asked) => hitsIn(place, asked),
    spaces: (asked: Asked) => spacesIn(place, asked),
  }));

/** A page of matching pages, best first. INVALID_INPUT for a text that is too long, and invalid sizes and cursors. */
export async function searchPages(context: Context, place: SearchPlace, parent: { id: string }, search: Search) {
  const projection = { ...search.projection, columns: hitColumns, key: search.projection.cursors ? "hits#" : "hits" };
  const found = await findPage(context, listsOf(context, place).hits, parent, { ...search, projection });
  if (!found) return emptyPage;
  const { page, sought } = found;
  return page.of(page.nodes.map((row) => ({ ...row, sought })));
}

export interface SpaceHit extends SpaceHitRow {
  readonly text: string;
}

/** A page of spaces with matching pages, the one with the best page first. Throws as {@link searchPages} does. */
export async function searchSpaces(context: Context, place: SearchPlace, parent: { id: string }, search: Search) {
  const columns = ["id", "spaceId", "title", "rank"];
  const projection = { ...search.projection, columns, key: search.projection.cursors ? "spaces#" : "spaces" };
  const found = await findPage(context, listsOf(context, place).spaces, parent, { ...search, projection });
  if (!found) return emptyPage;
  return found.page.of(found.page.nodes.map((row) => ({ ...row, text: search.text })));
}
