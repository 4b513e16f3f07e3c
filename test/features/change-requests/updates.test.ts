// Pulling the main content into change requests: the revision, its events, and conflicts.
import { describe, expect, test } from "vitest";
import { newPage, restoreDocument } from "#test/features/content/edits.ts";
import { guideWith, newPageAt, setScene, update } from "#test/features/change-requests/scene.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

const countEvents = async (spaceId: string) => (await app.eventsIn(spaceId)).length;

describe("pullChangeRequestUpdates", () => {
  test("creates one revision of the change request based on both sides, with its events", async () => {
    const { editor, space, main, mine, pull, stored, current, mineNow, changeRequestId, ids } = await setScene(
      app,
      world,
    );
    const ours = await mine(update(ids.guide, { markdown: guideWith({ 1: "ONE" }) }));
    const theirs = await main(update(ids.guide, { markdown: guideWith({ 9: "NINE" }) }), newPage("New").edit);
    const before = await countEvents(space.id);
    const { data } = await pull({ message: "Caught up", expectedRevisionId: ours });
    const { revisionId } = await stored();
    expect(data?.pullChangeRequestUpdates).toEqual({
      result: "UPDATE",
      revision: { id: revisionId, type: "UPDATE", parents: [ours, theirs], message: "Caught up", changeRequestId },
      changeRequest: { outdated: false, revisionId, revisionMergedAncestorId: theirs, conflicts: [] },
    });
    expect(await current()).toBe(theirs);
    expect(await mineNow()).toEqual([
      `guide Guide ${JSON.stringify(guideWith({ 1: "ONE", 9: "NINE" }))}`,
      "  start Start",
      "  setup Setup",
      "faq FAQ",
      "new New",
    ]);
    const events = await app.eventsIn(space.id);
    expect(
      events.slice(before).map(({ type, subjectId, actorId, payload }) => [type, subjectId, actorId, payload]),
    ).toEqual([
      ["changeRequest.updatesPulled", changeRequestId, editor.id, { revisionId }],
      [
        "changeRequest.contentUpdated",
        changeRequestId,
        editor.id,
        { revisionId, revisionBeforeId: ours, changeRequestId },
      ],
    ]);
  });

  test("without new changes creates no revision and emits one updated event", async () => {
    const { pull, stored, space, began } = await setScene(app, world);
    const [before, events] = [await stored(), await countEvents(space.id)];
    const { data } = await pull();
    expect(data?.pullChangeRequestUpdates).toMatchObject({
      result: "UPDATE",
      revision: { id: began },
      changeRequest: { revisionMergedAncestorId: before.revisionInitialId },
    });
    const updated = { ...before, revisionMergedAncestorId: before.revisionInitialId };
    expect([await stored(), await countEvents(space.id)]).toEqual([updated, events + 1]);
    await pull();
    expect([await stored(), await countEvents(space.id)]).toEqual([updated, events + 1]);
  });

  test("of changes that the change request already has creates a revision, which brings it up to date", async () => {
    const { main, mine, pull, ids } = await setScene(app, world);
    const same = update(ids.faq, { title: "Questions" });
    await mine(same);
    const theirs = await main(same);
    const { data } = await pull();
    expect(data?.pullChangeRequestUpdates.changeRequest).toMatchObject({
      outdated: false,
      revisionMergedAncestorId: theirs,
    });
  });

  test("with conflicts changes nothing and reports them", async () => {
    const { main, mine, pull, stored, space, ids } = await setScene(app, world);
    const ours = await mine(update(ids.faq, { title: "Questions" }));
    await main(update(ids.faq, { title: "Answers" }));
    const before = [await stored(), await countEvents(space.id)];
    const { data } = await pull();
    expect(data?.pullChangeRequestUpdates).toMatchObject({
      result: "CONFLICTS",
      revision: { id: ours },
      changeRequest: { outdated: true, revisionMergedAncestorId: null, conflicts: [{}] },
    });
    expect([await stored(), await countEvents(space.id)]).toEqual(before);
  });

  test("repeatedly continues from the last pull, and the merge has all changes", async () => {
    const { main, mine, pull, merged, conflicts, ids } = await setScene(app, world);
    await mine(update(ids.guide, { markdown: guideWith({ 1: "ONE" }) }));
    await main(update(ids.guide, { markdown: guideWith({ 5: "FIVE" }) }));
    await pull();
    // A conflict for a merge from the original base.
    await main(update(ids.guide, { markdown: guideWith({ 5: "five, again" }) }));
    await mine(update(ids.guide, { markdown: guideWith({ 1: "Uno", 5: "FIVE" }) }));
    expect(await conflicts()).toEqual([]);
    await pull();
    await main(update(ids.guide, { markdown: guideWith({ 5: "five, again", 9: "NINE" }) }));
    expect((await merged())[0]).toBe(
      `guide Guide ${JSON.stringify(guideWith({ 1: "Uno", 5: "five, again", 9: "NINE" }))}`,
    );
  });

  test("is undone by restoring an earlier revision and redone by restoring the later one; the main content stays as it is", async () => {
    const { as, main, mine, pull, merged, stored, mineNow, changeRequestId, began, ids } = await setScene(app, world);
    const restore = async (revisionId: string) => {
      await as.query(restoreDocument, { input: { contentOf: { changeRequestId }, revisionId } });
      return (await stored()).revisionMergedAncestorId;
    };
    const ours = await mine(update(ids.guide, { markdown: guideWith({ 1: "ONE" }) }));
    const first = await main(update(ids.faq, { title: "Questions" }));
    await pull();
    const updated = (await stored()).revisionId;
    const second = await main(newPageAt(null, { title: "New" }));
    await pull();
    expect((await stored()).revisionMergedAncestorId).toBe(second);
    expect(await restore(ours)).toBe(began);
    expect((await mineNow()).at(-1)).toBe("faq FAQ");
    const wentBack = (await stored()).revisionId;
    expect(await restore(updated)).toBe(first);
    expect(await restore(began)).toBe(began);
    expect(await restore(wentBack)).toBe(began);
    expect(await merged()).toEqual([
      `guide Guide ${JSON.stringify(guideWith({ 1: "ONE" }))}`,
      "  start Start",
      "  setup Setup",
      "faq Questions",
      "new New",
    ]);
  });

  test("continues from an older base after an earlier main revision is restored in the change request, which then proposes that state", async () => {
    const { as, main, pull, merged, stored, changeRequestId, began, ids } = await setScene(app, world);
    const old = await main(update(ids.faq, { title: "Old" }));
    const last = await main(update(ids.faq, { title: "Last" }));
    await pull();
    await as.query(restoreDocument, { input: { contentOf: { changeRequestId }, revisionId: old } });
    expect((await stored()).revisionMergedAncestorId).toBe(last);
    expect((await merged()).at(-1)).toBe("faq Old");
    expect(began).not.toBe(old);
  });

  test("refuses a merged change request", async () => {
    const { main, pull, merge, changeRequestId, ids } = await setScene(app, world);
    await main(update(ids.faq, { title: "Questions" }));
    await app.database.prisma.changeRequest.update({ where: { id: changeRequestId }, data: { status: "archived" } });
    expect((await pull()).errors).toBeUndefined();
    expect((await pull({ expectedRevisionId: "rev_00000000000000000000000000" })).errors?.[0]?.extensions.code).toBe(
      "CONFLICT",
    );
    await merge();
    expect((await pull()).errors?.[0]?.message).toContain("is merged");
  });
});

test("POST of an update of a change request in /v1 returns 200 with update or conflicts, 409 when it is merged", async () => {
  const { main, mine, as, reviewing, stored, space, ids } = await setScene(app, world);
  const path = `/v1/spaces/${space.id}/change-requests/1`;
  await main(update(ids.faq, { title: "Questions" }));
  const updated = await as.rest("POST", `${path}/update`);
  expect(updated).toMatchObject({ status: 200, body: { revision: (await stored()).revisionId, result: "update" } });
  await main(update(ids.faq, { title: "Answers" }));
  const ours = await mine(update(ids.faq, { title: "Help" }));
  expect(await as.rest("POST", `${path}/update`)).toMatchObject({
    status: 200,
    body: { revision: ours, result: "conflicts" },
  });
  await mine(update(ids.faq, { title: "Answers" }));
  expect((await reviewing.rest("POST", `${path}/merge`)).status).toBe(200);
  expect((await as.rest("POST", `${path}/update`)).status).toBe(409);
});
