// Translating segments: glossary terms, invalid answers, and the settings of the engine.
import { describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "#src/config/config.ts";
import type { Engine, GlossaryTerm } from "#src/base/translator.ts";
import { Glossary } from "#src/features/translations/model/glossary.ts";
import { translateSegments } from "#src/features/translations/commands/translate-source.ts";
import { intoSpanish } from "#test/features/translations/engine-server.ts";

/** An engine that answers by a function, and the texts that it received. */
function engineBy(answer: (text: string, times: number) => string | null) {
  const sent: string[] = [];
  const engine: Engine = {
    name: "test",
    translate: (texts) =>
      Promise.resolve(
        texts.map((text) => {
          sent.push(text);
          return answer(text, sent.filter((one) => one === text).length);
        }),
      ),
  };
  return { engine, sent };
}

const keep = (term: string): GlossaryTerm => ({ term, translation: null });

describe("glossary terms in segments", () => {
  const glossary = [
    keep("API key"),
    keep("API"),
    keep("C++"),
    keep("R&D"),
    { term: "space", translation: "espacio" },
    { term: "Straße", translation: "calle" },
    { term: "変数", translation: "variable" },
  ];

  async function translateText(text: string): Promise<{ text: string; sent: readonly string[] }> {
    const { engine, sent } = engineBy((of) => of.toLowerCase());
    const [answer] = await translateSegments(engine, [text], { ...intoSpanish, glossary });
    return { text: answer && "text" in answer ? answer.text : "none", sent };
  }

  test.each([
    ["Use the API key of the API.", "use the API key of the API."],
    ["A Space, a space and SPACE", "a Espacio, a espacio and ESPACIO"],
    ["Namespace, space_1, spaces and space's", "namespace, space_1, spaces and espacio's"],
    ["Naïve spacé", "naïve spacé"],
    ["In C++ and R&amp;D", "in C++ and R&amp;D"],
    ["Die STRASSE, die Straße", "die strasse, die Calle"],
    ["この変数は", "このvariableは"],
    ['See <g id="4">the API</g><x id="5"/> id', 'see <g id="4">the API</g><x id="5"/> id'],
  ])("are found as whole words in %j", async (text, expected) => {
    expect((await translateText(text)).text).toBe(expected);
  });

  test("are not sent to the engine as words", async () => {
    expect(await translateText('The <x id="1"/> API of a space')).toEqual({
      text: 'the <x id="1"/> API of a espacio',
      sent: ['The <x id="1"/> <x id="2"/> of a <x id="3"/>'],
    });
    expect(await translateText("API key")).toEqual({ text: "API key", sent: [] });
  });

  test("that an engine loses or duplicates are requested again", async () => {
    const { engine, sent } = engineBy((text, times) => (times === 1 ? text.replace(/<.*>/, "") : `${text} ok`));
    const twice = engineBy((text) => text + text);
    const [again] = await translateSegments(engine, ["An API here"], { ...intoSpanish, glossary });
    expect([again, sent.length]).toEqual([{ text: "An API here ok" }, 2]);
    const [never] = await translateSegments(twice.engine, ["An API here"], { ...intoSpanish, glossary });
    expect(never).toEqual({ problem: "a term of the glossary is missing or repeated" });
  });

  test("that a text contains are known, so that only such segments are translated again", () => {
    const terms = new Glossary(glossary);
    expect(terms.termsIn('The API of <x id="1"/> a Space')).toEqual([glossary[1], glossary[4]]);
    expect(terms.termsIn("none")).toEqual([]);
  });
});

describe("answers of a translation engine", () => {
  test("that are invalid are requested once more, one by one, and reported", async () => {
    const { engine, sent } = engineBy((text, times) => {
      if (text === "none") return null;
      if (text === "once") return times === 1 ? "<b>once</b>" : "una vez";
      return text.startsWith("bad") ? "<b>bad</b>" : "bien";
    });
    expect(await translateSegments(engine, ["good", "once", "bad", "none"], intoSpanish)).toEqual([
      { text: "bien" },
      { text: "una vez" },
      { problem: "it has markup that the source does not have" },
      { problem: "the engine did not return it" },
    ]);
    expect(sent).toEqual(["good", "once", "bad", "none", "once", "bad", "none"]);
  });
});

describe("the settings TRANSLATION_URL and TRANSLATION_KEY", () => {
  test.each([
    ["apertium+http://127.0.0.1:2737/", { kind: "apertium", url: "http://127.0.0.1:2737" }],
    [
      "libretranslate+https://t.example.com/api",
      { kind: "libretranslate", url: "https://t.example.com/api", key: "k" },
    ],
    ["openai+https://m.example.com/v1?model=a%2Fb", { kind: "openai", url: "https://m.example.com/v1", model: "a/b" }],
  ])("select the engine for %s", (url, expected) => {
    const { key, ...address } = { key: undefined, ...expected } as { key?: string };
    const settings = { TRANSLATION_URL: url, ...(key !== undefined && { TRANSLATION_KEY: key }) };
    expect(readConfig(settings).translation).toEqual({
      ...address,
      ...(key !== undefined && { key }),
      wordsPerMonth: 1_000_000,
    });
  });

  test("may be unset", () => {
    expect(readConfig({}).translation).toBeUndefined();
  });

  test.each([
    "https://t.example.com",
    "deepl+https://t.example.com",
    "openai+https://t.example.com/v1",
    "apertium+http://t.example.com?model=a",
    "libretranslate+https://me:secret@t.example.com",
    "libretranslate+https://t.example.com?api_key=secret",
    "libretranslate+ftp://t.example.com/secret",
  ])("are refused for %s without secrets in the error", (url) => {
    const read = (): unknown => readConfig({ TRANSLATION_URL: url, TRANSLATION_KEY: "secret key" });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/TRANSLATION_URL must be an address like apertium\+http:.*\n {2}TRANSLATION_KEY must be /);
    expect(read).not.toThrow(/secret/);
  });
});
