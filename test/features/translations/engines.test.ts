// Translation engines over their wire formats: APy, LibreTranslate and chat completions.
import { describe, expect, test } from "vitest";
import { engineOf } from "#src/features/translations/commands/engines/engine-of.ts";
import { type Asked, intoSpanish, serveEngine } from "#test/features/translations/engine-server.ts";

const pair = (sourceLanguage: string, targetLanguage: string) => ({ sourceLanguage, targetLanguage });
const responded = (responseData: unknown) => ({ responseData, responseDetails: null, responseStatus: 200 });

describe("the Apertium engine", () => {
  const upper = (html: string): string =>
    html.replaceAll(/<[^>]*>|&\w+;|[^<&]+/g, (part) => (/^[<&]/.test(part) ? part : part.toUpperCase()));

  async function serve(...pairs: object[]) {
    const asked: URLSearchParams[] = [];
    const url = await serveEngine(({ method, path, headers, body }) => {
      if (path === "/listPairs" && method === "GET") return { json: responded(pairs) };
      expect([method, path, headers["content-type"]]).toEqual([
        "POST",
        "/translate",
        "application/x-www-form-urlencoded",
      ]);
      const form = new URLSearchParams(body);
      asked.push(form);
      return { json: responded({ translatedText: upper(form.get("q") ?? "") }) };
    });
    return { engine: engineOf({ kind: "apertium", url }), asked };
  }

  test("receives paragraphs of HTML, some in each request", async () => {
    const { engine, asked } = await serve(pair("spa", "eng"), pair("eng", "spa"));
    const texts = Array.from({ length: 60 }, (_, index) => `text ${index} <x id="1"/> &amp; <g id="2">more</g>`);
    expect(await engine.translate(texts, intoSpanish)).toEqual(texts.map(upper));
    expect(asked.map((form) => [form.get("langpair"), form.get("format"), form.get("markUnknown")])).toEqual([
      ["eng|spa", "html", "no"],
      ["eng|spa", "html", "no"],
    ]);
    expect(asked.map((form) => form.get("q")?.split("\n").length)).toEqual(expect.arrayContaining([10, 50]));
  });

  test("has its own language codes, and reports a missing pair", async () => {
    const { engine, asked } = await serve(pair("eng", "por"), pair("eng", "hbs_HR"));
    await engine.translate(["a"], { ...intoSpanish, to: "pt-br" });
    await engine.translate(["a"], { ...intoSpanish, to: "hr" });
    expect(asked.map((form) => form.get("langpair"))).toEqual(["eng|por", "eng|hbs_HR"]);
    await expect(engine.translate(["a"], intoSpanish)).rejects.toThrow(
      "The translation engine does not translate from English to Spanish: install that pair, or choose another language.",
    );
  });
});

