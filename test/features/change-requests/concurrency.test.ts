// Concurrent merges, pulls and edits run one after the other, each on the result of the one before, and unrelated
// operations do not wait for each other.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { editDocument, editAs, readPages } from "#test/features/content/edits.ts";
import {
  guideWith,
  linesOf,
  type Merged,
  mergeDocument,
  newPageAt,
  openChangeRequest,
  type Scene,
  setScene,
  update,
} from "#test/features/change-requests/scene.ts";
import { useApp } from "#test/support/app.ts";
import type { GraphqlAnswer } from "#test/support/client.ts";
import { type LockHolder, lockHolder } from "#test/support/locks.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();
let locks: LockHolder;
beforeEach(async () => {
  locks = await lockHolder(app.database.pool.options.connectionString ?? "");
});
afterEach(() => locks[Symbol.asyncDispose]());

/** Merges one of the scene's change requests; returns the error code or the revision. */
async function mergeOne({ reviewing }: Scene, changeRequestId: string) {
  const input = { changeRequestId };
  const { data, errors } = await reviewing.graphql<Merged>(mergeDocument, { input });
  return { code: errors?.[0]?.extensions.code ?? "merged", revision: data?.mergeChangeRequest.revision };
}

/** The main content's revisions, newest first, each with its parent. */
async function history({ as, space }: Scene) {
  const { space: found } = await as.query<{ space: { revisions: { nodes: { id: string; parents: string[] }[] } } }>(
    `{ space(id: "${space.id}") { revisions(first: 100) { nodes { id parents: parentRevisionIds } } } }`,
  );
  return found.revisions.nodes;
}

async function expectOneLine(scene: Scene, length: number) {
  const revisions = await history(scene);
  expect(revisions).toHaveLength(length);
  expect(revisions.slice(0, -1).map(({ parents }) => parents[0])).toEqual(revisions.slice(1).map(({ id }) => id));
}

const codeOf = async (answer: Promise<GraphqlAnswer<object>>) => (await answer).errors?.[0]?.extensions.code ?? "done";

describe("two concurrent merges", () => {
  test("run one after the other, the second on the result of the first", async () => {
    const scene = await setScene(app, world);
    const { as, main, space, ids } = scene;
    const [one, other] = [await openChangeRequest(as, space.id), await openChangeRequest(as, space.id)];
    await editAs(as, { changeRequestId: one }, update(ids.guide, { markdown: guideWith({ 1: "ONE" }) }));
    await editAs(as, { changeRequestId: other }, update(ids.guide, { markdown: guideWith({ 9: "NINE" }) }));
    await main(update(ids.guide, { markdown: guideWith({ 5: "FIVE" }) }));
    await locks.hold(`select from "Space" where id = '${space.id}' for update`);
    const both = Promise.all([mergeOne(scene, one), mergeOne(scene, other)]);
    await locks.waiters(2);
    await locks.release();
    const [first, second] = (await both).map(({ revision }) => revision);
    const last = first?.parents[0] === second?.id ? first : second;
    expect(last?.parents[0]).toBe((last === first ? second : first)?.id);
    const pages = linesOf(await readPages(as, last?.id ?? ""));
    expect(pages[0]).toBe(`guide Guide ${JSON.stringify(guideWith({ 1: "ONE", 5: "FIVE", 9: "NINE" }))}`);
    await expectOneLine(scene, 5);
  });

  test("of one change request merge it once, and the other gets an error", async () => {
    const scene = await setScene(app, world);
    await locks.hold(`select from "ChangeRequest" where id = '${scene.changeRequestId}' for update`);
    const both = Promise.all(times(2, () => mergeOne(scene, scene.changeRequestId)));
    await locks.waiters(2);
    await locks.release();
    expect((await both).map(({ code }) => code).toSorted()).toEqual(["CONFLICT", "merged"]);
    await expectOneLine(scene, 3);
  });
});

test("twenty concurrent merges, ten of which clash in pairs, are each merged or report a conflict, and the history is linear", async () => {
  const scene = await setScene(app, world);
  const { as, main, space, ids } = scene;
  const pages = times(5, (index) => newPageAt(null, { title: `Page ${index}` }));
  await main(...pages);
  const changeRequests = await Promise.all(times(20, () => openChangeRequest(as, space.id)));
  const pageIds = pages.map((edit) => String(edit["createPage"]?.["pageId"]));
  for (const [index, changeRequestId] of changeRequests.entries()) {
    const title = `By ${index}`;
    const edit =
      index < 10 ? update(pageIds[index % 5] ?? "", { title }) : newPageAt(ids.faq, { title, slug: `by-${index}` });
    await editAs(as, { changeRequestId }, edit);
  }
  const outcomes = await Promise.all(changeRequests.map((id) => mergeOne(scene, id)));
  const codes = outcomes.map(({ code }) => code);
  expect(codes.slice(10)).toEqual(times(10, () => "merged"));
  for (let pair = 0; pair < 5; pair++)
    expect(new Set([codes[pair], codes[pair + 5]])).toEqual(new Set(["CONFLICT", "merged"]));
  await expectOneLine(scene, 3 + 15);
  const statuses = await app.database.prisma.changeRequest.groupBy({
    by: ["status"],
    where: { spaceId: space.id },
    _count: true,
  });
  expect(Object.fromEntries(statuses.map(({ status, _count }) => [status, _count]))).toEqual({ draft: 6, merged: 15 });
  const lines = linesOf(await readPages(as, await scene.current()));
  expect(lines.filter((line) => line.startsWith("  by-")).toSorted()).toEqual(
    times(10, (index) => `  by-${index + 10} By ${index + 10}`).toSorted(),
  );
  expect(lines.filter((line) => line.startsWith("page-"))).toEqual(
    times(5, (index) => `page-${index} By ${codes[index] === "merged" ? index : index + 5}`),
  );
});

