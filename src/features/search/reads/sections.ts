// The best sections of hits, with extracts: read for all hits of a page at once.
import DataLoader from "dataloader";
import { invalidInput } from "#src/base/errors.ts";
import { type Sql, sql } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";
import {
  beginning,
  extractOf,
  joinsNouns,
  type MarkedText,
  markWords,
  type Sights,
  wordsToFind,
} from "#src/features/search/model/marks.ts";
import { chunksIn } from "#src/features/search/model/words.ts";
import type { Hit, Sought } from "#src/features/search/reads/hits.ts";

export interface SectionHit<Of extends Hit = Hit> {
  readonly hit: Of;
  /** Null before the first heading. */
  readonly anchor: string | null;
  /** The heading; the title of the page before the first heading. */
  readonly title: MarkedText;
  readonly body: MarkedText;
  readonly score: number;
}

interface SectionRow {
  readonly ord: number;
  readonly anchor: string | null;
  readonly title: string;
  readonly body: string;
  readonly score: number;
}

export const sectionLimit = 10;

/** The limits of characters of a section that are searched, and of all sections that are read together. */
const bodyLimit = { each: 20_000, all: 8_000_000 } as const;

/** Sections with all words first, then those with more matches; each heading once. */
function sectionsStatement(hits: readonly Hit[], { whole, any }: Sought, count: number): Sql {
  const length = Math.min(bodyLimit.each, Math.floor(bodyLimit.all / (hits.length * count)));
  return sql`select u.ord::int, x.anchor, x.title, left(x.body, ${length}::int) as body,
      x.rank + x."isWhole"::int as score
    from unnest(${hits.map(({ hash }) => hash)}::text[], ${hits.map(({ variant }) => variant)}::text[]) with ordinality u(hash, variant, ord)
    cross join lateral (select to_tsquery(search_configuration(u.variant), ${whole}) as whole,
      to_tsquery(search_configuration(u.variant), ${any}) as "any" offset 0) q
    cross join lateral (
      select b.* from (
        select s.*, s.vector @@ q.whole as "isWhole", ts_rank('{0.1, 0.4, 0.7, 1}', s.vector, q."any", 1) as rank,
          row_number() over (partition by s.anchor order by s.vector @@ q.whole desc, ts_rank('{0.1, 0.4, 0.7, 1}', s.vector, q."any", 1) desc, s.place) as nth
        from "SearchSection" s where s.hash = u.hash and s.variant = u.variant and s.vector @@ q."any") b
      where b.nth = 1 order by b."isWhole" desc, b.rank desc, b.place limit ${count}::int) x
    order by u.ord, x."isWhole" desc, x.rank desc, x.place`;
}

/** The words in texts of a language that match the search. Without a language, words match literally. */
async function foundWords({ database }: Context, { any }: Sought, words: ReadonlyMap<string, ReadonlySet<string>>) {
  const rows = [...words].flatMap(([variant, of]) => [...of].map((word) => ({ variant, word })));
  if (rows.length === 0) return new Map();
  const found = await database.query<{ variant: string; word: string }>(
    sql`select u.variant, u.word from unnest(${rows.map(({ variant }) => variant)}::text[], ${rows.map(({ word }) => word)}::text[]) u(variant, word)
      where to_tsvector(search_configuration(u.variant), u.word) @@ to_tsquery(search_configuration(u.variant), ${any})`,
  );
  const byVariant = Map.groupBy(found, ({ variant }) => variant);
  return new Map([...byVariant].map(([variant, some]) => [variant, new Set(some.map(({ word }) => word))]));
}

function beginningsOf({ any }: Sought): ReadonlySet<string> {
  return new Set([...chunksIn(any)].flatMap(({ words }) => words.map(({ word }) => beginning(word))));
}

async function readSections(context: Context, hits: readonly Hit[], count: number): Promise<SectionHit[][]> {
  const [{ sought }] = hits as readonly [Hit]; // a loader never gets an empty list
  const rows = await context.database.query<SectionRow>(sectionsStatement(hits, sought, count));
  const begins = beginningsOf(sought);
  const tailsIn = (variant: string) => (joinsNouns(variant) ? begins : null);
  const words = new Map<string, Set<string>>();
  const note = (variant: string, text: string) => {
    const of = words.get(variant) ?? new Set();
    for (const word of wordsToFind(text, tailsIn(variant))) if (begins.has(beginning(word))) of.add(word);
    words.set(variant, of);
  };
  for (const { variant, title } of hits) note(variant, title);
  for (const { ord, title, body } of rows) note(hits[ord - 1]?.variant ?? "", `${title} ${body}`);
  const found = await foundWords(context, sought, words);
  const byHit = Map.groupBy(rows, ({ ord }) => ord);
  return hits.map((hit, index) => {
    const isFound = (word: string) => found.get(hit.variant)?.has(word) ?? false;
    const sights: Sights = { isFound, runs: sought.runs, tails: tailsIn(hit.variant) };
    return (byHit.get(index + 1) ?? []).map(({ anchor, title, body, score }) => ({
      hit,
      score,
      anchor,
      title: markWords(anchor === null ? hit.title : title, sights),
      body: extractOf(markWords(body, sights)),
    }));
  });
}

/** The best sections first, counted as rows; two statements for all hits of a page. INVALID_INPUT for a bad `count`. */
export async function sectionsOfHit<Of extends Hit>(context: Context, hit: Of, count: number) {
  if (count < 1 || count > sectionLimit)
    throw invalidInput("first", `must be from 1 to ${sectionLimit}, but is ${count}.`);
  if (hit.hash === null) return [];
  const loader = context.reader.once(
    readSections,
    `${count} ${JSON.stringify(hit.sought)}`,
    () => new DataLoader((hits: readonly Hit[]) => readSections(context, hits, count), { cacheKeyFn: ({ id }) => id }),
  );
  const sections = await loader.load(hit);
  context.reader.takeRows(sections.length);
  return sections.map((section) => ({ ...section, hit })); // the same page may be a hit in several scopes
}
