// Git object hashes of a content equal the recorded output of `git hash-object` and `git write-tree` for the
// same files in the same folders.
import { expect, test } from "vitest";
import { pino } from "pino";
import { newId } from "#src/base/ids.ts";
import { systemClock } from "#src/base/time.ts";
import { contentJobs } from "#src/features/content/jobs.ts";
import { gitBlob, gitContent, gitFiles, gitPages } from "#src/features/content/model/git.ts";
import type { PageRow } from "#src/features/content/model/page.ts";
import { type Edit, editAs, newPage } from "#test/features/content/edits.ts";
import { giveFiles, giveLevels } from "#test/features/content/factory.ts";
import { uploadAs } from "#test/features/content/uploads.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

const texts = {
  guide: ["Guide\n", "bd0570d75246007fcef031025d2f6c0d8a5cd8d2"],
  start: ["Start – Ünïcode\n", "b5a0f99bf669d5a24a93fcf54888eeff776c5537"],
  empty: ["", "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"],
  a: ["x", "c1b0730e0133447badcfd47fd144e254807b06e1"],
  below: ["below\n", "cd0c2d43e173c57ece93134372f574f16bf1deb7"],
  "guide-2": ["low\n", "e7cf60eb381980f401b614afe34cf5033727f1da"],
} as const;
const folderOfBelow = "5b5682df9278ac81550a4cd48b747f8cc8ce0874";
const ofPages = "03e7aa11a5ac942594dbc19fc93607fc1ebc252c";
const notes = { text: "notes.txt", oid: "d669de961167dee328d2efe8d93d2f54e39ae72d" };
const withFiles = "250c40aa09e97a6f783938e1164c147fbbff152e";

test("texts have the hashes of `git hash-object`", () => {
  for (const [text, oid] of Object.values(texts)) expect(gitBlob(text)).toBe(oid);
});

test("a content with pages, files and reusable contents has the hash of `git write-tree`", () => {
  const page = (slug: keyof typeof texts | "a.md", pages: PageRow[] = []) =>
    ({
      pageId: slug,
      slug,
      type: slug === "a.md" ? "group" : "document",
      documentHash: slug,
      pages,
    }) as unknown as PageRow;
  // A group whose slug is the file name of another page, and names that Git sorts as folders.
  const tree = [
    page("guide", [page("start")]),
    page("guide-2"),
    page("empty"),
    page("a.md", [page("below")]),
    page("a"),
  ];
  const { entries, byId } = gitPages(tree, (slug) => texts[slug as keyof typeof texts][1]);
  expect(gitContent(entries, { files: [], reusable: [] })).toBe(ofPages);
  expect(Object.fromEntries(byId)).toEqual({
    guide: { oid: texts.guide[1], path: "guide.md" },
    start: { oid: texts.start[1], path: "guide/start.md" },
    "guide-2": { oid: texts["guide-2"][1], path: "guide-2.md" },
    empty: { oid: texts.empty[1], path: "empty.md" },
    "a.md": { oid: folderOfBelow, path: "a.md.d" },
    below: { oid: texts.below[1], path: "a.md.d/below.md" },
    a: { oid: texts.a[1], path: "a.md" },
  });
  const files = gitFiles([{ fileId: "fil_00000000000000000000000001", name: "notes.txt", oid: notes.oid }]);
  const reusable = [{ name: "reu_00000000000000000000000001.md", oid: gitBlob("Shared\n"), isFolder: false }];
  expect(gitContent(entries, { files, reusable })).toBe(withFiles);
});

interface Content {
  readonly git: { readonly oid: string; readonly message: string | null };
  readonly allPages: readonly {
    readonly path: string;
    readonly git: { readonly oid: string; readonly path: string } | null;
  }[];
  readonly allFiles: readonly {
    readonly fileId: string;
    readonly git: { readonly oid: string; readonly path: string };
  }[];
  readonly reusableContents: readonly { readonly git: { readonly oid: string; readonly path: string } }[];
}

const document = `query ($id: ID!) { node(id: $id) { ... on Revision { git { oid message } allPages { path git { oid path } }
  allFiles { fileId git { oid path } } reusableContents { git { oid path } } } } }`;

/** The pages of the test above, as edits. */
function pages(): Edit[] {
  const text = (slug: keyof typeof texts) => ({ markdown: texts[slug][0], slug });
  const [guide, group] = [newPage("Guide", text("guide")), newPage("Group", { type: "GROUP", slug: "a.md" })];
  return [
    guide.edit,
    newPage("Start", { ...text("start"), parentId: guide.pageId }).edit,
    newPage("Guide 2", text("guide-2")).edit,
    newPage("Empty", text("empty")).edit,
    group.edit,
    newPage("Below", { ...text("below"), parentId: group.pageId }).edit,
    newPage("A", text("a")).edit,
  ];
}

