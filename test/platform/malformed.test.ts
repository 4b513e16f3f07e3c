// Malformed requests: each gets the documented body, and the connection is closed.
import { connect } from "node:net";
import { beforeAll, expect, test } from "vitest";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();
let token: string;

beforeAll(async () => {
  ({
    reader: { token },
  } = await world.organization());
});

/** The response until the gateway closes the connection. */
const say = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(Number(new URL(app.url).port), "127.0.0.1", () => socket.write(text));
    socket.setEncoding("utf8").on("data", (chunk: string) => (received += chunk));
    socket.once("close", () => resolve(received)).once("error", reject);
  });

interface Refusal {
  readonly error: { readonly code: number; readonly type: string; readonly message: string };
}
const parts = (answer: string) => {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  return { head, status: Number(head.split(" ")[1]), body };
};

test.each([
  ["no HTTP at all", "hello\r\n\r\n", 400, "INVALID_INPUT"],
  ["no Host", "GET /healthz HTTP/1.1\r\n\r\n", 400, null],
  ["a header without a name", "GET /healthz HTTP/1.1\r\nhost: x\r\n: what\r\n\r\n", 400, "INVALID_INPUT"],
  [
    "a bad chunk",
    "POST /graphql HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
    400,
    "INVALID_INPUT",
  ],
  ["a path of 20 KB", `GET /${"a".repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431, "HEADERS_TOO_LARGE"],
  ["headers of 20 KB", `GET / HTTP/1.1\r\nhost: x\r\nx: ${"a".repeat(20_000)}\r\n\r\n`, 431, "HEADERS_TOO_LARGE"],
  [
    "another expectation",
    "GET / HTTP/1.1\r\nhost: x\r\nexpect: tea\r\nconnection: close\r\n\r\n",
    417,
    "EXPECTATION_FAILED",
  ],
] as const)("%s", async (_name, text, status, type) => {
  const answer = parts(await say(text));
  expect(answer.status).toBe(status);
  if (type === null) return; // Node answers by itself
  expect(answer.head).toContain("content-type: application/json");
  const { error } = JSON.parse(answer.body) as Refusal;
  expect(error).toEqual({ code: status, type, message: expect.any(String) as string });
});

test.each(["/v1/orgs", "/v1/orgs?limit=1", "/healthz", "/readyz?"])(
  "accepts an absolute-form target before %s",
  async (path) => {
    const rest = `host: 127.0.0.1\r\nauthorization: Bearer ${token}\r\nconnection: close\r\n\r\n`;
    const [absolute, usual] = [
      await say(`GET http://127.0.0.1${path} HTTP/1.1\r\n${rest}`),
      await say(`GET ${path} HTTP/1.1\r\n${rest}`),
    ];
    expect(parts(absolute).status).toBe(200);
    expect(parts(absolute).body).toBe(parts(usual).body);
  },
);

test("a target without a path returns the home page", async () => {
  const answer = await say("GET http://127.0.0.1 HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n");
  expect(parts(answer)).toMatchObject({ status: 200, body: expect.stringContaining("docgraph") as string });
});
