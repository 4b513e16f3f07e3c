// Request log lines: the caller, errors and their reasons, and no private data.
import { hash } from "node:crypto";
import pino from "pino";
import { afterEach, beforeAll, expect, test } from "vitest";
import { type Person } from "#test/features/members/factory.ts";
import { sql } from "#src/db/connection/database.ts";
import { useApp } from "#test/support/app.ts";
import { openKnown } from "#test/live/raw-socket.ts";

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly code?: string;
  readonly operation?: string;
  readonly tokenId?: string;
  readonly userId?: string;
  readonly isSlow?: boolean;
  readonly document?: string;
}

const written: string[] = [];
const received: (() => void)[] = [];
const log = pino(
  {},
  {
    write: (line) => {
      written.push(line);
      for (const look of received) look();
    },
  },
);
const { app, world } = await useApp({ log, limits: { lockTimeoutMs: 30_000 } });
const [info, warn] = [30, 40];
let reader: Person;
let spaceId: string;

beforeAll(async () => {
  const { editor, space } = await world.space();
  [reader, spaceId] = [editor, space.id];
});
afterEach(() => void (written.length = 0));

/** The line of the last request, which is written after the response was sent. */
async function line(path: string): Promise<Line> {
  return new Promise((resolve) => {
    const look = () => {
      const found = written.find((text) => text.includes(`"path":"${path}"`) && text.includes('"msg":"request"'));
      if (found) resolve(JSON.parse(found) as Line); // pino's form
    };
    received.push(look);
    look();
  });
}

test("a response is logged at INFO with the ids of token and user", async () => {
  await app.as(reader.token).query("query Mine { viewer { id } }");
  const own = await line("/graphql");
  expect(own).toMatchObject({ level: info, operation: "Mine", userId: reader.id });
  expect(own.tokenId).toMatch(/^tok_/);
  expect(own.code).toBeUndefined();
  expect(own.isSlow).toBeUndefined();
});

test.each([
  ["a document that is not valid", "{ nothing }", "GRAPHQL_VALIDATION_FAILED"],
  ["a document that cannot be parsed", "{", "GRAPHQL_PARSE_FAILED"],
  ["what is not there", '{ space(id: "spc_secretname") { id } }', "NOT_FOUND"],
  ["bad input", "{ organizations(first: -1) { totalCount } }", "INVALID_INPUT"],
])("%s is logged at WARN with its code and without the document", async (_name, document, code) => {
  await app.as(reader.token).graphql(document);
  expect(await line("/graphql")).toMatchObject({ level: warn, code, userId: reader.id });
  expect(written.join("")).not.toContain("secretname");
  expect(written.join("")).not.toContain(reader.token);
});

test("an error of /v1 is logged at WARN with its type", async () => {
  await app.as(reader.token).rest("GET", "/v1/spaces/none");
  expect(await line("/v1/spaces/none")).toMatchObject({ level: warn, code: "NOT_FOUND", userId: reader.id });
  await app.as(reader.token).rest("GET", "/v1/orgs?limit=0");
  expect(await line("/v1/orgs")).toMatchObject({ level: warn, code: "INVALID_INPUT", status: 400 });
});

test.each([
  ["/nothing/here", "GET", "NOT_FOUND"],
  ["/readme", "POST", "METHOD_NOT_ALLOWED"],
])("an error %s for %s is logged at WARN with its code", async (path, method, code) => {
  await fetch(`${app.url}${path}`, { method });
  expect(await line(path)).toMatchObject({ level: warn, code });
});

test("logs a line for each operation on a WebSocket", async () => {
  const { send, receive, socket } = await openKnown(app.url, reader.token);
  const operations = [
    ["query Mine { viewer { id } }", { level: info, operation: "Mine", userId: reader.id }],
    ["query None { nothing }", { level: warn, code: "GRAPHQL_VALIDATION_FAILED" }],
    [
      'query Gone { space(id: "spc_secretname") { id } }',
      { level: warn, code: "NOT_FOUND", operation: "Gone", userId: reader.id },
    ],
    ["subscription Own { viewerEvents { __typename } }", { level: info, operation: "Own", userId: reader.id }],
  ] as const;
  for (const [index, [query, expected]] of operations.entries()) {
    const id = String(index);
    send({ id, type: "subscribe", payload: { query } });
    for (let message = await receive(); !["next", "error"].includes(message.type) || message.id !== id;)
      message = await receive();
    await expect.poll(() => written.filter((text) => text.includes('"transport":"websocket"')).length).toBe(index + 1);
    const told = JSON.parse(written.at(-1) ?? "") as Line; // pino's form
    expect(told).toMatchObject({ msg: "operation", ...expected });
  }
  expect(JSON.parse(written[0] ?? "")).toMatchObject({
    statements: expect.any(Number) as number,
    ms: expect.any(Number) as number,
  });
  expect(written.join("")).not.toContain("secretname");
  expect(written.join("")).not.toContain(reader.token);
  socket.terminate();
});

test("without a valid token no user is logged, and an invalid token is not logged", async () => {
  const { errors } = await app.as("dg_wrongtoken").graphql("{ viewer { id } }");
  expect(errors?.[0]?.message).toBe("The API token is unknown, revoked or expired: use another token.");
  const own = await line("/graphql");
  expect(own).toMatchObject({ level: warn, code: "UNAUTHENTICATED" });
  expect([own.userId, own.tokenId]).toEqual([undefined, undefined]);
  expect(written.join("")).not.toContain("wrongtoken");
});

test.each([
  ["no token", undefined, /A valid API token is required: send it as/],
  ["another scheme", "Basic abc", /must be 'Bearer <token>'/],
  ["the token alone", "dg_abc", /must be 'Bearer <token>'/],
  ["an unknown token", "Bearer dg_abc", /is unknown, revoked or expired/],
])("%s is refused with a remedy", async (_name, authorization, message) => {
  const headers = { "content-type": "application/json", ...(authorization !== undefined && { authorization }) };
  for (const path of ["/graphql", `/v1/spaces/${spaceId}`]) {
    const method = path === "/graphql" ? "POST" : "GET";
    const body = method === "POST" ? { body: '{"query":"{ viewer { id } }"}' } : {};
    const answer = await fetch(`${app.url}${path}`, { method, headers, ...body });
    expect(answer.status).toBe(401);
    expect(await answer.text()).toMatch(message);
  }
});

test("a socket with an invalid token is closed with the reason", async () => {
  await expect(openKnown(app.url, "dg_abc")).rejects.toThrow("unknown, revoked or expired");
});

test("logs a slow request with the SHA-256 of its document, its statements and rows", async () => {
  const document = "query Slow { viewer { id displayName memberships { nodes { role } } } }";
  const { pool } = app.database;
  const session = await pool.connect();
  try {
    await session.query('begin; lock table "User" in access exclusive mode');
    const answer = app.as(reader.token).query(document);
    const waits = sql`select pid from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock' and query ilike '%"User"%' and query_start < clock_timestamp() - interval '1.1 seconds'`;
    await expect.poll(() => app.database.vital.query(waits), { timeout: 20_000 }).not.toEqual([]);
    await session.query("commit");
    await answer;
    expect(await line("/graphql")).toMatchObject({
      isSlow: true,
      document: hash("sha256", document),
      statements: expect.any(Number) as number,
      rows: expect.any(Number) as number,
    });
  } finally {
    session.release(true);
  }
});
