// The promise to clients: what the schema of the last release has, and has not deprecated, is in the present one, and
// takes no less. `npm run release` records the schema in `released.graphql`, without its descriptions.
import { readFile, writeFile } from "node:fs/promises";
import { type Change, CriticalityLevel, diff } from "@graphql-inspector/core";
import {
  buildSchema,
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
  visit,
} from "graphql";
import { describe, expect, test } from "vitest";
import { schema } from "#src/schema.ts";

const file = new URL("released.graphql", import.meta.url);
if (process.env["RELEASE"]) {
  const document = parse(printSchema(lexicographicSortSchema(schema)));
  await writeFile(file, `${print(visit(document, { enter: (node) => ({ ...node, description: undefined }) }))}\n`);
  process.stdout.write("The schema is recorded in test/contract/released.graphql.\n");
}
const released = await readFile(file, "utf8");

/** Changes that would break a promise, each with the reason why it does not. */
const allowed: Readonly<Record<string, string>> = {};

/** Whether the released schema deprecates what is at a path: a field, an argument, an input field or a value. */
function isDeprecated(before: GraphQLSchema, path: string): boolean {
  const [typeName = "", name = "", argumentName] = path.split(".");
  const type = before.getType(typeName);
  if (type && "getValue" in type) return type.getValue(name)?.deprecationReason != null;
  if (isInputObjectType(type)) return type.getFields()[name]?.deprecationReason != null;
  if (!isObjectType(type) && !isInterfaceType(type)) return false;
  const field = type.getFields()[name];
  const argument = field?.args.find((one) => one.name === argumentName);
  return field?.deprecationReason != null || argument?.deprecationReason != null;
}

/** Input types that take exactly one of their fields now, and took several before: the comparison does not look. */
function becameOneOf(before: GraphQLSchema, after: GraphQLSchema): string[] {
  return Object.values(after.getTypeMap())
    .filter((type) => isInputObjectType(type) && type.isOneOf)
    .filter(({ name }) => {
      const type = before.getType(name);
      return isInputObjectType(type) && !type.isOneOf;
    })
    .map(({ name }) => `${name}: takes exactly one of its fields now`);
}

/** What is gone from a released schema, or stricter than there, without having been deprecated in it. */
async function brokenPromises(text: string, after: GraphQLSchema): Promise<string[]> {
  const before = buildSchema(text);
  const changes: Change[] = await diff(before, after);
  const broken = changes
    .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
    .filter(({ path = "" }) => !isDeprecated(before, path))
    .map(({ path, message }) => `${path}: ${message}`);
  return [...broken, ...becameOneOf(before, after)];
}

test("nothing is gone or stricter that was not deprecated in the last release", async () => {
  const broken = await brokenPromises(released, schema);
  expect(broken.filter((change) => !(change in allowed))).toEqual([]);
});

test("every change that is allowed all the same is there", async () => {
  const broken = await brokenPromises(released, schema);
  expect(Object.keys(allowed).filter((change) => !broken.includes(change))).toEqual([]);
});

const small = `
  enum Colour { RED GREEN BLUE @deprecated(reason: "Use GREEN.") }
  input Filter { colour: Colour, name: String, old: String @deprecated(reason: "Use name.") }
  interface Node { id: ID! }
  type Thing implements Node { id: ID!, name: String!, old: String @deprecated(reason: "Use name.") }
  union Any = Thing
  type Query {
    any: Any
    thing(id: ID!, filter: Filter, old: ID @deprecated(reason: "Use id.")): Thing
  }
`;

describe("it would be seen that", () => {
  const altered: readonly (readonly [what: string, from: string, to: string])[] = [
    ["a field is gone", "name: String!,", ""],
    ["a field may be null", "name: String!,", "name: String,"],
    ["a field is of another type", "name: String!,", "name: Int!,"],
    ["an argument is gone", ", filter: Filter", ""],
    ["an argument is required", "filter: Filter", "filter: Filter!"],
    ["there is a new argument that is required", "(id: ID!", "(id: ID!, also: ID!"],
    ["an input field is gone", "name: String,", ""],
    ["an input field is required", "name: String,", "name: String!,"],
    ["there is a new input field that is required", "name: String,", "name: String, also: String!,"],
    ["an input takes exactly one of its fields", "input Filter {", "input Filter @oneOf {"],
    ["a value is gone", "GREEN", ""],
    ["a type is gone from a union", "Any = Thing", "Any = Other type Other { id: ID! }"],
    ["a type has an interface less", "Thing implements Node", "Thing"],
    [
      "a type is another kind of type",
      'input Filter { colour: Colour, name: String, old: String @deprecated(reason: "Use name.") }',
      "scalar Filter",
    ],
  ];
  test.each(altered)("%s", async (_what, from, to) => {
    expect(small).toContain(from);
    expect(await brokenPromises(small, buildSchema(small.replace(from, to)))).not.toEqual([]);
  });
});

describe("it is no breach that", () => {
  const altered: readonly (readonly [what: string, from: string, to: string])[] = [
    ["nothing changes", "", ""],
    ["a deprecated field is gone", 'name: String!, old: String @deprecated(reason: "Use name.")', "name: String!"],
    ["a deprecated argument is gone", ', old: ID @deprecated(reason: "Use id.")', ""],
    ["a deprecated input field is gone", ', old: String @deprecated(reason: "Use name.") }', "}"],
    ["a deprecated value is gone", 'BLUE @deprecated(reason: "Use GREEN.")', ""],
    ["a field is deprecated", "name: String!,", 'name: String! @deprecated(reason: "Use id."),'],
    ["a required argument is optional", "id: ID!, filter", "id: ID, filter"],
    ["there is a new field", "any: Any", "any: Any another: Any"],
    ["there is a new optional argument", "(id: ID!", "(id: ID!, also: ID"],
  ];
  test.each(altered)("%s", async (_what, from, to) => {
    expect(small).toContain(from);
    expect(await brokenPromises(small, buildSchema(small.replace(from, to)))).toEqual([]);
  });
});

test("the present schema without one of its fields is not what was released", async () => {
  const text = printSchema(schema);
  const without = buildSchema(text.replace(/\n {2}"""Subject, at most 100 characters\."""\n {2}subject: String!/, ""));
  expect(await brokenPromises(text, without)).toEqual([
    "ChangeRequest.subject: Field 'subject' was removed from object type 'ChangeRequest'",
  ]);
});