test("revisions, pages, files and reusable contents have their Git paths and hashes", async () => {
  const { editor, reader, space } = await world.space();
  const as = app.as(editor.token);
  const link = newPage("Link", { type: "LINK", target: "https://example.com" }).edit;
  const first = await editAs(as, { spaceId: space.id, message: "First" }, ...pages(), link);
  const read = async (id: string) => (await app.as(reader.token).query<{ node: Content }>(document, { id })).node;
  const content = await read(first);
  expect(content.git).toEqual({ oid: ofPages, message: "First" });
  expect(content.allPages.map(({ path, git }) => [path, git?.path, git?.oid])).toEqual([
    ["guide", "guide.md", texts.guide[1]],
    ["guide/start", "guide/start.md", texts.start[1]],
    ["guide-2", "guide-2.md", texts["guide-2"][1]],
    ["empty", "empty.md", texts.empty[1]],
    ["a.md", "a.md.d", folderOfBelow],
    ["a.md/below", "a.md.d/below.md", texts.below[1]],
    ["a", "a.md", texts.a[1]],
    ["link", undefined, undefined],
  ]);
  const { file } = await uploadAs(as, { spaceId: space.id, file: new File([notes.text], "notes.txt") });
  const reusableContentId = newId("ReusableContent");
  const shared = { createReusableContent: { reusableContentId, title: "Shared", markdown: "Shared\n" } };
  const later = await read(await editAs(as, { spaceId: space.id }, shared));
  expect(later.allFiles).toEqual([
    { fileId: file.id, git: { oid: notes.oid, path: `.docgraph/files/${file.id}/notes.txt` } },
  ]);
  expect(later.reusableContents).toEqual([
    { git: { oid: gitBlob("Shared\n"), path: `.docgraph/reusable/${reusableContentId}.md` } },
  ]);
  expect(new Set([content.git.oid, later.git.oid, gitBlob("")]).size).toBe(3);
});

test("large files have the Git hash of all their bytes", async () => {
  const { editor, space } = await world.space();
  const bytes = Buffer.alloc(300 * 1024, "abc"); // more than is kept in memory while a file is received
  const { revision } = await uploadAs(app.as(editor.token), { spaceId: space.id, file: new File([bytes], "big.bin") });
  const { node } = await app.as(editor.token).query<{ node: Content }>(document, { id: revision.id });
  expect(node.allFiles.map(({ git }) => git.oid)).toEqual([gitBlob(bytes)]);
});

test("for rows from before Git hashes were stored, texts are hashed when requested and files by a nightly job", async () => {
  const { editor, space } = await world.space();
  const as = app.as(editor.token);
  await editAs(as, { spaceId: space.id }, newPage("Old", { markdown: "Stored long ago\n" }).edit);
  const { file, revision } = await uploadAs(as, { spaceId: space.id, file: new File(["old"], "old.txt") });
  await giveFiles(app.database, revision.id, ["lost.txt"]); // without bytes
  await app.database.pool.query(
    `update "ContentDocument" set oid = null where markdown = 'Stored long ago' || chr(10)`,
  );
  await app.database.pool.query(`update "ContentFile" set oid = null where name in ('old.txt', 'lost.txt')`);
  const read = async () => (await as.query<{ node: Content }>(document, { id: revision.id })).node;
  const before = await read();
  expect(before.allPages[0]?.git?.oid).toBe(gitBlob("Stored long ago\n"));
  expect([before.git.oid, ...before.allFiles.map(({ git }) => git)]).toEqual([null, null, null]);
  await contentJobs
    .find(({ name }) => name === "content.gitHashes")
    ?.run({ ...app, clock: systemClock, log: pino({ level: "silent" }), readTxtRecords: () => Promise.resolve([]) });
  const [old, lost] = (await read()).allFiles;
  expect([old?.fileId, old?.git.oid, lost?.git]).toEqual([file.id, gitBlob("old"), null]);
  const missing = `select count(*)::int from "ContentDocument" where oid is null`;
  expect((await app.database.pool.query<{ count: number }>(missing)).rows).toEqual([{ count: 0 }]);
});

test("Git hashes take as many statements for 90 pages as for ten", async () => {
  const { reader, space, changeRequest } = await world.changeRequest();
  const textOf = () => newId("Page"); // whose hashes are not cached
  await giveLevels(app.database, space.revisionId, { count: 10, siblings: 5, textOf });
  await giveLevels(app.database, changeRequest.revisionId, { count: 90, siblings: 5, textOf });
  const files = times(20, (index) => `${index}.txt`);
  await giveFiles(app.database, space.revisionId, files.slice(0, 1));
  await giveFiles(app.database, changeRequest.revisionId, files);
  const cost = (id: string) => app.as(reader.token).statements(document, { id });
  // The revision, its tree, the hashes of texts, its files, and the hashes of these.
  expect([await cost(space.revisionId), await cost(changeRequest.revisionId)]).toEqual([5, 5]);
});
