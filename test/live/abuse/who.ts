// Abuse of tokens, of names of hosts, of pages and of what the gateway tells: who asks, and who may know what.
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockFolder } from "#src/db/embedded/folder-lock.ts";
import { ask, asks, byStatus, type Check, tested, measured, post, refused, say } from "#test/live/abuse/target.ts";
import { times } from "#test/support/world.ts";

const tokenAt = (what: string, given: (token: string) => { path?: string; headers?: Record<string, string> }): Check =>
  asks("pass", what, async ({ url, token }) => {
    const { path = "/v1/orgs", headers = {} } = given(token);
    return byStatus(await ask(`${url}${path}`, { headers }), 401);
  });

const statusOf = (answer: string): string => answer.split("\r\n", 1)[0] ?? "";

const tokens: readonly Check[] = [
  asks("pass", "300 guesses of a token", async ({ url, token }) => {
    const statuses = [];
    for (let round = 0; round < 30; round++) {
      const guesses = times(10, (index) => `${token.slice(0, -3)}${String(round * 10 + index).padStart(3, "0")}`);
      const asked = guesses.map((guess) => ask(`${url}/v1/orgs`, { headers: { authorization: `Bearer ${guess}` } }));
      statuses.push(...(await Promise.all(asked)).map(({ status }) => status));
    }
    return { holds: statuses.every((status) => status === 401), evidence: `${statuses.length} x 401` };
  }),
  tokenAt("the token in the query string", (token) => ({ path: `/v1/orgs?access_token=${token}` })),
  tokenAt("the token as a cookie", (token) => ({ headers: { cookie: `token=${token}` } })),
  tokenAt("the token as x-api-key", (token) => ({ headers: { "x-api-key": token } })),
  tokenAt("the token as Basic", (token) => ({ headers: { authorization: `Basic ${token}` } })),
  tokenAt("the token with more behind it", (token) => ({ headers: { authorization: `Bearer ${token} x` } })),
  tokenAt("the token in capitals", (token) => ({ headers: { authorization: `Bearer ${token.toUpperCase()}` } })),
  tokenAt("the token cut", (token) => ({ headers: { authorization: `Bearer ${token.slice(0, -1)}` } })),
  tokenAt("10 KB of token", () => ({ headers: { authorization: `Bearer ${"x".repeat(10_000)}` } })),
  asks("pass", "two headers Authorization: the first counts", async (target) => {
    const head = (first: string, second: string) =>
      `GET /v1/orgs HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${first}\r\nauthorization: Bearer ${second}\r\nconnection: close\r\n\r\n`;
    const lines = [
      statusOf(await say(target, head("dg_no", target.token))),
      statusOf(await say(target, head(target.token, "dg_no"))),
    ];
    return { holds: !lines[0]?.includes(" 200"), evidence: lines.join("; ") };
  }),
  tokenAt("no token", () => ({})),
  asks("pass", "no token, on every operation of REST", async ({ url }) => {
    const { paths } = JSON.parse((await ask(`${url}/v1/openapi.json`)).text) as { paths: Record<string, object> };
    const wrong: string[] = [];
    let count = 0;
    for (const [path, methods] of Object.entries(paths)) {
      for (const method of Object.keys(methods).filter((name) =>
        ["get", "post", "put", "patch", "delete"].includes(name),
      )) {
        const target = `${url}/v1${path.replaceAll(/\{[^}]*\}/g, "none")}`;
        const { status } = await ask(target, { method: method.toUpperCase() });
        count += 1;
        if (![401, 404].includes(status)) wrong.push(`${method} ${path} ${status}`);
      }
    }
    return { holds: count > 100 && wrong.length === 0, evidence: wrong.join("; ") || `${count} operations` };
  }),
  asks("pass", "no token, for a query, a stream and a mutation", async (target) => {
    const headers = { accept: "text/event-stream", "content-type": "application/json" };
    const body = JSON.stringify({ query: "subscription { commentEvents(of: {}) { __typename } }" });
    const answers = [
      await post(target, "{ viewer { id } }", { token: null }),
      await ask(`${target.url}/graphql`, { method: "POST", headers, body }),
      await post(target, 'mutation { createApiToken(input: { name: "n" }) { token } }', { token: null }),
    ];
    return {
      holds: answers.every(({ status }) => status === 401),
      evidence: answers.map(({ status }) => status).join(", "),
    };
  }),
  tested("pass", "a token whose time is over", ["features/tokens/graph.test.ts", "a token ends at its time"]),
  asks("pass", "a token that was revoked", async (target) => {
    const created = await post(
      target,
      'mutation { createApiToken(input: { name: "gone" }) { token apiToken { id } } }',
    );
    const { token, apiToken } = (
      JSON.parse(created.text) as { data: { createApiToken: { token: string; apiToken: { id: string } } } }
    ).data.createApiToken;
    const before = await post(target, "{ viewer { id } }", { token });
    await post(target, `mutation { revokeApiToken(input: { apiTokenId: "${apiToken.id}" }) { apiToken { id } } }`);
    const after = await post(target, "{ viewer { id } }", { token });
    return { holds: before.status === 200 && after.status === 401, evidence: `${before.status}, then ${after.status}` };
  }),
  tested(
    "pass",
    "a token that ends while its socket is open",
    ["platform/doors.test.ts", "closes its socket when something is asked"],
    ["platform/doors.test.ts", "closes its socket when a stream ends of it"],
  ),
  tested(
    "weak",
    "what a token may do, and the tokens that it makes",
    ["features/tokens/scopes.test.ts", "a token for one organization knows no other"],
    ["features/tokens/makers.test.ts", "and so do those that it makes"],
    ["platform/quotas.test.ts", "of a user are at most so many that are good"],
  ),
];

