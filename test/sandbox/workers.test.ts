// Scripts in the form of workers, `export default { fetch(request, env, ctx) }`, and the standard classes they use.
import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import type { SafeFetch } from "#src/net/safe-fetch.ts";
import { answerOf, faultOf, responseOf, useSandbox } from "#test/sandbox/sandboxed.ts";

const run = useSandbox();

/** A worker whose `fetch` has this body. */
const workerOf = (body: string) => `export default { async fetch(request, env, ctx) { ${body} } }`;

test("a worker gets a form with its event and its environment, and answers with a response", async () => {
  const script = workerOf(`
    const form = await request.formData();
    const event = JSON.parse(form.get("event"));
    const { apiEndpoint, secrets } = JSON.parse(form.get("environment"));
    ctx.waitUntil(new Promise((done) => setTimeout(() => { console.info("after the answer"); done(); }, 5)));
    return new Response(JSON.stringify({ event, apiEndpoint, secrets, path: new URL(request.url).pathname }),
      { status: 202, headers: { "Content-Type": "application/json", "X-Two": "b" } });`);
  const result = await run(script, { event: { type: "comment_created", text: "é\u0000" }, secrets: { key: "value" } });
  const { status, headers, text } = responseOf(result);
  expect({ status, headers }).toEqual({ status: 202, headers: { "content-type": "application/json", "x-two": "b" } });
  expect(JSON.parse(text)).toEqual({
    event: { type: "comment_created", text: "é\u0000" },
    apiEndpoint: "https://docs.example.com",
    secrets: { key: "value" },
    path: "/v1",
  });
  expect(result.logs.map(({ message }) => message)).toEqual(["after the answer"]);
});

test("the body of a public request is a field of the form, as text or as bytes", async () => {
  const script = workerOf(`
    const form = await request.formData();
    const event = JSON.parse(form.get("event"));
    const again = new Request(event.request.url, { ...event.request, body: form.get("fetch-body") });
    return Response.json([Object.keys(event.request), again.url, [...new Uint8Array(await again.arrayBuffer())]]);`);
  const request = { url: "https://docs.example.com/integrations/a/b?c=d", method: "POST", headers: { a: "b" } };
  const sent = async (body: object) =>
    JSON.parse(
      responseOf(await run(script, { event: { type: "fetch", request: { ...request, ...body } } })).text,
    ) as unknown;
  const keys = ["url", "method", "headers"];
  expect(await sent({ body: "é", isBase64: false })).toEqual([keys, request.url, [0xc3, 0xa9]]);
  expect(await sent({ body: "AP8=", isBase64: true })).toEqual([keys, request.url, [0, 255]]);
});

