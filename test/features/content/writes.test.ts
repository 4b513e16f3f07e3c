// Editing content: effects, refusals, permissions, the revision and event of a batch, and concurrent edits.
import { describe, expect, test } from "vitest";
import { addRevision } from "#test/features/spaces/factory.ts";
import { editAs, editDocument, newPage, outline, readPages, restoreDocument } from "#test/features/content/edits.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

async function eventsOf(subjectId: string) {
  const events = await app.eventsOf(subjectId);
  return events.map(({ type, organizationId, spaceId, actorId, payload }) => ({
    type,
    organizationId,
    spaceId,
    actorId,
    payload,
  }));
}

const current = async (spaceId: string) =>
  (await app.database.prisma.space.findUniqueOrThrow({ where: { id: spaceId } })).revisionId;

/** A space with the pages `guide` (with the child `start`) and `faq`, and the editor's client. */
async function withPages() {
  const { editor, space, ...rest } = await world.space();
  const as = app.as(editor.token);
  const [guide, faq] = [newPage("Guide", { markdown: "# Guide\n" }), newPage("FAQ")];
  const start = newPage("Start", { parentId: guide.pageId });
  const revisionId = await editAs(as, { spaceId: space.id }, guide.edit, faq.edit, start.edit);
  const edit = (...edits: Parameters<typeof editAs>[2][]) => editAs(as, { spaceId: space.id }, ...edits);
  const refusal = (edits: unknown[], more = {}) =>
    as.refusal(editDocument, { input: { contentOf: { spaceId: space.id }, edits, ...more } });
  const ids = { guide: guide.pageId, faq: faq.pageId, start: start.pageId };
  return { ...rest, editor, space, as, revisionId, edit, refusal, ids };
}

describe("a batch of edits", () => {
  test("is one revision with author, message and parent, and emits its event", async () => {
    const { editor, space } = await world.space();
    const as = app.as(editor.token);
    const edits = [newPage("One").edit, newPage("Two").edit];
    const input = { contentOf: { spaceId: space.id }, message: " First words ", edits };
    const { editContent } = await as.query<{ editContent: { revision: object } }>(
      `mutation ($input: EditContentInput!) { editContent(input: $input) { revision {
        id object type parents: parentRevisionIds message author { id } pageCount space { revisionId content { id } } changeRequestId
      } } }`,
      { input },
    );
    const id = await current(space.id);
    expect(editContent.revision).toEqual({
      id,
      object: "revision",
      type: "EDITS",
      parents: [space.revisionId],
      message: "First words",
      author: { id: editor.id },
      pageCount: 2,
      space: { revisionId: id, content: { id } },
      changeRequestId: null,
    });
    const ids = { organizationId: space.organizationId, spaceId: space.id, actorId: editor.id };
    const payload = { changeRequestId: null, revisionBeforeId: space.revisionId, revisionId: id, isIndexed: true };
    expect(await eventsOf(space.id)).toEqual([{ type: "space.contentUpdated", ...ids, payload }]);
  });

  test("creates, changes, moves and deletes pages; paths follow", async () => {
    const { as, edit, ids, revisionId } = await withPages();
    expect(outline(await readPages(as, revisionId))).toEqual(["guide", "  start", "faq"]);
    const moved = await edit(
      { movePage: { pageId: ids.faq, parentId: ids.guide, place: { beforePageId: ids.start } } },
      { updatePage: { pageId: ids.guide, title: "Handbook", slug: "handbook", markdown: "New\n" } },
    );
    const [handbook] = await readPages(as, moved);
    expect(handbook).toMatchObject({ pageId: ids.guide, title: "Handbook", path: "handbook", markdown: "New\n" });
    expect(handbook?.pages.map(({ path }) => path)).toEqual(["handbook/faq", "handbook/start"]);
    expect(outline(await readPages(as, await edit({ deletePage: { pageId: ids.guide } })))).toEqual([]);
    // The earlier revision is unchanged.
    expect(outline(await readPages(as, revisionId))).toEqual(["guide", "  start", "faq"]);
  });

  test("that changes nothing creates no revision and no event", async () => {
    const { edit, ids, revisionId, space } = await withPages();
    expect(await edit()).toBe(revisionId);
    expect(await edit({ updatePage: { pageId: ids.guide, title: "Guide", markdown: "# Guide\n" } })).toBe(revisionId);
    expect(await edit({ movePage: { pageId: ids.faq, place: { afterPageId: ids.guide } } })).toBe(revisionId);
    expect(await edit({ deletePage: { pageId: "pag_00000000000000000000000000" } })).toBe(revisionId);
    expect(await eventsOf(space.id)).toHaveLength(1);
  });

  test("has at most 1,000 edits, each of exactly one kind", async () => {
    const { refusal, edit, ids, revisionId } = await withPages();
    const nothing = { deletePage: { pageId: "pag_00000000000000000000000000" } };
    expect(await edit(...times(1000, () => nothing))).toBe(revisionId);
    expect(await refusal(times(1001, () => nothing))).toBe("INVALID_INPUT");
    const two = { ...nothing, movePage: { pageId: ids.faq } };
    for (const wrong of [{}, two, { deletePage: null }]) expect(await refusal([wrong])).toBe("INVALID_INPUT");
  });

  test("is atomic", async () => {
    const { refusal, ids, revisionId, space } = await withPages();
    const missing = { updatePage: { pageId: "pag_00000000000000000000000000", title: "Nowhere" } };
    expect(await refusal([{ deletePage: { pageId: ids.guide } }, missing])).toBe("NOT_FOUND");
    expect(await current(space.id)).toBe(revisionId);
  });
});

