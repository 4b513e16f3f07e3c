// The environment of scripts: the documented API, the limits of a run, and no state between runs.
import { AsyncLocalStorage } from "node:async_hooks";
import { createHmac } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { expect, test } from "vitest";
import { createSafeFetch } from "#src/net/safe-fetch.ts";
import { Sandbox } from "#src/sandbox/sandbox.ts";
import { answerOf, faultOf, useSandbox } from "#test/sandbox/sandboxed.ts";
import { serveOnLoopback } from "#test/support/loopback.ts";
import { runs } from "#test/support/runs.ts";

const run = useSandbox();
const runBriefly = useSandbox({ cpuMs: 50 });

test("a script handler gets the event and its context, logs, and responds", async () => {
  const result = await run(
    `console.debug("one", { two: 2 }, [3]); console.error(new TypeError("four"));
     return { event, context: Object.keys(context), secret: context.secrets.key }`,
    { event: { type: "comment_created", text: "é\u0000" }, secrets: { key: "value" } },
  );
  expect(answerOf(result)).toEqual({
    event: { type: "comment_created", text: "é\u0000" },
    context: ["secrets", "configuration", "api"],
    secret: "value",
  });
  expect(result.logs.map(({ level, message }) => [level, message.split("\n")[0]])).toEqual([
    ["debug", 'one {"two":2} [3]'],
    ["error", "TypeError: four"],
  ]);
});

test("scripts can use URL and URLSearchParams", async () => {
  const answer = await run(`
    const url = new URL("../b?x=1&y=%20z#h", "https://example.com/a/c");
    url.searchParams.append("k", "a b&c"); url.hash = ""; url.port = "8080";
    const params = new URLSearchParams([["b", "2"], ["a", "1"], ["b", "3"]]); params.sort(); params.set("b", "4");
    return [url.href, url.searchParams.get("y"), [...params], String(params), URL.canParse("no address"),
      String(new URL("https://EXAMPLE.com")), new URLSearchParams("?q=%zz+1").get("q")]`);
  expect(answerOf(answer)).toEqual([
    "https://example.com:8080/b?x=1&y=+z&k=a+b%26c",
    " z",
    [
      ["a", "1"],
      ["b", "4"],
    ],
    "a=1&b=4",
    false,
    "https://example.com/",
    "%zz 1",
  ]);
});

test("scripts can encode texts and compute digests and signatures", async () => {
  const answer = await run(`
    const { encode } = { encode: (text) => new TextEncoder().encode(text) };
    const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const key = await crypto.subtle.importKey("raw", encode("key"), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    const signature = await crypto.subtle.sign("HMAC", key, encode("data"));
    const other = await crypto.subtle.verify("HMAC", key, signature, encode("other"));
    return [hex(signature), await crypto.subtle.verify("HMAC", key, signature, encode("data")), other,
      hex(await crypto.subtle.digest("SHA-1", encode(""))), new TextDecoder().decode(encode("é\\u0000\\ud800x")),
      /^[0-9a-f-]{36}$/.test(crypto.randomUUID()), Object.keys(key)]`);
  expect(answerOf(answer)).toEqual([
    createHmac("sha256", "key").update("data").digest("hex"),
    true,
    false,
    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "é\u0000\ufffdx",
    true,
    [],
  ]);
});

test("timers of a script run in order until its handler ends", async () => {
  const result = await run(`
    const seen = []; const at = (text, wait) => setTimeout(() => { seen.push(text); console.info(text) }, wait);
    at("b", 500); at("a", 5); clearTimeout(at("never", 1)); setTimeout(() => console.info("late"), 9_000);
    let ticks = 0; await new Promise((done) => { const id = setInterval(() => { if (++ticks >= 3 && seen.length === 2) { clearInterval(id); done() } }, 10) });
    return seen`);
  expect(answerOf(result)).toEqual(["a", "b"]);
  expect(result.logs.map(({ message }) => message)).toEqual(["a", "b"]);
});

test("fetch in a script reaches only the public web, without credentials, at most twenty times", async () => {
  const port = await serveOnLoopback((request, response) => {
    if (request.url === "/inside")
      return void response.writeHead(302, { location: `http://127.0.0.1:${port}/x` }).end();
    if (request.url === "/large") return void response.end("x".repeat(1_000_001));
    response.writeHead(201, { "x-seen": "yes", "set-cookie": "a=b" }).end(JSON.stringify(request.headers));
  });
  const fetch = createSafeFetch({ allowedHosts: ["example.com"], resolve: () => Promise.resolve(["127.0.0.1"]) });
  const script = `
    const at = "http://example.com:${port}";
    const statusOf = (url, options) => fetch(url, options).then((response) => response.status, (error) => error.message);
    const good = await fetch(at, { method: "post", body: "text", headers: { "X-Mine": "1", Host: "evil.example.com", Connection: "close" } });
    const sent = await good.json();
    const seen = [good.status, good.ok, good.headers.get("X-Seen"), good.headers.get("set-cookie"), sent["x-mine"], sent.host, sent.cookie, sent.authorization];
    const refused = [];
    for (const url of ["http://127.0.0.1/", "http://169.254.169.254/latest/", "http://[::1]/", "http://2130706433/", "file:///etc/passwd", at + "/inside", at + "/large", "ftp://example.com/", "http://a:b@example.com/", "gopher://x"])
      refused.push(await statusOf(url));
    const counted = []; for (let i = 11; i < 22; i += 1) counted.push(await statusOf(at));
    return { seen, refused, counted }`;
  const { seen, refused, counted } = answerOf(await run(script, { fetch })) as Record<string, unknown[]>;
  expect(seen).toEqual([201, true, "yes", null, "1", `example.com:${port}`, null, null]);
  expect(refused).toHaveLength(10);
  for (const message of refused ?? [])
    expect(message).toMatch(/^fetch: (the address is not public|only http|the response exceeds|an address must not)/);
  expect(counted?.slice(0, 9)).toEqual(Array(9).fill(201));
  expect(counted?.slice(9)).toEqual(Array(2).fill("A run may send at most 20 requests to other servers."));
});

