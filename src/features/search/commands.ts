// The search index of texts: sections and words.
import { sql } from "#src/db/connection/database.ts";
import { defineIndex } from "#src/features/content/commands/index-kinds.ts";
import { partsOf, type SearchPart } from "#src/features/search/model/parts.ts";

const languageOfSpace = sql`coalesce(s."searchLanguage"::text, 'simple')`;

/** The limit of pages that are indexed in one transaction, for which the writers of their space wait. */
const portion = 250;

/** The sections of a text with their words, all its words, and the words for spelling suggestions. */
export const searchParts = defineIndex<SearchPart>({
  name: "search",
  version: 4,
  table: "SearchText",
  derive: partsOf,
  variant: languageOfSpace,
  columns: sql`place int, anchor text, title text, body text, heading text, prose text, code text, forms text, long text, spelt text[]`,
  write: (parts) => sql`search_read as (select p.*, setweight(to_tsvector(c.configuration, p.heading), 'B')
        || setweight(to_tsvector(c.configuration, p.prose), 'C') || setweight(to_tsvector(c.configuration, p.code || ' ' || p.forms), 'D')
        || search_compounds(p.variant, p.long) as vector
      from ${parts} p cross join lateral (select search_configuration(p.variant) as configuration offset 0) c),
    search_words as (insert into "SearchWord" (word) select distinct w.word from ${parts} p cross join unnest(p.spelt) w(word)
      order by w.word on conflict do nothing),
    search_texts as (insert into "SearchText" (hash, variant, vector)
      select hash, variant, words_of_all(vector order by place) from search_read group by hash, variant
      returning hash, variant, vector),
    search_pages as (update "PresentPage" p set words = p.words || ts_filter(x.vector, '{b}'), "allWords" = p.words || x.vector, "hasText" = true
      from writer w join "Space" s on s.id = w."spaceId" cross join search_texts x
      where p."spaceId" = s.id and p.hash = x.hash and not p."hasText" and x.variant = ${languageOfSpace}),
    search_sections as (insert into "SearchSection" (hash, variant, place, anchor, title, body, vector)
      select hash, variant, place, anchor, title, body, vector from search_read)`,
  behind: {
    spaces: sql`select distinct p."spaceId" as id from "PresentPage" p join "Space" s on s.id = p."spaceId"
      join "SearchText" x on x.hash = p.hash and x.variant = ${languageOfSpace} where not p."hasText"`,
    catchUp: (spaceId) => sql`update "PresentPage" set title = title where ("spaceId", "pageId") in (
      select p."spaceId", p."pageId" from "PresentPage" p join "Space" s on s.id = p."spaceId"
        join "SearchText" x on x.hash = p.hash and x.variant = ${languageOfSpace}
        where p."spaceId" = ${spaceId} and not p."hasText" order by p."pageId" limit ${portion}::int)`,
  },
});
