// Deleting files that are in use: remaining uses in covers, links and images are reported and resolve to nothing.
import { expect, test } from "vitest";
import { idInRevision, newId } from "#src/base/ids.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { giveFiles } from "#test/features/content/factory.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

const deleting = `mutation ($input: EditContentInput!) { editContent(input: $input) { revision { id }
  deletedFilesInUse { fileId page { pageId path cover { file { id } ref { fileId file { id } } } target { fileId file { id } } }
    reusableContent { reusableContentId title } } } }`;

interface Answer {
  readonly editContent: { readonly revision: { readonly id: string }; readonly deletedFilesInUse: readonly unknown[] };
}

test("deleting files reports remaining uses: covers, targets, and texts of pages and reusable contents", async () => {
  const { editor, space } = await world.space();
  const as = app.as(editor.token);
  const [one = "", two = "", free = ""] = await giveFiles(app.database, space.revisionId, ["1.txt", "2.txt", "3.txt"]);
  const [cover, link, text] = [
    newPage("Cover", { cover: { fileId: one, fileDarkId: two } }),
    newPage("Link", { type: "LINK", target: `file:${one}` }),
    newPage("Text", { markdown: `[One](file:${one}) and ![one again](file:${one})\n` }),
  ];
  const reusableContentId = newId("ReusableContent");
  const shared = { createReusableContent: { reusableContentId, title: "Shared", markdown: `![](file:${two})\n` } };
  const before = await editAs(as, { spaceId: space.id }, cover.edit, link.edit, text.edit, shared);
  const edits = [one, idInRevision(before, two), free].map((fileId) => ({ deleteFile: { fileId } }));
  const { editContent } = await as.query<Answer>(deleting, { input: { contentOf: { spaceId: space.id }, edits } });
  const page = (of: { pageId: string }, path: string, more: object) => ({
    page: { pageId: of.pageId, path, cover: null, target: null, ...more },
    reusableContent: null,
  });
  const ofCover = page(cover, "cover", { cover: { file: null, ref: { fileId: one, file: null } } });
  expect(editContent.deletedFilesInUse).toEqual([
    { fileId: one, ...ofCover },
    { fileId: two, ...ofCover },
    { fileId: one, ...page(link, "link", { target: { fileId: one, file: null } }) },
    { fileId: one, ...page(text, "text", {}) },
    { fileId: two, page: null, reusableContent: { reusableContentId, title: "Shared" } },
  ]);
  const files = `{ node(id: "${editContent.revision.id}") { ... on Revision { files { totalCount } } } }`;
  expect(await as.query(files)).toEqual({ node: { files: { totalCount: 0 } } });
});

test("deleting files reports nothing if the same edits remove the uses", async () => {
  const { editor, space } = await world.space();
  const as = app.as(editor.token);
  const [fileId = ""] = await giveFiles(app.database, space.revisionId, ["1.txt"]);
  const page = newPage("Page", { cover: { fileId }, markdown: `![](file:${fileId})\n` });
  await editAs(as, { spaceId: space.id }, page.edit);
  const edits = [
    { updatePage: { pageId: page.pageId, cover: null, markdown: "Without\n" } },
    { deleteFile: { fileId } },
    { deleteFile: { fileId: newId("File") } },
  ];
  const { editContent } = await as.query<Answer>(deleting, { input: { contentOf: { spaceId: space.id }, edits } });
  expect(editContent.deletedFilesInUse).toEqual([]);
});

test("finding uses of deleted files takes as many statements for twenty pages as for two", async () => {
  const { editor, space } = await world.space();
  const as = app.as(editor.token);
  const cost = async (count: number) => {
    const { content } = (
      await as.query<{ space: { content: { id: string } } }>(`{ space(id: "${space.id}") { content { id } } }`)
    ).space;
    const [fileId = ""] = await giveFiles(app.database, content.id, ["1.txt"]);
    const cover = { fileId };
    const pages = times(count, (index) =>
      newPage(`Page ${index} of ${count}`, { cover, markdown: `![](file:${fileId})\n` }),
    );
    await editAs(as, { spaceId: space.id }, ...pages.map(({ edit }) => edit));
    const document = `mutation ($input: EditContentInput!) { editContent(input: $input) { deletedFilesInUse { fileId page { path } } } }`;
    return as.statements(document, {
      input: { contentOf: { spaceId: space.id }, edits: [{ deleteFile: { fileId } }] },
    });
  };
  expect(await cost(20)).toBe(await cost(2));
});
