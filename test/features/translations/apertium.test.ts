// Translating pages with a real Apertium, if installed: words become Spanish, and nothing else changes.
import { afterAll, expect, test } from "vitest";
import { engineOf } from "#src/features/translations/commands/engines/engine-of.ts";
import { fill, type PageText, segmentsOf, structureOf } from "#src/features/translations/model/segments.ts";
import { translateSegments } from "#src/features/translations/commands/translate-source.ts";
import { newPage } from "#test/features/content/edits.ts";
import { startApertium } from "#test/features/translations/apertium.ts";
import { intoSpanish } from "#test/features/translations/engine-server.ts";
import { openDesk, runTranslations } from "#test/features/translations/running.ts";
import { useApp } from "#test/support/app.ts";
import { readBook } from "#test/support/samples.ts";

// Has its own database: each run translates everything that is due in the whole database.
const { app, world } = await useApp({ own: true });
const apertium = await startApertium();
afterAll(() => apertium?.[Symbol.asyncDispose]());

/** The page in Spanish, with the parts that stayed in English. */
async function inSpanish(page: PageText) {
  const engine = engineOf({ kind: "apertium", url: apertium?.url ?? "" });
  const glossary = [{ term: "docgraph", translation: null }];
  const answers = await translateSegments(
    engine,
    segmentsOf(page).map(({ text }) => text),
    { ...intoSpanish, glossary },
  );
  const problems = answers.flatMap((answer) => ("problem" in answer ? [answer.problem] : []));
  const filled = fill(
    page,
    answers.map((answer) => ("text" in answer ? answer.text : null)),
  );
  return { page: filled.page, problems: [...problems, ...filled.failed.map(({ problem }) => problem)] };
}

test.skipIf(!apertium)("Apertium translates a page into Spanish, and keeps its code, links and terms", async () => {
  const page = {
    title: "The house",
    description: "A book with many pages",
    markdown:
      '# The garden\n\nThe **red house** has `npm ci` and [a door](page:x "T") of docgraph.\n\n| The dog | {{name}} |\n| - | - |\n',
  };
  expect(await inSpanish(page)).toEqual({
    page: {
      title: "La casa",
      description: "Un libro con muchas páginas",
      markdown:
        '# El jardín\n\nLa **casa roja** tiene `npm ci` y [una puerta](page:x "T") de docgraph.\n\n| El perro | {{name}} |\n| - | - |\n',
    },
    problems: [],
  });
});

/** The number of pages of the book to translate, with durations: `BOOK_PAGES=30 npm test -- <this file>`. */
const bookPages = Number(process.env["BOOK_PAGES"] ?? 2);

/** The structure of a text, without headings that are link targets on the page: these are translated. */
const shapeOf = (markdown: string | null | undefined): string =>
  structureOf(markdown ?? "").replaceAll(/("url\\*",\\*"#)[^"\\]*/g, "$1");

test.skipIf(!apertium || readBook().length === 0)(
  "Apertium translates a book with the same tree, code and links, and an edited line sends only that line",
  { timeout: 600_000 },
  async () => {
    const { organization, space, admin } = await world.space();
    const desk = await openDesk(app, { organizationId: organization.id, spaceId: space.id, person: admin });
    const chapters = readBook().filter(([path]) => path.endsWith(".md"));
    const pages = chapters.slice(0, bookPages).map(([path, markdown]) => newPage(path, { markdown }));
    for (const { edit } of pages) await desk.edit(edit);
    const engine = engineOf({ kind: "apertium", url: apertium?.url ?? "" });
    const sent: string[] = [];
    const counted: typeof engine = {
      name: engine.name,
      translate(texts, request) {
        sent.push(...texts);
        return engine.translate(texts, request);
      },
    };
    const run = () => runTranslations(app, { engine: counted, wordsPerMonth: 10_000_000 });
    await run();
    const sources = await desk.sources();
    const results = await desk.pages();
    expect(results).toHaveLength(pages.length);
    const { warnings, stats, status } = await desk.see();
    expect([status, stats.totalPages]).toEqual(["COMPLETED", pages.length]);
    for (const [index, { markdown }] of results.entries())
      expect(shapeOf(markdown)).toBe(shapeOf(sources[index]?.markdown));
    expect(warnings.length).toBeLessThanOrEqual(sent.length / 20);
    if (process.env["BOOK_PAGES"])
      console.log(
        `${pages.length} pages: ${sent.length} texts sent, ${stats.totalWords} words, ${warnings.length} warnings`,
      );

    sent.length = 0;
    const [first] = sources;
    const markdown = `${first?.markdown ?? ""}\nThe dog is in the garden.\n`;
    await desk.edit({ updatePage: { pageId: first?.pageId, markdown } });
    await run();
    expect(sent).toEqual(["The dog is in the garden."]);
    expect((await desk.pages())[0]?.markdown).toContain("El perro es en el jardín.");
  },
);
