// Uploading and deleting files: results, permissions and refusals; refused uploads leave nothing behind.
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { editAs, editDocument, inContent, restoreDocument } from "#test/features/content/edits.ts";
import { giveFiles } from "#test/features/content/factory.ts";
import {
  pngFile,
  replaceAs,
  replaceDocument,
  storedIn,
  textFile,
  uploadAs,
  uploadDocument,
} from "#test/features/content/uploads.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const maxFileSize = 100_000;

const { app, world } = await useApp({ maxFileSize });

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

async function namesIn(as: Client, revisionId: string): Promise<string[]> {
  const { node } = await as.query<{ node: { files: { nodes: { name: string }[] } } }>(
    `{ node(id: "${revisionId}") { ... on Revision { files { nodes { name } } } } }`,
  );
  return node.files.nodes.map(({ name }) => name);
}

/** The error of a refused upload, after a check that it left nothing behind. */
async function refusal(as: Client, input: Record<string, unknown>): Promise<string> {
  const before = await storedIn(app);
  const code = await as.refusal(uploadDocument, { input: inContent(input) });
  expect(await storedIn(app)).toEqual(before);
  return code;
}

describe("an upload of a file", () => {
  test("creates a file and a revision and emits an event", async () => {
    const { editor, space } = await world.space();
    const as = app.as(editor.token);
    const png = pngFile("Logo – klein.png", { width: 32, height: 16 });
    const { revision, file } = await uploadAs(as, { spaceId: space.id, file: png, message: "A logo" });
    expect(file).toEqual({
      id: expect.stringMatching(/^fil_/) as unknown,
      name: "Logo – klein.png",
      contentType: "image/png",
      size: 45,
      dimensions: { width: 32, height: 16 },
      downloadURL: expect.stringContaining(`${app.url}/files/${file.id}/`) as unknown,
    });
    expect(await app.database.prisma.revision.findUnique({ where: { id: revision.id } })).toMatchObject({
      type: "edits",
      message: "A logo",
      parents: [space.revisionId],
      authorId: editor.id,
    });
    const events = await app.eventsOf(space.id);
    expect(events).toMatchObject([{ type: "space.contentUpdated", payload: { revisionId: revision.id } }]);
    expect(await namesIn(as, revision.id)).toEqual(["Logo – klein.png"]);
    expect(await namesIn(as, space.revisionId)).toEqual([]);
  });

  test("is accepted for a change request, even in a locked space", async () => {
    const { editor, space, changeRequest } = await world.changeRequest({ space: { editMode: "locked" } });
    const as = app.as(editor.token);
    const { revision } = await uploadAs(as, { changeRequestId: changeRequest.id, file: textFile() });
    expect(await namesIn(as, revision.id)).toEqual(["notes.txt"]);
    expect(await refusal(as, { spaceId: space.id, file: textFile("locked.txt") })).toBe("CONFLICT");
    expect(await app.eventsOf(changeRequest.id)).toHaveLength(1);
  });

  test("can set another name, and keeps only the last part of the file's own name", async () => {
    const { editor, space } = await world.space();
    const as = app.as(editor.token);
    const named = await uploadAs(as, { spaceId: space.id, file: textFile("a.txt"), name: "  b.md " });
    expect(named.file).toMatchObject({ name: "b.md", contentType: "text/markdown" });
    const sent = await uploadAs(as, { spaceId: space.id, file: textFile('C:\\folder/sub/c "q" %22.txt', "text") });
    // Browsers write a quote as %22, which cannot be distinguished from a literal %22.
    expect(sent.file.name).toBe('c "q" ".txt');
  });

  test.each([
    ["an empty string", " "],
    ["201 characters", "x".repeat(201)],
    ["a slash", "a/b.txt"],
    ["a backslash", "a\\b.txt"],
    ["a line break", "a\nb.txt"],
    ["NUL", "a\0.txt"],
    ["a lone surrogate", "a\ud800.txt"],
    ["a bidirectional control character", "a\u202etxt.exe"],
    ["dots", ".."],
  ])("is refused with %s as its name", async (_what, name) => {
    const { editor, space } = await world.space();
    const input = { spaceId: space.id, file: textFile("fine.txt"), name };
    expect(await refusal(app.as(editor.token), input)).toBe("INVALID_INPUT");
  });

  test("is limited to a number of bytes, exactly", async () => {
    const { editor, space } = await world.space();
    const as = app.as(editor.token);
    const full = await uploadAs(as, { spaceId: space.id, file: textFile("full.txt", "x".repeat(maxFileSize)) });
    expect(full.file.size).toBe(maxFileSize);
    const before = await storedIn(app);
    const file = textFile("over.txt", "x".repeat(maxFileSize + 1));
    const { status, errors } = await as.graphql(uploadDocument, { input: { contentOf: { spaceId: space.id }, file } });
    expect([status, errors?.[0]?.extensions.code]).toEqual([413, "TOO_LARGE"]);
    expect(await storedIn(app)).toEqual(before);
    expect((await uploadAs(as, { spaceId: space.id, file: textFile("empty.txt", "") })).file.size).toBe(0);
  });

  test("with a stale expected revision is a CONFLICT", async () => {
    const { editor, space } = await world.space();
    const as = app.as(editor.token);
    await uploadAs(as, { spaceId: space.id, file: textFile("first.txt") });
    const late = { spaceId: space.id, expectedRevisionId: space.revisionId, file: textFile("late.txt") };
    expect(await refusal(as, late)).toBe("CONFLICT");
  });

  test("to a content with 10,000 files is INVALID_INPUT", async () => {
    const { editor, space } = await world.space();
    const [id] = await giveFiles(app.database, space.revisionId, ["first.txt"]);
    await app.database.pool.query(
      `with made as (insert into "ContentFile" (hash, "fileId", name, "contentType", size, blob, key, width, height, "createdAt")
          select 'hash' || n, 'fil_' || n, name, "contentType", size, blob, key, width, height, "createdAt"
          from "ContentFile" cross join generate_series(1, 9999) n where "fileId" = $1 returning hash)
        insert into "ContentFileList" (hash, files)
        select 'full', array(select hash from "ContentFile" where "fileId" = $1 union all select hash from made)`,
      [id],
    );
    await app.database.prisma.revision.update({ where: { id: space.revisionId }, data: { filesHash: "full" } });
    const as = app.as(editor.token);
    expect(await refusal(as, { spaceId: space.id, file: textFile("more.txt") })).toBe("INVALID_INPUT");
    await editAs(as, { spaceId: space.id }, { deleteFile: { fileId: id } });
    await uploadAs(as, { spaceId: space.id, file: textFile("more.txt") });
  });
});

