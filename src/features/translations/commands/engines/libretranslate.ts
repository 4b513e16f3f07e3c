// LibreTranslate: `GET /languages` says which languages it has, `POST /translate` takes a list of texts.
import { z } from "zod";
import {
  batchesOf,
  choosePair,
  EngineClient,
  type EngineWay,
} from "#src/features/translations/commands/engines/engine-client.ts";
import { type Engine, EngineError, type EngineRequest } from "#src/base/translator.ts";

const languages = z.array(z.object({ code: z.string(), targets: z.array(z.string()) }));
const translation = z.object({ translatedText: z.array(z.string()) });

/** Servers limit the characters of a request; the usual limit is 2,000. */
const batch = { texts: 25, characters: 1_800 } as const;

/** Languages with several names, depending on the version, the best one first. */
const codes: Readonly<Record<string, readonly string[]>> = {
  "pt-br": ["pt-BR", "pb", "pt"],
  zh: ["zh-Hans", "zh"],
  "zh-tw": ["zh-Hant", "zt"],
  no: ["nb", "no"],
};

export function libreTranslateEngine({ url, key }: { url: string; key?: string }, way: EngineWay): Engine {
  const client = new EngineClient(url, way);

  async function pairFor({ from, to, signal }: EngineRequest) {
    const answer = await client.ask("/languages", { form: languages, signal });
    const known = answer.flatMap(({ code, targets }) => targets.map((target) => ({ source: code, target })));
    return choosePair(known, { from, to }, (language) => codes[language] ?? [language]);
  }

  async function translate(texts: readonly string[], pair: object, signal: AbortSignal): Promise<string[]> {
    const { translatedText } = await client.ask("/translate", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ q: texts, ...pair, format: "html", ...(key !== undefined && { api_key: key }) }),
      form: translation,
      signal,
    });
    if (translatedText.length === texts.length) return translatedText;
    throw new EngineError(
      "The translation engine answers with another number of texts: LibreTranslate must be 1.3 or later.",
    );
  }

  return {
    name: "libretranslate",
    async translate(texts, request) {
      const pair = await pairFor(request);
      const answers = batchesOf(texts, batch).map((some) => translate(some, pair, request.signal));
      return (await Promise.all(answers)).flat();
    },
  };
}