const files: readonly Check[] = [
  asks("pass", "addresses of files that are guessed", async ({ url }) => {
    const paths = ["/files/x", "/files/x/y", `/files/${"a".repeat(22)}/name.png`, "/files/%00", "/files/fil_0?e=1&s=x"];
    const statuses = [];
    for (const path of paths) statuses.push((await ask(url + path)).status);
    return { holds: statuses.every((status) => [400, 401, 404].includes(status)), evidence: statuses.join(", ") };
  }),
  tested("fail", "addresses of files that were deleted, or may not be read any more", [
    "platform/downloads.test.ts",
    "who may not read it any more",
  ]),
  tested(
    "pass",
    "ranges, conditions and methods of files",
    ["platform/downloads.test.ts", "a part"],
    ["platform/downloads.test.ts", "is read only"],
  ),
];

const places: readonly Check[] = [
  tested(
    "fail",
    "the token of the demo in a page, for another host",
    ["platform/origins.test.ts", "what is kept from caches is the page that may hold a token"],
    ["platform/doors.test.ts", "of another place gets no socket"],
  ),
  tested("pass", "a demo, and its token, in production", [
    "platform/setup.test.ts",
    "production makes no demo in the embedded database either",
  ]),
  asks("fail", "another host (DNS rebinding), over HTTP and for a socket", async (target) => {
    const head = "HTTP/1.1\r\nhost: evil.example\r\norigin: http://evil.example\r\n";
    const upgrade =
      "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    const lines = [
      statusOf(await say(target, `GET /graphql ${head}connection: close\r\n\r\n`)),
      statusOf(await say(target, `GET /graphql ${head}${upgrade}`)),
    ];
    return { holds: lines.every((line) => line.startsWith("HTTP/1.1 421")), evidence: lines.join("; ") };
  }),
  asks("pass", "a page of another origin", async ({ url, token }) => {
    const origins = ["https://evil.example", "null", "http://localhost:1234"];
    const answers = await Promise.all(
      origins.map((origin) => ask(`${url}/v1/orgs`, { headers: { origin, authorization: `Bearer ${token}` } })),
    );
    const allowed = answers.map(({ headers }) => headers.get("access-control-allow-origin"));
    const credentials = answers.map(({ headers }) => headers.get("access-control-allow-credentials"));
    return { holds: [...allowed, ...credentials].every((value) => value === null), evidence: JSON.stringify(allowed) };
  }),
  tested("weak", "pages of all origins, and the token of the demo", [
    "platform/origins.test.ts",
    "it may not where that was not chosen, as in production",
  ]),
  asks("pass", "forms and texts of other pages, without a token (CSRF)", async ({ url }) => {
    const form = new FormData();
    form.set("operations", '{"query":"mutation { createApiToken(input: { name: \\"n\\" }) { token } }"}');
    form.set("map", "{}");
    const bodies: RequestInit[] = [
      { body: form },
      { body: "query={viewer{id}}", headers: { "content-type": "application/x-www-form-urlencoded" } },
      { body: '{"query":"{viewer{id}}"}', headers: { "content-type": "text/plain" } },
    ];
    const statuses = [];
    for (const init of bodies) statuses.push((await ask(`${url}/graphql`, { method: "POST", ...init })).status);
    return { holds: statuses.every((status) => [400, 401, 403, 415].includes(status)), evidence: statuses.join(", ") };
  }),
  asks("weak", "headers of pages: no frames, no guesses of types", async ({ url }) => {
    const answers = await Promise.all(["/", "/docs", "/reference/rest"].map((path) => ask(url + path)));
    const policies = answers.map(({ headers }) => headers.get("content-security-policy") ?? "");
    const holds =
      policies.every((policy) => policy.includes("frame-ancestors 'none'")) &&
      answers.every(({ headers }) => headers.get("x-content-type-options") === "nosniff");
    return { holds, evidence: policies[0] ?? "" };
  }),
  asks("fail", "300 times the page of GraphiQL, without a token", async ({ url, megabytes, size }) => {
    const before = megabytes();
    const pages = await Promise.all(
      times(size(300), () => ask(`${url}/graphql`, { headers: { accept: "text/html" } })),
    );
    const grown = (megabytes() ?? 0) - (before ?? 0);
    const bytes = Math.max(...pages.map(({ text }) => text.length));
    return measured(bytes < 20_000, grown < 150, `${bytes} characters each; ${grown} MB more`);
  }),
  asks("weak", "500 times /readyz, without a token", async ({ url, size }) => {
    const begun = performance.now();
    const answers = await Promise.all(times(size(500), () => ask(`${url}/readyz`)));
    const took = performance.now() - begun;
    const wrong = answers.find(({ status }) => status !== 200);
    const evidence = `${took.toFixed(0)} ms together${wrong ? `: ${wrong.text}` : ""}`;
    return measured(!wrong, took < 5000, evidence);
  }),
];

