// Resolving conflicts: required and refused resolutions; nothing is lost or changed on the way.
import { describe, expect, test } from "vitest";
import { readPages } from "#test/features/content/edits.ts";
import {
  type Chosen,
  guideWith,
  linesOf,
  move,
  newPageAt,
  remove,
  resolveDocument,
  setScene,
  update,
} from "#test/features/change-requests/scene.ts";
import { useApp } from "#test/support/app.ts";
import type { GraphqlAnswer } from "#test/support/client.ts";

const { app, world } = await useApp();

const refusal = ({ errors }: GraphqlAnswer<unknown>) => ({
  code: errors?.[0]?.extensions.code,
  details: errors?.[0]?.extensions.details?.map(({ path, message }) => `${path}: ${message}`),
});

/** Two conflicting titles and two conflicting passages of one text. */
async function withConflicts() {
  const scene = await setScene(app, world);
  const { guide, faq } = scene.ids;
  await scene.main(update(faq, { title: "Answers" }), update(guide, { markdown: guideWith({ 1: "eins", 9: "neun" }) }));
  await scene.mine(update(faq, { title: "Questions" }), update(guide, { markdown: guideWith({ 1: "un", 9: "neuf" }) }));
  const conflicts = await scene.conflicts();
  const [title = "", first = "", last = ""] = conflicts.map(({ conflictId }) => conflictId);
  expect(conflicts.map(({ __typename }) => __typename)).toEqual([
    "PageFieldConflict",
    "PageTextConflict",
    "PageTextConflict",
  ]);
  return { ...scene, title, first, last };
}

