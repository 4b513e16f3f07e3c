// The pages of a space beside its contents, over HTTP: history and restored revisions, files, links and settings.
import { expect, test } from "vitest";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { giveContent, giveFiles } from "#test/features/content/factory.ts";
import { fieldIn, textOf, visitorOf } from "#test/features/content/visiting.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";
import { contentAppPages } from "#src/features/content/pages/index.ts";

const { app, world } = await useApp();

async function makeSpace() {
  const made = await world.space();
  const spaceId = made.space.id;
  const page = newPage("First", { markdown: "One\n\nTwo\n\n[Lost](page:pag_01j00000000000000000000000)" });
  const edit = (...edits: Parameters<typeof editAs>[2][]) => editAs(app.as(made.admin.token), { spaceId }, ...edits);
  const before = await edit(page.edit);
  const after = await edit({ updatePage: { pageId: page.pageId, markdown: "One\n\nThree" } });
  return { ...made, spaceId, page: page.pageId, before, after, root: `/app/spaces/${spaceId}`, edit };
}

test("the history lists revisions, and a revision shows the lines that it changed", async () => {
  const { root, page, before, after, reader } = await makeSpace();
  const { read } = await visitorOf(app, reader);
  for (const path of ["/history", `/pages/${page}/history`]) {
    const { status, body } = await read(root + path);
    expect([path, status]).toEqual([path, 200]);
    expect([before, after].map((id) => body.includes(`${root}/revisions/${id}`))).toEqual([true, true]);
  }
  const { body } = await read(`${root}/revisions/${after}`);
  expect(body).toMatch(/<del>Two/);
  expect(body).toMatch(/<ins>Three/);
  const compared = await read(`${root}/compare?from=${after}&to=${before}`);
  expect([compared.status, compared.location]).toEqual([307, `${root}/revisions/${before}?since=${after}`]);
  const { body: back } = await read(compared.location ?? "");
  expect(back).toMatch(/<ins>Two/);
  expect(back).toMatch(new RegExp(`value="${after}" selected`));
  expect(body).not.toContain("Restore this version");
  expect((await read(`${root}/revisions/${after}?since=${after}`)).body).toContain("No page differs.");
});

test("an editor restores a revision", async () => {
  const { root, page, before, editor } = await makeSpace();
  const { read, send } = await visitorOf(app, editor);
  expect((await read(`${root}/revisions/${before}`)).body).toContain("Restore this version");
  const restored = await send(`${root}/revisions/${before}`, { form: "restore" });
  expect([restored.status, restored.location]).toEqual([303, `${root}/history`]);
  expect(fieldIn((await read(`${root}/pages/${page}/edit`)).body, "markdown")).toContain("Two");
});

test("a revision of another space returns 404", async () => {
  const [one, other] = [await makeSpace(), await makeSpace()];
  const { read } = await visitorOf(app, one.admin);
  expect((await read(`${one.root}/revisions/${other.after}`)).status).toBe(404);
});

test("broken links are listed with their pages", async () => {
  const { root, page, edit, reader } = await makeSpace();
  const { read } = await visitorOf(app, reader);
  expect(textOf((await read(`${root}/links`)).body)).toContain("All links of this space lead somewhere.");
  await edit({ updatePage: { pageId: page, markdown: "[Lost](page:pag_01j00000000000000000000000)" } });
  const { body } = await read(`${root}/links`);
  expect(textOf(body)).toContain("One address leads nowhere.");
  expect(body).toContain(`<a href="${root}/pages/${page}">First</a>`);
});

test("only an admin sees and changes the settings, and a refused title is kept", async () => {
  const { root, admin, editor, spaceId } = await makeSpace();
  expect((await (await visitorOf(app, editor)).read(`${root}/settings`)).status).toBe(404);
  const { read, send } = await visitorOf(app, admin);
  const fields = { form: "settings", title: "Guide", emoji: "📗", visibility: "PUBLIC", editMode: "LOCKED" };
  const saved = await send(`${root}/settings`, fields);
  expect([saved.status, saved.location]).toEqual([303, `${root}/settings`]);
  const { space } = await app
    .as(admin.token)
    .query<{ space: object }>(`{ space(id: "${spaceId}") { title emoji visibility editMode } }`);
  expect(space).toEqual({ title: "Guide", emoji: "📗", visibility: "PUBLIC", editMode: "LOCKED" });
  const refused = await send(`${root}/settings`, { ...fields, title: "x".repeat(100) });
  expect([refused.status, fieldIn(refused.body, "title")]).toEqual([400, "x".repeat(100)]);
  expect(fieldIn((await read(`${root}/settings`)).body, "title")).toBe("Guide");
});

test("a deleted space leads home, and an admin restores it", async () => {
  const { root, admin } = await makeSpace();
  const { read, send } = await visitorOf(app, admin);
  const deleted = await send(`${root}/settings`, { form: "delete" });
  expect([deleted.status, deleted.location]).toEqual([303, "/app"]);
  expect((await read(`${root}/settings`)).status).toBe(404);
  expect(textOf((await read(root)).body)).toContain("was deleted");
  expect(await send(root, { form: "restore" })).toMatchObject({ status: 303, location: root });
  expect((await read(root)).status).toBe(307);
});

test("files are listed with the way to name them in a text", async () => {
  const { space, reader } = await world.space();
  const [fileId] = await giveFiles(app.database, space.revisionId, ["plan.txt"]);
  const { status, body } = await (await visitorOf(app, reader)).read(`/app/spaces/${space.id}/files`);
  expect(status).toBe(200);
  expect(body).toContain(`(file:${fileId})`);
});

test("each page takes the same number of statements for 2 and for 50 pages", async () => {
  const counts = [];
  for (const size of [2, 50]) {
    const { space, admin } = await world.space();
    await giveContent(
      app.database,
      space.revisionId,
      times(size, (index) => `Page ${index}`),
      "Text",
    );
    const { space: found } = await app
      .as(admin.token)
      .query<{ space: { content: { id: string; allPages: { pageId: string }[] } } }>(
        `{ space(id: "${space.id}") { content { id allPages { pageId } } } }`,
      );
    const ids = { space: space.id, page: found.content.allPages[1]?.pageId, revision: found.content.id, after: null };
    const none = { text: "", isPreview: false, isSent: false, before: "", since: null };
    const rows = contentAppPages.filter(({ path }) => !path.includes("/change-requests/"));
    const took: [string, number][] = [];
    for (const { path, query } of rows) {
      const statements = await app.as(admin.token).statements(query, { ...ids, ...none });
      took.push([path, statements]);
      expect([path, statements]).toEqual([path, Math.min(statements, 9)]);
    }
    counts.push(took);
  }
  expect(counts[1]).toEqual(counts[0]);
});
