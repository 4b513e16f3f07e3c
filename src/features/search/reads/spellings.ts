// Spelling suggestions: known words that are similar to misspelt ones.
import { sql } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";
import { distanceOf } from "#src/features/search/model/words.ts";
import type { Spellings } from "#src/features/search/model/query.ts";

/** The limit of suggestions for a word. */
const mostMeant = 8;

/** Words this short share too few trigrams with others, so all words with the same first letter are compared. */
const shortWord = 6;

/** The limit of wrong letters in a word: two in a long one. */
const mistakesIn = (word: string): number => (word.length < 7 ? 1 : 2);

/** Similar words from all texts, by each word. Hits for them are limited by the viewer's rights. */
export async function findSpellings({ database }: Context, words: readonly string[]): Promise<Spellings> {
  if (words.length === 0) return new Map();
  const rows = await database.query<{ word: string; meant: string }>(
    sql`select u.word, m.meant from unnest(${words}::text[]) u(word) cross join lateral (
      (select w.word as meant from "SearchWord" w where w.word % u.word and w.word <> u.word
        order by similarity(w.word, u.word) desc, w.word limit 40)
      union (select w.word from "SearchWord" w where char_length(u.word) <= ${shortWord}::int and w.word >= left(u.word, 1) and w.word < left(u.word, 1) || chr(1114111)
        and w.word <> u.word and levenshtein_less_equal(w.word, u.word, 2) <= 2
        order by levenshtein_less_equal(w.word, u.word, 2), w.word limit 100)) m`,
  );
  const close = rows
    .map(({ word, meant }) => ({ word, meant, distance: distanceOf(word, meant) }))
    .filter(({ word, distance }) => distance <= mistakesIn(word));
  const byWord = Map.groupBy(close, ({ word }) => word);
  return new Map(
    [...byWord].map(([word, some]) => [
      word,
      some
        .toSorted((one, other) => one.distance - other.distance)
        .slice(0, mostMeant)
        .map(({ meant }) => meant),
    ]),
  );
}
