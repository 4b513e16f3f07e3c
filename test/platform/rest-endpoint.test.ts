// Endpoints of routes: invalid routes fail at the start, and responses are projected by the shape of the document.
import { thingTag } from "#test/support/thing-server.ts";
import { assertObjectType, buildSchema, GraphQLError, type GraphQLSchema } from "graphql";
import { describe, expect, it, test } from "vitest";
import { createExecutor } from "#src/graph/run/execute.ts";
import type { Context } from "#src/domain/context.ts";
import type { RestEntriesExtensions, RestTreeExtensions } from "#src/graph/schema/rest-forms.ts";
import { makeEndpoint, pageOfList } from "#src/rest/endpoint.ts";
import { answerOfErrors } from "#src/rest/rest.ts";
import { createMatcher } from "#src/rest/request/match.ts";
import { describeEndpoints } from "#src/rest/description/openapi.ts";
import type { Route } from "#src/rest/route.ts";

function testSchema(): GraphQLSchema {
  const schema = buildSchema(`
    enum Role { READ }
    enum Mood { VERY_GLAD SAD }
    interface Named { name: String! }
    type Maker implements Named { name: String! role: Role mood: Mood moods: [Mood!]! }
    type Robot implements Named { name: String! model: String }
    type Parts { left: String, right: Inner }
    type Inner { deep: Int }
    type Leaf { name: String! mood: Mood level: Int! }
    type Label { name: String! value: Mood! }
    type Thing {
      id: ID! maker: Named! mood: Mood! parts: Parts! partsList: [Parts!]! owner: Maker leaves: [Leaf!]! labels: [Label!]!
    }
    type PageInfo { hasNextPage: Boolean! endCursor: String }
    type ThingConnection { nodes: [Thing!]! totalCount: Int! pageInfo: PageInfo! }
    type Query { thing(id: ID!, mood: Mood): Thing things(first: Int, after: String): ThingConnection! }
  `);
  Object.assign(schema.getType("Mood") ?? {}, { extensions: { restValues: { VERY_GLAD: "very-glad", SAD: "sad" } } });
  const restEntries = { key: "name", value: "value" };
  Object.assign(schema.getType("Label") ?? {}, { extensions: { restEntries } satisfies RestEntriesExtensions });
  const restTree = { level: "level", below: "leaves" };
  const things = assertObjectType(schema.getType("Thing")).getFields();
  Object.assign(things["leaves"] ?? {}, { extensions: { restTree } satisfies RestTreeExtensions });
  Object.assign(schema.getType("Role") ?? {}, { extensions: { restNull: true } });
  return schema;
}

const executor = createExecutor(testSchema());

const getThing: Route = {
  operationId: "getThing",
  method: "GET",
  path: "/v1/things/{id}",
  summary: "Get a thing",
  success: 200,
  tag: thingTag,
  answer: ["thing"],
  document: "query GetThing($id: ID!) { thing(id: $id) { id } }",
};

const listThings: Route = {
  ...getThing,
  operationId: "listThings",
  path: "/v1/things",
  list: true,
  answer: ["things"],
  document: `query ListThings($first: Int, $after: String) { things(first: $first, after: $after) { nodes { id mood } ${pageOfList} } }`,
};

const choice = { description: "How to answer.", variable: "isLong", values: ["short", "long"] } as const;

