// Internal errors reported by graphql-js or Pothos during execution: returned as INTERNAL, and logged with the request
// id.
import { buildSchema, GraphQLError, type GraphQLFieldResolver, isObjectType } from "graphql";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { Budget, operationAllowance } from "#src/db/connection/budget.ts";
import { TimeLimit } from "#src/db/connection/time-limit.ts";
import type { Context } from "#src/domain/context.ts";
import { createExecutor, isOperation } from "#src/graph/run/execute.ts";

type Resolve = GraphQLFieldResolver<unknown, unknown>;

/** Runs a document on a schema with these resolvers; returns the response and the log. */
async function run(fields: Record<string, Resolve>, document: string, way: "result" | "run", variables = {}) {
  const schema = buildSchema(`
    enum Color { RED }
    type Query { n: Int color: Color list: [Int] must: Int! own: Int echo(n: Int, must: Int! = 1): Int }
  `);
  const query = schema.getType("Query");
  if (!isObjectType(query)) throw new Error("The schema has no Query");
  for (const [name, resolve] of Object.entries(fields)) Object.assign(query.getFields()[name] ?? {}, { resolve });
  const lines: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  const [limit, reader] = [new TimeLimit(Infinity), { budget: new Budget(operationAllowance) }];
  const context = { log, requestId: "r-1", limit, reader };
  const operation = createExecutor(schema).prepare(document);
  if (!isOperation(operation)) throw new Error("It cannot run");
  const { errors } = await operation[way](context as unknown as Context, variables);
  return { codes: errors?.map(({ extensions }) => extensions["code"]), lines };
}

describe.each(["result", "run"] as const)("internal errors by %s", (way) => {
  test.each<[string, Record<string, Resolve>, string]>([
    ["a number too large for Int", { n: () => 2 ** 40 }, "{ n }"],
    ["an unknown enum value", { color: () => "BLUE" }, "{ color }"],
    ["a value that is not a list", { list: () => 5 }, "{ list }"],
    ["null for a non-null field", { must: () => null }, "{ must }"],
    [
      "an error of Pothos",
      {
        own: () => {
          throw new GraphQLError("Expected Team to have a model");
        },
      },
      "{ own }",
    ],
  ])("%s is an internal error", async (_name, fields, document) => {
    const { codes, lines } = await run(fields, document, way);
    expect(codes).toEqual(["INTERNAL"]);
    expect(lines).toMatchObject([{ level: 50, requestId: "r-1", path: [document.slice(2, -2)] }]);
  });

  test("rejected promises in a list are errors at their items, without unhandled rejections", async () => {
    const list = () => [Promise.resolve(1), Promise.reject(new Error("first")), Promise.reject(new Error("second"))];
    const { codes, lines } = await run({ list }, "{ list }", way);
    expect(codes).toEqual(["INTERNAL", "INTERNAL"]);
    expect(lines.map(({ path }) => path)).toEqual([
      ["list", 1],
      ["list", 2],
    ]);
  });

  test.each([
    ["query ($n: Int) { echo(n: $n) }", { n: 2 ** 40 }],
    ["query ($n: Int) { echo(n: $n) }", { n: "1" }],
    ["query ($n: Int = 1) { echo(must: $n) }", { n: null }],
  ])("invalid variables of %s are an error of the caller", async (document, variables) => {
    const { codes, lines } = await run({}, document, way, variables);
    expect([codes, lines]).toEqual([["INVALID_INPUT"], []]);
  });
});