describe("a replacement of a file", () => {
  test("keeps its id, name and uses; earlier revisions and other contents keep the former bytes until a merge", async () => {
    const { editor, reviewer, space, changeRequest } = await world.changeRequest();
    const as = app.as(editor.token);
    const first = await uploadAs(as, { spaceId: space.id, file: textFile("a.txt", "one") });
    await as.query(`mutation ($id: ID!) { pullChangeRequestUpdates(input: { changeRequestId: $id }) { result } }`, {
      id: changeRequest.id,
    });
    const other = { changeRequestId: changeRequest.id, fileId: first.file.id, file: textFile("b.txt", "second") };
    const { revision, file } = await replaceAs(as, other);
    expect(file).toMatchObject({ id: first.file.id, name: "a.txt", size: 6 });
    const bytesIn = async (revisionId: string) => {
      const files = `files { nodes { downloadURL } }`;
      const { node } = await as.query<{ node: { files: { nodes: { downloadURL: string }[] } } }>(
        `{ node(id: "${revisionId}") { ... on Revision { ${files} } } }`,
      );
      return Promise.all(node.files.nodes.map(async ({ downloadURL }) => (await fetch(downloadURL)).text()));
    };
    expect([await bytesIn(first.revision.id), await bytesIn(revision.id)]).toEqual([["one"], ["second"]]);
    const merge = `mutation ($id: ID!) { mergeChangeRequest(input: { changeRequestId: $id }) { revisionId } }`;
    const { mergeChangeRequest } = await app
      .as(reviewer.token)
      .query<{ mergeChangeRequest: { revisionId: string } }>(merge, { id: changeRequest.id });
    expect(await bytesIn(mergeChangeRequest.revisionId)).toEqual(["second"]);
    const named = await replaceAs(as, { spaceId: space.id, fileId: file.id, file: textFile("c.md"), name: "c.md" });
    expect(named.file).toMatchObject({ id: file.id, name: "c.md", contentType: "text/markdown" });
    const changes = await as.query<{ node: { changes: object } }>(
      `{ node(id: "${named.revision.id}") { ... on Revision { changes {
        createdFiles { nodes { fileId name } } deletedFiles { nodes { fileId name } } } } } }`,
    );
    expect(changes.node.changes).toEqual({
      createdFiles: { nodes: [{ fileId: file.id, name: "c.md" }] },
      deletedFiles: { nodes: [{ fileId: file.id, name: "a.txt" }] },
    });
  });

  test("is NOT_FOUND for a file of another content, and stores nothing", async () => {
    const [{ editor, space }, elsewhere] = [await world.space(), await world.space()];
    const { file } = await uploadAs(app.as(elsewhere.editor.token), { spaceId: elsewhere.space.id, file: textFile() });
    const before = await storedIn(app);
    const input = inContent({ spaceId: space.id, fileId: file.id, file: textFile("other.txt") });
    expect(await app.as(editor.token).refusal(replaceDocument, { input })).toBe("NOT_FOUND");
    expect(await storedIn(app)).toEqual(before);
  });
});