describe("a route that does not match its operation fails the start with the operation's name", () => {
  test.for<[string, Partial<Route>, RegExp]>([
    ["invalid document", { document: "{ thing { id } }" }, /getThing: .*"id" of type "ID!" is required/],
    ["no GraphQL", { document: "{" }, /getThing: Syntax Error/],
    ["an answer that is not selected", { answer: ["thing", "owner"] }, /getThing: .*does not select owner/],
    [
      "a path parameter without variable",
      { path: "/v1/things/{id}/{other}" },
      /getThing: .*does not have the variable \$other/,
    ],
    ["a query parameter without variable", { query: { mood: "x" } }, /getThing: .*does not have the variable \$mood/],
    [
      "a choice without variable",
      { choices: { c: { ...choice, variable: "other" } } },
      /getThing: .*does not have the variable \$other/,
    ],
    ["a variable that nothing fills", { path: "/v1/things" }, /getThing: No input fills the variables id/],
    [
      "a tree whose items are not of one fragment",
      { document: "query GetThing($id: ID!) { thing(id: $id) { leaves { name level } } }" },
      /getThing: The items of a tree must be selected by one fragment, with level/,
    ],
    [
      "entries without their values",
      { document: "query GetThing($id: ID!) { thing(id: $id) { labels { name } } }" },
      /getThing: Entries require name and value to be selected/,
    ],
    [
      "what is closed to visitors, in a route that is open to them",
      { openToVisitors: true },
      /getThing: The route is open/,
    ],
    ["a list that is not a connection", { list: true }, /getThing: .*does not select totalCount/],
  ])("%s", ([, change, message]) => {
    expect(() => makeEndpoint(executor, { ...getThing, ...change })).toThrow(message);
  });
});

const noContext = {} as Context; // not used by these responses

function answerOf(selection: string, thing: object): unknown {
  const route = { ...getThing, document: `query GetThing($id: ID!) { thing(id: $id) { ${selection} } }` };
  return JSON.parse(JSON.stringify(makeEndpoint(executor, route).answer({ thing }, noContext).body));
}

