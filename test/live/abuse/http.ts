// Abuse of HTTP: request smuggling, unusual methods, headers and bodies, and many connections at once.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { ask, asks, byStatus, type Check, tested, measured, sendRaw, type Target } from "#test/live/abuse/target.ts";
import { times } from "#test/support/world.ts";

const statusOf = (answer: string): string => answer.split("\r\n", 1)[0] ?? "";

/** Checks the status line of the response to raw bytes. */
const lineCheck = (
  before: Check["before"],
  what: string,
  text: string | ((target: Target) => string),
  due: RegExp,
): Check =>
  asks(before, what, async (target) => {
    const line = statusOf(await sendRaw(target, typeof text === "string" ? text : text(target)));
    return { holds: due.test(line), evidence: line || "closed" };
  });

const smuggling = (what: string, heads: string, body = ""): Check =>
  lineCheck(
    "pass",
    `smuggling: ${what}`,
    `POST /graphql HTTP/1.1\r\nhost: localhost\r\n${heads}\r\n\r\n${body}`,
    / 400 /,
  );

const requests: readonly Check[] = [
  smuggling("two lengths", "content-length: 5\r\ncontent-length: 6", "hello!"),
  smuggling("a length and chunks", "content-length: 5\r\ntransfer-encoding: chunked", "0\r\n\r\n"),
  smuggling("chunks and a length", "transfer-encoding: chunked\r\ncontent-length: 5", "0\r\n\r\n"),
  smuggling("a signed length", "content-length: +5", "hello"),
  smuggling("a negative length", "content-length: -5", "hello"),
  smuggling("a list of lengths", "content-length: 5, 5", "hello"),
  smuggling("a length in hexadecimal", "content-length: 0x5", "hello"),
  smuggling("a length beyond the number range", "content-length: 99999999999999999999999", "hello"),
  smuggling("an unknown coding", "transfer-encoding: xchunked", "0\r\n\r\n"),
  smuggling("the coding identity", "transfer-encoding: identity\r\ncontent-length: 5", "hello"),
  smuggling("a blank before the colon", "content-length : 5", "hello"),
  smuggling("a folded header line", "content-length:\r\n 5", "hello"),
  smuggling("lines that end with LF only", "content-length: 5\nx: y", "hello"),
  smuggling("chunks with an invalid hexadecimal length", "transfer-encoding: chunked", "0x5\r\nhello\r\n0\r\n\r\n"),
  lineCheck(
    "pass",
    "1 MB of chunk extensions",
    `POST /graphql HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n5;${"x".repeat(1_000_000)}\r\nhello\r\n0\r\n\r\n`,
    / 4\d\d /,
  ),
  lineCheck(
    "pass",
    "a token in a trailer",
    ({ token }) =>
      `POST /graphql HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\ntrailer: authorization\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n16\r\n{"query":"{viewer{id}}\r\n2\r\n"}\r\n0\r\nauthorization: Bearer ${token}\r\n\r\n`,
    / 401 /,
  ),
  lineCheck(
    "weak",
    "two Host headers",
    "GET /healthz HTTP/1.1\r\nhost: localhost\r\nhost: other\r\nconnection: close\r\n\r\n",
    / 400 /,
  ),
  lineCheck("pass", "HTTP/2 without TLS", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", /^$| 400 /),
  lineCheck(
    "pass",
    "HTTP/1.9",
    "GET /healthz HTTP/1.9\r\nhost: localhost\r\nconnection: close\r\n\r\n",
    / (?:400|505) /,
  ),
  lineCheck(
    "weak",
    "an absolute-form target",
    "GET http://localhost/healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
    / 200 /,
  ),
  lineCheck("pass", "CONNECT", "CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n", /^$| 4\d\d /),
  asks("pass", "TRACE", async (target) => {
    const answer = await sendRaw(
      target,
      "TRACE / HTTP/1.1\r\nhost: localhost\r\nx-mine: told-back\r\nconnection: close\r\n\r\n",
    );
    return { holds: / 4\d\d /.test(statusOf(answer)) && !answer.includes("told-back"), evidence: statusOf(answer) };
  }),
  lineCheck("pass", "an unknown method", "FROB / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n", / 4\d\d /),
  asks("weak", "unsupported methods of pages", async ({ url }) => {
    const statuses = [];
    for (const method of ["POST", "DELETE", "PROPFIND"])
      for (const path of ["/", "/healthz", "/readyz"]) statuses.push((await ask(`${url}${path}`, { method })).status);
    return { holds: statuses.every((status) => status === 405), evidence: statuses.join(", ") };
  }),
  lineCheck(
    "pass",
    "an unknown expectation",
    "POST /graphql HTTP/1.1\r\nhost: localhost\r\nexpect: the-spanish-inquisition\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}",
    / 417 /,
  ),
  asks("pass", "headers and paths of 20 KB", async ({ url }) =>
    byStatus(await ask(`${url}/${"a".repeat(20_000)}`), 431),
  ),
  asks("weak", "a compressed body", async ({ url, token }) => {
    const statuses = [];
    for (const coding of ["br", "gzip", "x"]) {
      const headers = {
        "content-type": "application/json",
        authorization: `Bearer ${token}`,
        "content-encoding": coding,
      };
      statuses.push(
        (await ask(`${url}/graphql`, { method: "POST", headers, body: '{"query":"{viewer{id}}"}' })).status,
      );
    }
    return { holds: statuses.every((status) => status === 415), evidence: statuses.join(", ") };
  }),
  asks("pass", "path traversal", async (target) => {
    const paths = [
      "/files/../../etc/passwd",
      "/v1/..%2f..%2fetc",
      "/files/%2e%2e/x",
      "/files/..%5c..%5cx",
      "//etc/passwd",
    ];
    const answers = await Promise.all(
      paths.map((path) => sendRaw(target, `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`)),
    );
    const lines = answers.map(statusOf);
    return { holds: lines.every((line) => / 40[014] /.test(line)), evidence: lines.join("; ") };
  }),
];

/** Opens `count` connections that send `text`, and checks that another request is fast meanwhile. */
async function besides(target: Target, { count, text }: { count: number; text: string }) {
  const { hostname, port } = new URL(target.url);
  const before = target.megabytes();
  const sockets: Socket[] = [];
  for (let round = 0; round < count; round += 100) {
    const opened = times(Math.min(100, count - round), () => connect(Number(port), hostname));
    for (const socket of opened) socket.on("error", () => {});
    await Promise.all(opened.map((socket) => once(socket, "connect")));
    for (const socket of opened) socket.write(text);
    sockets.push(...opened);
  }
  const begun = performance.now();
  const { status } = await ask(`${target.url}/healthz`);
  const took = performance.now() - begun;
  const grown = (target.megabytes() ?? 0) - (before ?? 0);
  for (const socket of sockets) socket.destroy();
  const evidence = `another request ${took.toFixed(0)} ms; ${grown} MB more`;
  return measured(status === 200, took < 1000 && grown < 60, evidence);
}

const many: readonly Check[] = [
  asks("pass", "500 pipelined requests on one connection", async (target) => {
    const one = "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n";
    const last = "GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    const answers = (await sendRaw(target, one.repeat(499) + last)).match(/HTTP\/1\.1 200/g)?.length ?? 0;
    return { holds: answers === 500, evidence: `${answers} answers` };
  }),
  asks("pass", "3,000 requests with incomplete headers (slowloris)", (target) =>
    besides(target, { count: target.size(3000), text: "GET / HTTP/1.1\r\nhost: loc" }),
  ),
  asks("pass", "500 idle keep-alive connections", (target) =>
    besides(target, { count: 500, text: "GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n" }),
  ),
  asks("pass", "200 truncated bodies", (target) =>
    besides(target, {
      count: 200,
      text: `POST /graphql HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${target.token}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"query":`,
    }),
  ),
  tested(
    "fail",
    "one client that uses all database connections",
    [
      "platform/failure-isolation.test.ts",
      "six users whose operations wait for a lock leave connections to a seventh who reads and writes",
    ],
    [
      "platform/failure-isolation.test.ts",
      "refuses requests beyond the connection queue at once, except token lookups and health checks",
    ],
  ),
];

export const httpChecks: readonly Check[] = [...requests, ...many];