describe("edits of pages", () => {
  test("accept every documented field", async () => {
    const { as, space } = await withPages();
    const page = newPage("All", {
      emoji: "🧭",
      icon: "compass",
      description: "Everything",
      markdown: "  # Text\r\n\n",
      layout: { width: "WIDE", coverSize: "HERO", outline: false },
      hidden: true,
      noIndex: true,
      variables: [{ name: "version", value: "1.2" }],
    });
    await editAs(as, { spaceId: space.id }, page.edit);
    const read = (key: string) =>
      as.query<{ space: { content: { page: Record<string, unknown> } } }>(
        `{ space(id: "${space.id}") { content { page(by: { ${key} }) { pageId type emoji icon description markdown hidden noIndex noRobotsIndex
          target { url } createdAt updatedAt variables { name value } layout { width cover coverSize outline } } } } }`,
      );
    const answer = await read(`id: "${page.pageId}"`);
    expect(answer).toEqual(await read(`path: "all"`));
    const { createdAt, updatedAt, ...rest } = answer.space.content.page;
    expect(updatedAt).toBe(createdAt);
    expect(rest).toEqual({
      pageId: page.pageId,
      type: "DOCUMENT",
      emoji: "🧭",
      icon: "compass",
      description: "Everything",
      markdown: "  # Text\r\n\n",
      hidden: true,
      noIndex: true,
      noRobotsIndex: false,
      target: null,
      variables: [{ name: "version", value: "1.2" }],
      layout: { width: "WIDE", cover: null, coverSize: "HERO", outline: false },
    });
    const emptied = { emoji: null, layout: null, variables: null, hidden: false, markdown: "" };
    await editAs(as, { spaceId: space.id }, { updatePage: { pageId: page.pageId, ...emptied } });
    expect((await read(`path: "all"`)).space.content.page).toMatchObject({
      emoji: null,
      icon: "compass",
      layout: null,
      variables: [],
      hidden: false,
      noIndex: true,
      markdown: "",
    });
  });

  test("derive a slug from the title that is unique among siblings; updating to a taken slug is a CONFLICT", async () => {
    const { as, edit, refusal, ids } = await withPages();
    const title = ["FAQ", "Ça va, Żółw?", "日本語 ページ", "!!!", "guide"];
    const revision = await edit(...title.map((text) => newPage(text).edit), newPage("X", { slug: "guide" }).edit);
    expect((await readPages(as, revision)).map(({ slug }) => slug)).toEqual([
      "guide",
      "faq",
      "faq-2",
      "ca-va-zołw",
      "日本語-ページ",
      "page",
      "guide-2",
      "guide-3",
    ]);
    expect(await refusal([{ updatePage: { pageId: ids.faq, slug: "guide" } }])).toBe("CONFLICT");
    const twin = newPage("Guide", { parentId: ids.faq });
    await edit(twin.edit);
    expect(await refusal([{ movePage: { pageId: twin.pageId, parentId: null } }])).toBe("CONFLICT");
  });

  test.each([
    ["an empty title", { title: " " }],
    ["a title of 201 characters", { title: "x".repeat(201) }],
    ["a slug with a slash", { title: "x", slug: "a/b" }],
    ["a slug of dots", { title: "x", slug: ".." }],
    ["a text with NUL", { title: "x", markdown: "a\0" }],
    ["a text that is too long", { title: "x", markdown: "x".repeat(500_001) }],
    ["null for a text", { title: "x", markdown: null }],
    ["a malformed id", { title: "x", pageId: "page-1" }],
    ["a variable twice", { title: "x", variables: times(2, () => ({ name: "a", value: "" })) }],
    ["a variable without a name", { title: "x", variables: [{ name: "", value: "" }] }],
  ])("are refused with %s", async (_name, createPage) => {
    const { editor, space } = await world.space();
    const { errors } = await app
      .as(editor.token)
      .graphql(editDocument, { input: { contentOf: { spaceId: space.id }, edits: [{ createPage }] } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: "INVALID_INPUT" });
    expect(errors?.[0]?.extensions.details?.[0]?.path).toMatch(/^edits\/0\/createPage\//);
  });

  test("refuse a place below the page itself, deeper than 20 levels, or beside a missing page", async () => {
    const { edit, refusal, ids } = await withPages();
    for (const parentId of [ids.guide, ids.start])
      expect(await refusal([{ movePage: { pageId: ids.guide, parentId } }])).toBe("INVALID_INPUT");
    const chain = times(20, (level) => newPage(`Level ${level}`));
    await edit(
      ...chain.map(({ edit: page }, level) => ({
        createPage: { ...page["createPage"], parentId: chain[level - 1]?.pageId },
      })),
    );
    const deepest = chain.at(-1)?.pageId;
    expect(await refusal([{ createPage: { title: "Too deep", parentId: deepest } }])).toBe("INVALID_INPUT");
    expect(await refusal([{ movePage: { pageId: ids.faq, parentId: deepest } }])).toBe("INVALID_INPUT");
    expect(await refusal([{ movePage: { pageId: ids.faq, place: { afterPageId: ids.start } } }])).toBe("NOT_FOUND");
    const both = { beforePageId: ids.guide, afterPageId: ids.guide };
    expect(await refusal([{ movePage: { pageId: ids.faq, place: both } }])).toBe("INVALID_INPUT");
    expect(await refusal([{ createPage: { title: "Again", pageId: ids.faq } }])).toBe("CONFLICT");
  });
});

describe("targets of edits", () => {
  test("a locked space is a CONFLICT; its change requests are not", async () => {
    const { editor, space, changeRequest } = await world.changeRequest({ space: { editMode: "locked" } });
    const as = app.as(editor.token);
    const edits = [newPage("Page").edit];
    expect(await as.refusal(editDocument, { input: { contentOf: { spaceId: space.id }, edits } })).toBe("CONFLICT");
    const revisionId = await editAs(as, { changeRequestId: changeRequest.id }, ...edits);
    expect(await current(space.id)).toBe(space.revisionId);
    expect(await app.database.prisma.changeRequest.findUnique({ where: { id: changeRequest.id } })).toMatchObject({
      revisionId,
    });
    const ids = { organizationId: space.organizationId, spaceId: space.id, actorId: editor.id };
    const revisions = { revisionBeforeId: changeRequest.revisionId, revisionId };
    const payload = { changeRequestId: changeRequest.id, ...revisions, isIndexed: true };
    expect(await eventsOf(changeRequest.id)).toEqual([{ type: "changeRequest.contentUpdated", ...ids, payload }]);
  });

  test.each(["archived", "merged"] as const)("a change request that is %s is a CONFLICT", async (status) => {
    const { editor, changeRequest } = await world.changeRequest({ changeRequest: { status } });
    const input = { contentOf: { changeRequestId: changeRequest.id }, edits: [newPage("Page").edit] };
    expect(await app.as(editor.token).refusal(editDocument, { input })).toBe("CONFLICT");
  });

  test("exactly one target is required", async () => {
    const { editor, changeRequest } = await world.changeRequest();
    const { space: other } = await world.space();
    const refusal = (contentOf: object) =>
      app.as(editor.token).refusal(editDocument, { input: { contentOf, edits: [] } });
    expect(await refusal({})).toBe("INVALID_INPUT");
    expect(await refusal({ spaceId: other.id, changeRequestId: changeRequest.id })).toBe("INVALID_INPUT");
  });
});

describe("concurrent edits", () => {
  test("a stale expectedRevisionId is a CONFLICT with the current id", async () => {
    const { as, edit, space, revisionId } = await withPages();
    const now = await edit(newPage("Mine").edit);
    const { errors } = await as.graphql(editDocument, {
      input: { contentOf: { spaceId: space.id }, expectedRevisionId: revisionId, edits: [newPage("Late").edit] },
    });
    expect(errors?.[0]?.extensions.code).toBe("CONFLICT");
    expect(errors?.[0]?.message).toContain(now);
    expect(errors?.[0]?.extensions.details?.[0]?.path).toBe("expectedRevisionId");
    expect(await editAs(as, { spaceId: space.id, expectedRevisionId: now }, newPage("In time").edit)).not.toBe(now);
  });

  test("all edits of ten editors are kept as one line of revisions; of ten with the same expectedRevisionId one succeeds", async () => {
    const { as, edit, space, revisionId } = await withPages();
    await Promise.all(times(10, (index) => edit(newPage(`Page ${index}`).edit)));
    const { space: found } = await as.query<{
      space: { revisions: { nodes: { id: string; parents: string[]; pageCount: number }[] } };
    }>(`{ space(id: "${space.id}") { revisions { nodes { id parents: parentRevisionIds pageCount } } } }`);
    const { nodes } = found.revisions;
    expect(nodes.map(({ pageCount }) => pageCount)).toEqual([13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 0]);
    expect(nodes.slice(0, -1).map(({ parents }) => parents)).toEqual(nodes.slice(1).map(({ id }) => [id]));
    expect(nodes.at(-2)?.id).toBe(revisionId);
    const expectedRevisionId = await current(space.id);
    const outcomes = await Promise.all(
      times(10, async (index) => {
        const input = { contentOf: { spaceId: space.id }, expectedRevisionId, edits: [newPage(`Race ${index}`).edit] };
        return (await as.graphql(editDocument, { input })).errors?.[0]?.extensions.code ?? "ok";
      }),
    );
    expect(outcomes.toSorted()).toEqual([...times(9, () => "CONFLICT"), "ok"]);
  });
});

describe("restoreRevision", () => {
  test("restores an earlier state and keeps the revisions in between", async () => {
    const { as, edit, space, ids, revisionId } = await withPages();
    const before = await readPages(as, revisionId);
    const emptied = await edit({ deletePage: { pageId: ids.guide } }, { deletePage: { pageId: ids.faq } });
    const { restoreRevision } = await as.query<{ restoreRevision: { revision: { id: string } } }>(restoreDocument, {
      input: { contentOf: { spaceId: space.id }, revisionId, expectedRevisionId: emptied },
    });
    const { id } = restoreRevision.revision;
    expect(await current(space.id)).toBe(id);
    expect(await readPages(as, id)).toEqual(before);
    const stored = await app.database.prisma.revision.findUnique({ where: { id } });
    expect(stored?.parents).toEqual([emptied]);
  });

  test("refuses a revision of another space", async () => {
    const { as, space, organization } = await withPages();
    const other = await world.insert((rows) => addRevision(rows, { spaceId: space.id }));
    await app.database.prisma.revision.update({
      where: { id: other.id },
      data: { spaceId: (await world.space()).space.id },
    });
    expect(organization.id).toBe(space.organizationId);
    const input = { contentOf: { spaceId: space.id }, revisionId: other.id };
    expect(await as.refusal(restoreDocument, { input })).toBe("NOT_FOUND");
  });
});
