// Known words in place of unknown ones: words that are spelt in a similar way, and compounds that contain them.
import { sql } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";
import { distanceOf } from "#src/features/search/model/words.ts";
import type { Spellings } from "#src/features/search/model/query.ts";

/** The limit of suggestions for a word, and of the compounds that contain it. */
const most = { meant: 8, compounds: 40 } as const;

/** Words of this many letters are found at the end of compounds, and longer ones anywhere in them. */
const shortestPart = 4;

/** Words this short share too few trigrams with others, so all words with the same first letter are compared. */
const shortWord = 6;

/** The limit of wrong letters in a word: two in a long one. */
const mistakesIn = (word: string): number => (word.length < 7 ? 1 : 2);

/** These words from all texts, by each word. Hits for them are limited by the viewer's rights. */
export async function findSpellings({ database }: Context, words: readonly string[]): Promise<Spellings> {
  if (words.length === 0) return new Map();
  const rows = await database.query<{ word: string; meant: string; isCompound: boolean }>(
    sql`select u.word, m.meant, m."isCompound" from unnest(${words}::text[]) u(word) cross join lateral (
      (select w.word as meant, false as "isCompound" from "SearchWord" w where w.word % u.word and w.word <> u.word
        order by similarity(w.word, u.word) desc, w.word limit 40)
      union (select w.word, false from "SearchWord" w where char_length(u.word) <= ${shortWord}::int and w.word >= left(u.word, 1) and w.word < left(u.word, 1) || chr(1114111)
        and w.word <> u.word and levenshtein_less_equal(w.word, u.word, 2) <= 2
        order by levenshtein_less_equal(w.word, u.word, 2), w.word limit 100)
      union (select w.word, true from "SearchWord" w where char_length(u.word) >= ${shortestPart}::int
        and w.word like case when char_length(u.word) > ${shortestPart}::int then '%' || u.word || '%' else '%' || u.word end
        and char_length(w.word) >= char_length(u.word) + ${shortestPart - 1}::int
        order by w.word limit ${most.compounds}::int)) m`,
  );
  const byWord = Map.groupBy(rows, ({ word }) => word);
  return new Map([...byWord].map(([word, some]) => [word, [...similarTo(word, some), ...compoundsIn(some)]]));
}

type Known = { readonly meant: string; readonly isCompound: boolean };

function similarTo(word: string, known: readonly Known[]): string[] {
  return known
    .filter(({ isCompound }) => !isCompound)
    .map(({ meant }) => ({ meant, distance: distanceOf(word, meant) }))
    .filter(({ distance }) => distance <= mistakesIn(word))
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, most.meant)
    .map(({ meant }) => meant);
}

const compoundsIn = (known: readonly Known[]): string[] =>
  known.flatMap(({ meant, isCompound }) => (isCompound ? [meant] : []));
