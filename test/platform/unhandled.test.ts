// Unhandled rejections: expected ones are handled, and others are logged without ending the process.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { buildSchema, type ExecutionResult, getOperationAST, parse } from "graphql";
import { expect, test } from "vitest";
import { untilAborted } from "#src/runtime/waiting.ts";
import type { Context } from "#src/domain/context.ts";
import { operationLimits } from "#src/base/limits.ts";
import { deliver } from "#src/graph/run/incremental/deliver.ts";
import { addComment, addReaction } from "#test/features/comments/factory.ts";
import { testApp, useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

test("an unhandled rejection is logged, and the process continues", async () => {
  const script = `
    const { surviveUnhandledRejections } = await import("#src/server/process/lifecycle.ts");
    surviveUnhandledRejections({ error: ({ err }) => console.log("logged:", err.message) });
    void Promise.reject(new Error("unhandled rejection"));
    setImmediate(() => console.log("still here"));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
  expect(stdout).toBe("logged: unhandled rejection\nstill here\n");
});

test("work started with an aborted signal may reject without an unhandled rejection", async () => {
  const late = Promise.withResolvers<never>();
  await expect(untilAborted(late.promise, AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
  late.reject(new Error("nobody waits for this"));
  await new Promise(setImmediate); // an unhandled rejection would fail this file
});

test("list items before one that throws may reject without an unhandled rejection", async () => {
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

test("items of a mutation payload may reject without an unhandled rejection when a later one exceeds the budget", async () => {
  await using few = await testApp({ beside: app, operationLimits: { ...operationLimits, values: 100 } });
  const { editor, space } = await world.space();
  await world.insert((rows) => {
    for (const _ of times(10, () => null)) {
      const { id: commentId } = addComment(rows, { spaceId: space.id, postedById: editor.id });
      addReaction(rows, { commentId, userId: editor.id });
    }
  });
  const users = times(8, (index) => `u${index}: reactorList { reactedAt }`).join(" ");
  const { errors } = await few.as(editor.token).graphql(
    `mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { space {
      comments(first: 10) { nodes { reactions { ${users} } replies(first: 1) { nodes { id } } } } } } } }`,
    { input: { contentOf: { spaceId: space.id }, text: { markdown: "Here" } } },
  );
  expect(errors).toMatchObject([{ message: expect.stringContaining("Some changes were committed") }]);
});
