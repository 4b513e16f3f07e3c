// A translation engine for tests: it converts texts to capitals, and records its requests.
import type { Engine, EngineRequest, Translator } from "#src/base/translator.ts";

export interface TestEngine {
  readonly translator: Translator;
  /** All texts that it received. */
  readonly sent: string[];
}

/** The text in capitals, except tags and entities. */
const inCapitals = (text: string): string =>
  text.replaceAll(/<[^>]*>|&\w+;|[^<&]+/g, (part) => (/^[<&]/.test(part) ? part : part.toUpperCase()));

/** Creates an engine; `answer` translates a text. */
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