describe("several uploads at once", () => {
  const both = `mutation ($one: UploadFileInput!, $other: UploadFileInput!) {
    one: uploadFile(input: $one) { file { id size } } other: uploadFile(input: $other) { file { id size } revision { id } } }`;
  type Both = Record<"one" | "other", { file: { id: string; size: number } }> & { other: { revision: { id: string } } };

  test("are possible in one operation", async () => {
    const { editor, space } = await world.space();
    const as = app.as(editor.token);
    const [one, other] = ["one.txt", "other.txt"].map((name) => ({
      contentOf: { spaceId: space.id },
      file: textFile(name),
    }));
    const { other: last } = await as.query<Both>(both, { one, other });
    expect(await namesIn(as, last.revision.id)).toEqual(["one.txt", "other.txt"]);
  });

  test("are all refused if one is known to be refused, and leave nothing behind", async () => {
    const { editor, space } = await world.space();
    const [one, other] = ["fine.txt", ".."].map((name) => ({
      contentOf: { spaceId: space.id },
      file: textFile(`part ${name}`),
      name,
    }));
    const before = await storedIn(app);
    const { errors } = await app.as(editor.token).graphql(both, { one, other });
    expect(errors).toMatchObject([{ path: ["other"], extensions: { code: "INVALID_INPUT" } }]);
    expect(await storedIn(app)).toEqual(before);
  });

  test("of the same bytes store one blob and two files", async () => {
    const { editor, space } = await world.space();
    const as = app.as(editor.token);
    const text = "the same bytes";
    const [first, second] = await Promise.all(
      ["a.txt", "b.txt"].map((name) => uploadAs(as, { spaceId: space.id, file: textFile(name, text) })),
    );
    expect(first?.file.id).not.toBe(second?.file.id);
    expect((await storedIn(app)).filter((name) => name === hashOf(text))).toHaveLength(1);
    expect(await app.database.prisma.contentFile.count({ where: { blob: hashOf(text) } })).toBe(2);
  });

  test("are all added one after the other when concurrent", async () => {
    const { editor, space } = await world.space();
    const as = app.as(editor.token);
    const names = times(8, (index) => `${index}.txt`);
    await Promise.all(names.map((name) => uploadAs(as, { spaceId: space.id, file: textFile(name) })));
    const { space: found } = await as.query<{ space: { revisionId: string; revisions: { totalCount: number } } }>(
      `{ space(id: "${space.id}") { revisionId revisions { totalCount } } }`,
    );
    expect(found.revisions.totalCount).toBe(9);
    expect((await namesIn(as, found.revisionId)).toSorted()).toEqual(names);
  });
});