const told: readonly Check[] = [
  asks("pass", "a request id that is made up", async ({ url }) => {
    const { headers } = await ask(`${url}/healthz`, { headers: { "x-request-id": "<script>" } });
    const id = headers.get("x-request-id") ?? "";
    return { holds: /^[\w.:-]+$/.test(id), evidence: id };
  }),
  asks("pass", "lines of the log that are made up", async (target) => {
    const line = '{"level":60,"msg":"made up"}';
    await say(target, `GET /v1/orgs?\r\n${line} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    await ask(`${target.url}/v1/${encodeURIComponent(`x\n${line}\n`)}`);
    await post(target, `{ nothing(text: """\n${line}\n""") }`);
    const lines = target.output().split("\n");
    return { holds: !lines.includes(line), evidence: `${lines.length} lines` };
  }),
  asks("weak", "tokens in the log", async ({ output, token, otherToken, outsiderToken }) => {
    const found = [token, otherToken, outsiderToken].filter((one) => output().includes(one));
    return { holds: found.length === 0 && output().length > 0, evidence: `${output().length} characters of log` };
  }),
  asks("weak", "900 KB of no JSON, told back", async ({ url, token }) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const answer = await ask(`${url}/graphql`, { method: "POST", headers, body: "\0".repeat(900_000) });
    return { holds: answer.status === 400 && answer.text.length < 2000, evidence: `${answer.text.length} characters` };
  }),
  asks("weak", "stacks and statements in errors", async (target) => {
    const answers = [
      await post(target, "{ space(id: 7.5) { id } }"),
      await ask(`${target.url}/v1/spaces/%ff`, { headers: { authorization: `Bearer ${target.token}` } }),
      await post(target, "{", {}),
    ];
    const holds = answers.every(
      (answer) => refused(answer).holds && !/\bat .*:\d+|select |node_modules/i.test(answer.text),
    );
    return { holds, evidence: answers.map(({ text }) => text.slice(0, 50)).join("; ") };
  }),
  asks("pass", "what is open to all tells no secret", async ({ url, token }) => {
    const answers = await Promise.all(["/v1/openapi.json", "/README.md", "/"].map((path) => ask(url + path)));
    const holds = answers.every(
      ({ status, text }) =>
        status === 200 && !text.includes(token) && !/postgres(ql)?:\/\/[^\s"]*:[^\s"@]+@127/.test(text),
    );
    return { holds, evidence: answers.map(({ text }) => `${text.length} characters`).join(", ") };
  }),
];

/** The names of all sockets of this machine, where the system tells them: "@" stands for those in no folder. */
const socketNames = async (): Promise<string[]> =>
  (await readFile("/proc/net/unix", "utf8").catch(() => "")).split("\n").map((line) => line.split(" ").at(-1) ?? "");

const machine: readonly Check[] = [
  tested("pass", "the data folder, read by other accounts", ["platform/data-folder.test.ts", "nobody else may enter"]),
  tested("pass", "the file of the demo's token, read by other accounts", [
    "platform/lifecycle.test.ts",
    "the first start prints all that is needed",
  ]),
  tested("pass", "PostgreSQL over the network", ["platform/data-folder.test.ts", "listens to no network"]),
  tested("pass", "PostgreSQL by other accounts of the machine", [
    "platform/data-folder.test.ts",
    "nobody else may enter",
  ]),
  asks("fail", "the lock of the data folder, taken by somebody else", async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "docgraph-lock-")));
    const before = new Set(await socketNames());
    const lock = await lockFolder(folder);
    const names = (await socketNames()).filter((name) => !before.has(name) && name.includes("docgraph"));
    await lock.release();
    await rm(folder, { recursive: true, force: true });
    return { holds: names.every((name) => name.startsWith(folder)), evidence: names.join(", ").slice(0, 60) };
  }),
];

export const whoChecks: readonly Check[] = [...tokens, ...files, ...places, ...told, ...machine];
