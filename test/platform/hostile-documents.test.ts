// Documents crafted to crash the process: the executor refuses each on every transport, and caches nothing of it.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { getIntrospectionQuery } from "graphql";
import { beforeAll, describe, expect, test } from "vitest";
import { type Executor, createExecutor, isOperation } from "#src/graph/run/execute.ts";
import { schema } from "#src/schema.ts";
import { openEventStream } from "#test/live/event-stream.ts";
import { openKnown, openRaw } from "#test/live/raw-socket.ts";
import { useApp } from "#test/support/app.ts";
import { sized } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();
let token: string;

beforeAll(async () => {
  const { reader } = await world.organization();
  token = reader.token;
});

const codeOf = (executor: Executor, document: string) => {
  const prepared = executor.prepare(document);
  return isOperation(prepared) ? null : prepared[0]?.extensions["code"];
};

const deep = {
  selections: `${"{viewer".repeat(5000)}{id}${"}".repeat(5000)}`,
  "lists in values": `{node(id:${"[".repeat(4900)}${"]".repeat(4900)}){id}}`,
  "objects in values": `{node(id:${"{a:".repeat(2400)}1${"}".repeat(2400)}){id}}`,
  "lists in the type of a variable": `query($x:${"[".repeat(4900)}Int${"]".repeat(4900)}){viewer{id}}`,
};
const many = {
  "tokens within the parser's own limits": `{${times(3000, (index) => `a${index}:viewer{id}`).join(" ")}}`,
  comments: `{viewer{id}}${"#\n".repeat(200_000)}`,
};
const parseFailures = Object.entries({ ...deep, ...many });

describe("documents that are too deep or too long", () => {
  const headers = { "content-type": "application/json" };
  const refusal = { errors: [{ extensions: { code: "GRAPHQL_PARSE_FAILED" } }] };

  test.each(parseFailures)("are refused over HTTP with the status of the media type: %s", async (_name, query) => {
    for (const [accept, status] of [
      ["application/graphql-response+json", 400],
      ["application/json", 200],
    ] as const) {
      const asked = { method: "POST", body: JSON.stringify({ query }) };
      const answer = await fetch(`${app.url}/graphql`, {
        ...asked,
        headers: { ...headers, accept, authorization: `Bearer ${token}` },
      });
      expect(await answer.json()).toMatchObject(refusal);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([status, `${accept}; charset=utf-8`]);
    }
  });

  test.each(Object.entries(deep).filter(([, query]) => query.length < 15_000))("by GET: %s", async (_name, query) => {
    const answer = await fetch(`${app.url}/graphql?query=${encodeURIComponent(query).slice(0, 15_000)}`, {
      headers: { accept: "application/graphql-response+json", authorization: `Bearer ${token}` },
    });
    expect(await answer.json()).toMatchObject(refusal);
    expect(answer.status).toBe(400);
  });

  test.each(parseFailures)("are refused as multipart and as a stream: %s", async (_name, query) => {
    const form = new FormData();
    form.append("operations", JSON.stringify({ query }));
    form.append("map", "{}");
    const sent = { method: "POST", headers: { authorization: `Bearer ${token}` } };
    const answer = await fetch(`${app.url}/graphql`, { ...sent, body: form });
    expect(await answer.json()).toMatchObject(refusal);
    const body = JSON.stringify({ query });
    const stream = await openEventStream(`${app.url}/graphql`, {
      ...sent,
      headers: { ...sent.headers, ...headers },
      body,
    });
    expect(await stream.next()).toMatchObject({
      event: "next",
      data: expect.stringContaining("GRAPHQL_PARSE_FAILED") as string,
    });
    await stream.close();
  });

  test("are an error of only their operation on a socket", async () => {
    const { send, receive, socket } = await openRaw(app.url);
    send({ type: "connection_init", payload: { token } });
    await receive();
    for (const [name, query] of parseFailures) {
      send({ id: name, type: "subscribe", payload: { query } });
      expect(await receive()).toMatchObject({ id: name, type: "error", payload: refusal.errors });
    }
    send({ id: "after", type: "subscribe", payload: { query: "{viewer{__typename}}" } });
    expect(await receive()).toMatchObject({ id: "after", type: "next" });
    socket.close();
  });
});

