// The cost of operations: estimated before they run, counted while they run, reported on request, and limited, on every
// transport.
import { describe, expect, test } from "vitest";
import { addComment } from "#test/features/comments/factory.ts";
import { openRaw } from "#test/live/raw-socket.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp({ operationLimits: { estimate: 100_000 } });

interface Cost {
  readonly estimated: number;
  readonly actual?: number;
  readonly details?: Readonly<Record<string, number>>;
  readonly remaining: number;
  readonly resetAt: string;
}

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly { message: string; extensions: { code: string } }[];
  readonly extensions?: { readonly cost?: Cost };
}

async function ask(token: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${app.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}`, ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, ...((await response.json()) as Answer) };
}

const estimateOf = async (token: string, query: string, variables: object = {}) => {
  const { data, errors, extensions } = await ask(token, { query, variables }, { cost: "dry-run" });
  expect(data, JSON.stringify(errors)).toBeNull();
  return extensions?.cost?.estimated ?? 0;
};

describe("the cost estimate", () => {
  test("multiplies fields by list sizes from constants, variables and defaults", async () => {
    const { reader } = await world.organization();
    const of = (query: string, variables?: object) => estimateOf(reader.token, query, variables);
    expect(await of("{ viewer { id } }")).toBe(12);
    expect(await of("{ organizations(first: 10) { nodes { id } } }")).toBe(10 + 2 + 10 * 2);
    expect(await of("{ organizations { edges { cursor node { id } } totalCount } }")).toBe(10 + 3 + 50 * 4);
    const nested = (first: string) => `query ($first: Int = 7) { organizations(first: 2) { nodes {
      spaces(first: ${first}) { nodes { ...F } } } } } fragment F on Space { id title }`;
    const expected = (size: number) => 10 + 2 + 2 * (1 + 2 + size * 3);
    expect(await of(nested("5").replace("($first: Int = 7) ", ""))).toBe(expected(5));
    expect(await of(nested("$first"))).toBe(expected(7));
    expect(await of(nested("$first"), { first: 100 })).toBe(expected(100));
    expect(await of(`query ($ids: [ID!]!) { nodes(ids: $ids) { id } }`, { ids: ["a", "b", "c"] })).toBe(11 + 3 * 2);
    const long = "{ organizations(first: 1) { nodes { spaces(first: 1) { nodes { comments(first: 4) { nodes { ";
    const [short, text] = await Promise.all([
      of(`${long} id } } } } } } }`),
      of(`${long} body { markdown } } } } } } } }`),
    ]);
    expect(text - short).toBe(4 * (1 + 20));
  });

  test("above the limit is refused before execution, on every transport, with both numbers", async () => {
    const { reader } = await world.organization();
    const query =
      "{ organizations(first: 1000) { nodes { spaces(first: 1000) { nodes { comments { nodes { id } } } } } } }";
    const refusal = {
      message: expect.stringMatching(
        /^The operation costs 5\d\d,\d{3} points by its estimate, and the limit is 100,000\./,
      ),
      extensions: { code: "INVALID_INPUT" },
    };
    expect(await ask(reader.token, { query })).toMatchObject({ status: 400, errors: [refusal] });
    const headers = { authorization: `Bearer ${reader.token}`, accept: "application/graphql-response+json" };
    const got = await fetch(`${app.url}/graphql?query=${encodeURIComponent(query)}`, { headers });
    expect([got.status, await got.json()]).toMatchObject([400, { errors: [refusal] }]);
    const form = new FormData();
    form.append("operations", JSON.stringify({ query }));
    form.append("map", "{}");
    const sent = await fetch(`${app.url}/graphql`, { method: "POST", headers, body: form });
    expect(await sent.json()).toMatchObject({ errors: [refusal] });
    const { send, receive, socket } = await openRaw(app.url);
    send({ type: "connection_init", payload: { token: reader.token } });
    await receive();
    send({ id: "1", type: "subscribe", payload: { query } });
    expect(await receive()).toMatchObject({ type: "next", payload: { errors: [refusal] } });
    socket.close();
  });
});

describe("the actual cost", () => {
  /** A space with 20 comments of 1,000 characters. */
  async function commented() {
    const { space, reader } = await world.space();
    await world.insert((rows) =>
      times(20, () => addComment(rows, { spaceId: space.id, postedById: reader.id, markdown: "x".repeat(1000) })),
    );
    return { space, token: reader.token };
  }
  const comments = (id: string) => `{ space(id: "${id}") { comments(first: 50) { nodes { id body { markdown } } } } }`;

  test("counts rows, values, texts and statements, equally for compiled and interpreted execution", async () => {
    const { space, token } = await commented();
    const { extensions } = await ask(token, { query: comments(space.id) }, { cost: "report" });
    const { estimated = 0, actual = 0, details } = extensions?.cost ?? {};
    expect(details).toMatchObject({ rows: 20, values: 80, changes: 0 });
    expect(details?.["textBytes"]).toBeGreaterThan(20_000);
    expect(details?.["statements"]).toBeGreaterThan(0);
    expect(details?.["cpuMs"]).toBeGreaterThan(0);
    expect(actual).toBeGreaterThan(20 + 60 + 200);
    expect(estimated).toBeGreaterThan(50 * (1 + 3 + 20));
    const many = times(400, (index) => `a${index}: id b${index}: id c${index}: id`).join(" ");
    const wide = `{ space(id: "${space.id}") { comments(first: 5) { nodes { ${many} } } } }`;
    const byField = await ask(token, { query: wide }, { cost: "report" });
    expect(byField.extensions?.cost?.details?.["values"]).toBeGreaterThanOrEqual(5 * 1200);
  });

  test("is reported in a header, in extensions and on sockets; an unknown request for it is refused", async () => {
    const { space, token } = await commented();
    const query = comments(space.id);
    const byHeader = await ask(token, { query }, { cost: "report" });
    expect(byHeader.headers.get("cost")).toMatch(/^estimated=\d+, actual=\d+$/);
    const byDocument = await ask(token, { query, extensions: { cost: "report" } });
    expect(byDocument.extensions?.cost).toMatchObject({ actual: expect.any(Number) as number });
    expect((await ask(token, { query })).extensions).toBeUndefined();
    expect(await ask(token, { query }, { cost: "please" })).toMatchObject({ status: 400 });
    const { send, receive, socket } = await openRaw(app.url);
    send({ type: "connection_init", payload: { token } });
    await receive();
    for (const cost of ["report", "dry-run"]) {
      send({ id: cost, type: "subscribe", payload: { query, extensions: { cost } } });
      const told = { estimated: expect.any(Number) as number, remaining: expect.any(Number) as number };
      expect(await receive()).toMatchObject({ payload: { extensions: { cost: told } } });
      await receive();
    }
    socket.close();
  });

  test("counts against one quota per user for all tokens and transports, reported in every response", async () => {
    const { space, token } = await commented();
    const { createApiToken: other } = await app
      .as(token)
      .query<{ createApiToken: { token: string } }>(`mutation { createApiToken(input: { name: "Other" }) { token } }`);
    const rest = await app.as(other.token).rest("GET", `/v1/spaces/${space.id}`, { headers: { cost: "report" } });
    expect(rest.headers.get("ratelimit-policy")).toBe('"points";q=60000000;w=60');
    const remaining = ({ headers }: { headers: Headers }) =>
      Number(/^"points";r=(\d+);t=\d+$/.exec(headers.get("ratelimit") ?? "")?.[1]);
    expect(rest.headers.get("cost")).toMatch(/^estimated=\d+, actual=\d+$/);
    const before = remaining(rest);
    expect(before).toBeLessThan(60_000_000 - 50);
    const after = remaining(await ask(token, { query: comments(space.id) }));
    expect(after).toBeLessThanOrEqual(before - 280);
    const refused = await app.as(token).rest("GET", "/v1/spaces/unknown");
    expect(remaining(refused)).toBeLessThanOrEqual(after);
    expect((await fetch(`${app.url}/v1/orgs`)).headers.get("ratelimit")).toBeNull();
  });

  test("of a dry run is only the estimate: nothing is executed", async () => {
    const { organization, admin } = await world.organization();
    const create = `mutation { createSpace(input: { organizationId: "${organization.id}", title: "New" }) { space { id } } }`;
    expect(await estimateOf(admin.token, create)).toBeGreaterThan(50);
    const headers = { cost: "dry-run" };
    const rest = await app
      .as(admin.token)
      .rest("POST", `/v1/orgs/${organization.id}/collections`, { body: {}, headers });
    expect([rest.status, rest.headers.get("cost")]).toEqual([204, expect.stringMatching(/^estimated=\d+$/)]);
    const { organization: found } = await app
      .as(admin.token)
      .query<{ organization: { spaces: { totalCount: number } } }>(
        `{ organization(id: "${organization.id}") { spaces { totalCount } } }`,
      );
    expect(found.spaces.totalCount).toBe(0);
  });
});