test("a script with `handle` is not a worker, and one without either form says both", async () => {
  const both = `export default { fetch() {} }; export async function handle() { return "handled"; }`;
  expect(answerOf(await run(`// both\n${both}`))).toBe("handled");
  expect(faultOf(await run("// neither\nexport const handler = 1;"))).toMatch(
    /^error: TypeError: The script must export a function `handle`, or a default object with a function `fetch`\./,
  );
  expect(faultOf(await run(workerOf(`return "text";`)))).toMatch(/The worker's `fetch` must return a Response\./);
});

/** Expressions of the standard, evaluated in a worker, and what they give as JSON. */
const standard: readonly (readonly [what: string, body: string, gives: unknown])[] = [
  [
    "headers are lower case, joined and sorted",
    `return [...new Headers([["B", "1"], ["a", " x "], ["b", "2"]])]`,
    [
      ["a", "x"],
      ["b", "1, 2"],
    ],
  ],
  [
    "headers keep cookies apart",
    `const h = new Headers(); h.append("Set-Cookie", "a=1"); h.append("set-cookie", "b=2"); return [h.getSetCookie(), [...h].length]`,
    [["a=1", "b=2"], 2],
  ],
  [
    "headers refuse names with blanks",
    `try { new Headers({ "a b": "c" }) } catch (error) { return error.name }`,
    "TypeError",
  ],
  [
    "headers refuse values with line breaks",
    `try { new Headers({ a: "b\\nc: d" }) } catch (error) { return error.name }`,
    "TypeError",
  ],
  [
    "a response of JSON",
    `const r = Response.json({ a: 1 }, { status: 201 }); return [r.status, r.ok, r.headers.get("Content-Type"), await r.json()]`,
    [201, true, "application/json", { a: 1 }],
  ],
  [
    "a redirect",
    `const r = Response.redirect("https://example.com/a b"); return [r.status, r.headers.get("location")]`,
    [302, "https://example.com/a%20b"],
  ],
  [
    "a response is read once",
    `const r = new Response("x"); await r.text(); return [r.bodyUsed, await r.text().catch((error) => error.name)]`,
    [true, "TypeError"],
  ],
  [
    "a clone is read as well",
    `const r = new Response("é", { headers: { a: "b" } }); const c = r.clone(); return [await r.text(), await c.text(), c.headers.get("a")]`,
    ["é", "é", "b"],
  ],
  [
    "a clone of a stream is read as well",
    `const r = new Response(new Blob(["ab"]).stream()); const c = r.clone(); return [await r.text(), await c.text()]`,
    ["ab", "ab"],
  ],
  ["a text has a type", `return new Response("x").headers.get("content-type")`, "text/plain;charset=UTF-8"],
  ["an empty response", `const r = new Response(null, { status: 204 }); return [r.body, await r.text()]`, [null, ""]],
  [
    "a response without a body may have none",
    `try { new Response("x", { status: 204 }) } catch (error) { return error.name }`,
    "TypeError",
  ],
  [
    "a request takes over another",
    `const a = new Request("https://example.com/a", { method: "post", body: "x", headers: { b: "c" } }); const b = new Request(a, { headers: { d: "e" } }); return [b.method, b.url, [...b.headers], await b.text()]`,
    [
      "POST",
      "https://example.com/a",
      [
        ["content-type", "text/plain;charset=UTF-8"],
        ["d", "e"],
      ],
      "x",
    ],
  ],
  [
    "a GET has no body",
    `try { new Request("https://example.com", { body: "x" }) } catch (error) { return error.name }`,
    "TypeError",
  ],
  [
    "a form of parameters",
    `const r = new Request("https://example.com", { method: "POST", body: new URLSearchParams({ a: "b c" }) }); return [r.headers.get("content-type"), [...(await r.formData()).entries()]]`,
    ["application/x-www-form-urlencoded;charset=UTF-8", [["a", "b c"]]],
  ],
  [
    "a form with a file",
    `const f = new FormData(); f.append('a"b', "é"); f.append("c", new File(["xy"], "c.txt", { type: "text/plain" })); const bytes = await new Response(f).arrayBuffer(); const type = new Response(f).headers.get("content-type"); const r = new Response(f); const sent = await r.clone().arrayBuffer(); const again = await new Response(sent, { headers: { "content-type": r.headers.get("content-type") } }).formData(); const file = again.get("c"); return [again.get('a"b'), file.name, file.type, await file.text(), type.startsWith("multipart/form-data; boundary=")]`,
    ["é", "c.txt", "text/plain", "xy", true],
  ],
  [
    "a blob",
    `const b = new Blob(["ab", new Uint8Array([99])], { type: "text/plain" }); return [b.size, b.type, await b.slice(1).text()]`,
    [3, "text/plain", "bc"],
  ],
  [
    "a stream is transformed",
    `const upper = new TransformStream({ transform(chunk, c) { c.enqueue(new TextEncoder().encode(new TextDecoder().decode(chunk).toUpperCase())) } }); return new Response(new Blob(["abc"]).stream().pipeThrough(upper)).text()`,
    "ABC",
  ],
  [
    "a body is a stream",
    `let text = ""; for await (const piece of new Response("abc").body) text += new TextDecoder().decode(piece); return text`,
    "abc",
  ],
  [
    "a signal of a controller",
    `const c = new AbortController(); let heard = 0; c.signal.addEventListener("abort", () => { heard += 1 }); c.signal.onabort = () => { heard += 10 }; c.abort(); c.abort(); return [c.signal.aborted, c.signal.reason.name, c.signal.reason.code, heard]`,
    [true, "AbortError", 20, 11],
  ],
  [
    "a signal of a time",
    `const s = AbortSignal.timeout(1); await new Promise((done) => s.addEventListener("abort", done)); return s.reason.name`,
    "TimeoutError",
  ],
  [
    "a signal of several",
    `const c = new AbortController(); const s = AbortSignal.any([new AbortController().signal, c.signal]); c.abort("why"); return [s.aborted, s.reason]`,
    [true, "why"],
  ],
  [
    "a request that was aborted",
    `return fetch("https://example.com", { signal: AbortSignal.abort() }).catch((error) => error.name)`,
    "AbortError",
  ],
  [
    "an event target",
    `const t = new EventTarget(); let seen = 0; const on = { handleEvent: () => { seen += 1 } }; t.addEventListener("x", on, { once: true }); t.dispatchEvent(new Event("x")); t.dispatchEvent(new Event("x")); return seen`,
    1,
  ],
  [
    "base64",
    `let wrong = ""; try { btoa("€") } catch (error) { wrong = error.name } return [btoa("\\u00e9\\u0000"), atob(" 6Q A="), wrong]`,
    ["6QA=", "\u00e9\u0000", "InvalidCharacterError"],
  ],
  [
    "invalid base64",
    `try { atob("a*") } catch (error) { return [error.name, error.code, error instanceof DOMException, error instanceof Error] }`,
    ["InvalidCharacterError", 5, true, true],
  ],
  [
    "random bytes",
    `const a = crypto.getRandomValues(new Uint32Array(4)); return [a.length, a.some((one) => one > 0)]`,
    [4, true],
  ],
  [
    "a clone of data",
    `const one = { at: new Date(5), map: new Map([[1, { a: undefined }]]) }; const two = structuredClone(one); return [two.at.getTime(), two.map.get(1) !== one.map.get(1), "a" in two.map.get(1)]`,
    [5, true, true],
  ],
  [
    "microtasks",
    `const seen = []; queueMicrotask(() => seen.push("b")); seen.push("a"); await null; await null; return seen`,
    ["a", "b"],
  ],
  [
    "the console of other engines",
    `console.assert(true); console.group("g"); console.groupEnd(); console.time("t"); console.table([1]); console.trace("x"); return "ok"`,
    "ok",
  ],
];

test.each(standard)("%s", async (_what, body, gives) => {
  const { text } = responseOf(
    await run(workerOf(`const answer = await (async () => { ${body} })(); return Response.json(answer);`)),
  );
  expect(JSON.parse(text)).toEqual(gives);
});

test("a signature is made and a header is sent by the standard `fetch`", async () => {
  const asked: unknown[] = [];
  const fetch: SafeFetch = (url, options) => {
    asked.push({
      url: String(url),
      method: options?.method,
      headers: options?.headers,
      body: Buffer.from(options?.body ?? "").toString(),
    });
    return Promise.resolve({
      url: "https://example.com/after",
      status: 200,
      headers: { get: () => null, entries: () => [["content-type", "application/json"]] as [string, string][] },
      body: Buffer.from('{"ok":true}'),
    });
  };
  const script = workerOf(`
    const bytes = new TextEncoder().encode("data");
    const key = await crypto.subtle.importKey("raw", new TextEncoder().encode("key"), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const signature = btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes))));
    const response = await fetch(new Request("https://example.com/to", { method: "PUT", body: new URLSearchParams({ a: "b" }), headers: new Headers({ "X-Signature": signature }) }));
    return Response.json([response.ok, response.url, response.redirected, await response.json()]);`);
  expect(JSON.parse(responseOf(await run(script, { fetch })).text)).toEqual([
    true,
    "https://example.com/after",
    true,
    { ok: true },
  ]);
  expect(asked).toEqual([
    {
      url: "https://example.com/to",
      method: "PUT",
      headers: {
        "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
        "x-signature": createHmac("sha256", "key").update("data").digest("base64"),
      },
      body: "a=b",
    },
  ]);
});
