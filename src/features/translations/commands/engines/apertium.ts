// Apertium's server APy: `GET /listPairs` says which pairs of languages it has, `POST /translate` translates.
import { z } from "zod";
import {
  batchesOf,
  choosePair,
  EngineClient,
  type EngineWay,
} from "#src/features/translations/commands/engines/engine-client.ts";
import type { Engine, EngineRequest } from "#src/base/translator.ts";

const pairs = z.object({ responseData: z.array(z.object({ sourceLanguage: z.string(), targetLanguage: z.string() })) });
const translation = z.object({ responseData: z.object({ translatedText: z.string() }) });

/** Texts are sent as paragraphs of HTML, over which sentences do not reach. */
const batch = { texts: 50, characters: 4_000 } as const;

/** The names of languages in Apertium, the best one first. */
const codes: ReadonlyMap<string, readonly string[]> = new Map(
  [
    "en:eng fr:fra de:deu es:spa it:ita pt:por pt-br:por_BR,por ru:rus ja:jpn zh:zho zh-tw:zho_TW yue:yue ko:kor ar:ara",
    "hi:hin nl:nld pl:pol tr:tur sv:swe no:nob,nno da:dan fi:fin el:ell cs:ces hu:hun ro:ron th:tha vi:vie id:ind",
    "ms:zlm,msa he:heb uk:ukr sk:slk bg:bul hr:hbs_HR,hbs lt:lit lv:lav et:est sl:slv",
  ]
    .flatMap((line) => line.split(" "))
    .map((entry) => entry.split(":"))
    .map(([language = "", names = ""]) => [language, names.split(",")]),
);

const namesOf = (language: string): readonly string[] => codes.get(language) ?? [language];

export function apertiumEngine(url: string, way: EngineWay): Engine {
  const client = new EngineClient(url, way);

  async function pairFor({ from, to, signal }: EngineRequest): Promise<string> {
    const { responseData } = await client.ask("/listPairs", { form: pairs, signal });
    const known = responseData.map(({ sourceLanguage: source, targetLanguage: target }) => ({ source, target }));
    const { source, target } = choosePair(known, { from, to }, namesOf);
    return `${source}|${target}`;
  }

  async function translate(texts: readonly string[], langpair: string, signal: AbortSignal) {
    const q = texts.map((text, index) => `<p id="${index}">${text}</p>`).join("\n");
    const { responseData } = await client.ask("/translate", {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ langpair, format: "html", markUnknown: "no", q }).toString(),
      form: translation,
      signal,
    });
    // Split first: a search for each end would take quadratic time.
    const answers = responseData.translatedText.split("</p>").slice(0, -1);
    const byIndex = new Map(
      answers.flatMap((part) => {
        const [, index, text = ""] = /<p id="(\d+)">(.*)$/s.exec(part) ?? [];
        return index === undefined ? [] : [[Number(index), text] as const];
      }),
    );
    return texts.map((_, index) => byIndex.get(index) ?? null);
  }

  return {
    name: "apertium",
    async translate(texts, request) {
      const langpair = await pairFor(request);
      const answers = batchesOf(texts, batch).map((some) => translate(some, langpair, request.signal));
      return (await Promise.all(answers)).flat();
    },
  };
}