describe("during a merge", () => {
  /** A merge that is complete except for its events. */
  async function atItsEnd() {
    const scene = await setScene(app, world);
    await scene.main(update(scene.ids.guide, { title: "Handbook" }));
    await scene.mine(update(scene.ids.guide, { markdown: guideWith({ 1: "ONE" }) }));
    await locks.hold(`lock table "OutboxEvent" in share mode`);
    const merging = mergeOne(scene, scene.changeRequestId);
    await locks.waiters(1);
    return { ...scene, merging };
  }

  test("edits of the main content wait for the merge and apply on its result", async () => {
    const { merging, as, space, current, ids } = await atItsEnd();
    const editing = editAs(as, { spaceId: space.id }, update(ids.faq, { title: "Questions" }));
    await locks.waiters(2);
    await locks.release();
    const { revision } = await merging;
    const edited = await editing;
    expect(await current()).toBe(edited);
    const { parents } = await app.database.prisma.revision.findUniqueOrThrow({ where: { id: edited } });
    expect(parents).toEqual([revision?.id]);
    expect(linesOf(await readPages(as, edited))[0]).toBe(`guide Handbook ${JSON.stringify(guideWith({ 1: "ONE" }))}`);
  });

  test("edits and pulls of its change request wait and find it merged", async () => {
    const { merging, as, input, pull, changeRequestId, ids, stored } = await atItsEnd();
    const edits = [update(ids.faq, { title: "Late" })];
    const late: Promise<GraphqlAnswer<object>>[] = [
      as.graphql(editDocument, { input: { contentOf: { changeRequestId }, edits } }),
      pull(),
    ];
    const archive = `mutation ($input: UpdateChangeRequestInput!) { updateChangeRequest(input: $input) { changeRequest { id } } }`;
    late.push(as.graphql(archive, { input: { ...input, status: "ARCHIVED" } }));
    await locks.waiters(4);
    await locks.release();
    expect((await merging).code).toBe("merged");
    expect(await Promise.all(late.map((answer) => codeOf(answer)))).toEqual(["CONFLICT", "CONFLICT", "CONFLICT"]);
    expect((await stored()).status).toBe("merged");
  });

  test("other change requests of the space are edited and pulled into without waiting", async () => {
    const { as, space, ids, pull } = await setScene(app, world);
    const other = await openChangeRequest(as, space.id);
    await locks.hold(`select from "Space" where id = '${space.id}' for no key update`);
    expect(await editAs(as, { changeRequestId: other }, update(ids.faq, { title: "Beside" }))).toMatch(/^rev_/);
    expect((await pull()).errors).toBeUndefined();
    await locks.release();
  });
});

test("a pull that waited for a lock takes the main content as it is after the wait", async () => {
  const { main, mine, pull, stored, current, changeRequestId, ids, mineNow } = await setScene(app, world);
  await mine(update(ids.faq, { title: "Questions" }));
  await main(update(ids.guide, { title: "First" }));
  await locks.hold(`select from "ChangeRequest" where id = '${changeRequestId}' for update`);
  const pulling = pull();
  await locks.waiters(1);
  await main(update(ids.guide, { title: "Second" }));
  await locks.release();
  expect((await pulling).data?.pullChangeRequestUpdates).toMatchObject({ changeRequest: { outdated: false } });
  expect((await stored()).revisionMergedAncestorId).toBe(await current());
  expect((await mineNow())[0]).toContain("guide Second");
});

test("concurrent edits, pulls and merges lose no edit that was confirmed", async () => {
  const scene = await setScene(app, world);
  const { as, main, space, ids } = scene;
  const changeRequests = await Promise.all(times(6, () => openChangeRequest(as, space.id)));
  const at = (changeRequestId: string, name: string) =>
    editAs(as, { changeRequestId }, newPageAt(ids.guide, { title: name })).then(
      () => name,
      () => "",
    );
  const done = await Promise.all(
    changeRequests.flatMap((id, index) => [
      at(id, `early-${index}`),
      main(newPageAt(ids.faq, { title: `main-${index}` })).then(() => `main-${index}`),
      scene.as
        .graphql(
          `mutation ($input: PullChangeRequestUpdatesInput!) { pullChangeRequestUpdates(input: $input) { result } }`,
          { input: { changeRequestId: id } },
        )
        .then(() => ""),
      mergeOne(scene, id).then(({ code }) => (code === "merged" ? "" : `merge: ${code}`)),
      at(id, `late-${index}`),
    ]),
  );
  expect(done.filter((name) => name.startsWith("merge"))).toEqual([]);
  const pages = new Set(linesOf(await readPages(as, await scene.current())).map((line) => line.trim().split(" ")[0]));
  expect(done.filter((name) => name !== "" && !pages.has(name))).toEqual([]);
});
