// @defer and @stream over the wire: parts by HTTP, messages on a WebSocket, a single response for other clients; the
// limits of complete responses apply.
import { beforeAll, describe, expect, test } from "vitest";
import type { Delivery } from "#src/graph/run/incremental/deliver.ts";
import { addTeam } from "#test/features/teams/factory.ts";
import { openKnown } from "#test/live/raw-socket.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { merged } from "#test/support/in-parts.ts";
import { lockHolder, untilNobodyWaits } from "#test/support/locks.ts";

const { app, world } = await useApp();
let token: string;
let spaceId: string;

beforeAll(async () => {
  const { editor, space } = await world.space();
  [token, spaceId] = [editor.token, space.id];
  const input = (number: number) => ({ body: { body: { markdown: `Comment ${number}` } } });
  for (let number = 0; number < 5; number++)
    await app.as(token).rest("POST", `/v1/spaces/${spaceId}/comments`, input(number));
});

const mixed = "multipart/mixed; deferSpec=20220824, application/json";
const comments = `comments(first: 5) { nodes @stream(initialCount: 2, label: "rest") { body { markdown } } }`;
const query = `query ($id: ID!) { space(id: $id) { id ... @defer(label: "more") { title ${comments} } } }`;
const plain = query.replaceAll(/@(defer|stream)\([^)]*\)/g, "");

interface Sent {
  readonly query?: string;
  readonly accept?: string;
  readonly given?: Readonly<Record<string, string>>;
  readonly method?: string;
}

function request({ query: text = query, accept = mixed, given, method = "POST" }: Sent) {
  const headers = given ?? { authorization: `Bearer ${token}` };
  const variables = { id: spaceId };
  const parameters = new URLSearchParams({ query: text, variables: JSON.stringify(variables) });
  if (method === "GET") return fetch(`${app.url}/graphql?${parameters}`, { headers: { ...headers, accept } });
  const body = JSON.stringify({ query: text, variables });
  return fetch(`${app.url}/graphql`, {
    method,
    headers: { ...headers, accept, "content-type": "application/json" },
    body,
  });
}

/** The parts of a response. */
async function partsOf(answer: Response): Promise<Delivery[]> {
  const [, boundary = ""] = /boundary="(.+?)"/.exec(answer.headers.get("content-type") ?? "") ?? [];
  const pieces = (await answer.text()).split(`--${boundary}`);
  expect([pieces.at(0), pieces.at(-1)]).toEqual(["", "--\r\n"]);
  return pieces.slice(1, -1).map((piece) => {
    const [head, ...body] = piece.split("\r\n\r\n");
    expect(head).toBe("\r\nContent-Type: application/json; charset=utf-8");
    return JSON.parse(body.join("")) as Delivery;
  });
}

const whole = async () =>
  (await (await request({ query: plain, accept: "application/json" })).json()) as { data: object };

describe("incremental delivery by HTTP", () => {
  test.each(["POST", "GET"])("%s is delivered in parts that add up to the complete response", async (method) => {
    for (const accept of [mixed, "multipart/mixed", "application/json, text/event-stream, multipart/mixed"]) {
      const answer = await request({ accept, method });
      expect(answer.headers.get("content-type")).toBe('multipart/mixed; boundary="graphql"; deferSpec=20220824');
      expect(answer.headers.get("cache-control")).toContain("no-store");
      const parts = await partsOf(answer);
      expect(parts[0]).toEqual({ data: { space: { id: spaceId } }, hasNext: true });
      const later = parts.flatMap(({ incremental = [] }) => incremental);
      expect(later.map(({ path, label }) => [path, label])).toEqual([
        [["space"], "more"],
        [["space", "comments", "nodes", 2], "rest"],
      ]);
      expect(merged(parts)).toEqual({ ...(await whole()), errors: [] });
    }
  });

  test.each(["application/json", "*/*", "application/graphql-response+json", "multipart/mixed; q=0, application/json"])(
    "Accept: %s gets a single response, and so does a newer multipart format",
    async (accept) => {
      for (const accepted of [accept, "multipart/mixed; incrementalSpec=v0.2, application/json"]) {
        const answer = await request({ accept: accepted });
        expect(answer.headers.get("content-type")).toContain("json");
        expect(await answer.json()).toEqual(await whole());
      }
    },
  );

  test("a document without @defer and @stream gets a single response for any Accept", async () => {
    expect(await (await request({ query: plain })).json()).toEqual(await whole());
  });

  test("@defer and @stream with if: false do not defer", async () => {
    for (const never of [
      query.replace("label", "if: false, label"),
      query.replace("... @defer", "... @include(if: true) @defer"),
    ]) {
      const parts = await partsOf(await request({ query: never }));
      expect(merged(parts)).toEqual({ ...(await whole()), errors: [] });
    }
    const now = "query ($id: ID!, $no: Boolean! = false) { space(id: $id) { ... @defer(if: $no) { id } } }";
    expect(await partsOf(await request({ query: now }))).toEqual([{ data: { space: { id: spaceId } } }]);
    const mutation = `mutation { createComment(input: { contentOf: { spaceId: "${spaceId}" }, text: { markdown: "Whole" } }) { ... @defer { comment { id } } } }`;
    const answer = await request({ query: mutation });
    expect(answer.headers.get("content-type")).toContain("application/json");
    expect(await answer.json()).toMatchObject({ data: { createComment: { comment: {} } } });
  });
});

