// The diff of a change request shows its proposal, also after the main content changes and after the merge.
import { describe, expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { guideWith, move, newPageAt, remove, setScene, update } from "#test/features/change-requests/scene.ts";
import { type Changes, changesSelection, readChanges, summary, unified } from "#test/features/content/diffs.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { giveContent } from "#test/features/content/factory.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

const document = `query ($id: ID!, $contextLines: Int = 3) { changeRequest(id: $id) { changes { ${changesSelection} } } }`;

async function changesOf(as: Client, id: string): Promise<Changes> {
  const { changeRequest } = await as.query<{ changeRequest: { changes: Changes } }>(document, { id });
  return changeRequest.changes;
}

/** The scene, with a change request that edits the guide and deletes the page `setup` below it. */
async function withProposal() {
  const scene = await setScene(app, world);
  const { as, ids, changeRequestId: id } = scene;
  const revision = await scene.mine(update(ids.guide, { markdown: guideWith({ 2: "TWO" }) }), remove(ids.setup));
  return { ...scene, id, revision, changes: () => changesOf(as, id) };
}

const proposal = ["edited: guide [text]", "deleted: guide/setup"];

test("the diff of an unchanged change request is empty", async () => {
  const { reader, editor, space } = await world.space();
  await giveContent(app.database, space.revisionId, ["One"]);
  const { revisionId } = space;
  const { id } = await world.insert((rows) => addChangeRequest(rows, { space, createdById: editor.id, revisionId }));
  expect(await changesOf(app.as(reader.token), id)).toEqual({
    revisionBeforeId: revisionId,
    revisionAfterId: revisionId,
    stats: { created: 0, edited: 0, moved: 0, deleted: 0, linesAdded: 0, linesRemoved: 0 },
    pages: { totalCount: 0, nodes: [] },
    createdFiles: { totalCount: 0, nodes: [] },
    deletedFiles: { totalCount: 0, nodes: [] },
    variables: [],
    reusableContents: [],
  });
});

describe("the diff of a change request", () => {
  test("shows the changes of all its revisions", async () => {
    const { mine, changes, began } = await withProposal();
    const revision = await mine(newPageAt(null, { title: "More" }));
    const found = await changes();
    expect([found.revisionBeforeId, found.revisionAfterId]).toEqual([began, revision]);
    expect(summary(found)).toEqual([...proposal, "created: more"]);
    expect(unified(found.pages.nodes[0]?.text?.hunks ?? [])).toBe(
      "@@ -1,5 +1,5 @@\n one\n-two\n+TWO\n three\n four\n five\n",
    );
  });

  test("omits later changes to the main content", async () => {
    const { main, ids, changes } = await withProposal();
    const edits = [newPageAt(null, { title: "Theirs" }), remove(ids.faq)];
    await main(...edits, update(ids.guide, { markdown: guideWith({ 9: "NINE" }) }));
    expect(summary(await changes())).toEqual(proposal);
  });

  test("is computed against the main content that was pulled last, without its changes", async () => {
    const { main, ids, changes, pull, stored } = await withProposal();
    const edits = [newPageAt(ids.guide, { title: "Theirs" }), move(ids.faq, ids.guide)];
    const head = await main(...edits, update(ids.guide, { markdown: guideWith({ 9: "NINE" }) }));
    await pull();
    const found = await changes();
    expect([found.revisionBeforeId, found.revisionAfterId]).toEqual([head, (await stored()).revisionId]);
    expect(summary(found)).toEqual(proposal);
    expect(found.stats).toMatchObject({ edited: 1, deleted: 1, created: 0, moved: 0, linesAdded: 1, linesRemoved: 1 });
  });

  test("stays the same after the merge, whatever follows", async () => {
    const { main, ids, changes, merge, revision, began } = await withProposal();
    await main(update(ids.faq, { title: "Questions" }));
    const before = await changes();
    await merge();
    expect(await changes()).toEqual(before);
    await main(remove(ids.guide));
    const found = await changes();
    expect(found).toEqual(before);
    expect([found.revisionBeforeId, found.revisionAfterId, ...summary(found)]).toEqual([began, revision, ...proposal]);
  });

  test("is the same as the diff of the merge revision in the main content", async () => {
    const { as, main, ids, merge, current } = await withProposal();
    await main(update(ids.faq, { title: "Questions" }));
    await merge();
    const changes = await readChanges(as, await current());
    expect(changes && summary(changes)).toEqual(proposal);
  });
});

test("the diff of a change request is visible to everyone with a role on the space and to no one else", async () => {
  const { id, space, reader, invitedGuest, guest, outsider } = await withProposal();
  await app.database.prisma.space.update({ where: { id: space.id }, data: { visibility: "public" } });
  for (const { token } of [reader, invitedGuest]) expect(summary(await changesOf(app.as(token), id))).toEqual(proposal);
  for (const { token } of [guest, outsider]) expect(await app.as(token).refusal(document, { id })).toBe("NOT_FOUND");
  expect(await app.as(reader.token).refusal(document, { id: newId("ChangeRequest") })).toBe("NOT_FOUND");
});

describe("SQL statements of a diff", () => {
  /** Change requests of one new space, each of which changes the given number of pages. */
  async function withProposals(requests: number, pages: number) {
    const { space, editor, reader } = await world.space();
    const as = app.as(editor.token);
    const made = times(pages, (index) => newPage(`${index}`, { markdown: `${index} ${newId("Page")}\n` }));
    const revisionId = await editAs(as, { spaceId: space.id }, ...made.map(({ edit }) => edit));
    const started = await world.insert((rows) =>
      times(requests, () =>
        addChangeRequest(rows, { space: { id: space.id, revisionId }, createdById: editor.id, revisionId }),
      ),
    );
    for (const { id } of started) {
      const edits = made.map(({ pageId }) => ({ updatePage: { pageId, markdown: `${id} ${pageId}\n` } }));
      await editAs(as, { changeRequestId: id }, ...edits);
    }
    return { space, as: app.as(reader.token), ids: started.map(({ id }) => id) };
  }

  test("one diff reads change request, both revisions, pages and texts in as many statements for 2 changed pages as for 20", async () => {
    for (const pages of [2, 20]) {
      const { as, ids } = await withProposals(1, pages);
      expect(await as.statements(document, { id: ids[0] })).toBe(4);
      expect(await as.statements(document, { id: ids[0] })).toBe(3); // the trees are cached by now
    }
  });

  test("diffs of 20 change requests take as many statements as one", async () => {
    const list = `query ($id: ID!, $contextLines: Int = 3) { space(id: $id) { changeRequests { nodes { changes { ${changesSelection} } } } } }`;
    for (const requests of [1, 20]) {
      const { as, space } = await withProposals(requests, 2);
      expect(await as.statements(list, { id: space.id })).toBe(5);
    }
  });
});
