// Change requests by GraphQL: filters, order, by id or number, and what they tell of themselves.
import { afterAll, beforeAll, expect, test } from "vitest";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { addRevision } from "#test/features/spaces/factory.ts";
import { testApp, type TestApp } from "#test/support/app.ts";
import { createWorld, type World } from "#test/support/world.ts";

let app: TestApp;
let world: World;

beforeAll(async () => {
  app = await testApp();
  world = createWorld(app.database);
});
afterAll(() => app.close());

test("are listed newest first, by status and by who created them", async () => {
  const { reader, editor, creator, space } = await world.space();
  await world.insert((rows) => {
    addChangeRequest(rows, { space, createdById: editor.id, status: "open" });
    addChangeRequest(rows, { space, createdById: editor.id, status: "draft" });
    addChangeRequest(rows, { space, createdById: creator.id, status: "open" });
    addChangeRequest(rows, { space, createdById: creator.id, status: "archived" });
  });
  const list = async (args: string) => {
    const { space: found } = await app
      .as(reader.token)
      .query<{ space: { changeRequests: { nodes: { number: number }[] } } }>(
        `{ space(id: "${space.id}") { changeRequests${args} { nodes { number } } } }`,
      );
    return found.changeRequests.nodes.map(({ number }) => number);
  };
  expect(await list("")).toEqual([4, 3, 2, 1]);
  expect(await list("(status: OPEN)")).toEqual([3, 1]);
  expect(await list(`(contributor: "${editor.id}")`)).toEqual([2, 1]);
  expect(await list(`(status: OPEN, contributor: "${creator.id}")`)).toEqual([3]);
  expect(await list("(status: MERGED)")).toEqual([]);
});

test("one is found by id, by number and by the number as text; by exactly one of them", async () => {
  const { reader, space, changeRequest } = await world.changeRequest();
  const caller = app.as(reader.token);
  const one = (args: string) => `{ space(id: "${space.id}") { changeRequest(${args}) { id } } }`;
  for (const args of [`id: "${changeRequest.id}"`, "number: 1", `id: "1"`, "id: 1"]) {
    expect(await caller.query(one(args))).toEqual({ space: { changeRequest: { id: changeRequest.id } } });
  }
  for (const args of ["number: 2", `id: "99999999999"`, `id: "01"`, `id: "${space.id}"`]) {
    expect(await caller.refusal(one(args)), args).toBe("NOT_FOUND");
  }
  expect(await caller.refusal(one(`id: "1", number: 1`))).toBe("INVALID_INPUT");
});

test("tell their revisions, whether they are outdated, and the open comments", async () => {
  const { reader, editor, space, changeRequest } = await world.changeRequest();
  const get = async () => {
    const data = await app
      .as(reader.token)
      .query<{ changeRequest: Record<string, unknown> }>(
        `{ changeRequest(id: "${changeRequest.id}") { object outdated commentCount revisionInitialId revisionMergedId urls { location } createdBy { id } space { id } } }`,
      );
    return data.changeRequest;
  };
  expect(await get()).toEqual({
    object: "change-request",
    outdated: false,
    commentCount: 0,
    revisionInitialId: space.revisionId,
    revisionMergedId: null,
    urls: { location: `${app.url}/v1/spaces/${space.id}/change-requests/${changeRequest.id}` },
    createdBy: { id: editor.id },
    space: { id: space.id },
  });
  await world.insert((rows) => {
    const on = { spaceId: space.id, changeRequestId: changeRequest.id, postedById: editor.id };
    addComment(rows, on);
    addComment(rows, { ...on, status: "resolved", resolvedAt: "2026-01-02T00:00:00Z" });
  });
  const moved = await world.insert((rows) => addRevision(rows, { spaceId: space.id }));
  await app.database.prisma.space.update({ where: { id: space.id }, data: { revisionId: moved.id } });
  expect(await get()).toMatchObject({ outdated: true, commentCount: 1 });
});
