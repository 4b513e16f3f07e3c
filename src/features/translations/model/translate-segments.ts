// Translates segments by an engine: replaces terms of the glossary, checks answers and retries bad ones.
import type { Engine, EngineRequest } from "#src/base/translator.ts";
import { Glossary } from "#src/features/translations/model/glossary.ts";
import { isWorded, problemOf } from "#src/features/translations/model/placeholders.ts";

/** A translation with its placeholders, or why there is none. */
type SegmentAnswer = { readonly text: string } | { readonly problem: string };

/** How often a segment is sent whose answer is bad. */
const mostTries = 2;

/** Translates the texts of segments in order. Throws the errors of the engine; a bad answer to a segment is none. */
export async function translateSegments(
  engine: Engine,
  texts: readonly string[],
  request: EngineRequest,
): Promise<readonly SegmentAnswer[]> {
  const glossary = new Glossary(request.glossary);
  const prepared = texts.map((text) => glossary.prepare(text));
  // Texts of terms only need no engine.
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
