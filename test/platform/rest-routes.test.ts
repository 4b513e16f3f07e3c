// Rows of the route table: the routes and documents made from them, and their parents.
import { thingTag } from "#test/support/thing-server.ts";
import { buildSchema, parse, print, validate } from "graphql";
import { expect, test } from "vitest";
import { documentOf } from "#src/rest/endpoint.ts";
import { defineRoutes, parentAt, type RouteRow } from "#src/rest/route.ts";

test("a row becomes a route with its method and path, and the default status of the method", () => {
  const row = { summary: "", answer: [], document: "" };
  const tag = thingTag;
  const rows: Record<string, RouteRow> = {
    getThing: { ...row, request: "GET /v1/things/{thingId}" },
    createThing: { ...row, request: "POST /v1/things", success: 201 },
    deleteThing: { ...row, request: "DELETE /v1/things/{thingId}" },
    forgetThing: { ...row, request: "DELETE /v1/things/{thingId}/memory", success: 204 },
  };
  expect(defineRoutes(() => tag, rows)).toEqual([
    { ...row, tag, operationId: "getThing", method: "GET", path: "/v1/things/{thingId}", success: 200 },
    { ...row, tag, operationId: "createThing", method: "POST", path: "/v1/things", success: 201 },
    { ...row, tag, operationId: "deleteThing", method: "DELETE", path: "/v1/things/{thingId}", success: "deleted" },
    { ...row, tag, operationId: "forgetThing", method: "DELETE", path: "/v1/things/{thingId}/memory", success: 204 },
  ]);
});

test("a parent is selected by the ids in the path", () => {
  expect(parentAt("change request", "/v1/spaces/{spaceId}/change-requests/{changeRequestId}")).toEqual({
    noun: "change request",
    path: "/v1/spaces/{spaceId}/change-requests/{changeRequestId}",
    answer: ["space", "changeRequest"],
  });
});

const schema = buildSchema(`
  type Leaf { id: ID! name: String parent: Leaf }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  type LeafConnection { nodes: [Leaf!]! totalCount: Int! pageInfo: PageInfo! }
  type Tree {
    leaf(id: ID, number: Int): Leaf
    leaves(order: String! = "up", color: String, first: Int, after: String, sort: LeafSort): LeafConnection!
  }
  input LeafSort { by: String!, up: Boolean }
  input Place @oneOf { treeId: ID, branchId: ID }
  input PaintInput { on: Place!, color: String! }
  input MoveLeafInput { treeId: ID!, leafId: ID!, parentId: ID, stalkSize: Int, secret: String }
  type MoveLeafPayload { leaf: Leaf moved: Boolean! }
  type Query { tree(id: ID!): Tree }
  type Mutation { moveLeaf(input: MoveLeafInput!): MoveLeafPayload! paint(input: PaintInput!): MoveLeafPayload! }
`);

function written(row: Omit<RouteRow, "summary">): string {
  const [route] = defineRoutes(() => thingTag, { row: { summary: "", ...row } });
  const document = parse(route ? documentOf(schema, route) : "");
  expect(validate(schema, document)).toEqual([]);
  return print(document).replaceAll(/\s+/g, " ");
}

const leafFields = "fragment LeafFields on Leaf { id ...Name } fragment Name on Leaf { name }";

test("a read document selects its result with the arguments of path and query", () => {
  const at = { request: "GET /v1/trees/{treeId}/leaves/{leafId}", answer: ["tree", "leaf"] } as const;
  expect(written({ ...at, fields: leafFields })).toBe(
    "query ($treeId: ID!, $leafId: ID) { tree(id: $treeId) { leaf(id: $leafId) { ...LeafFields } } } " +
      "fragment LeafFields on Leaf { id ...Name } fragment Name on Leaf { name }",
  );
  expect(written({ ...at, fields: `it: parent { ...LeafFields } ${leafFields}` })).toContain("{ it: parent {");
  const list = { request: "GET /v1/trees/{treeId}/leaves", list: true, answer: ["tree", "leaves"] } as const;
  expect(written({ ...list, query: { order: "", color: "" }, defaults: { color: '"red"' }, fields: "id" })).toBe(
    'query ($treeId: ID!, $order: String! = "up", $color: String = "red", $first: Int, $after: String) { ' +
      "tree(id: $treeId) { leaves(order: $order, color: $color, first: $first, after: $after) { " +
      "nodes { id } totalCount pageInfo { hasNextPage endCursor } } } }",
  );
});

test("a write document sets the input fields named by the row and omits the others", () => {
  const row = { request: "POST /v1/trees/{treeId}/leaves/{leafId}/move", body: { parent: "", size: "" } } as const;
  const input = "{treeId: $treeId, leafId: $leafId, parentId: $parent, stalkSize: $size}";
  expect(written({ ...row, named: { stalkSize: "size" }, answer: ["moveLeaf", "leaf"], fields: "id" })).toBe(
    `mutation ($treeId: ID!, $leafId: ID!, $parent: ID, $size: Int) { moveLeaf( input: ${input} ) { leaf { id } } }`,
  );
  expect(written({ ...row, answer: ["moveLeaf", "moved"] })).toContain("{ moved }");
});

test("variables of choices and of the row are declared", () => {
  const choices = { form: { description: "", variable: "isLong", values: ["short", "long"] } } as const;
  const row = {
    request: "GET /v1/trees/{treeId}",
    answer: ["tree"],
    choices,
    variables: ["$deep: Boolean! = true"],
  } as const;
  const fields = "leaf(number: 1) { id @skip(if: $isLong) name @include(if: $deep) }";
  expect(written({ ...row, fields })).toContain(
    "query ($isLong: Boolean! = false, $deep: Boolean! = true, $treeId: ID!)",
  );
});

test("a row whose path is not in the schema is refused, and a custom document is kept unchanged", () => {
  expect(() => written({ request: "GET /v1/trees/{treeId}", answer: ["tree", "root"] })).toThrow(
    "Tree does not have the field root on the path of the response.",
  );
  expect(written({ request: "GET /v1/trees", answer: [], document: "{ __typename }" })).toBe("{ __typename }");
});

test("a OneOf input is set by the innermost id of the path", () => {
  const answer = ["paint", "leaf"];
  const at = (path: string) =>
    ({ request: `POST /v1/${path}/paint`, body: { color: "" }, answer, fields: "id" }) as const;
  expect(written(at("trees/{treeId}"))).toContain("{on: {treeId: $treeId}, color: $color}");
  expect(written(at("trees/{treeId}/branches/{branchId}"))).toContain("{on: {branchId: $branchId}, color: $color}");
  expect(written(at("trees/{treeId}/branches/{branchId}"))).not.toContain("$treeId");
});

test("an argument can be set by a value that contains variables", () => {
  const list = { request: "GET /v1/trees/{treeId}/leaves", list: true, answer: ["tree", "leaves"] } as const;
  const given = { sort: '{ by: "age", up: $up }' };
  expect(written({ ...list, query: { up: "" }, variables: ["$up: Boolean! = true"], given, fields: "id" })).toContain(
    'sort: {by: "age", up: $up}',
  );
});
