// What fails when nothing waits for it: where it is known it is heard, and where it is a bug it is logged, and all else
// goes on.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { buildSchema, type ExecutionResult, getOperationAST, parse } from "graphql";
import { expect, test } from "vitest";
import { untilAborted } from "#src/base/until-aborted.ts";
import type { Context } from "#src/domain/context.ts";
import { deliver } from "#src/graph/incremental/deliver.ts";

test("the process that serves logs it, and goes on", async () => {
  const script = `
    const { surviveUnhandledRejections } = await import("#src/server/lifecycle.ts");
    surviveUnhandledRejections({ error: ({ err }) => console.log("logged:", err.message) });
    void Promise.reject(new Error("nobody hears this"));
    setImmediate(() => console.log("still here"));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  expect(stdout).toBe("logged: nobody hears this\nstill here\n");
});

test("work that is begun when its signal is aborted already may fail", async () => {
  const late = Promise.withResolvers<never>();
  await expect(untilAborted(late.promise, AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
  late.reject(new Error("nobody waits for this"));
  await new Promise(setImmediate); // an unhandled rejection would fail this file
});

test("the items of a list before one that fails at once may fail, too", async () => {
  const schema = buildSchema("type Query { items: [Item!]! } type Item { value: Int! }");
  const document = parse("{ items { value } }");
  const operation = getOperationAST(document);
  if (!operation) throw new Error("The document has no operation.");
  const failed = Promise.withResolvers<never>();
  const items = [
    { value: () => failed.promise },
    {
      value: () => {
        throw new Error("at once");
      },
    },
  ];
  Object.assign(schema.getQueryType()?.getFields()["items"] ?? {}, { resolve: () => items });
  const sent: ExecutionResult[] = [];
  await deliver({
    schema,
    operation,
    fragments: {},
    variables: {},
    context: {} as Context, // the resolvers need none
    send: async (delivery) => void sent.push(delivery),
    isOver: () => false,
    giveUp: () => {},
    publicError: (error) => error,
    excessOf: () => Promise.resolve(null),
  });
  failed.reject(new Error("nobody waits for this"));
  await new Promise(setImmediate);
  expect(sent).toMatchObject([{ data: null, errors: [{ message: "at once" }] }]);
});
