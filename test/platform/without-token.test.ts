// Requests without an API token: public fields and routes respond, all others return UNAUTHENTICATED.
import { GraphQLBoolean, GraphQLInt, GraphQLObjectType, GraphQLSchema } from "graphql";
import { describe, expect, test } from "vitest";
import { useApp } from "#test/support/app.ts";
import { nobody } from "#src/access/viewer.ts";
import { Budget, operationAllowance } from "#src/db/connection/budget.ts";
import { TimeLimit } from "#src/db/connection/time-limit.ts";
import type { Context } from "#src/domain/context.ts";
import { createExecutor, isOperation } from "#src/graph/run/execute.ts";
import { closeToVisitors, openToVisitors } from "#src/graph/run/visitors.ts";

const { app } = await useApp();

const done: string[] = [];
const field = (name: string, extensions = {}) => ({
  type: GraphQLInt,
  extensions,
  resolve: () => done.push(name),
});
const executor = createExecutor(
  closeToVisitors(
    new GraphQLSchema({
      query: new GraphQLObjectType({
        name: "Query",
        fields: { shown: field("shown", openToVisitors), hidden: field("hidden") },
      }),
      mutation: new GraphQLObjectType({ name: "Mutation", fields: { shown: field("mutation", openToVisitors) } }),
      subscription: new GraphQLObjectType({
        name: "Subscription",
        fields: { shown: { type: GraphQLBoolean, subscribe: () => done.push("subscription") } },
      }),
    }),
  ),
);

function operationOf(document: string) {
  const operation = executor.prepare(document);
  if (!isOperation(operation)) throw new Error(JSON.stringify(operation));
  return operation;
}

describe("the public part of an operation", () => {
  test.each([
    ["{ shown }", "open"],
    ["{ a: shown b: shown __typename }", "open"],
    ["{ ...F } fragment F on Query { ...G ...G } fragment G on Query { ... { shown } }", "open"],
    ["{ shown hidden }", "partly"],
    ["{ shown: hidden ...F } fragment F on Query { shown2: shown }", "partly"],
    ["{ hidden }", "closed"],
    ["{ shown: hidden }", "closed"],
    ["{ __typename }", "closed"],
    ["{ shown __schema { queryType { name } } }", "closed"],
    ["mutation { shown }", "closed"],
    ["subscription { shown }", "closed"],
  ])("%s", (document, openness) => {
    expect(operationOf(document).openness).toBe(openness);
  });
});

test("a field that needs a token is refused before it runs, and public fields are returned", async () => {
  const reader = { budget: new Budget(operationAllowance), readFor: () => {} };
  const [viewers, log, limit] = [{ renew: async () => nobody }, { error: () => {} }, new TimeLimit(Infinity)];
  // The executor and the resolvers above use nothing else.
  const context = { isAnonymous: true, viewer: nobody, viewers, reader, log, limit } as unknown as Context;
  expect(await operationOf("{ shown hidden }").write(context, {})).toBeNull();
  const result = await operationOf("{ shown hidden }").run(context, {});
  expect(result).toMatchObject({ data: { shown: 1, hidden: null } });
  expect(result.errors?.map(({ path, extensions }) => [path, extensions["code"]])).toEqual([
    [["hidden"], "UNAUTHENTICATED"],
  ]);
  const { errors } = await operationOf("mutation { shown }").run(context, {});
  expect(errors?.[0]?.extensions["code"]).toBe("UNAUTHENTICATED");
  expect(done).toEqual(["shown"]);
});

describe("a gateway without a token", () => {
  const ask = async (init: RequestInit, query = "") => {
    const answer = await fetch(`${app.url}/graphql${query}`, init);
    const body = (await answer.json()) as { errors: { extensions: { code: string } }[] };
    return [answer.status, body.errors[0]?.extensions.code, answer.headers.get("www-authenticate")];
  };
  const post = (body: BodyInit, type = "application/json"): RequestInit => ({
    method: "POST",
    headers: { "content-type": type, "x-visitor-token": "x.y.z" },
    body,
  });
  const json = (query: string) => post(JSON.stringify({ query }));

  test.each([
    "{ viewer { id } }",
    "{ __schema { queryType { name } } }",
    "{ noSuchField }",
    "{",
    'mutation { rotateSiteShareKey(input: { siteId: "x" }) { __typename } }',
    'subscription { spaceEvents(of: { spaceId: "x" }) { __typename } }',
  ])("refuses %s", async (query) => {
    expect(await ask(json(query))).toEqual([401, "UNAUTHENTICATED", "Bearer"]);
    expect(await ask({ headers: { accept: "application/json" } }, `?query=${encodeURIComponent(query)}`)).toEqual([
      401,
      "UNAUTHENTICATED",
      "Bearer",
    ]);
  });

  test("refuses forms and other bodies", async () => {
    const form = new FormData();
    form.set("operations", "{}");
    for (const init of [{ method: "POST", body: form }, post("{}", "text/plain"), post("no json"), post("[]")])
      expect((await ask(init))[0]).toBe(init.body === "no json" ? 400 : 401);
  });

  test("refuses every /v1 operation that is not public", async () => {
    for (const path of ["/v1/orgs", "/v1/spaces/spc_x", "/v1/orgs/org_x/sites/sit_x"])
      expect((await app.as(null).rest("GET", path, { headers: { "x-visitor-token": "x.y.z" } })).status).toBe(401);
  });
});