describe("the LibreTranslate engine", () => {
  const languages = [
    { code: "en", name: "English", targets: ["en", "es", "zt", "pt-BR"] },
    { code: "es", name: "Spanish", targets: ["en"] },
  ];

  async function serve(answer: (q: string[]) => unknown = (q) => q.map((text) => `¡${text}!`), key?: string) {
    const asked: unknown[] = [];
    const url = await serveEngine(({ method, path, headers, body }) => {
      if (path === "/languages" && method === "GET") return { json: languages };
      expect([method, path, headers["content-type"]]).toEqual(["POST", "/translate", "application/json"]);
      const json = JSON.parse(body) as { q: string[] };
      asked.push(json);
      return { json: { translatedText: answer(json.q) } };
    });
    return { engine: engineOf({ kind: "libretranslate", url, ...(key !== undefined && { key }) }), asked };
  }

  test("receives lists of texts as HTML, with its key", async () => {
    const { engine, asked } = await serve(undefined, "secret-key");
    expect(await engine.translate(['One <x id="1"/>', "Two"], intoSpanish)).toEqual(['¡One <x id="1"/>!', "¡Two!"]);
    const sent = { q: ['One <x id="1"/>', "Two"], source: "en", target: "es", format: "html", api_key: "secret-key" };
    expect(asked).toEqual([sent]);
  });

  test("receives at most 25 texts and 1,800 characters at once, with the language codes of its version", async () => {
    const { engine, asked } = await serve();
    const texts = [...Array.from({ length: 30 }, () => "short"), "long ".repeat(500)];
    expect(await engine.translate(texts, { ...intoSpanish, to: "zh-tw" })).toEqual(texts.map((text) => `¡${text}!`));
    const sizes = asked.map((json) => (json as { q: string[] }).q.length);
    expect(sizes.toSorted((one, other) => one - other)).toEqual([1, 5, 25]);
    expect(asked).toContainEqual({ q: texts.slice(0, 25), source: "en", target: "zt", format: "html" });
  });

  test("must return as many texts", async () => {
    const { engine } = await serve((q) => q.slice(1));
    await expect(engine.translate(["a", "b"], intoSpanish)).rejects.toThrow("returned another number of texts");
    const { engine: old } = await serve(() => "one text");
    await expect(old.translate(["a"], intoSpanish)).rejects.toThrow(
      "returned an unknown response: check the kind of engine in TRANSLATION_URL.",
    );
  });
});

describe("the chat model engine", () => {
  interface Sent {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly response_format: unknown;
  }

  async function serve(content: string | null) {
    const asked: Asked[] = [];
    const url = await serveEngine((request) => {
      asked.push(request);
      const message = { role: "assistant", content, refusal: null };
      return {
        json: {
          id: "1",
          object: "chat.completion",
          choices: [{ index: 0, message, finish_reason: "stop" }],
          usage: {},
        },
      };
    });
    const engine = engineOf({ kind: "openai", url: `${url}/v1`, model: "small", key: "secret-key" });
    return { engine, asked, sent: () => JSON.parse(asked[0]?.body ?? "") as Sent };
  }

  const answer = (...texts: string[]): string =>
    JSON.stringify({ translations: texts.map((text, index) => ({ id: index + 1, text })) });

  test("receives the task, terms, context and instructions, and the segments as JSON", async () => {
    const { engine, asked, sent } = await serve(answer("Uno", "Dos"));
    const glossary = [
      { term: "docgraph", translation: null },
      { term: "space", translation: "espacio" },
    ];
    const request = { ...intoSpanish, glossary, context: "the page “Start” of “Guide”", instructions: "Use usted." };
    expect(await engine.translate(["One", "Two"], request)).toEqual(["Uno", "Dos"]);
    expect(asked[0]).toMatchObject({ method: "POST", path: "/v1/chat/completions" });
    expect(asked[0]?.headers).toMatchObject({ authorization: "Bearer secret-key", "content-type": "application/json" });
    const { model, messages, response_format: format } = sent();
    expect([model, format, messages.map(({ role }) => role)]).toEqual([
      "small",
      { type: "json_object" },
      ["system", "user"],
    ]);
    const [system, user] = messages.map(({ content }) => content);
    expect(JSON.parse(user ?? "")).toEqual({
      segments: [
        { id: 1, text: "One" },
        { id: 2, text: "Two" },
      ],
    });
    for (const part of [
      "from English to Spanish",
      "- docgraph: keep it as it is\n- space: espacio",
      "the page “Start” of “Guide”",
      "Use usted.",
    ])
      expect(system).toContain(part);
    expect(engine.name).toBe("openai small");
  });

  test.each([
    ["with words around the JSON", `Here:\n\`\`\`json\n${answer("Uno", "Dos")}\n\`\`\``, ["Uno", "Dos"]],
    ["with one text only", answer("Uno"), ["Uno", null]],
    ["that is not JSON", "Uno, dos", [null, null]],
    ["of another structure", '{"translations": ["Uno", "Dos"]}', [null, null]],
    ["that is null", null, [null, null]],
  ])("may give an answer %s", async (_, content, expected) => {
    const { engine } = await serve(content);
    expect(await engine.translate(["One", "Two"], intoSpanish)).toEqual(expected);
  });
});