describe("resolveConflicts", () => {
  test("resolves each conflict by side or text, and emits its events", async () => {
    const { resolve, stored, merged, space, editor, changeRequestId, as, title, first, last } = await withConflicts();
    const before = await stored();
    const count = (await app.eventsIn(space.id)).length;
    const choices = new Map<string, Chosen>([
      [title, { text: "Help" }],
      [first, "THEIRS"],
      [last, "OURS"],
    ]);
    const { data } = await resolve(choices, { message: "Settled", expectedRevisionId: before.revisionId });
    const { revisionId } = await stored();
    expect(data?.resolveConflicts).toMatchObject({ revision: { id: revisionId, type: "UPDATE" } });
    const events = await app.eventsIn(space.id);
    expect(
      events.slice(count).map(({ type, subjectId, actorId, payload }) => [type, subjectId, actorId, payload]),
    ).toEqual([
      ["changeRequest.conflictsResolved", changeRequestId, editor.id, { revisionId }],
      [
        "changeRequest.contentUpdated",
        changeRequestId,
        editor.id,
        { revisionId, revisionBeforeId: before.revisionId, changeRequestId },
      ],
    ]);
    expect(await merged()).toEqual([
      `guide Guide ${JSON.stringify(guideWith({ 1: "eins", 9: "neuf" }))}`,
      "  start Start",
      "  setup Setup",
      "faq Help",
    ]);
    // The earlier revision of the change request still exists.
    expect(linesOf(await readPages(as, before.revisionId)).at(-1)).toBe("faq Questions");
  });

  test("requires a resolution for every conflict: the missing ones are listed and nothing changes", async () => {
    const { resolve, stored, title, last } = await withConflicts();
    const before = await stored();
    const answer = await resolve(new Map([[title, "OURS"]]));
    expect(refusal(answer)).toEqual({
      code: "CONFLICT",
      details: [
        expect.stringMatching(/^conflicts\/\w+: Both changed the text of the page guide, from line 1 /),
        expect.stringMatching(new RegExp(`^conflicts/${last}: Both changed the text of the page guide, from line 9 `)),
      ],
    });
    expect(answer.errors?.[0]?.message).toContain("2 conflicts are still open");
    expect(await stored()).toEqual(before);
  });

  test("accepts resolutions while the conflicting parts are unchanged, and refuses them once either side changed there", async () => {
    const { resolve, main, mine, ids, title, first, last } = await withConflicts();
    const choices = new Map<string, Chosen>([title, first, last].map((id) => [id, "OURS"]));
    const restOf = { 5: "fünf", 9: "neun" };
    await main(update(ids.guide, { markdown: guideWith({ 1: "eins, anders", ...restOf }) }));
    const stale = refusal(await resolve(choices));
    expect(stale.code).toBe("CONFLICT");
    expect(stale.details).toEqual([
      "resolutions/1/conflictId: is not the id of an open conflict. Read the conflicts again.",
      expect.stringMatching(/^conflicts\/\w+: Both changed the text of the page guide, from line 1 /),
    ]);
    await main(update(ids.guide, { markdown: guideWith({ 1: "eins", ...restOf }) }));
    await mine(update(ids.start, { title: "Begin" }));
    expect((await resolve(choices)).errors).toBeUndefined();
  });

  test("without conflicts pulls updates, and does nothing without updates", async () => {
    const { resolve, main, stored, current, began, ids } = await setScene(app, world);
    expect((await resolve(new Map())).data?.resolveConflicts).toMatchObject({ revision: { id: began } });
    await main(update(ids.faq, { title: "Answers" }));
    await resolve(new Map());
    expect((await stored()).revisionMergedAncestorId).toBe(await current());
    expect(refusal(await resolve(new Map([["0123456789abcdef", "OURS"]])))).toEqual({
      code: "CONFLICT",
      details: ["resolutions/0/conflictId: is not the id of an open conflict. Read the conflicts again."],
    });
  });

  test("reports conflicts that a choice causes", async () => {
    // Back at its place in the change request, `start` conflicts with the page that took its slug there.
    const { resolve, conflicts, main, mine, merged, ids } = await setScene(app, world);
    const taken = newPageAt(null, { title: "Other", slug: "start" });
    await main(taken, move(ids.start, ids.faq));
    await mine(move(ids.start, null));
    const [moved] = await conflicts();
    const answer = await resolve(new Map([[moved?.conflictId ?? "", "OURS"]]));
    const message = /^conflicts\/(\w+): Both have a page with the slug start under the top\.$/;
    expect(refusal(answer)).toEqual({ code: "CONFLICT", details: [expect.stringMatching(message)] });
    const slug = message.exec(refusal(answer).details?.[0] ?? "")?.[1] ?? "";
    const both = new Map<string, Chosen>([
      [moved?.conflictId ?? "", "OURS"],
      [slug, { text: "begin" }],
    ]);
    expect((await resolve(both)).errors).toBeUndefined();
    expect((await merged()).slice(-3)).toEqual(["faq FAQ", "start Other", "begin Start"]);
  });

  test.each([
    [
      "a conflict twice",
      (id: string) => [
        { conflictId: id, settlement: { choice: "OURS" } },
        { conflictId: id, settlement: { choice: "THEIRS" } },
      ],
      "resolutions/1/conflictId",
    ],
    [
      "a title of 201 characters",
      (id: string) => [{ conflictId: id, settlement: { text: "x".repeat(201) } }],
      "resolutions/0/settlement/text",
    ],
    [
      "an empty title",
      (id: string) => [{ conflictId: id, settlement: { text: " " } }],
      "resolutions/0/settlement/text",
    ],
    [
      "a text with NUL",
      (id: string) => [{ conflictId: id, settlement: { text: "a\0" } }],
      "resolutions/0/settlement/text",
    ],
  ])("refuses %s", async (_name, resolutionsOf, path) => {
    const { as, input, title, stored } = await withConflicts();
    const before = await stored();
    const { errors } = await as.graphql(resolveDocument, { input: { ...input, resolutions: resolutionsOf(title) } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT", details: [{ path }] });
    expect(await stored()).toEqual(before);
  });

  test.each([{ choice: "OURS", text: "x" }, {}])(
    "refuses a settlement that is not exactly one of choice and text: %j",
    async (settlement) => {
      const { as, input, title, stored } = await withConflicts();
      const before = await stored();
      const given = { ...input, resolutions: [{ conflictId: title, settlement }] };
      expect(await as.refusal(resolveDocument, { input: given })).toBe("INVALID_INPUT");
      expect(await stored()).toEqual(before);
    },
  );

  test("refuses invalid or taken slugs, and texts for conflicts that only a side can settle", async () => {
    const { resolve, conflicts, main, mine, ids } = await setScene(app, world);
    await main(newPageAt(null, { title: "Notes" }), remove(ids.start));
    await mine(newPageAt(null, { title: "Notes" }), update(ids.start, { title: "Begin" }));
    const all = await conflicts();
    const idOf = (name: string) => all.find(({ __typename }) => __typename === name)?.conflictId ?? "";
    const [slug, deletion] = [idOf("PageSlugConflict"), idOf("PageDeletionConflict")];
    const with_ = async (one: Chosen, other: Chosen) =>
      refusal(
        await resolve(
          new Map([
            [slug, one],
            [deletion, other],
          ]),
        ),
      );
    expect(await with_({ text: "a/b" }, "OURS")).toMatchObject({
      code: "INVALID_INPUT",
      details: [expect.stringMatching(/^resolutions\/0\/settlement\/text: may contain only letters/)],
    });
    expect(await with_({ text: "faq" }, "OURS")).toEqual({
      code: "CONFLICT",
      details: [
        `conflicts/${slug}: Both have a page with the slug notes under the top. Your choice does not resolve it. Make another choice.`,
      ],
    });
    expect(await with_("OURS", { text: "kept" })).toEqual({
      code: "CONFLICT",
      details: [
        `conflicts/${deletion}: The main content deleted the page guide/start, which the other changed. Your choice does not resolve it. Make another choice.`,
      ],
    });
  });

  test("tells two equal conflicts in one text apart", async () => {
    const { resolve, conflicts, main, mine, merged, ids } = await setScene(app, world);
    const twice = (word: string) => `${word}\n1\n2\n3\n${word}\n`;
    await main(update(ids.faq, { markdown: twice("same") }));
    await resolve(new Map());
    await main(update(ids.faq, { markdown: twice("theirs") }));
    await mine(update(ids.faq, { markdown: twice("ours") }));
    const [first, second] = await conflicts();
    expect(first).toMatchObject({ baseText: "same\n", oursLine: 1 });
    expect(second).toMatchObject({ baseText: "same\n", oursLine: 5 });
    const choices = new Map<string, Chosen>([
      [first?.conflictId ?? "", "OURS"],
      [second?.conflictId ?? "", "THEIRS"],
    ]);
    expect((await resolve(choices)).errors).toBeUndefined();
    expect((await merged()).at(-1)).toBe(`faq FAQ ${JSON.stringify("ours\n1\n2\n3\ntheirs\n")}`);
  });

  test("requires the reviewed revision and a draft or open change request", async () => {
    const { resolve, merge, changeRequestId } = await setScene(app, world);
    const seen = { expectedRevisionId: "rev_00000000000000000000000000" };
    expect(refusal(await resolve(new Map(), seen)).code).toBe("CONFLICT");
    const put = (status: "archived" | "open") =>
      app.database.prisma.changeRequest.update({ where: { id: changeRequestId }, data: { status } });
    await put("archived");
    expect(refusal(await resolve(new Map())).code).toBe("CONFLICT");
    await put("open");
    await merge();
    expect(refusal(await resolve(new Map())).code).toBe("CONFLICT");
  });
});