describe("limits of incremental delivery", () => {
  const codeOf = async (answer: Response) =>
    ((await answer.json()) as { errors: { extensions: { code: string } }[] }).errors[0]?.extensions.code;

  test.each([
    ["a label that is given twice", `{ viewer { ... @defer(label: "a") { id } ... @defer(label: "a") { email } } }`],
    ["a label that is a variable", `query ($l: String) { viewer { ... @defer(label: $l) { id } } }`],
    ["a field that is not a list", `{ viewer @stream { id } }`],
    ["a field", `{ viewer @defer { id } }`],
    ["a subscription", `subscription { viewerEvents { ... @defer { __typename } } }`],
  ])("@defer and @stream are refused on %s in a single response", async (_name, text) => {
    for (const accept of [mixed, "application/json"])
      expect(await codeOf(await request({ query: text, accept }))).toBe("GRAPHQL_VALIDATION_FAILED");
  });

  test("a negative initialCount is an error at the list", async () => {
    const parts = await partsOf(await request({ query: query.replace("initialCount: 2", "initialCount: -1") }));
    expect(merged(parts).errors).toMatchObject([{ extensions: { code: "INVALID_INPUT" } }]);
  });

  test("access, errors and budgets apply to each part", async () => {
    const hidden = `{ ... @defer { space(id: "spc_01h000000000000000000000000") { id } } viewer { id } }`;
    const parts = await partsOf(await request({ query: hidden }));
    expect(parts[1]).toMatchObject({
      incremental: [
        { data: { space: null }, path: [], errors: [{ path: ["space"], extensions: { code: "NOT_FOUND" } }] },
      ],
      hasNext: false,
    });
    const bad = await partsOf(await request({ query: query.replace("first: 5", "first: 1001") }));
    expect(bad[1]).toMatchObject({
      incremental: [{ errors: [{ extensions: { code: "INVALID_INPUT" } }] }],
      hasNext: false,
    });
    const list =
      "{ organizations { nodes { spaces(first: 50) { nodes { comments(first: 50) { nodes { replies(first: 50) { nodes { id } } } } } } } } }";
    const levels = list.replace("{ nodes { replies", "{ nodes { ... @defer { replies").replace(/}$/, "} }");
    expect(merged(await partsOf(await request({ query: levels })))).toMatchObject({ errors: [] });
    const missing = await partsOf(
      await request({ query: "query ($no: ID!) { space(id: $no) { ... @defer { id } } }" }),
    );
    expect(missing).toMatchObject([{ errors: [{ extensions: { code: "INVALID_INPUT" } }] }]);
  });

  test("a request without a token gets no parts", async () => {
    const answer = await request({ given: {} });
    expect(answer.status).toBe(401);
  });
});

test("at most 1,000 parts are deferred; further ones are delivered in place", async () => {
  const { admin, organization } = await world.organization();
  await world.insert((rows) => {
    for (let number = 0; number < 700; number++) addTeam(rows, { organizationId: organization.id });
    return {};
  });
  const text = "{ organizations { nodes { teams(first: 700) { nodes { ... @defer { id } ... @defer { title } } } } } }";
  const answer = await fetch(`${app.url}/graphql`, {
    method: "POST",
    headers: { authorization: `Bearer ${admin.token}`, accept: mixed, "content-type": "application/json" },
    body: JSON.stringify({ query: text }),
  });
  const parts = await partsOf(answer);
  const later = parts.flatMap(({ incremental = [] }) => incremental);
  expect(later).toHaveLength(1000);
  expect(merged(parts)).toMatchObject({ errors: [] });
  expect(JSON.stringify(merged(parts).data).match(/"title"/g)).toHaveLength(700);
});

