// Change requests in GraphQL: filters, order, lookup by id or number, and fields.
import { expect, test } from "vitest";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { addRevision } from "#test/features/spaces/factory.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

const listed = `query ($id: ID!, $status: [ChangeRequestStatus!], $contributorId: ID, $first: Int, $after: String) { space(id: $id) {
  changeRequests(statuses: $status, contributorId: $contributorId, first: $first, after: $after) {
    totalCount nodes { number } pageInfo { endCursor } } } }`;
interface Listed {
  space: {
    changeRequests: { totalCount: number; nodes: { number: number }[]; pageInfo: { endCursor: string | null } };
  };
}

async function numbers(as: Client, spaceId: string, variables: Record<string, unknown> = {}): Promise<number[]> {
  const { space } = await as.query<Listed>(listed, { id: spaceId, ...variables });
  expect(space.changeRequests.totalCount).toBe(space.changeRequests.nodes.length);
  return space.changeRequests.nodes.map(({ number }) => number);
}

test("change requests are listed newest first and can be filtered by status and contributor", async () => {
  const { reader, editor, creator, space } = await world.space();
  await world.insert((rows) => {
    addChangeRequest(rows, { space, createdById: editor.id, status: "open" });
    addChangeRequest(rows, { space, createdById: editor.id, status: "draft" });
    addChangeRequest(rows, { space, createdById: creator.id, status: "open" });
    addChangeRequest(rows, { space, createdById: creator.id, status: "archived" });
  });
  const list = (variables?: object) => numbers(app.as(reader.token), space.id, { ...variables });
  expect(await list()).toEqual([4, 3, 2, 1]);
  expect(await list({ status: "OPEN" })).toEqual([3, 1]);
  expect(await list({ contributorId: editor.id })).toEqual([2, 1]);
  expect(await list({ status: "OPEN", contributorId: creator.id })).toEqual([3]);
  expect(await list({ status: "MERGED" })).toEqual([]);
  for (const contributorId of [reader.id, space.id, ""]) expect(await list({ contributorId })).toEqual([]);
});

test("the author of a revision in a change request counts as its contributor, even after the change request is merged", async () => {
  const { reader, editor, reviewer, admin, space } = await world.space();
  const [first, second] = await world.insert((rows) =>
    times(3, () => addChangeRequest(rows, { space, createdById: editor.id })),
  );
  const list = (variables: object) => numbers(app.as(reader.token), space.id, { ...variables });
  expect(await list({ contributorId: reviewer.id })).toEqual([]);
  for (const target of [first, first, second])
    await editAs(app.as(reviewer.token), { changeRequestId: target?.id }, newPage("Page").edit);
  await editAs(app.as(admin.token), { changeRequestId: second?.id }, newPage("Page").edit);
  await editAs(app.as(admin.token), { spaceId: space.id }, newPage("Page").edit);
  expect(await list({ contributorId: reviewer.id })).toEqual([2, 1]);
  expect(await list({ contributorId: admin.id })).toEqual([2]);
  expect(await list({ contributorId: editor.id })).toEqual([3, 2, 1]);
  const update = `mutation ($input: UpdateChangeRequestInput!) { updateChangeRequest(input: $input) { changeRequest { status } } }`;
  const input = { changeRequestId: second?.id, status: "ARCHIVED" };
  await app.as(reviewer.token).query(update, { input });
  expect(await list({ contributorId: reviewer.id, status: "ARCHIVED" })).toEqual([2]);
  expect(await list({ contributorId: reviewer.id, status: "OPEN" })).toEqual([1]);
});

test("change requests of one author are paginated with all their fields", async () => {
  const { reader, editor, creator, space } = await world.space();
  await world.insert((rows) =>
    times(7, (index) => addChangeRequest(rows, { space, createdById: [editor, creator][index % 2]?.id ?? "" })),
  );
  const as = app.as(reader.token);
  const seen: number[] = [];
  for (let after: string | null = null; ;) {
    const { space: found }: Listed = await as.query<Listed>(listed, {
      id: space.id,
      contributorId: editor.id,
      first: 3,
      after,
    });
    expect(found.changeRequests.totalCount).toBe(4);
    seen.push(...found.changeRequests.nodes.map(({ number }) => number));
    after = found.changeRequests.pageInfo.endCursor;
    if (found.changeRequests.nodes.length < 3) break;
  }
  expect(seen).toEqual([7, 5, 3, 1]);
  const path = `/v1/spaces/${space.id}/change-requests`;
  const { body: all } = await as.rest<{ items: object[] }>("GET", path);
  const { body } = await as.rest<{ items: object[] }>("GET", `${path}?contributor=${editor.id}`);
  expect(body.items).toEqual(all.items.filter((_, index) => index % 2 === 0));
});

test("a change request is found by exactly one of id, number, and number as text", async () => {
  const { reader, space, changeRequest } = await world.changeRequest();
  const caller = app.as(reader.token);
  const one = (key: string) => `{ space(id: "${space.id}") { changeRequest(by: { ${key} }) { id } } }`;
  for (const key of [`id: "${changeRequest.id}"`, "number: 1", `id: "1"`, "id: 1"]) {
    expect(await caller.query(one(key))).toEqual({ space: { changeRequest: { id: changeRequest.id } } });
  }
  for (const key of ["number: 2", `id: "99999999999"`, `id: "01"`, `id: "${space.id}"`]) {
    expect(await caller.refusal(one(key)), key).toBe("NOT_FOUND");
  }
  for (const key of [`id: "1", number: 1`, "", "id: null"])
    expect(await caller.refusal(one(key)), key).toBe("GRAPHQL_VALIDATION_FAILED");
  const byVariable = `query ($by: ChangeRequestKey!) { space(id: "${space.id}") { changeRequest(by: $by) { id } } }`;
  expect(await caller.refusal(byVariable, { by: { id: "1", number: 1 } })).toBe("INVALID_INPUT");
});

test("change requests list their revisions, open comments and whether they are outdated", async () => {
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
