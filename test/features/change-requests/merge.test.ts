// Merging change requests: the revision and events of a merge, its permissions, and clean three-way merges.
import { describe, expect, test } from "vitest";
import { newPage } from "#test/features/content/edits.ts";
import { guideWith, move, nine, remove, setScene, update } from "#test/features/change-requests/scene.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

async function eventsSince(spaceId: string, count: number) {
  const events = await app.eventsIn(spaceId);
  return events.slice(count).map(({ type, subjectId, actorId, payload }) => ({ type, subjectId, actorId, payload }));
}

const whole = JSON.stringify(nine.join("\n"));

describe("a merge", () => {
  test("creates one revision of the main content based on both sides, with its events", async () => {
    const { reviewer, space, main, mine, merge, stored, current, changeRequestId, ids } = await setScene(app, world);
    const theirs = await main(update(ids.faq, { title: "Questions" }));
    const ours = await mine(update(ids.guide, { title: "Handbook" }));
    const before = (await app.eventsIn(space.id)).length;
    const { data } = await merge({ message: " Better words " });
    const revisionId = await current();
    expect(data?.mergeChangeRequest).toEqual({
      revision: {
        id: revisionId,
        type: "MERGE",
        parents: [theirs, ours],
        message: "Better words",
        author: { id: reviewer.id },
        changeRequestId: null,
      },
      changeRequest: {
        id: changeRequestId,
        status: "MERGED",
        outdated: false,
        revisionId: ours,
        revisionMergedId: revisionId,
      },
    });
    expect(await stored()).toMatchObject({ status: "merged", revisionMergedAncestorId: null });
    const by = { actorId: reviewer.id };
    expect(await eventsSince(space.id, before)).toEqual([
      {
        type: "changeRequest.merged",
        subjectId: changeRequestId,
        ...by,
        payload: { revisionId, mergedRevisionId: ours },
      },
      {
        type: "space.contentUpdated",
        subjectId: space.id,
        ...by,
        payload: { revisionId, revisionBeforeId: theirs, changeRequestId: null },
      },
    ]);
  });

  test("takes changes that only one side made, and both sides' changes to one page", async () => {
    const { main, mine, merged, ids } = await setScene(app, world);
    const fresh = newPage("Theirs", { parentId: ids.guide });
    await main(fresh.edit, update(ids.guide, { markdown: guideWith({ 1: "ONE" }) }), remove(ids.faq));
    await mine(
      update(ids.guide, { markdown: guideWith({ 9: "NINE" }), title: "Handbook" }),
      newPage("Ours", { parentId: ids.guide }).edit,
      move(ids.setup, null, { beforePageId: ids.guide }),
    );
    expect(await merged()).toEqual([
      "setup Setup",
      `guide Handbook ${JSON.stringify(guideWith({ 1: "ONE", 9: "NINE" }))}`,
      "  start Start",
      "  theirs Theirs",
      "  ours Ours",
    ]);
  });

  test("of the same edit on both sides keeps that edit once", async () => {
    const { main, mine, merged, ids } = await setScene(app, world);
    const same = [
      update(ids.guide, { markdown: guideWith({ 5: "FIVE" }) }),
      remove(ids.start),
      move(ids.faq, ids.guide),
    ];
    await main(...same);
    await mine(...same);
    expect(await merged()).toEqual([
      `guide Guide ${JSON.stringify(guideWith({ 5: "FIVE" }))}`,
      "  setup Setup",
      "  faq FAQ",
    ]);
  });

  test("is a fast-forward if only one side changed", async () => {
    const one = await setScene(app, world);
    const ours = await one.mine(update(one.ids.faq, { title: "Questions" }));
    await one.merge();
    const other = await setScene(app, world);
    const theirs = await other.main(update(other.ids.faq, { title: "Questions" }));
    await other.merge();
    const treeOf = async (id: string) =>
      (await app.database.prisma.revision.findUniqueOrThrow({ where: { id } })).treeHash;
    for (const [scene, side] of [[one, ours] as const, [other, theirs] as const]) {
      const merged = await scene.current();
      expect(merged).not.toBe(side);
      expect(await treeOf(merged)).toBe(await treeOf(side));
    }
  });

  test("of an empty change request still creates a revision", async () => {
    const { merged, stored, began, current, as } = await setScene(app, world);
    expect(await merged()).toEqual([`guide Guide ${whole}`, "  start Start", "  setup Setup", "faq FAQ"]);
    expect((await stored()).revisionMergedId).toBe(await current());
    expect(await current()).not.toBe(began);
    const parents = `{ node(id: "${await current()}") { ... on Revision { parents: parentRevisionIds parentRevisions { id } } } }`;
    expect(await as.query(parents)).toEqual({ node: { parents: [began], parentRevisions: [{ id: began }] } });
  });

  test("keeps the timestamps of pages from one side and sets new ones on pages merged from both", async () => {
    const { as, main, mine, merged, space, ids } = await setScene(app, world);
    await main(update(ids.faq, { title: "Questions" }), update(ids.guide, { title: "Handbook" }));
    interface Times {
      createdAt: string;
      updatedAt: string;
    }
    const times = async (): Promise<{ guide: Times; faq: Times }> => {
      const page = (id: string) => `page(by: { id: "${id}" }) { createdAt updatedAt }`;
      const { space: found } = await as.query<{ space: { content: { guide: Times; faq: Times } } }>(
        `{ space(id: "${space.id}") { content { guide: ${page(ids.guide)} faq: ${page(ids.faq)} } } }`,
      );
      return found.content;
    };
    const before = await times();
    await mine(update(ids.guide, { emoji: "📗" }));
    await merged();
    const after = await times();
    expect(after.faq).toEqual(before.faq);
    expect(after.guide.createdAt).toBe(before.guide.createdAt);
    expect(Date.parse(after.guide.updatedAt)).toBeGreaterThan(Date.parse(before.guide.updatedAt));
  });
});