test("no state is kept from one run of a script to the next", async () => {
  const leave =
    "globalThis.left = context.secrets; Object.prototype.left = context.secrets; Array.prototype.map = () => context.secrets";
  for (let index = 0; index < 3; index += 1) await run(leave, { secrets: { key: "of another" }, owner: "another" });
  const look = "return [globalThis.left ?? null, ({}).left ?? null, [1].map((x) => x), context.secrets]";
  for (let index = 0; index < 4; index += 1)
    expect(answerOf(await run(look, { secrets: { own: "mine" } }))).toEqual([null, null, [1], { own: "mine" }]);
});

test("host calls of a run use its own async context, not that of the run that started the thread", async () => {
  const contexts = new AsyncLocalStorage<string>();
  const sandbox = new Sandbox({ threads: 1 });
  const script = `export async function handle(event, { api }) { await api.graphql("{ viewer { id } }"); }`;
  const answeredIn: (string | undefined)[] = [];
  for (const name of ["first", "second"]) {
    const result = await contexts.run(name, () =>
      sandbox.run(
        ["someone"],
        { script, event: "{}", context: '{"secrets":{},"configuration":{}}', environment: "{}" },
        () => {
          answeredIn.push(contexts.getStore());
          return Promise.resolve({ ok: true, json: "{}", body: null });
        },
      ),
    );
    expect(result.end).toMatchObject({ ok: true });
  }
  await sandbox.close();
  expect(answeredIn).toEqual(["first", "second"]);
});

test("logs of a script are limited in number and length", async () => {
  const { logs } = await run(`for (let i = 0; i < 150; i += 1) console.warn("x".repeat(3000))`);
  expect(logs).toHaveLength(100);
  expect(logs[0]?.message).toHaveLength(2000);
  expect(logs.at(-1)?.message).toBe("Only 100 lines are kept; the rest is dropped.");
});

test("a script that is too long or not a text is not run", async () => {
  expect(faultOf(await run(`// ${"x".repeat(1_000_000)}\nexport async function handle() {}`))).toMatch(
    /^size: The script must not exceed/,
  );
  expect(faultOf(await run("return '\u0000'"))).toMatch(/^size: The script must not contain a NUL/);
});

test("a request that is too large is refused in the thread of the script", async () => {
  const body = `try { await context.api.graphql("#" + "x".repeat(2e6)); } catch (error) { return error.message; }`;
  expect(answerOf(await run(body))).toBe("A request may have at most 1100000 characters and bytes.");
});

test("a closed sandbox ends running scripts and refuses waiting ones", async () => {
  const sandbox = new Sandbox({ threads: 1 });
  await sandbox.warm();
  const script = "export async function handle() { await new Promise((resolve) => setTimeout(resolve, 9000)); }";
  const given = { script, event: "{}", context: "{}", environment: "{}" };
  const runs = [1, 2].map(() => sandbox.run(["someone"], given, () => Promise.resolve({ ok: false, message: "" })));
  const ends = Promise.allSettled(runs);
  await sandbox.close();
  const [first, second] = await ends;
  expect(first).toMatchObject({ value: { end: { ok: false, message: "The gateway ended the script's thread." } } });
  expect(second).toMatchObject({ reason: { code: "UNAVAILABLE" } });
});

test("scripts of other users finish while hostile scripts run", { timeout: 120_000 }, async () => {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const hostile = [
    "while (true);",
    "const all = []; while (true) all.push(new Array(1000).fill(1))",
    "while (true) await null",
    "for (;;) console.info('x')",
  ];
  const attacks = Array.from({ length: runs(20, hostile.length) }, (_, index) =>
    runBriefly(hostile[index % 4] ?? "", { owner: `hostile ${index % 2}` }),
  );
  const healthy = await Promise.all(
    Array.from({ length: 10 }, (_, index) => runBriefly(`return ${index}`, { owner: "healthy" })),
  );
  expect(healthy.map(answerOf)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  for (const result of await Promise.all(attacks)) expect(result.end.ok).toBe(false);
  delay.disable();
  const milliseconds = (nanoseconds: number): string => (nanoseconds / 1e6).toFixed(1);
  console.log(
    `event loop with ${attacks.length} hostile scripts: p50 ${milliseconds(delay.percentile(50))} ms, p99 ${milliseconds(delay.percentile(99))} ms`,
  );
});
