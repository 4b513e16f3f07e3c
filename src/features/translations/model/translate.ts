// Segments through an engine: terms of the glossary are held out, answers are checked, and bad ones asked for again.
import type { Engine, EngineRequest } from "#src/base/translator.ts";
import { Glossary } from "#src/features/translations/model/glossary.ts";
import { isWorded, problemOf } from "#src/features/translations/model/placeholders.ts";

/** The translation of a segment, with its placeholders; or why there is none. */
export type SegmentAnswer = { readonly text: string } | { readonly problem: string };

/** How often a segment is sent whose answers do not fit. */
const mostTries = 2;

/**
 * Translates the texts of segments; the answers are in their order. Throws what the engine throws: a text whose answer
 * does not fit is no error, and stays in the source language.
 */
export async function translateSegments(
  engine: Engine,
  texts: readonly string[],
  request: EngineRequest,
): Promise<readonly SegmentAnswer[]> {
  const glossary = new Glossary(request.glossary);
  const prepared = texts.map((text) => glossary.prepare(text));
  // What is nothing but terms is translated already.
  const answers = prepared.map(({ text, restore }, index): SegmentAnswer | null =>
    isWorded(text) ? null : checked(texts[index] ?? "", restore(text)),
  );
  for (let tries = 1; tries <= mostTries; tries++) {
    const open = prepared.flatMap(({ text, restore }, index) => {
      const answer = answers[index];
      return answer && "text" in answer ? [] : [{ text, restore, index }];
    });
    if (open.length === 0) break;
    const sent = await engine.translate(
      open.map(({ text }) => text),
      request,
    );
    for (const [at, { restore, index }] of open.entries()) {
      const answer = sent[at] ?? null;
      answers[index] =
        answer === null ? { problem: "there is no answer to it" } : checked(texts[index] ?? "", restore(answer));
    }
  }
  return answers.map((answer) => answer ?? { problem: "there is no answer to it" });
}

function checked(source: string, answer: string | null): SegmentAnswer {
  if (answer === null) return { problem: "a term of the glossary is missing, or there twice" };
  const problem = problemOf(source, answer);
  return problem === null ? { text: answer } : { problem };
}