describe("a limit that ends later parts", () => {
  const ask = async (url: string, text: string, as: string) =>
    partsOf(
      await fetch(`${url}/graphql`, {
        method: "POST",
        headers: { authorization: `Bearer ${as}`, accept: mixed, "content-type": "application/json" },
        body: JSON.stringify({ query: text }),
      }),
    );

  test("is the budget: the last part has the error, and earlier parts remain valid", async () => {
    const { admin, organization } = await world.organization();
    await world.insert((rows) => {
      for (let number = 0; number < 1000; number++) addTeam(rows, { organizationId: organization.id });
      return {};
    });
    const fields = Array.from({ length: 2100 }, (_, index) => `a${index}: id`).join(" ");
    const text = `{ organization(id: "${organization.id}") { id ... @defer { teams(first: 1000) { nodes { ${fields} } } } } }`;
    const [first, ...later] = await ask(app.url, text, admin.token);
    expect(first).toEqual({ data: { organization: { id: organization.id } }, hasNext: true });
    expect(later).toMatchObject([
      {
        incremental: [{ path: ["organization"], errors: [{ extensions: { code: "INVALID_INPUT" } }] }],
        hasNext: false,
      },
    ]);
  });

  test("is the time limit of the operation, including waits for other statements", async () => {
    await using late = await testApp({ beside: app, requestTimeoutMs: 3000 });
    await using locks = await lockHolder(app.databaseUrl);
    await locks.hold(`lock table "Comment" in access exclusive mode`);
    const text = `{ space(id: "${spaceId}") { id ... @defer { comments(first: 5) { nodes { id } } } } }`;
    const [first, ...later] = await ask(late.url, text, token);
    await locks.release();
    expect(first).toEqual({ data: { space: { id: spaceId } }, hasNext: true });
    expect(later).toMatchObject([{ incremental: [{ errors: [{ extensions: { code: "TIMEOUT" } }] }], hasNext: false }]);
  });
});

/** The messages of a response on a WebSocket. */
async function askSocket(text: string) {
  const { send, receive, socket } = await openKnown(app.url, token);
  send({ id: "1", type: "subscribe", payload: { query: text, variables: { id: spaceId } } });
  const pieces: Delivery[] = [];
  for (;;) {
    const { type, payload } = await receive();
    if (type === "complete") break;
    expect(type).toBe("next");
    pieces.push(payload as Delivery);
  }
  socket.terminate();
  return pieces;
}

describe("a part of more than 4 MB", () => {
  const fields = Array.from({ length: 500 }, (_, index) => `a${index}: body { markdown }`).join(" ");
  let text: string;

  beforeAll(async () => {
    const input = { body: { body: { markdown: "Long ".repeat(1_900) } } };
    const { body } = await app.as(token).rest("POST", `/v1/spaces/${spaceId}/comments`, input);
    const { id } = body as { id: string };
    text = `{ comment(id: "${id}") { ${fields} ... @defer { id } } }`;
  });

  test("is delivered completely by HTTP", async () => {
    const parts = await partsOf(await request({ query: text }));
    expect(parts.map(({ hasNext }) => hasNext)).toEqual([true, false]);
    const answer = await request({ query: text.replace("@defer", ""), accept: "application/json" });
    expect(merged(parts)).toEqual({ ...(await answer.json()), errors: [] });
  });

  test("is refused on a WebSocket, which stays open", async () => {
    const refused = { errors: [{ extensions: { code: "INVALID_INPUT" } }] };
    expect(await askSocket(text)).toMatchObject([refused]);
    const later = text.replace(fields, "id").replace("@defer { id", `@defer { ${fields}`);
    expect(await askSocket(later)).toMatchObject([
      { data: {}, hasNext: true },
      { ...refused, hasNext: false },
    ]);
    expect((await askSocket(query)).length).toBeGreaterThan(1);
  });
});

describe("incremental delivery on a WebSocket", () => {
  test("each part is a next message, and complete follows the last one", async () => {
    const pieces = await askSocket(query);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces[0]).toEqual({ data: { space: { id: spaceId } }, hasNext: true });
    expect(merged(pieces)).toEqual({ ...(await whole()), errors: [] });
  });

  test("complete from the client cancels the statements in the database", async () => {
    const { send, receive, socket } = await openKnown(app.url, token);
    await using locks = await lockHolder(app.databaseUrl);
    await locks.hold('lock table "Comment" in access exclusive mode');
    send({ id: "1", type: "subscribe", payload: { query, variables: { id: spaceId } } });
    expect((await receive()).payload).toMatchObject({ hasNext: true });
    await locks.waiters(1);
    send({ id: "1", type: "complete" });
    await untilNobodyWaits(app);
    send({ type: "ping" });
    expect((await receive()).type).toBe("pong"); // and none of its messages arrives
    await locks.release();
    socket.terminate();
  });

  test("complete from the client stops the messages, and the socket stays open", async () => {
    const { send, receive, socket } = await openKnown(app.url, token);
    for (let round = 0; round < 30; round++) {
      send({ id: `q${round}`, type: "subscribe", payload: { query, variables: { id: spaceId } } });
      send({ id: `q${round}`, type: "complete" });
    }
    send({ type: "ping" });
    for (let type = ""; type !== "pong";) ({ type } = await receive());
    send({ id: "last", type: "subscribe", payload: { query: "{ viewer { __typename } }" } });
    for (let id: string | undefined; id !== "last";) ({ id } = await receive());
    socket.terminate();
  });
});