describe("responses of an endpoint", () => {
  it("have REST values of enums, alone and in lists", () => {
    const selection = "mood owner { mood moods }";
    expect(answerOf(selection, { mood: "SAD", owner: { mood: "VERY_GLAD", moods: ["SAD", "VERY_GLAD"] } })).toEqual({
      mood: "sad",
      owner: { mood: "very-glad", moods: ["sad", "very-glad"] },
    });
  });

  it("omit nulls except the null of a role", () => {
    const selection = "id owner { role mood }";
    expect(answerOf(selection, { id: "1", owner: null })).toEqual({ id: "1" });
    expect(answerOf(selection, { id: "1", owner: { role: null, mood: null } })).toEqual({
      id: "1",
      owner: { role: null },
    });
  });

  it("omit objects without fields, also nested ones, but not list items", () => {
    const empty = { left: null, right: { deep: null } };
    const selection = "id parts { left right { deep } } partsList { left }";
    expect(answerOf(selection, { id: "1", parts: empty, partsList: [{ left: null }, { left: "a" }] })).toEqual({
      id: "1",
      partsList: [{}, { left: "a" }],
    });
  });

  it("include fragments on the types of an interface", () => {
    const selection = "maker { name ... on Maker { mood } ...RobotParts } } } fragment RobotParts on Robot { model";
    const route = {
      ...getThing,
      document: `query GetThing($id: ID!) { thing(id: $id) { ${selection} }`,
    };
    const answer = (maker: object) =>
      JSON.parse(JSON.stringify(makeEndpoint(executor, route).answer({ thing: { maker } }, noContext).body));
    expect(answer({ name: "a", mood: "SAD" })).toEqual({ maker: { name: "a", mood: "sad" } });
    expect(answer({ name: "b", model: null })).toEqual({ maker: { name: "b" } });
  });

  const leafFields = "leaves { ...LeafFields } } } fragment LeafFields on Leaf { level name mood";
  const ofLeaves = `query GetThing($id: ID!) { thing(id: $id) { ${leafFields} }`;

  it("nest the items of a tree by level, starting from any level", () => {
    const endpoint = makeEndpoint(executor, { ...getThing, document: ofLeaves });
    const leaf = (name: string, level: number) => ({ name, level, mood: name === "a" ? "VERY_GLAD" : null });
    for (const start of [1, 3]) {
      const levels = Object.entries({ a: 0, b: 1, c: 2, d: 1, e: 0 });
      const leaves = levels.map(([name, level]) => leaf(name, start + level));
      const tree = (name: string, ...below: object[]) => ({
        name,
        ...(name === "a" && { mood: "very-glad" }),
        leaves: below,
      });
      expect(JSON.parse(JSON.stringify(endpoint.answer({ thing: { leaves } }, noContext).body))).toEqual({
        leaves: [tree("a", tree("b", tree("c")), tree("d")), tree("e")],
      });
    }
    expect(endpoint.answer({ thing: { leaves: [] } }, noContext).body).toEqual({ leaves: [] });
  });

  it("have entries as properties of one object", () => {
    const labels = [
      { name: "b", value: "SAD" },
      { name: "__proto__", value: "VERY_GLAD" },
    ];
    expect(answerOf("labels { name value }", { labels })).toEqual(
      JSON.parse('{"labels":{"b":"sad","__proto__":"very-glad"}}'),
    );
  });

  const ofOwner = `query GetThing($id: ID!, $whole: Boolean! = false) { thing(id: $id) {
    owner { reference: name @skip(if: $whole) ...MakerFields @include(if: $whole) } } }
    fragment MakerFields on Maker { name mood }`;

  it("have a reference instead of an object, or the object if requested", () => {
    const endpoint = makeEndpoint(executor, { ...getThing, query: { whole: "" }, document: ofOwner });
    const answer = (owner: object | null) =>
      JSON.parse(JSON.stringify(endpoint.answer({ thing: { owner } }, noContext).body));
    expect(answer({ reference: "a" })).toEqual({ owner: "a" });
    expect(answer({ name: "a", mood: "SAD" })).toEqual({ owner: { name: "a", mood: "sad" } });
    expect(answer(null)).toEqual({});
    expect(describeEndpoints([endpoint])).toMatchObject({
      components: { schemas: { Maker: { properties: { name: { type: "string" } }, required: ["name"] } } },
      paths: {
        "/v1/things/{id}": {
          get: {
            responses: {
              200: {
                content: {
                  "application/json": {
                    schema: {
                      properties: { owner: { oneOf: [{ type: "string" }, { $ref: "#/components/schemas/Maker" }] } },
                    },
                  },
                },
              },
            },
          },
        },
      },
    });
  });

  it("are described: tree items recursively, entries by their values", () => {
    const document = ofLeaves.replace("leaves {", "labels { name value } leaves {");
    expect(describeEndpoints([makeEndpoint(executor, { ...getThing, document })])).toMatchObject({
      components: {
        schemas: {
          Leaf: {
            properties: { name: { type: "string" }, leaves: { items: { $ref: "#/components/schemas/Leaf" } } },
          },
        },
      },
      paths: {
        "/v1/things/{id}": {
          get: {
            responses: {
              200: {
                content: {
                  "application/json": {
                    schema: {
                      properties: {
                        leaves: { items: { $ref: "#/components/schemas/Leaf" } },
                        labels: { additionalProperties: { enum: ["very-glad", "sad"] } },
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    });
  });

  it("wrap lists in the envelope", () => {
    const answer = (hasNextPage: boolean) => {
      const things = { nodes: [{ id: "1", mood: "SAD" }], totalCount: 7, pageInfo: { hasNextPage, endCursor: "c" } };
      return makeEndpoint(executor, listThings).answer({ things }, noContext).body;
    };
    expect(answer(true)).toEqual({ items: [{ id: "1", mood: "sad" }], count: 7, next: { page: "c" } });
    expect(answer(false)).toEqual({ items: [{ id: "1", mood: "sad" }], count: 7 });
  });

  it("return 404 for a null on the path to the result", () => {
    expect(() => makeEndpoint(executor, getThing).answer({ thing: null }, noContext)).toThrow(
      "The thing does not exist",
    );
  });
});

test("a choice parameter sets a Boolean and documents its values and default", () => {
  const choices = { form: choice };
  const document = (preset: boolean) =>
    `query GetThing($id: ID!, $isLong: Boolean! = ${preset}) { thing(id: $id) { id @skip(if: $isLong) mood @include(if: $isLong) } }`;
  const endpoint = (preset: boolean) => makeEndpoint(executor, { ...getThing, choices, document: document(preset) });
  const variables = (search: string) => endpoint(false).readVariables({ id: "1" }, search);
  expect(variables("")).toEqual({ id: "1" });
  expect(variables("form=long")).toEqual({ id: "1", isLong: true });
  expect(variables("form=short")).toEqual({ id: "1", isLong: false });
  for (const search of ["form=true", "form=", "form=short&form=long"])
    expect(() => variables(search)).toThrow(/^form: /);
  for (const preset of [true, false]) {
    const { paths } = describeEndpoints([endpoint(preset)]) as {
      paths: Record<string, { get: { parameters: object[] } }>;
    };
    expect(paths["/v1/things/{id}"]?.get.parameters[1]).toEqual({
      name: "form",
      in: "query",
      required: false,
      description: "How to answer.",
      schema: { type: "string", enum: ["short", "long"], default: preset ? "long" : "short" },
    });
  }
});

test("an ignored parameter is validated and documented but not used", () => {
  const endpoint = makeEndpoint(executor, { ...getThing, ignored: { extra: "More of it." } });
  expect(endpoint.readVariables({ id: "1" }, "")).toEqual({ id: "1" });
  expect(endpoint.readVariables({ id: "1" }, "extra=false")).toMatchObject({ id: "1" });
  expect(() => endpoint.readVariables({ id: "1" }, "extra=no")).toThrow("extra: must be true or false.");
  expect(JSON.stringify(describeEndpoints([endpoint]))).toContain('"schema":{"type":"boolean","default":true}');
});

describe("execution errors", () => {
  const error = (code: string, details?: object[]) =>
    new GraphQLError(`message of ${code}`, { extensions: { code, ...(details && { details }) } });

  it("have the status of their code", () => {
    const statuses = ["INVALID_INPUT", "FORBIDDEN", "NOT_FOUND", "CONFLICT", "TOO_LARGE", "RATE_LIMITED", "?"].map(
      (code) => answerOfErrors([error(code)], (path) => path).status,
    );
    expect(statuses).toEqual([400, 403, 404, 409, 413, 429, 500]);
  });

  it("report an internal error before errors of the caller", () => {
    const { status, body } = answerOfErrors([error("NOT_FOUND"), error("INTERNAL")], (path) => path);
    expect([status, body.error.message]).toEqual([500, "message of INTERNAL"]);
  });
});

test("matching finds a path for each method, and prefers the most specific path", () => {
  const matcher = createMatcher([
    { method: "GET", path: "/v1/a/{id}", target: "one" },
    { method: "PUT", path: "/v1/a/{id}", target: "put" },
    { method: "GET", path: "/v1/a/latest", target: "latest" },
  ]);
  expect(matcher.match("GET", "/v1/a/x.y-z")).toMatchObject({ target: "one", parameters: { id: "x.y-z" } });
  expect(matcher.match("PUT", "/v1/a/1")).toMatchObject({ target: "put" });
  expect(matcher.match("HEAD", "/v1/a/latest")).toMatchObject({ target: "latest" });
  expect(matcher.match("DELETE", "/v1/a/1")).toEqual({ allow: ["GET", "HEAD", "PUT"] });
  expect(matcher.match("GET", "/v1/a/1/b")).toBeNull();
});

test("the description has types, limits and optional fields", () => {
  const route: Route = {
    ...getThing,
    query: { mood: "Its mood." },
    document: `query GetThing($id: ID!, $mood: Mood = SAD) {
      thing(id: $id, mood: $mood) { ...ThingFields } } fragment ThingFields on Thing { id parts { left } owner { role mood } }`,
  };
  const description = describeEndpoints([makeEndpoint(executor, route), makeEndpoint(executor, listThings)]);
  expect(description).toMatchObject({
    paths: {
      "/v1/things/{id}": {
        get: {
          parameters: [
            { name: "id", in: "path", required: true, schema: { type: "string" } },
            { name: "mood", schema: { type: "string", enum: ["very-glad", "sad"], default: "sad" } },
          ],
          responses: { 200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } } },
        },
      },
    },
    components: {
      parameters: { Limit: { schema: { type: "integer", minimum: 1, maximum: 1000, default: 50 } } },
      schemas: {
        Thing: {
          required: ["id"],
          properties: {
            owner: { required: ["role"], properties: { role: { anyOf: [{ type: "string" }, { type: "null" }] } } },
          },
        },
      },
    },
  });
});