describe("an uploaded file", () => {
  test("is deleted by an edit, a second time without effect, and is still in earlier revisions", async () => {
    const { editor, space } = await world.space();
    const as = app.as(editor.token);
    const { revision, file } = await uploadAs(as, { spaceId: space.id, file: textFile() });
    const edit = { deleteFile: { fileId: file.id } };
    const page = { createPage: { title: "Page" } };
    const deleted = await editAs(as, { spaceId: space.id }, edit, page, edit);
    expect(await namesIn(as, deleted)).toEqual([]);
    expect(await namesIn(as, revision.id)).toEqual(["notes.txt"]);
    expect(await editAs(as, { spaceId: space.id }, edit)).toBe(deleted);
    const other = await world.space();
    expect(await editAs(app.as(other.editor.token), { spaceId: other.space.id }, edit)).toBe(other.space.revisionId);
  });

  test("returns with a restored revision", async () => {
    const { editor, space } = await world.space();
    const as = app.as(editor.token);
    const { revision, file } = await uploadAs(as, { spaceId: space.id, file: textFile() });
    await editAs(as, { spaceId: space.id }, { deleteFile: { fileId: file.id } });
    const input = { contentOf: { spaceId: space.id }, revisionId: revision.id };
    const { restoreRevision } = await as.query<{ restoreRevision: { revision: { id: string } } }>(restoreDocument, {
      input,
    });
    expect(await namesIn(as, restoreRevision.revision.id)).toEqual(["notes.txt"]);
  });

  test("stays when pages are edited, and is shared by a copy of the space", async () => {
    const { creator, space } = await world.space();
    const as = app.as(creator.token);
    const { file } = await uploadAs(as, { spaceId: space.id, file: textFile() });
    const edited = await editAs(as, { spaceId: space.id }, { createPage: { title: "Page" } });
    expect(await namesIn(as, edited)).toEqual(["notes.txt"]);
    const { duplicateSpace } = await as.query<{ duplicateSpace: { space: { content: object } } }>(
      `mutation ($input: DuplicateSpaceInput!) { duplicateSpace(input: $input) { space { content { files { nodes { id: fileId downloadURL } } } } } }`,
      { input: { spaceId: space.id } },
    );
    const downloadURL = expect.stringContaining(`/files/${file.id}/`) as unknown; // with its own revision
    expect(duplicateSpace.space.content).toEqual({ files: { nodes: [{ id: file.id, downloadURL }] } });
  });

  test("is required to be a multipart part: a request without multipart uploads nothing", async () => {
    const { editor, space } = await world.space();
    const as = app.as(editor.token);
    for (const file of ["text", null, {}, 1])
      expect(await as.refusal(uploadDocument, { input: { contentOf: { spaceId: space.id }, file } })).toBe(
        "INVALID_INPUT",
      );
    const inline = `mutation { uploadFile(input: { contentOf: { spaceId: "${space.id}" }, file: "text" }) { file { id } } }`;
    expect(await as.refusal(inline)).toBe("GRAPHQL_VALIDATION_FAILED");
    expect(
      await as.refusal(editDocument, { input: { contentOf: { spaceId: space.id }, edits: [{ deleteFile: {} }] } }),
    ).toBe("INVALID_INPUT");
  });
});
