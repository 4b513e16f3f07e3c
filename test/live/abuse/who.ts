// Abuse of tokens, host names, pages and public information.
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockFolder } from "#src/db/embedded/folder-lock.ts";
import { ask, asks, byStatus, type Check, tested, measured, post, refused, sendRaw } from "#test/live/abuse/target.ts";
import { times } from "#test/support/world.ts";

const tokenAt = (what: string, given: (token: string) => { path?: string; headers?: Record<string, string> }): Check =>
  asks("pass", what, async ({ url, token }) => {
    const { path = "/v1/orgs", headers = {} } = given(token);
    return byStatus(await ask(`${url}${path}`, { headers }), 401);
  });

const statusOf = (answer: string): string => answer.split("\r\n", 1)[0] ?? "";

const tokens: readonly Check[] = [
  asks("pass", "300 guesses of a token", async ({ url, token, size }) => {
    const statuses = [];
    for (let round = 0; round < size(30); round++) {
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
  tokenAt("the token with a suffix", (token) => ({ headers: { authorization: `Bearer ${token} x` } })),
  tokenAt("the token in capitals", (token) => ({ headers: { authorization: `Bearer ${token.toUpperCase()}` } })),
  tokenAt("the truncated token", (token) => ({ headers: { authorization: `Bearer ${token.slice(0, -1)}` } })),
  tokenAt("10 KB of token", () => ({ headers: { authorization: `Bearer ${"x".repeat(10_000)}` } })),
  asks("pass", "two Authorization headers: the first counts", async (target) => {
    const head = (first: string, second: string) =>
      `GET /v1/orgs HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${first}\r\nauthorization: Bearer ${second}\r\nconnection: close\r\n\r\n`;
    const lines = [
      statusOf(await sendRaw(target, head("dg_no", target.token))),
      statusOf(await sendRaw(target, head(target.token, "dg_no"))),
    ];
    return { holds: !lines[0]?.includes(" 200"), evidence: lines.join("; ") };
  }),
  tokenAt("no token", () => ({})),
  asks("pass", "no token on every operation of /v1", async ({ url }) => {
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
  asks("pass", "no token for a query, a subscription and a mutation", async (target) => {
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
  tested("pass", "a token whose time is over", ["features/tokens/graph.test.ts", "a token expires at its expiry time"]),
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
    "a token that expires while its socket is open",
    ["platform/request-checks.test.ts", "closes its socket at the next operation"],
    ["platform/request-checks.test.ts", "closes its socket when it ends a stream"],
  ),
  tested(
    "weak",
    "what a token may do, and the tokens that it makes",
    ["features/tokens/scopes.test.ts", "a token for one organization sees no other"],
    ["features/tokens/makers.test.ts", "and so do tokens that it creates"],
    ["platform/quotas.test.ts", "limit the valid tokens of a user; a rotated one counts until it expires"],
  ),
];

const files: readonly Check[] = [
  asks("pass", "guessed URLs of files", async ({ url }) => {
    const paths = ["/files/x", "/files/x/y", `/files/${"a".repeat(22)}/name.png`, "/files/%00", "/files/fil_0?e=1&s=x"];
    const statuses = [];
    for (const path of paths) statuses.push((await ask(url + path)).status);
    return { holds: statuses.every((status) => [400, 401, 404].includes(status)), evidence: statuses.join(", ") };
  }),
  tested("fail", "URLs of files that were deleted or are no longer visible", [
    "platform/downloads.test.ts",
    "a viewer who has lost access",
  ]),
  tested(
    "pass",
    "ranges, conditions and methods of downloads",
    ["platform/downloads.test.ts", "a Range request"],
    ["platform/downloads.test.ts", "accepts only GET and HEAD"],
  ),
];

const places: readonly Check[] = [
  tested(
    "fail",
    "the demo token in a page for another host",
    ["platform/origins.test.ts", "only the page that may contain a token is no-store"],
    ["platform/request-checks.test.ts", "of another site does not get a WebSocket"],
  ),
  tested("pass", "the demo and its token in production", [
    "platform/setup.test.ts",
    "production does not create the demo in the embedded database either",
  ]),
  asks("fail", "a foreign Host (DNS rebinding), over HTTP and for a socket", async (target) => {
    const head = "HTTP/1.1\r\nhost: evil.example\r\norigin: http://evil.example\r\n";
    const upgrade =
      "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    const lines = [
      statusOf(await sendRaw(target, `GET /graphql ${head}connection: close\r\n\r\n`)),
      statusOf(await sendRaw(target, `GET /graphql ${head}${upgrade}`)),
    ];
    return { holds: lines.every((line) => line.startsWith("HTTP/1.1 421")), evidence: lines.join("; ") };
  }),
  asks("pass", "a page of a foreign origin", async ({ url, token }) => {
    const origins = ["https://evil.example", "null", "http://localhost:1234"];
    const answers = await Promise.all(
      origins.map((origin) => ask(`${url}/v1/orgs`, { headers: { origin, authorization: `Bearer ${token}` } })),
    );
    const allowed = answers.map(({ headers }) => headers.get("access-control-allow-origin"));
    const credentials = answers.map(({ headers }) => headers.get("access-control-allow-credentials"));
    return { holds: [...allowed, ...credentials].every((value) => value === null), evidence: JSON.stringify(allowed) };
  }),
  tested("weak", "pages of any origin, and the demo token", [
    "platform/origins.test.ts",
    "refuses requests from localhost unless that is enabled, as in production",
  ]),
  asks("pass", "forms and text bodies from other pages, without a token (CSRF)", async ({ url }) => {
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
  asks("weak", "security headers of pages: no framing, no MIME sniffing", async ({ url }) => {
    const answers = await Promise.all(["/", "/docs", "/reference/rest"].map((path) => ask(url + path)));
    const policies = answers.map(({ headers }) => headers.get("content-security-policy") ?? "");
    const holds =
      policies.every((policy) => policy.includes("frame-ancestors 'none'")) &&
      answers.every(({ headers }) => headers.get("x-content-type-options") === "nosniff");
    return { holds, evidence: policies[0] ?? "" };
  }),
  asks("fail", "300 requests of the GraphiQL page without a token", async ({ url, megabytes, size }) => {
    const before = megabytes();
    const pages = await Promise.all(
      times(size(300), () => ask(`${url}/graphql`, { headers: { accept: "text/html" } })),
    );
    const grown = (megabytes() ?? 0) - (before ?? 0);
    const bytes = Math.max(...pages.map(({ text }) => text.length));
    return measured(bytes < 20_000, grown < 150, `${bytes} characters each; ${grown} MB more`);
  }),
  asks("weak", "500 requests of /readyz without a token", async ({ url, size }) => {
    const begun = performance.now();
    const answers = await Promise.all(times(size(500), () => ask(`${url}/readyz`)));
    const took = performance.now() - begun;
    const wrong = answers.find(({ status }) => status !== 200);
    const evidence = `${took.toFixed(0)} ms together${wrong ? `: ${wrong.text}` : ""}`;
    return measured(!wrong, took < 5000, evidence);
  }),
];

const disclosure: readonly Check[] = [
  asks("pass", "a forged request id", async ({ url }) => {
    const { headers } = await ask(`${url}/healthz`, { headers: { "x-request-id": "<script>" } });
    const id = headers.get("x-request-id") ?? "";
    return { holds: /^[\w.:-]+$/.test(id), evidence: id };
  }),
  asks("pass", "log injection", async (target) => {
    const line = '{"level":60,"msg":"made up"}';
    await sendRaw(target, `GET /v1/orgs?\r\n${line} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    await ask(`${target.url}/v1/${encodeURIComponent(`x\n${line}\n`)}`);
    await post(target, `{ nothing(text: """\n${line}\n""") }`);
    const lines = target.output().split("\n");
    return { holds: !lines.includes(line), evidence: `${lines.length} lines` };
  }),
  asks("weak", "tokens in the log", async ({ output, token, otherToken, outsiderToken }) => {
    const found = [token, otherToken, outsiderToken].filter((one) => output().includes(one));
    return { holds: found.length === 0 && output().length > 0, evidence: `${output().length} characters of log` };
  }),
  asks("weak", "900 KB of invalid JSON that an error could echo", async ({ url, token }) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const answer = await ask(`${url}/graphql`, { method: "POST", headers, body: "\0".repeat(900_000) });
    return { holds: answer.status === 400 && answer.text.length < 2000, evidence: `${answer.text.length} characters` };
  }),
  asks("weak", "stack traces and SQL in errors", async (target) => {
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
  asks("pass", "public pages reveal no secret", async ({ url, token }) => {
    const answers = await Promise.all(["/v1/openapi.json", "/README.md", "/"].map((path) => ask(url + path)));
    const holds = answers.every(
      ({ status, text }) =>
        status === 200 && !text.includes(token) && !/postgres(ql)?:\/\/[^\s"]*:[^\s"@]+@127/.test(text),
    );
    return { holds, evidence: answers.map(({ text }) => `${text.length} characters`).join(", ") };
  }),
];

/** The names of all sockets of this machine, where the system lists them; "@" marks abstract ones. */
const socketNames = async (): Promise<string[]> =>
  (await readFile("/proc/net/unix", "utf8").catch(() => "")).split("\n").map((line) => line.split(" ").at(-1) ?? "");

const machine: readonly Check[] = [
  tested("pass", "the data folder read by other accounts", [
    "platform/data-folder.test.ts",
    "the data folder and the socket are accessible only to their owner",
  ]),
  tested("pass", "the demo token file read by other accounts", [
    "platform/lifecycle.test.ts",
    "the first start prints URLs and a token to a terminal, but no secret to a file or pipe",
  ]),
  tested("pass", "PostgreSQL over the network", [
    "platform/data-folder.test.ts",
    "the embedded PostgreSQL listens on no network",
  ]),
  tested("pass", "PostgreSQL by other accounts of the machine", [
    "platform/data-folder.test.ts",
    "the data folder and the socket are accessible only to their owner",
  ]),
  asks("fail", "the lock of the data folder taken by another account", async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "docgraph-lock-")));
    const before = new Set(await socketNames());
    const lock = await lockFolder(folder);
    const names = (await socketNames()).filter((name) => !before.has(name) && name.includes("docgraph"));
    await lock.release();
    await rm(folder, { recursive: true, force: true });
    return { holds: names.every((name) => name.startsWith(folder)), evidence: names.join(", ").slice(0, 60) };
  }),
];

export const whoChecks: readonly Check[] = [...tokens, ...files, ...places, ...disclosure, ...machine];
