// The numbers of a space, of change requests and open comments, are those of its rows, whatever wrote them.
import { expect, test } from "vitest";
import { mergeDocument, openChangeRequest } from "#test/features/change-requests/scene.ts";
import { useApp } from "#test/support/app.ts";
import type { HttpClient } from "#test/support/client.ts";
import { lockHolder } from "#test/support/locks.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

const updateDocument = `mutation ($input: UpdateChangeRequestInput!) { updateChangeRequest(input: $input) { changeRequest { id } } }`;

const update = (as: HttpClient, changeRequestId: string, change: { status: string } | { subject: string }) =>
  as.query(updateDocument, { input: { changeRequestId, ...change } });

async function comment(as: HttpClient, contentOf: { spaceId: string } | { changeRequestId: string }): Promise<string> {
  const { createComment } = await as.query<{ createComment: { comment: { id: string } } }>(
    `mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { id } } }`,
    { input: { contentOf, text: { markdown: "Hi" } } },
  );
  return createComment.comment.id;
}

const resolve = (as: HttpClient, commentId: string, resolved: boolean) =>
  as.query(`mutation ($input: UpdateCommentInput!) { updateComment(input: $input) { comment { id } } }`, {
    input: { commentId, resolved },
  });

const remove = (as: HttpClient, commentId: string) =>
  as.query(`mutation ($input: DeleteCommentInput!) { deleteComment(input: $input) { deletedId } }`, {
    input: { commentId },
  });

/** The numbers that a space has; fails unless they are those of its rows. */
async function numbersOf(as: HttpClient, id: string) {
  const { space } = await as.query<{ space: { all: number; open: number; draft: number; comments: number } }>(
    `query ($id: ID!) {
      space(id: $id) {
        all: changeRequestCount open: openChangeRequestCount draft: draftChangeRequestCount comments: commentCount
      }
    }`,
    { id },
  );
  const { changeRequest, comment: comments } = app.database.prisma;
  expect(space).toEqual({
    all: await changeRequest.count({ where: { spaceId: id } }),
    open: await changeRequest.count({ where: { spaceId: id, status: "open" } }),
    draft: await changeRequest.count({ where: { spaceId: id, status: "draft" } }),
    comments: await comments.count({ where: { spaceId: id, changeRequestId: null, status: "open" } }),
  });
  return space;
}

async function setSpace() {
  const { space, admin } = await world.space();
  return { id: space.id, as: app.as(admin.token) };
}

test("a new space has none", async () => {
  const { as, id } = await setSpace();
  expect(await numbersOf(as, id)).toEqual({ all: 0, open: 0, draft: 0, comments: 0 });
});

test("change requests are counted by their status, and a change that keeps it changes nothing", async () => {
  const { as, id } = await setSpace();
  const [first, second, third, fourth] = [
    await openChangeRequest(as, id),
    await openChangeRequest(as, id),
    await openChangeRequest(as, id),
    await openChangeRequest(as, id),
  ];
  await update(as, first, { status: "OPEN" });
  await update(as, first, { subject: "Another" });
  await update(as, first, { status: "OPEN" });
  await update(as, second, { status: "OPEN" });
  await update(as, second, { status: "ARCHIVED" });
  await update(as, third, { status: "OPEN" });
  await as.query(mergeDocument, { input: { changeRequestId: third } });
  await update(as, fourth, { status: "ARCHIVED" });
  await update(as, fourth, { status: "DRAFT" });
  expect(await numbersOf(as, id)).toEqual({ all: 4, open: 1, draft: 1, comments: 0 });
});

test("open comments on the main content are counted, and no others", async () => {
  const { as, id } = await setSpace();
  const changeRequestId = await openChangeRequest(as, id);
  const [first, second, third] = [
    await comment(as, { spaceId: id }),
    await comment(as, { spaceId: id }),
    await comment(as, { spaceId: id }),
  ];
  const others = [await comment(as, { changeRequestId }), await comment(as, { changeRequestId })];
  await resolve(as, first, true);
  await resolve(as, first, true);
  await resolve(as, second, true);
  await resolve(as, second, false);
  await remove(as, first);
  expect((await numbersOf(as, id)).comments).toBe(2);
  await remove(as, third);
  await resolve(as, others[0] ?? "", true);
  await remove(as, others[1] ?? "");
  expect((await numbersOf(as, id)).comments).toBe(1);
});

test("many changes at once are all counted, and none fails", async () => {
  const { as, id } = await setSpace();
  const ids = await Promise.all(times(12, () => openChangeRequest(as, id)));
  const comments = await Promise.all(times(8, () => comment(as, { spaceId: id })));
  await Promise.all([
    ...ids.slice(0, 8).map((one, index) => update(as, one, { status: index % 2 === 0 ? "OPEN" : "ARCHIVED" })),
    ...ids.slice(8).map((one) => as.query(mergeDocument, { input: { changeRequestId: one } })),
    // Before its merge, or refused after it.
    ...ids.slice(8).map((one) => as.graphql(updateDocument, { input: { changeRequestId: one, status: "OPEN" } })),
    ...times(8, () => openChangeRequest(as, id)),
    ...comments.slice(0, 4).map((one) => resolve(as, one, true)),
    ...comments.slice(4, 6).map((one) => remove(as, one)),
    ...times(6, () => comment(as, { spaceId: id })),
  ]);
  expect(await numbersOf(as, id)).toEqual({ all: 20, open: 4, draft: 8, comments: 8 });
});

test("a comment and a new status do not wait for a change of the content", async () => {
  const { as, id } = await setSpace();
  const changeRequest = await openChangeRequest(as, id);
  await using locks = await lockHolder(app.database.pool.options.connectionString ?? "");
  await locks.hold(`select from "Space" where id = '${id}' for no key update`);
  await comment(as, { spaceId: id });
  await update(as, changeRequest, { status: "OPEN" });
  await locks.release();
  expect(await numbersOf(as, id)).toEqual({ all: 1, open: 1, draft: 0, comments: 1 });
});

test("rows that are removed are not counted", async () => {
  const { as, id } = await setSpace();
  for (let index = 0; index < 3; index++) await openChangeRequest(as, id);
  const few = { spaceId: id, number: { lte: 2 } };
  expect(await app.database.prisma.changeRequest.deleteMany({ where: few })).toEqual({ count: 2 });
  expect(await numbersOf(as, id)).toEqual({ all: 1, open: 0, draft: 1, comments: 0 });
});
