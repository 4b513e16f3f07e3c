// The changes of change requests and revisions, which the public client reads by its own methods.
import { describe, expect, test } from "vitest";
import { type Edit, editAs, newPage } from "#test/features/content/edits.ts";
import { replaceAs, textFile, uploadAs } from "#test/features/content/uploads.ts";
import { publicClient } from "#test/public-client/client.ts";
import { useApp } from "#test/support/app.ts";
import type { Person } from "#test/support/world.ts";

const { app, world } = await useApp();

const clientOf = ({ token }: Person) => publicClient(app.url, token).spaces;

/** A space with the pages a (with a1), b and c, and a change request that changes them. */
async function withBook() {
  const { space, changeRequest, ...people } = await world.changeRequest();
  const as = app.as(people.editor.token);
  const target = { changeRequestId: changeRequest.id };
  const a = newPage("a", { markdown: "One.\n", emoji: "⚓" });
  const [a1, b, c] = [newPage("a1", { parentId: a.pageId }), newPage("b"), newPage("c")];
  const started = await editAs(as, target, a.edit, a1.edit, b.edit, c.edit);
  const change = (...edits: Edit[]) => editAs(as, target, ...edits);
  return { ...people, space, changeRequest, started, change, ids: { a: a.pageId, a1: a1.pageId, c: c.pageId } };
}

describe("GET changes of a revision", () => {
  test("lists pages that were created, edited, moved and deleted, with the whole values of changed attributes", async () => {
    const { space, reader, change, ids } = await withBook();
    const fresh = newPage("new");
    const revisionId = await change(
      { updatePage: { pageId: ids.a, title: "A", emoji: null, markdown: "Two.\n", layout: { width: "WIDE" } } },
      { movePage: { pageId: ids.a1, parentId: null } },
      { deletePage: { pageId: ids.c } },
      fresh.edit,
    );
    const { data } = await clientOf(reader).getRevisionSemanticChanges(space.id, revisionId);
    const page = (id: string, title: string, path = title) => ({ id, type: "document", title, path });
    const [edited] = data.changes;
    expect(edited).toMatchObject({ type: "page_edited", page: page(ids.a, "A", "a") });
    expect(edited?.["attributes"]).toEqual({
      title: { before: "a", after: "A" },
      emoji: { before: "⚓" },
      layout: {
        before: expect.objectContaining({ width: "default", cover: true }) as object,
        after: expect.objectContaining({ width: "wide", cover: true }) as object,
      },
      document: { before: "One.\n", after: "Two.\n" },
    });
    expect(
      data.changes.slice(1).toSorted((one, other) => (String(one["type"]) < String(other["type"]) ? -1 : 1)),
    ).toEqual([
      { type: "page_created", page: page(fresh.pageId, "new") },
      { type: "page_deleted", page: page(ids.c, "c") },
      { type: "page_moved", page: page(ids.a1, "a1"), parent: { before: page(ids.a, "a"), changed: true } },
    ]);
    expect(data.more).toBe(0);
  });

  test("lists files, reusable contents and variables, and counts the changes beyond the limit", async () => {
    const { space, reader, change } = await withBook();
    const revisionId = await change(
      { createReusableContent: { title: "Note", markdown: "Mind the tide.\n" } },
      { setVariables: { variables: [{ name: "port", value: "Brest" }] } },
    );
    const read = async (limit?: number) =>
      (await clientOf(reader).getRevisionSemanticChanges(space.id, revisionId, { limit })).data;
    const { changes } = await read();
    expect(changes).toMatchObject([
      { type: "reusable_content_created", reusableContent: { title: "Note" } },
      { type: "variables_edited", variables: { port: { after: "Brest" } } },
    ]);
    expect(await read(1)).toEqual({ changes: changes.slice(0, 1), more: 1 });
  });
});

test("the changes of a revision name its new, replaced and deleted files", async () => {
  const { changeRequest, space, editor, reader } = await world.changeRequest();
  const as = app.as(editor.token);
  const target = { changeRequestId: changeRequest.id };
  const upload = (input: object) => uploadAs(as, { ...target, ...input });
  const { revision: start, file: kept } = await upload({ file: textFile("ports.txt", "Brest") });
  const read = async (revisionId: string) =>
    (await clientOf(reader).getRevisionSemanticChanges(space.id, revisionId)).data.changes;
  const downloadURL = expect.stringContaining("http") as string;
  const plain = { id: kept.id, name: "ports.txt", contentType: "text/plain", downloadURL };
  expect(await read(start.id)).toEqual([{ type: "file_created", file: plain }]);
  const { revision: replaced } = await replaceAs(as, {
    ...target,
    fileId: kept.id,
    file: textFile("ports.txt", "Roscoff"),
  });
  const size = { before: 5, after: 7 };
  const attributes = { size, downloadURL: { before: downloadURL, after: downloadURL } };
  expect(await read(replaced.id)).toEqual([{ type: "file_edited", file: plain, attributes }]);
  const emptied = await editAs(as, target, { deleteFile: { fileId: kept.id } });
  expect(await read(emptied)).toEqual([{ type: "file_deleted", file: plain }]);
});

describe("GET changes of a change request", () => {
  test("lists its changes to the content on which it is based, also by its number", async () => {
    const { space, changeRequest, reader, outsider } = await withBook();
    const { data } = await clientOf(reader).getChangeRequestChanges(space.id, changeRequest.id, { limit: 3 });
    expect(data.changes.map(({ type }) => type)).toEqual(["page_created", "page_created", "page_created"]);
    expect(data.more).toBe(1);
    const byNumber = await clientOf(reader).getChangeRequestChanges(space.id, changeRequest.number, { limit: 3 });
    expect(byNumber.data).toEqual(data);
    await expect(clientOf(outsider).getChangeRequestChanges(space.id, changeRequest.id)).rejects.toMatchObject({
      code: 404,
    });
    await expect(
      clientOf(reader).getChangeRequestChanges(space.id, changeRequest.id, { limit: 0 }),
    ).rejects.toMatchObject({ code: 400 });
  });

  test("names the change request that a merge revision was merged from", async () => {
    const { space, changeRequest, reviewer, reader } = await withBook();
    const { data: merged } = await clientOf(reviewer).mergeChangeRequest(space.id, changeRequest.id);
    const { data } = await clientOf(reader).getRevisionSemanticChanges(space.id, merged.revision);
    expect(data).toMatchObject({ mergedFrom: { object: "change-request", id: changeRequest.id }, more: 0 });
    expect(data.changes).toHaveLength(4);
  });

  test("returns 404 for a change request and a revision of another space", async () => {
    const [{ space, reader, admin }, elsewhere] = [await withBook(), await withBook()];
    const { changeRequest, started } = elsewhere;
    await expect(clientOf(reader).getChangeRequestChanges(space.id, changeRequest.id)).rejects.toMatchObject({
      code: 404,
    });
    await expect(clientOf(admin).getRevisionSemanticChanges(space.id, started)).rejects.toMatchObject({ code: 404 });
  });
});
