// A real engine: pages through Apertium, where it is installed. Words become Spanish, and nothing else changes.
import { afterAll, expect, test } from "vitest";
import { engineOf } from "#src/features/translations/commands/engines/engine-of.ts";
import { fill, type PageText, segmentsOf } from "#src/features/translations/model/segments.ts";
import { structureOf } from "#src/features/translations/model/structure.ts";
import { translateSegments } from "#src/features/translations/model/translate.ts";
import { startApertium } from "#test/features/translations/apertium.ts";
import { intoSpanish } from "#test/features/translations/engine-server.ts";
import { readBook } from "#test/support/samples.ts";

const apertium = await startApertium();
afterAll(() => apertium?.[Symbol.asyncDispose]());

/** The page in Spanish, with what stayed in English. */
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

test.skipIf(!apertium)("a page becomes Spanish, with its code, links and terms as they were", async () => {
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

test.skipIf(!apertium || readBook().length === 0)("pages of a book keep their structure", async () => {
  for (const [, markdown] of readBook()
    .filter(([path]) => path.endsWith(".md"))
    .slice(0, 2)) {
    const { page, problems } = await inSpanish({ title: "", markdown });
    expect(structureOf(page.markdown)).toBe(structureOf(markdown));
    expect(problems.length).toBeLessThanOrEqual(segmentsOf({ title: "", markdown }).length / 20);
  }
});
