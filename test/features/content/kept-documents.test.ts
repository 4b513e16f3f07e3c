// Documents of pages round-trip, including parts that Markdown cannot express, through Markdown edits and merges.
import { expect, test } from "vitest";
import { setScene } from "#test/features/change-requests/scene.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { useApp } from "#test/support/app.ts";
import type { HttpClient } from "#test/support/client.ts";

const { app, world } = await useApp();

const text = (of: string) => ({ object: "text", leaves: [{ object: "leaf", text: of, marks: [] }] });
const block = (type: string, data: object, ...nodes: object[]) => ({
  object: "block",
  type,
  isVoid: false,
  data,
  nodes,
});
const paragraph = (of: string, align: string) => block("paragraph", { align }, text(of));
const documentWith = (...nodes: object[]) => ({ object: "document", data: { schemaVersion: 1 }, nodes });

async function documentOn(as: HttpClient, spaceId: string, pageId: string): Promise<object> {
  const { space } = await as.query<{ space: { content: { page: { document: object } } } }>(
    `query ($id: ID!, $pageId: ID!) { space(id: $id) { content { page(by: { id: $pageId }) { document } } } }`,
    { id: spaceId, pageId },
  );
  return space.content.page.document;
}

test("a page is read as the document that was written, and writing it again changes nothing", async () => {
  const { space, editor } = await world.space();
  const as = app.as(editor.token);
  const document = documentWith(paragraph("One", "center"), block("hint", { style: "info" }, paragraph("Two", "end")));
  const { pageId, edit } = newPage("Page", { document });
  const revision = await editAs(as, { spaceId: space.id }, edit);
  const read = await documentOn(as, space.id, pageId);
  expect(read).toMatchObject(document);
  expect(await editAs(as, { spaceId: space.id }, { updatePage: { pageId, document: read } })).toBe(revision);
});

test("a merge takes the settings of one side and the text of the other", async () => {
  const scene = await setScene(app, world);
  const { guide: pageId } = scene.ids;
  const page = (...nodes: object[]) => ({ updatePage: { pageId, document: documentWith(...nodes) } });
  await scene.main(page(paragraph("One", "start"), paragraph("Two", "start"), paragraph("Three", "start")));
  await scene.as.query(
    `mutation ($input: PullChangeRequestUpdatesInput!) { pullChangeRequestUpdates(input: $input) { result } }`,
    { input: scene.input },
  );
  await scene.mine(page(paragraph("One", "center"), paragraph("Two", "start"), paragraph("Three", "start")));
  await scene.main(page(paragraph("One", "start"), paragraph("Two", "start"), paragraph("All three", "start")));
  expect((await scene.merge()).errors).toBeUndefined();
  expect(await documentOn(scene.as, scene.space.id, pageId)).toMatchObject(
    documentWith(paragraph("One", "center"), paragraph("Two", "start"), paragraph("All three", "start")),
  );
});

test("a link page can link to everything that a reference can", async () => {
  const { space, editor, organization } = await world.space();
  const as = app.as(editor.token);
  const page = "pag_01h455vb4pex5vsknk084sn02q";
  const targets = [
    [`space:${space.id}`, { kind: "SPACE", spaceId: space.id }],
    [`user:${editor.id}`, { kind: "USER", userId: editor.id }],
    [
      "collection:col_01h455vb4pex5vsknk084sn02q",
      { kind: "COLLECTION", collectionId: "col_01h455vb4pex5vsknk084sn02q" },
    ],
    ["openapi:tide-gauge", { kind: "OPENAPI", spec: "tide-gauge" }],
    [`page:${space.id}/${page}#part`, { kind: "ANCHOR", pageId: page, spaceId: space.id, anchor: "part" }],
  ] as const;
  const edits = targets.map(([target], index) => newPage(`Link ${index}`, { type: "LINK", target }).edit);
  await editAs(as, { spaceId: space.id }, ...edits);
  const { space: found } = await as.query<{ space: { content: { pages: object[] } } }>(
    `{ space(id: "${space.id}") { content { pages { target { kind pageId spaceId userId collectionId spec anchor } } } } }`,
  );
  const none = { pageId: null, spaceId: null, userId: null, collectionId: null, spec: null, anchor: null };
  expect(found.content.pages).toEqual(targets.map(([, target]) => ({ target: { ...none, ...target } })));
  const { errors } = await as.graphql(
    `mutation ($input: EditContentInput!) { editContent(input: $input) { revision { id } } }`,
    {
      input: {
        contentOf: { spaceId: space.id },
        edits: [newPage("Bad", { type: "LINK", target: `user:${organization.id}` }).edit],
      },
    },
  );
  expect(errors?.[0]?.message).toMatch(/^edits\/0\/createPage\/target: must be an http, https or mailto URL/);
});
