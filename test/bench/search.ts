// The section on search: finding three words in a hundred thousand pages, and indexing them.
import os from "node:os";
import { newId } from "#src/base/ids.ts";
import type { Database } from "#src/db/connection/database.ts";
import { indexMissing } from "#src/features/content/commands/index-texts.ts";
import { storeContent } from "#src/features/content/commands/write-content.ts";
import { Draft } from "#src/features/content/model/draft.ts";
import { emptyTree } from "#src/features/content/model/page.ts";
import { wordsIn } from "#src/features/search/model/words.ts";
import "#src/features/search/index.ts";
import { withContentFixture, type ContentFixture, timeOf } from "#test/bench/content/fixture.ts";
import { percentile, table } from "#test/bench/figures.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { makeRandom } from "#test/support/random.ts";
import { readBook } from "#test/support/samples.ts";
import { times } from "#test/support/world.ts";

const pagesOfSpace = 10_000;
const searches = 300;

/** The targets, in milliseconds and in pages a second. */
const targets = { space: 30, organization: 120, indexed: 300 } as const;

type Say = (line: string) => void;

/** Writes texts with the word frequencies of the sample book, and records sentences. */
class Writer {
  readonly sentences: string[] = [];
  readonly #random = makeRandom(13);
  readonly #words = readBook().flatMap(([, text]) => wordsIn(text));

  below(count: number): number {
    return this.#random.below(count);
  }

  words(count: number): string {
    return times(count, () => this.#words[this.below(this.#words.length)] ?? "").join(" ");
  }

  /** A text of four sections with some 320 words. */
  text(): string {
    return times(4, () => {
      const sentences = times(6, () => this.words(8 + this.below(10)));
      if (this.below(100) === 0) this.sentences.push(sentences[0] ?? "");
      return `## ${this.words(3)}\n\n${sentences.join(". ")}.`;
    }).join("\n\n");
  }

  /** Three words of at least four letters of a sentence. */
  searched(): string {
    for (;;) {
      const sentence = this.sentences[this.below(this.sentences.length)] ?? "";
      const long = [...new Set(sentence.split(" ").filter((word) => word.length >= 4))];
      if (long.length >= 3) return times(3, () => long.splice(this.below(long.length), 1)[0] ?? "").join(" ");
    }
  }
}

/** Fills a space by SQL, in chapters of a hundred pages. */
async function fill({ prisma }: Database, space: { revisionId: string; id: string }, writer: Writer): Promise<void> {
  const draft = new Draft(emptyTree, new Date());
  let parentId: string | null = null;
  for (let index = 0; index < pagesOfSpace; index++) {
    const pageId = newId("Page");
    const page = {
      pageId,
      type: "document",
      title: `${writer.words(3)} ${index}`,
      fields: {},
      text: writer.text(),
    } as const;
    draft.create(page, { parentId: index % 100 === 0 ? null : parentId, position: {} });
    if (index % 100 === 0) parentId = pageId;
  }
  const { documents, pages, trees, treeHash } = draft.finish();
  const [texts, none] = [[...documents], new Map<string, never>()];
  for (let start = 0; start < texts.length; start += 1000) {
    const some = new Map(texts.slice(start, start + 1000));
    await prisma.$transaction((transaction) =>
      storeContent(transaction, { treeHash, documents: some, pages: none, trees: none }),
    );
  }
  await prisma.$transaction(
    async (transaction) => {
      await storeContent(transaction, { treeHash, documents: none, pages, trees });
      await transaction.revision.update({ where: { id: space.revisionId }, data: { treeHash } });
      await transaction.$queryRaw`select move_present_pages(${space.id}, null, ${treeHash})::text`;
    },
    { timeout: 120_000 },
  );
}

/** Milliseconds of each search after a warm-up, and the number with results. */
async function measureIn({ as }: ContentFixture, place: object, texts: readonly string[]) {
  const document = `query ($in: SearchPlace!, $text: String!) { search(text: $text, in: $in, first: 10) {
    totalCount nodes { title path sections { title body bodyMatches { start end } } } } }`;
  const costs: number[] = [];
  let found = 0;
  for (const [index, text] of texts.entries()) {
    const cost = await timeOf(async () => {
      const { search } = await as.query<{ search: { totalCount: number } }>(document, { in: place, text });
      if (search.totalCount > 0) found++;
    });
    if (index >= 20) costs.push(cost);
  }
  return { costs, found };
}

/** Fills an organization with spaces, indexes them and searches. `spaces` of ten thousand pages each. */
export async function measureSearch(
  serverUrl: string,
  say: Say,
  spaces = 10,
): Promise<{ text: string; missed: string[] }> {
  const load = os.loadavg()[0]?.toFixed(1);
  return withContentFixture(serverUrl, async (fixture) => {
    const { database, world, made } = fixture;
    const organizationId = made.organization.id;
    const writer = new Writer();
    const all = await world.insert((rows) =>
      times(spaces, () => addSpace(rows, { organizationId, searchLanguage: "english" })),
    );
    say(`  writing ${spaces * pagesOfSpace} pages`);
    for (const space of all) await fill(database, space, writer);
    say("  indexing them");
    const seconds = (await timeOf(() => indexMissing(database))) / 1000;
    await database.pool.query("vacuum analyze");
    const texts = times(searches, () => writer.searched());
    const inSpace = await measureIn(fixture, { spaceId: all[0]?.id }, texts);
    const inOrganization = await measureIn(fixture, { organizationId }, texts);
    const indexed = (spaces * pagesOfSpace) / seconds;
    const [space, organization] = [inSpace, inOrganization].map(({ costs }) => percentile(costs, 95));
    const rows = [
      { what: `a space of ${pagesOfSpace} pages`, of: inSpace, target: targets.space },
      { what: `an organization of ${spaces * pagesOfSpace} pages`, of: inOrganization, target: targets.organization },
    ].map(({ what, of: { costs, found }, target }) => [
      what,
      ...[50, 95, 99].map((percent) => percentile(costs, percent).toFixed(1)),
      `p95 <= ${target}`,
      `${found} of ${texts.length}`,
    ]);
    const lines = [
      "## (search) Finding three words",
      "",
      `${searches} searches for three words of a sentence, with count, ten hits and their sections, one at a time, by HTTP; texts of the words of the sample book. ` +
        `Load of the machine before: ${load}. Indexing, in one process: ${indexed.toFixed(0)} pages a second (target: ${targets.indexed}).`,
      "",
      ...table(["in", "p50 ms", "p95 ms", "p99 ms", "target", "found"], rows),
    ];
    for (const line of lines.slice(2)) say(`  ${line}`);
    const missed = [
      ...((space ?? 0) > targets.space ? [`search: p95 in a space is ${space?.toFixed(1)} ms`] : []),
      ...((organization ?? 0) > targets.organization
        ? [`search: p95 in an organization is ${organization?.toFixed(1)} ms`]
        : []),
      ...(indexed < targets.indexed ? [`search: ${indexed.toFixed(0)} pages indexed a second`] : []),
    ];
    return { text: lines.join("\n"), missed };
  });
}
