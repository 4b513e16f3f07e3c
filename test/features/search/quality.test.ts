// Search quality on a real book: a page is found by three rare words of one of its sentences, also if one of them
// has a typo. The small size has some of its chapters.
import { beforeAll, describe, expect, test } from "vitest";
import { indexMissing } from "#src/features/content/commands/index-texts.ts";
import { sectionsIn } from "#src/documents/sections/sections.ts";
import { isSpelt, wordsIn } from "#src/features/search/model/words.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { makeRandom } from "#test/support/random.ts";
import { isFullSize, runs } from "#test/support/runs.ts";
import { bookHistory, partOfBook, readBook } from "#test/support/samples.ts";

// Has its own database: the demo is the only content.
const { app, world } = await useApp({ own: true });

/** The number of searches of each kind. */
const count = runs(200, 50);

/** The pieces of a text that are not code. */
const proseIn = (text: string): string[] =>
  sectionsIn(text).sections.flatMap(({ pieces }) => pieces.flatMap((one) => (one.isCode ? [] : one.text)));

describe.skipIf(!bookHistory)("searches of the sample book", () => {
  const whole = readBook();
  const book = isFullSize ? whole : Object.entries(partOfBook(Object.fromEntries(whole)));
  const random = makeRandom(13);
  let as: Client;
  let spaceId: string;

  /** The number of pages with each word. */
  const pagesWith = new Map<string, number>();
  for (const [, text] of book)
    for (const word of new Set(wordsIn(text))) pagesWith.set(word, (pagesWith.get(word) ?? 0) + 1);

  /** Three rare words of a sentence, in order, for sentences of random pages. */
  const asked: { path: string; words: string[] }[] = [];
  const proseOf = new Map<string, readonly string[]>();
  for (let tries = 0; asked.length < count && tries < count * 100; tries++) {
    const [path, text] = random.pick(book);
    const prose = proseOf.get(path) ?? proseIn(text);
    proseOf.set(path, prose);
    if (prose.length === 0) continue;
    const words = [...new Set(wordsIn(random.pick(random.pick(prose).split(/[.!?]\s/))))].filter((word) =>
      isSpelt(word),
    );
    const rare = words.toSorted((one, other) => (pagesWith.get(one) ?? 0) - (pagesWith.get(other) ?? 0)).slice(0, 3);
    if (rare.length === 3) asked.push({ path, words: words.filter((word) => rare.includes(word)) });
  }

  /** A word with one letter replaced. */
  function misspelt(word: string): string {
    const at = 1 + random.below(word.length - 1);
    return (
      word.slice(0, at) + random.pick("aeionrst".split("").filter((letter) => letter !== word[at])) + word.slice(at + 1)
    );
  }

  beforeAll(async () => {
    const { editor, space } = await world.space();
    as = app.as(editor.token);
    spaceId = space.id;
    for (let start = 0; start < book.length; start += 25) {
      const edits = book.slice(start, start + 25);
      await editAs(as, { spaceId }, ...edits.map(([path, markdown]) => newPage(path, { markdown, slug: path }).edit));
    }
    await indexMissing(app.database); // content beyond the writer's limit is indexed soon after
  });

  /** The number of searches whose page is among the first three hits. */
  async function foundBy(texts: readonly { path: string; text: string }[]): Promise<number> {
    let found = 0;
    for (let start = 0; start < texts.length; start += 20) {
      const some = texts.slice(start, start + 20);
      const fields = some.map(({ text }, index) => `s${index}: search(text: "${text}", first: 3) { nodes { path } }`);
      const { space } = await as.query<{ space: Record<string, { nodes: { path: string }[] }> }>(
        `query ($id: ID!) { space(id: $id) { ${fields.join(" ")} } }`,
        { id: spaceId },
      );
      for (const [index, { path }] of some.entries())
        if (space[`s${index}`]?.nodes.some((node) => node.path === path)) found++;
    }
    return found;
  }

  test("with three rare words of a sentence find its page among the first three", async () => {
    expect(asked).toHaveLength(count);
    const found = await foundBy(asked.map(({ path, words }) => ({ path, text: words.join(" ") })));
    console.log(`Search: ${found} of ${count} pages among the first 3 hits by three rare words of a sentence.`);
    expect(found).toBeGreaterThanOrEqual(0.98 * count);
  });

  test("with a typo in one of three rare words mostly find its page among the first three", async () => {
    const wrong = asked.map(({ path, words }) => {
      const which = random.below(3);
      return { path, text: words.map((word, index) => (index === which ? misspelt(word) : word)).join(" ") };
    });
    const found = await foundBy(wrong);
    console.log(`Search: ${found} of ${count} with one letter wrong.`);
    expect(found).toBeGreaterThanOrEqual(0.9 * count);
  });
});
