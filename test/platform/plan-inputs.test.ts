// The prepared readers of variables and arguments return what graphql-js returns, and leave errors to it.
import fc from "fast-check";
import { buildSchema, type FieldNode, getArgumentValues, getVariableValues, parse } from "graphql";
import type { OperationDefinitionNode } from "graphql";
import { expect, test } from "vitest";
import { argumentsReader, variablesReader } from "#src/plan/inputs.ts";

const schema = buildSchema(`
  enum Level { LOW HIGH }
  input Filter { name: String, level: Level = LOW }
  type Query {
    find(id: ID!, name: String = "any", count: Int = 7, open: Boolean, ids: [ID!], level: Level, filter: Filter): ID
  }`);

const documents = [
  "query ($id: ID!) { find(id: $id) }",
  'query ($id: ID!, $name: String, $count: Int = 3, $open: Boolean!) { find(id: $id, name: $name, count: $count, open: $open, ids: ["1"]) }',
  "query ($ids: [ID!], $level: Level = HIGH, $name: String) { find(id: 1, ids: $ids, level: $level, filter: { name: $name }) }",
  'query ($id: ID = "1", $count: Int) { find(id: $id, count: $count) }',
  "query ($__proto__: ID!) { find(id: $__proto__) }",
  "query ($constructor: String) { find(id: 2, name: $constructor) }",
];

const values = fc.oneof(
  fc.constantFrom<unknown>(null, undefined, "", "a", 0, -1, 2.5, 2 ** 31, "LOW", "7", true, ["a"], [1, null], {}),
  fc.integer(),
  fc.string(),
);
/** Valid values by name: most are sent, so that one that is not valid is often alone. */
const likely: readonly (readonly [name: string, valid: fc.Arbitrary<unknown>])[] = [
  ["id", fc.string()],
  ["name", fc.string()],
  ["count", fc.integer()],
  ["open", fc.boolean()],
  ["ids", fc.array(fc.string())],
  ["level", fc.constantFrom("LOW", "HIGH")],
  ["__proto__", fc.string()],
  ["constructor", fc.string()],
];
const missing = Symbol("missing");
const sent = fc
  .tuple(
    ...likely.map(([, valid]) =>
      fc.oneof({ weight: 6, arbitrary: valid }, { weight: 2, arbitrary: values }, fc.constantFrom(missing, null)),
    ),
  )
  .map((list) => {
    const entries = list.map((value, index) => [likely[index]?.[0] ?? "", value] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== missing)) as Record<string, unknown>;
  });

const attempt = (read: () => unknown): unknown => {
  try {
    return { read: { ...(read() as object) } };
  } catch (error) {
    return { message: (error as Error).message };
  }
};

test.each(documents)("reads the variables and arguments of %s as graphql-js does", (text) => {
  const operation = parse(text).definitions[0] as OperationDefinitionNode;
  const node = operation.selectionSet.selections[0] as FieldNode;
  const field = schema.getQueryType()?.getFields()["find"];
  if (!field) throw new Error("The schema lacks its field.");
  const [readVariables, readArguments] = [variablesReader(schema, operation), argumentsReader(field, node)];
  fc.assert(
    fc.property(sent, (given) => {
      const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], given);
      const variables = readVariables(given);
      expect(variables).toEqual(coerced);
      if (variables)
        expect(attempt(() => readArguments(variables))).toEqual(
          attempt(() => getArgumentValues(field, node, variables)),
        );
    }),
  );
});