describe("mergeChangeRequest", () => {
  test("merges drafts and open change requests, even in a locked space", async () => {
    const { stored, merge, space } = await setScene(app, world);
    await app.database.prisma.space.update({ where: { id: space.id }, data: { editMode: "locked" } });
    expect((await stored()).status).toBe("draft");
    expect((await merge()).errors).toBeUndefined();
    expect((await stored()).status).toBe("merged");
  });

  test("merges an archived change request and refuses a merged one", async () => {
    const { merge, changeRequestId, current } = await setScene(app, world);
    await app.database.prisma.changeRequest.update({ where: { id: changeRequestId }, data: { status: "archived" } });
    expect((await merge()).errors).toBeUndefined();
    const merged = await current();
    const again = (await merge()).errors?.[0];
    expect([again?.extensions.code, again?.message]).toEqual([
      "CONFLICT",
      "This change request is merged. Create another one to change the content.",
    ]);
    expect(await current()).toBe(merged);
  });

  test("refuses a change request of another space in /v1, and any in a deleted space", async () => {
    const { merge, space, reviewing } = await setScene(app, world);
    const other = await setScene(app, world);
    const astray = `/v1/spaces/${space.id}/change-requests/${other.changeRequestId}/merge`;
    expect((await reviewing.rest("POST", astray)).status).toBe(404);
    await app.database.prisma.space.update({ where: { id: space.id }, data: { deletedAt: new Date() } });
    expect((await merge()).errors?.[0]?.extensions.code).toBe("NOT_FOUND");
  });

  test("refuses to merge a revision other than the one that was reviewed", async () => {
    const { mine, merge, ids, stored } = await setScene(app, world);
    const seen = await mine(update(ids.faq, { title: "Questions" }));
    const now = await mine(update(ids.faq, { title: "Unseen" }));
    const { errors } = await merge({ expectedRevisionId: seen });
    expect(errors?.[0]?.extensions.code).toBe("CONFLICT");
    expect(errors?.[0]?.message).toContain(now);
    expect((await stored()).status).toBe("draft");
    expect((await merge({ expectedRevisionId: now })).errors).toBeUndefined();
  });
});

describe("POST /v1 merge", () => {
  test("returns 200 with revision and result, 409 when it is already merged or has conflicts", async () => {
    const { main, mine, reviewing, space, current, ids } = await setScene(app, world);
    const path = `/v1/spaces/${space.id}/change-requests/1/merge`;
    await mine(update(ids.faq, { title: "Questions" }));
    await main(update(ids.faq, { title: "Answers" }));
    const before = await current();
    const clash = await reviewing.rest<{ error: { details: { path: string; message: string }[] } }>("POST", path);
    expect(clash.status).toBe(409);
    expect(clash.body.error.details).toEqual([
      {
        path: expect.stringMatching(/^\/conflicts\/[0-9a-f]{16}$/),
        message: "Both changed the title of the page faq.",
      },
    ]);
    expect(await current()).toBe(before);
    await mine(update(ids.faq, { title: "Answers" }));
    const answer = await reviewing.rest("POST", path);
    expect(answer).toMatchObject({ status: 200, body: { revision: await current(), result: "merge" } });
    expect((await reviewing.rest("POST", path)).status).toBe(409);
  });
});