describe("document limits", () => {
  /** Nested selections of a list of organizations, with an innermost selection. */
  const nested = (levels: number, inmost = "__typename") => {
    const cycle = ["organization", "spaces", "nodes"];
    const names = ["organizations", "nodes", ...times(levels, (index) => cycle[(index + 1) % 3] ?? "")];
    return `${names.slice(0, levels - 1).reduce((text, name) => `${text}{${name}`, "")}{${inmost}}${"}".repeat(levels - 1)}`;
  };

  test("allow 50 levels of selections, fragments included, and not 51", () => {
    const executor = createExecutor(schema);
    const chain = (count: number) =>
      `{viewer{...F0}}${times(count, (index) => `fragment F${index} on User{...on User{...F${index + 1}}}`).join("")}fragment F${count} on User{id}`;
    expect(codeOf(executor, chain(600))).toBe(null);
    expect(codeOf(executor, nested(50))).toBe(null);
    expect(codeOf(executor, nested(51))).toBe("INVALID_INPUT");
    const inner = nested(22).slice("{organizations{nodes".length, -"}}".length); // 20 levels
    const through = (levels: number) => `${nested(levels, "...F")} fragment F on Organization ${inner}`;
    expect(codeOf(executor, through(30))).toBe(null);
    expect(codeOf(executor, through(33))).toBe("INVALID_INPUT");
  });

  test("allow the introspection query of GraphiQL", () => {
    const document = getIntrospectionQuery({
      specifiedByUrl: true,
      directiveIsRepeatable: true,
      inputValueDeprecation: true,
    });
    expect(codeOf(createExecutor(schema), document)).toBe(null);
  });

  test("limit the length of names echoed in errors", () => {
    const name = "x".repeat(501);
    expect(codeOf(createExecutor(schema), `query ${name} {viewer{id}}`)).toBe("GRAPHQL_PARSE_FAILED");
  });
});

describe("refuses variables with more than 100,000 list items before coercing them", () => {
  const query = "query ($ids: [ID!]!) { nodes(ids: $ids) { id } }";
  const refusal = (own: string) => ({
    message: `The lists in the variables of an operation may have at most 100,000 items in total, but these have ${own}.`,
    extensions: { code: "INVALID_INPUT" },
  });

  test.each([
    ["one list", times(100_001, () => 1), "100,001"],
    ["lists inside lists", times(400, () => times(251, () => 1)), "100,800"],
    ["lists inside objects", times(50_001, () => ({ of: [1] })), "100,002"],
  ])("%s", async (_name, ids, own) => {
    expect((await app.as(token).graphql(query, { ids })).errors).toMatchObject([refusal(own)]);
  });

  test("refuses variables with more than 100,000 list items in subscriptions and dry runs", async () => {
    const ids = times(100_001, () => 1);
    const { send, receive, socket } = await openKnown(app.url, token);
    const subscription = "subscription ($ids: [ID!]!) { commentEvents(of: { spaceIds: $ids }) { __typename } }";
    send({ id: "1", type: "subscribe", payload: { query: subscription, variables: { ids } } });
    expect(await receive()).toMatchObject({ id: "1", type: "next", payload: { errors: [refusal("100,001")] } });
    socket.terminate();
    const answer = await fetch(`${app.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}`, cost: "dry-run" },
      body: JSON.stringify({ query, variables: { ids } }),
    });
    expect(await answer.json()).toMatchObject({ errors: [refusal("100,001")] });
  });

  test("coerces variables with 100,000 list items", async () => {
    expect((await app.as(token).graphql(query, { ids: times(100_000, () => 1) })).errors).toMatchObject([
      { message: "ids: must have at most 100 entries, and has 100000." },
    ]);
  });
});

test("error messages do not echo long input", async () => {
  const document = "query($input:CreateSpaceInput!){createSpace(input:$input){space{id}}}";
  const unknown = Object.fromEntries(times(60, (index) => [`field${index}`, 1]));
  const { errors = [] } = await app.as(token).graphql(document, { input: { ...unknown, title: "x".repeat(100_000) } });
  expect(errors).not.toEqual([]);
  for (const { message } of errors) expect(message.length).toBeLessThan(1_100);
});

test("neither refused documents nor documents run once are cached", { timeout: 300_000 }, async () => {
  const script = fileURLToPath(new URL("hostile-heap.ts", import.meta.url));
  // Warm caches are nearly full: fewer documents show what else is kept.
  const size = sized(
    { counts: ["500", "1000"], most: 15, run: 171, refused: 686, "HTTP 200": 29, "HTTP 400": 114 },
    { counts: ["25", "5000"], most: 30, run: 857, refused: 3429, "HTTP 200": 143, "HTTP 400": 571 },
  );
  const { counts, most, ...expected } = size;
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", script, ...counts]);
  const { grown, answers } = JSON.parse(stdout) as { grown: number; answers: Record<string, number> };
  expect(answers).toEqual(expected);
  expect(grown).toBeLessThan(most);
});
