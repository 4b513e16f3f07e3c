// The diff of two revisions: each kind of change, alone and combined, is reported exactly, in tree order.
import { describe, expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { giveFiles, storeTexts } from "#test/features/content/factory.ts";
import { type Changes, readChanges, summary, unified } from "#test/features/content/diffs.ts";
import { type Edit, editAs, newPage } from "#test/features/content/edits.ts";
import { addRevision } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

/** A space with the pages a (with a1, a2, a3), b, c and d, and functions to edit it and to read the diff. */
async function withBook() {
  const { space, editor, ...people } = await world.space();
  const as = app.as(editor.token);
  const page = (title: string, parentId?: string) => newPage(title, { markdown: `# ${title}\n`, parentId });
  const a = page("a");
  const pages = { a, a1: page("a1", a.pageId), a2: page("a2", a.pageId), a3: page("a3", a.pageId) };
  const book = { ...pages, b: page("b"), c: page("c"), d: page("d") };
  const start = await editAs(as, { spaceId: space.id }, ...Object.values(book).map(({ edit }) => edit));
  const changesAfter = async (...edits: Edit[]) => {
    const revision = await editAs(as, { spaceId: space.id }, ...edits);
    return present(await readChanges(as, revision, { since: start }));
  };
  const ids = Object.fromEntries(Object.entries(book).map(([name, { pageId }]) => [name, pageId]));
  return { ...people, editor, space, as, start, ids: ids as Record<keyof typeof book, string>, changesAfter };
}

const present = (changes: Changes | null): Changes => {
  if (!changes) throw new Error("The revision has no changes.");
  return changes;
};
const move = (pageId: string, of: object = {}): Edit => ({ movePage: { pageId, ...of } });
const update = (pageId: string, of: object): Edit => ({ updatePage: { pageId, ...of } });
const remove = (pageId: string): Edit => ({ deletePage: { pageId } });
const none = { created: 0, edited: 0, moved: 0, deleted: 0, linesAdded: 0, linesRemoved: 0 };

describe("a diff with a single change", () => {
  test("reports a created page with its position and its whole text", async () => {
    const { ids, changesAfter } = await withBook();
    const fresh = newPage("New", { markdown: "One\nTwo", parentId: ids.b });
    const { pages, stats } = await changesAfter(fresh.edit);
    expect(pages).toEqual({
      totalCount: 1,
      nodes: [
        {
          pageId: fresh.pageId,
          kinds: ["CREATED"],
          move: null,
          before: null,
          after: {
            pageId: fresh.pageId,
            parentId: ids.b,
            title: "New",
            slug: "new",
            path: "b/new",
            markdown: "One\nTwo",
          },
          indexBefore: null,
          indexAfter: 0,
          fields: [],
          text: {
            linesAdded: 2,
            linesRemoved: 0,
            hunks: [
              {
                beforeStart: 0,
                beforeLines: 0,
                afterStart: 1,
                afterLines: 2,
                lines: [
                  { kind: "ADDED", text: "One\n" },
                  { kind: "ADDED", text: "Two" },
                ],
              },
            ],
          },
        },
      ],
    });
    expect(stats).toEqual({ ...none, created: 1, linesAdded: 2 });
  });

  test("reports a deleted page in its last state, with its descendants", async () => {
    const { ids, changesAfter } = await withBook();
    const changes = await changesAfter(remove(ids.a));
    expect(summary(changes)).toEqual(["deleted: a", "deleted: a/a1", "deleted: a/a2", "deleted: a/a3"]);
    expect(changes.pages.nodes[1]).toMatchObject({
      before: { pageId: ids.a1, parentId: ids.a, markdown: "# a1\n" },
      after: null,
      indexBefore: 0,
      indexAfter: null,
      fields: [],
      text: { linesAdded: 0, linesRemoved: 1 },
    });
    expect(changes.stats).toEqual({ ...none, deleted: 4, linesRemoved: 4 });
  });

  test("reports each edited field with its values", async () => {
    const { as, space, ids } = await withBook();
    const set = (of: object) => editAs(as, { spaceId: space.id }, update(ids.b, of));
    const variables = (...pairs: [string, string][]) => pairs.map(([name, value]) => ({ name, value }));
    const since = await set({
      emoji: "🌊",
      layout: { width: "WIDE", outline: true },
      variables: variables(["x", "1"], ["y", "1"]),
    });
    const id = await set({
      title: "B",
      slug: "bee",
      emoji: null,
      hidden: true,
      description: "All of b",
      layout: { width: "DEFAULT", cover: false },
      variables: variables(["x", "2"], ["z", "1"]),
    });
    const changes = present(await readChanges(as, id, { since }));
    expect(summary(changes)).toEqual([
      "edited: b -> bee [title,slug,description,emoji,hidden,layout.cover,layout.outline,layout.width,variables.x,variables.y,variables.z]",
    ]);
    const [page] = changes.pages.nodes;
    expect(page?.fields.map(({ before, after }) => [before, after])).toEqual([
      ["b", "B"],
      ["b", "bee"],
      [null, "All of b"],
      ["🌊", null],
      [null, true],
      [null, false],
      [true, null],
      ["wide", "default"],
      ["1", "2"],
      ["1", null],
      [null, "1"],
    ]);
    expect(page).toMatchObject({ kinds: ["EDITED"], move: null, text: null });
    expect(changes.stats).toEqual({ ...none, edited: 1 });
  });

  test("reports an edited text as hunks with the requested number of context lines", async () => {
    const { as, space, ids } = await withBook();
    const lines = times(20, (index) => `${index + 1}\n`);
    const write = (text: readonly string[]) =>
      editAs(as, { spaceId: space.id }, update(ids.b, { markdown: text.join("") }));
    const since = await write(lines);
    const id = await write(lines.with(4, "five\n").toSpliced(15, 0, "more\n", "lines\n"));
    const read = async (contextLines?: number) => {
      const { pages } = present(
        await readChanges(as, id, { since, ...(contextLines !== undefined && { contextLines }) }),
      );
      return pages.nodes[0]?.text;
    };
    const text = await read();
    expect(text).toMatchObject({ linesAdded: 3, linesRemoved: 1 });
    expect(unified(text?.hunks ?? [])).toBe(
      "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n@@ -13,6 +13,8 @@\n 13\n 14\n 15\n+more\n+lines\n 16\n 17\n 18\n",
    );
    expect(unified((await read(0))?.hunks ?? [])).toBe(
      "@@ -5,1 +5,1 @@\n-5\n+five\n@@ -15,0 +16,2 @@\n+more\n+lines\n",
    );
    expect((await read(100))?.hunks).toHaveLength(1);
  });

  test("reports a page moved to another parent without its descendants", async () => {
    const { ids, changesAfter } = await withBook();
    const changes = await changesAfter(move(ids.a, { parentId: ids.c }));
    expect(summary(changes)).toEqual(["moved (parent): a -> c/a"]);
    expect(changes.pages.nodes[0]).toMatchObject({
      before: { parentId: null },
      after: { parentId: ids.c },
      indexBefore: 0,
      indexAfter: 0,
      text: null,
    });
    expect(changes.stats).toEqual({ ...none, moved: 1 });
  });

  test.each([
    ["up", "d", { beforePageId: "a" }, "moved (order): d"],
    ["down", "a", { afterPageId: "d" }, "moved (order): a"],
    ["by one", "b", { afterPageId: "c" }, "moved (order): c"],
  ] as const)("reports a page moved %s among its siblings as one move", async (_how, name, beside, expected) => {
    const { ids, changesAfter } = await withBook();
    const place = Object.fromEntries(Object.entries(beside).map(([side, other]) => [side, ids[other]]));
    expect(summary(await changesAfter(move(ids[name], { place })))).toEqual([expected]);
  });
});

describe("a diff with several changes", () => {
  test("reports a page that was renamed, edited and moved as one change", async () => {
    const { ids, changesAfter } = await withBook();
    const changes = await changesAfter(
      move(ids.a2, { parentId: null, place: { beforePageId: ids.b } }),
      update(ids.a2, { title: "Two", slug: "two", markdown: "Two\n" }),
    );
    expect(summary(changes)).toEqual(["edited, moved (parent): a/a2 -> two [title,slug,text]"]);
    expect(changes.stats).toEqual({ ...none, edited: 1, moved: 1, linesAdded: 1, linesRemoved: 1 });
  });

  test("does not report descendants of a page with a new slug, though their paths change", async () => {
    const { ids, changesAfter } = await withBook();
    expect(summary(await changesAfter(update(ids.a, { slug: "first" })))).toEqual(["edited: a -> first [slug]"]);
  });

  test("is in tree order, with deleted pages at their old positions", async () => {
    const { ids, changesAfter } = await withBook();
    const changes = await changesAfter(
      remove(ids.a1),
      remove(ids.c),
      newPage("e", { place: { beforePageId: ids.a } }).edit,
      newPage("a4", { parentId: ids.a }).edit,
      update(ids.a3, { title: "A3" }),
      move(ids.d, { place: { beforePageId: ids.b } }),
    );
    expect(summary(changes)).toEqual([
      "created: e",
      "deleted: a/a1",
      "edited: a/a3 [title]",
      "created: a/a4",
      "moved (order): d",
      "deleted: c",
    ]);
  });

  test("reports pages moved out of a deleted page as moved, and its deleted descendants with it", async () => {
    const { as, space, ids } = await withBook();
    const deep = newPage("deep", { parentId: ids.a2 });
    const since = await editAs(as, { spaceId: space.id }, deep.edit);
    const edits = [move(ids.a2, { parentId: ids.d }), remove(deep.pageId), remove(ids.a)];
    const id = await editAs(as, { spaceId: space.id }, ...edits);
    expect(summary(present(await readChanges(as, id, { since })))).toEqual([
      "deleted: a",
      "deleted: a/a1",
      "deleted: a/a3",
      "moved (parent): a/a2 -> d/a2",
      "deleted: a/a2/deep",
    ]);
  });

  test("reports a page below a new page, and a parent that was swapped with its child", async () => {
    const { ids, changesAfter } = await withBook();
    const group = newPage("group", { type: "GROUP" });
    const changes = await changesAfter(
      group.edit,
      move(ids.b, { parentId: group.pageId }),
      move(ids.a1, { parentId: null, place: { beforePageId: ids.a } }),
      move(ids.a, { parentId: ids.a1 }),
    );
    expect(summary(changes)).toEqual([
      "moved (parent): a/a1 -> a1",
      "moved (parent): a -> a1/a",
      "created: group",
      "moved (parent): b -> group/b",
    ]);
    expect(changes.pages.nodes[2]?.text).toBeNull();
  });

  test("omits a change that was reverted", async () => {
    const { ids, changesAfter, as, space } = await withBook();
    await editAs(as, { spaceId: space.id }, update(ids.b, { title: "B" }), move(ids.c));
    const changes = await changesAfter(update(ids.b, { title: "b" }), move(ids.c, { place: { beforePageId: ids.d } }));
    expect(changes).toMatchObject({ pages: { totalCount: 0, nodes: [] }, stats: none });
  });
});

test("a diff reports files only as created and deleted, since they never change", async () => {
  const { space, reader } = await world.space();
  await giveFiles(app.database, space.revisionId, ["kept.txt"]);
  const { filesHash = null } =
    (await app.database.prisma.revision.findUnique({ where: { id: space.revisionId } })) ?? {};
  const revisions = await world.insert((rows) => times(3, () => addRevision(rows, { spaceId: space.id })));
  const [before = "", after = "", none = ""] = revisions.map(({ id }) => id);
  await app.database.prisma.revision.updateMany({ where: { id: { in: [before, after] } }, data: { filesHash } });
  const [gone] = await giveFiles(app.database, before, ["old.txt"]);
  const fresh = await giveFiles(app.database, after, ["new.txt", "newer.txt"]);
  const read = async (id: string, since: string) => {
    const { createdFiles, deletedFiles } = present(await readChanges(app.as(reader.token), id, { since }));
    return { createdFiles, deletedFiles };
  };
  const files = (...names: [string | undefined, string][]) => ({
    totalCount: names.length,
    nodes: names.map(([id, name]) => ({ id, name })),
  });
  expect(await read(after, before)).toEqual({
    createdFiles: files([fresh[0], "new.txt"], [fresh[1], "newer.txt"]),
    deletedFiles: files([gone, "old.txt"]),
  });
  expect(await read(after, after)).toEqual({ createdFiles: files(), deletedFiles: files() });
  const counts = { createdFiles: { totalCount: 0 }, deletedFiles: { totalCount: 2 } };
  expect(await read(none, before)).toMatchObject(counts);
  expect(await read(before, none)).toMatchObject({ createdFiles: { totalCount: 2 }, deletedFiles: { totalCount: 0 } });
});

test("a diff reports variables by name and reusable contents by id", async () => {
  const { space, reader } = await world.space();
  const [kept, gone, fresh] = times(3, () => newId("ReusableContent")).toSorted();
  const hashes = await storeTexts(app.database, "Old\n", "New\n");
  const [before, after] = await world.insert((rows) => {
    const old = addRevision(rows, {
      spaceId: space.id,
      variables: { same: "1", other: "1", gone: "1" },
      reusableContents: {
        [kept ?? ""]: { title: "Kept", documentHash: hashes[0] },
        [gone ?? ""]: { title: "Gone", documentHash: null },
      },
    });
    const young = addRevision(rows, {
      spaceId: space.id,
      variables: { same: "1", other: "2", fresh: "1" },
      reusableContents: {
        [kept ?? ""]: { title: "Kept", documentHash: hashes[1] },
        [fresh ?? ""]: { title: "Fresh", documentHash: hashes[1] },
      },
    });
    return [old, young];
  });
  const changes = present(await readChanges(app.as(reader.token), after.id, { since: before.id }));
  expect(changes.variables).toEqual([
    { name: "fresh", before: null, after: "1" },
    { name: "gone", before: "1", after: null },
    { name: "other", before: "1", after: "2" },
  ]);
  expect(changes.reusableContents.map(({ text, ...rest }) => [rest, text && unified(text.hunks ?? [])])).toEqual([
    [
      {
        reusableContentId: kept,
        before: { title: "Kept", markdown: "Old\n" },
        after: { title: "Kept", markdown: "New\n" },
      },
      "@@ -1,1 +1,1 @@\n-Old\n+New\n",
    ],
    [{ reusableContentId: gone, before: { title: "Gone", markdown: "" }, after: null }, null],
    [
      { reusableContentId: fresh, before: null, after: { title: "Fresh", markdown: "New\n" } },
      "@@ -0,0 +1,1 @@\n+New\n",
    ],
  ]);
  expect(changes.stats).toEqual({ ...none, linesAdded: 2, linesRemoved: 1 });
});
