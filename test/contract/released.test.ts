// The compatibility promise to clients: everything in the schema of the last release that is not deprecated is in the
// current one, not stricter. `npm run release` records the schema in `released.graphql`, without descriptions.
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

/** Breaking changes that are allowed, each with its reason. */
const allowed: Readonly<Record<string, string>> = {};

/** Whether the released schema deprecates the field, argument, input field or enum value at a path. */
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

/** Input types that became OneOf, which the comparison does not detect. */
function becameOneOf(before: GraphQLSchema, after: GraphQLSchema): string[] {
  return Object.values(after.getTypeMap())
    .filter((type) => isInputObjectType(type) && type.isOneOf)
    .filter(({ name }) => {
      const type = before.getType(name);
      return isInputObjectType(type) && !type.isOneOf;
    })
    .map(({ name }) => `${name}: takes exactly one of its fields now`);
}

/** Removed or stricter parts of a released schema that it had not deprecated. */
async function brokenPromises(text: string, after: GraphQLSchema): Promise<string[]> {
  const before = buildSchema(text);
  const changes: Change[] = await diff(before, after);
  const broken = changes
    .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
    .filter(({ path = "" }) => !isDeprecated(before, path))
    .map(({ path, message }) => `${path}: ${message}`);
  return [...broken, ...becameOneOf(before, after)];
}

test("the schema removes or tightens only what the last release deprecated", async () => {
  const broken = await brokenPromises(released, schema);
  expect(broken.filter((change) => !(change in allowed))).toEqual([]);
});

test("every allowed breaking change really occurs", async () => {
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

describe("reports a breaking change when", () => {
  const altered: readonly (readonly [what: string, from: string, to: string])[] = [
    ["a field is removed", "name: String!,", ""],
    ["a field becomes nullable", "name: String!,", "name: String,"],
    ["the type of a field changes", "name: String!,", "name: Int!,"],
    ["an argument is removed", ", filter: Filter", ""],
    ["an argument becomes required", "filter: Filter", "filter: Filter!"],
    ["a required argument is added", "(id: ID!", "(id: ID!, also: ID!"],
    ["an input field is removed", "name: String,", ""],
    ["an input field becomes required", "name: String,", "name: String!,"],
    ["a required input field is added", "name: String,", "name: String, also: String!,"],
    ["an input becomes a OneOf", "input Filter {", "input Filter @oneOf {"],
    ["an enum value is removed", "GREEN", ""],
    ["a type is removed from a union", "Any = Thing", "Any = Other type Other { id: ID! }"],
    ["a type no longer implements an interface", "Thing implements Node", "Thing"],
    [
      "the kind of a type changes",
      'input Filter { colour: Colour, name: String, old: String @deprecated(reason: "Use name.") }',
      "scalar Filter",
    ],
  ];
  test.each(altered)("%s", async (_what, from, to) => {
    expect(small).toContain(from);
    expect(await brokenPromises(small, buildSchema(small.replace(from, to)))).not.toEqual([]);
  });
});

describe("allows a change when", () => {
  const altered: readonly (readonly [what: string, from: string, to: string])[] = [
    ["nothing changes", "", ""],
    ["a deprecated field is removed", 'name: String!, old: String @deprecated(reason: "Use name.")', "name: String!"],
    ["a deprecated argument is removed", ', old: ID @deprecated(reason: "Use id.")', ""],
    ["a deprecated input field is removed", ', old: String @deprecated(reason: "Use name.") }', "}"],
    ["a deprecated enum value is removed", 'BLUE @deprecated(reason: "Use GREEN.")', ""],
    ["a field is deprecated", "name: String!,", 'name: String! @deprecated(reason: "Use id."),'],
    ["a required argument becomes optional", "id: ID!, filter", "id: ID, filter"],
    ["a field is added", "any: Any", "any: Any another: Any"],
    ["an optional argument is added", "(id: ID!", "(id: ID!, also: ID"],
  ];
  test.each(altered)("%s", async (_what, from, to) => {
    expect(small).toContain(from);
    expect(await brokenPromises(small, buildSchema(small.replace(from, to)))).toEqual([]);
  });
});

test("reports a field removed from the current schema", async () => {
  const text = printSchema(schema);
  const without = buildSchema(text.replace(/\n {2}"""Subject, at most 100 characters\."""\n {2}subject: String!/, ""));
  expect(await brokenPromises(text, without)).toEqual([
    "ChangeRequest.subject: Field 'subject' was removed from object type 'ChangeRequest'",
  ]);
});
