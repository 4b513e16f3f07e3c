// An engine of tests: it translates by writing in capitals, and says what it was sent.
import type { Engine, EngineRequest, Translator } from "#src/base/translator.ts";

export interface TestEngine {
  readonly translator: Translator;
  /** All texts that it was sent. */
  readonly sent: string[];
}

/** The text in capitals, but for its tags and entities. */
const inCapitals = (text: string): string =>
  text.replaceAll(/<[^>]*>|&\w+;|[^<&]+/g, (part) => (/^[<&]/.test(part) ? part : part.toUpperCase()));

/** Makes one; `answer` is what it makes of a text. */
export function testEngine(
  answer: (text: string, request: EngineRequest) => string = inCapitals,
  wordsPerMonth = 1_000_000,
): TestEngine {
  const sent: string[] = [];
  const engine: Engine = {
    name: "test",
    translate(texts, request) {
      sent.push(...texts);
      return Promise.resolve(texts.map((text) => answer(text, request)));
    },
  };
  return { translator: { engine, wordsPerMonth }, sent };
}