describe("an engine that is busy or broken", () => {
  /** Responds with these statuses in order, repeating the last one; then with a translation. */
  async function serve(statuses: readonly (number | readonly [number, string])[], isLasting = false) {
    let asked = 0;
    const url = await serveEngine(({ path }) => {
      if (path === "/languages") return { json: [{ code: "en", targets: ["es"] }] };
      const next = statuses[isLasting ? 0 : asked];
      asked++;
      if (next === undefined) return { json: { translatedText: ["Uno"] } };
      const [status, retryAfter] = typeof next === "number" ? [next] : next;
      const headers = { ...(retryAfter !== undefined && { "retry-after": retryAfter }) };
      return { status, headers, json: { error: "Invalid API key secret-key" } };
    });
    const waits: number[] = [];
    const wait = (milliseconds: number, signal: AbortSignal) => {
      waits.push(milliseconds);
      signal.throwIfAborted();
      return Promise.resolve();
    };
    return {
      engine: engineOf({ kind: "libretranslate", url, key: "secret-key" }, { wait }),
      waits,
      asked: () => asked,
    };
  }

  test("is retried after the time in Retry-After", async () => {
    const { engine, waits } = await serve([[429, "7"], 503, [502, "9999"]]);
    expect(await engine.translate(["One"], intoSpanish)).toEqual(["Uno"]);
    expect(waits).toEqual([7_000, 4_000, 60_000]);
  });

  test.each([
    [429, 4, "The limit of the translation engine is exceeded (status 429): try again later, or raise its limits."],
    [500, 4, "The translation engine failed (status 500): see its log."],
    [403, 1, "The translation engine rejected the request (status 403): check TRANSLATION_KEY."],
    [404, 1, "The translation engine was not found at its address (status 404): check TRANSLATION_URL."],
  ])("fails for status %d after %d tries, with an error without secrets", async (status, tries, message) => {
    const { engine, asked } = await serve([status], true);
    const error = await engine.translate(["One"], intoSpanish).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "EngineError", message });
    expect(JSON.stringify([error, String(error)])).not.toContain("secret");
    expect(asked()).toBe(tries);
  });

  test("is not waited for after the client disconnects", async () => {
    const { engine, waits } = await serve([503], true);
    const gone = AbortSignal.abort(new Error("stopped"));
    await expect(engine.translate(["One"], { ...intoSpanish, signal: gone })).rejects.toThrow("stopped");
    expect(waits).toEqual([]);
  });

  test("is reported as unreachable", async () => {
    const engine = engineOf({ kind: "apertium", url: "http://127.0.0.1:1" }, { wait: () => Promise.resolve() });
    await expect(engine.translate(["One"], intoSpanish)).rejects.toThrow(
      "The translation engine could not be reached (the server was unreachable, or closed the connection): check TRANSLATION_URL.",
    );
  });

  test("receives at most four requests at once", async () => {
    let open = 0;
    let most = 0;
    const waiting: (() => void)[] = [];
    const url = await serveEngine(async ({ path, body }) => {
      if (path === "/languages") return { json: [{ code: "en", targets: ["es"] }] };
      most = Math.max(most, ++open);
      // Each fourth request releases the waiting ones.
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 4) for (const go of waiting.splice(0)) go();
      });
      open--;
      return { json: { translatedText: (JSON.parse(body) as { q: string[] }).q } };
    });
    const texts = Array.from({ length: 8 }, (_, index) => `${index}`.repeat(1_700));
    expect(await engineOf({ kind: "libretranslate", url }).translate(texts, intoSpanish)).toEqual(texts);
    expect(most).toBe(4);
  });
});
