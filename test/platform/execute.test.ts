// The executor: compiled and interpreted runs return the same results, and the document cache is bounded.
import { beforeAll, expect, test } from "vitest";
import { createExecutor, isOperation, type Variables } from "#src/graph/run/execute.ts";
import { schema } from "#src/schema.ts";
import { useApp } from "#test/support/app.ts";
import { documents } from "#test/support/documents.ts";
import { giveContent, giveFiles } from "#test/features/content/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { contextsOf } from "#test/support/query-executions.ts";
import { createWorld, times } from "#test/support/world.ts";

const { app } = await useApp();
let variables: Record<string, unknown>;
let token: string;

const executor = createExecutor(schema);

beforeAll(async () => {
  const world = await createWorld(app.database).everything();
  const { space, changeRequest } = world;
  const [pageId = ""] = await giveContent(app.database, space.revisionId, ["Start"]);
  const [fileId = ""] = await giveFiles(app.database, space.revisionId, ["start.txt"]);
  const shared = { where: { id: changeRequest.id }, data: { revisionId: space.revisionId } };
  await app.database.prisma.changeRequest.update(shared);
  token = world.commenter.token;
  variables = {
    organizationId: world.organization.id,
    collectionId: world.collection.id,
    spaceId: space.id,
    changeRequestId: changeRequest.id,
    pageId,
    fileId,
    commentId: world.comment.id,
    commentReplyId: world.reply.id,
    siteId: world.site.id,
    siteSectionId: world.section.id,
    teamId: world.team.id,
    userId: world.editor.id,
    foreignId: world.elsewhere.id,
    emailDomain: "example.com",
  };
});

/** Runs a document compiled or only interpreted. */
async function run(way: "result" | "run", document: string, given: Variables, operationName?: string) {
  const prepared = executor.prepare(document, operationName);
  if (!isOperation(prepared)) return { errors: JSON.parse(JSON.stringify(prepared)) as unknown };
  const context = await contextsOf(app, token);
  return JSON.parse(JSON.stringify(await prepared[way](context(), given))) as unknown;
}

test.each(Object.entries(documents))(
  "compiled and interpreted execution agree on: %s",
  async (_name, { document, given = {}, operationName }) => {
    const all = { ...variables, ...given };
    expect(await run("result", document, all, operationName)).toEqual(await run("run", document, all, operationName));
  },
);

test("a list read backward twice has the same order both times", async () => {
  const list = (size: string) => `members(${size}: 100, orderBy: { field: JOINED_AT }) { nodes { id } }`;
  const document = `query ($organizationId: ID!) { organization(id: $organizationId) {
    one: ${list("last")} other: ${list("last")} forward: ${list("first")}
  } }`;
  for (const way of ["result", "run"] as const) {
    const { data } = (await run(way, document, variables)) as { data: { organization: Record<string, unknown> } };
    const { one, other, forward } = data.organization;
    expect(forward).toMatchObject({ nodes: expect.arrayContaining([expect.anything()]) as unknown });
    expect([one, other]).toEqual([forward, forward]);
  }
});

test("parses and validates a document once, and evicts documents by size", () => {
  const executor = createExecutor(schema);
  const first = executor.prepare("{ viewer { id } }");
  const forget = (count: number, fields: number) => {
    for (let index = 0; index < count; index++)
      executor.prepare(`{ viewer { ${times(fields, (field) => `a${index}_${field}: id`).join(" ")} } }`);
  };
  forget(200, 1);
  expect(executor.prepare("{ viewer { id } }")).toBe(first);
  forget(20, 900);
  expect(executor.prepare("{ viewer { id } }")).not.toBe(first);
});

test("refuses a document with exponentially nested fragments at once, on every transport", async () => {
  const levels = times(40, (level) => {
    const below = level === 0 ? "id" : `...F${level - 1}`;
    return `fragment F${level} on Space { id ${["a", "b"].map((alias) => `${alias}: parent { id spaces { nodes { ${below} } } }`).join(" ")} }`;
  });
  const document = `query ($spaceId: ID!) { space(id: $spaceId) { ...F39 } } ${levels.join(" ")}`;
  const refusal = {
    errors: [
      { extensions: { code: "INVALID_INPUT" }, message: expect.stringContaining("the limit is 10000") as string },
    ],
  };
  expect(await run("result", document, variables)).toMatchObject(refusal);
  expect(await run("run", document, variables)).toMatchObject(refusal);
  const asked = new URLSearchParams({ query: document, variables: JSON.stringify({ spaceId: variables["spaceId"] }) });
  const answer = await fetch(`${app.url}/graphql?${asked.toString()}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await answer.json()).toMatchObject(refusal);
});

test("refuses a document with too many tokens before validation", () => {
  const prepared = createExecutor(schema).prepare(`{ ${"viewer { id } ".repeat(5000)} }`);
  expect(isOperation(prepared)).toBe(false);
});

test("refuses an operation whose lists would return too many rows, however they are nested", async () => {
  const world = createWorld(app.database);
  const { admin, organization } = await world.organization();
  await world.insert((rows) => times(60, () => addSpace(rows, { organizationId: organization.id })));
  const around = (depth: number): string =>
    depth === 0 ? "" : `organization { spaces(first: 1000) { nodes { id ${around(depth - 1)} } } }`;
  const document = (depth: number) =>
    `{ organization(id: "${organization.id}") { spaces { nodes { id ${around(depth)} } } } }`;
  expect((await app.as(admin.token).graphql(document(1))).errors).toBeUndefined();
  expect(await app.as(admin.token).graphql(document(2))).toMatchObject({
    data: undefined,
    errors: [
      {
        message: "The operation reads more than 100000 rows in total: request smaller pages.",
        extensions: { code: "INVALID_INPUT" },
      },
    ],
  });
});

test("commits a mutation whose payload exceeds the row budget, and reports the error", async () => {
  const world = createWorld(app.database);
  const { admin, organization } = await world.organization();
  await world.insert((rows) => times(60, () => addSpace(rows, { organizationId: organization.id })));
  const around = (depth: number): string =>
    depth === 0 ? "" : `organization { spaces(first: 1000) { nodes { id ${around(depth - 1)} } } }`;
  const create = `mutation ($input: CreateSpaceInput!) { createSpace(input: $input) { space { id ${around(3)} } } }`;
  const input = { organizationId: organization.id, title: "Made all the same" };
  const { data, errors } = await app.as(admin.token).graphql(create, { input });
  expect([data, errors]).toMatchObject([
    undefined,
    [
      {
        message:
          "Some changes were committed: check the current state before you repeat the request. The operation reads more than 100000 rows in total: request smaller pages.",
        extensions: { code: "INVALID_INPUT" },
      },
    ],
  ]);
  expect(await app.database.prisma.space.count({ where: { title: input.title } })).toBe(1);
});

test("null for the Boolean of a directive is an error, also after valid runs of the same document", async () => {
  const document = "query ($shown: Boolean = true) { viewer { id title: displayName @include(if: $shown) } }";
  for (const shown of [false, null, true, null]) {
    const [planned, interpreted] = [await run("result", document, { shown }), await run("run", document, { shown })];
    expect(planned).toEqual(interpreted);
    expect(Object.keys(planned as object)).toContain(shown === null ? "errors" : "data");
  }
});
