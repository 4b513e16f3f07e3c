// The pages of spaces and their contents in the application, over HTTP: what each role sees, and what forms do.
import { expect, test } from "vitest";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { fieldIn, textOf, visitorOf } from "#test/features/content/visiting.ts";
import { useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

const text = "# Begin\n\nWords **of** the page.\n\n# End\n\nMore words.";

/** A space with two pages. */
async function makeSpace(given: Parameters<typeof world.space>[0] = {}) {
  const made = await world.space(given);
  const spaceId = made.space.id;
  const [first, second] = [
    newPage("First", { markdown: text, description: "About it" }),
    newPage("Second", { markdown: "Two" }),
  ];
  await editAs(app.as(made.admin.token), { spaceId }, first.edit, second.edit);
  const root = `/app/spaces/${spaceId}`;
  return { ...made, spaceId, root, first: first.pageId, second: second.pageId };
}

test("the page of a space leads to its first page, which has the text, the tree and the parts of the space", async () => {
  const { root, first, second, reader } = await makeSpace();
  const { read } = await visitorOf(app, reader);
  expect(await read(root)).toMatchObject({ status: 307, location: `${root}/pages/${first}` });
  const { status, body } = await read(`${root}/pages/${first}`);
  expect(status).toBe(200);
  expect(body).toContain("<strong>of</strong>");
  expect(body).toMatch(new RegExp(`href="${root}/pages/${first}"\\s+aria-current="page"`));
  expect(body).toContain(`rel="next" href="${root}/pages/${second}"`);
  expect(textOf(body)).toContain("On this page Begin End");
});

test("edit buttons are shown only to people who may edit", async () => {
  const { root, first, reader, commenter, editor } = await makeSpace();
  for (const [person, isShown] of [
    [reader, false],
    [commenter, false],
    [editor, true],
  ] as const) {
    const { body } = await (await visitorOf(app, person)).read(`${root}/pages/${first}`);
    expect(body.includes('value="edit"')).toBe(isShown);
    expect(body.includes("New page")).toBe(isShown);
  }
});

test("returns 404 for a space that is not visible", async () => {
  const { root, first, outsider } = await makeSpace();
  const { read, send } = await visitorOf(app, outsider);
  for (const path of ["", `/pages/${first}`, `/pages/${first}/edit`, "/pages/new"])
    expect([path, (await read(root + path)).status]).toEqual([path, 404]);
  expect((await send(`${root}/pages/${first}`, { form: "edit" })).status).toBe(404);
});

test("a form without the origin of a page of ours is refused", async () => {
  const { root, first, editor } = await makeSpace();
  const { send } = await visitorOf(app, editor);
  for (const origin of [null, "https://elsewhere.example.com"])
    expect((await send(`${root}/pages/${first}`, { form: "edit" }, origin)).status).toBe(403);
});

test("the edit button opens a change request, in which the page is edited and saved", async () => {
  const { root, first, editor, spaceId } = await makeSpace();
  const { read, send } = await visitorOf(app, editor);
  const { status, location } = await send(`${root}/pages/${first}`, { form: "edit" });
  expect([status, location]).toEqual([303, expect.stringMatching(new RegExp(`^${root}/change-requests/chr_.*/edit$`))]);
  const edit = location ?? "";
  const { body } = await read(edit);
  expect(fieldIn(body, "markdown")).toBe(text);
  const expectedRevisionId = fieldIn(body, "expectedRevisionId") ?? "";
  const fields = { expectedRevisionId, title: "First", description: "", markdown: "Other\r\n\r\nwords" };
  const saved = await send(edit, { form: "save", ...fields });
  expect([saved.status, saved.location]).toEqual([303, edit.replace(/\/edit$/, "")]);
  const shown = (await read(saved.location ?? "")).body;
  expect(shown).toMatch(/<p>Other<\/p>\s*<p>words<\/p>/);
  expect(textOf(shown)).toContain("In the change request #1");
  const again = textOf((await read(`${root}/pages/${first}`)).body);
  expect(again).toContain("Edit in #1");
  expect(again).toContain("Words of the page");
  const { space } = await app
    .as(editor.token)
    .query<{ space: { changeRequests: { totalCount: number } } }>(
      `{ space(id: "${spaceId}") { changeRequests { totalCount } } }`,
    );
  expect(space.changeRequests.totalCount).toBe(1);
});

test("a preview shows the text of the form and saves nothing", async () => {
  const { root, first, editor } = await makeSpace();
  const { read, send } = await visitorOf(app, editor);
  const edit = `${root}/pages/${first}/edit`;
  const expectedRevisionId = fieldIn((await read(edit)).body, "expectedRevisionId") ?? "";
  const markdown = "A *draft* <script>alert(1)</script> </textarea>";
  const { status, body } = await send(edit, { form: "preview", expectedRevisionId, title: "Other", markdown });
  expect(status).toBe(200);
  expect(body).toContain("<em>draft</em>");
  expect(body).not.toContain("<script>alert");
  expect([fieldIn(body, "markdown"), fieldIn(body, "title")]).toEqual([markdown, "Other"]);
  expect(fieldIn((await read(edit)).body, "markdown")).toBe(text);
});

test("a save after somebody else's combines both changes, and a second save stores them", async () => {
  const { root, first, editor, admin, spaceId } = await makeSpace();
  const { read, send } = await visitorOf(app, editor);
  const edit = `${root}/pages/${first}/edit`;
  const expectedRevisionId = fieldIn((await read(edit)).body, "expectedRevisionId") ?? "";
  const theirs = { pageId: first, title: "Renamed", markdown: text.replace("More words", "Their words") };
  await editAs(app.as(admin.token), { spaceId }, { updatePage: theirs });
  const ours = { title: "First", description: "About it", markdown: text.replace("# Begin", "# Start") };
  const refused = await send(edit, { form: "save", expectedRevisionId, ...ours });
  expect(refused.status).toBe(409);
  expect(textOf(refused.body)).toContain("Somebody else saved this page while you edited it.");
  const both = text.replace("# Begin", "# Start").replace("More words", "Their words");
  expect([fieldIn(refused.body, "title"), fieldIn(refused.body, "markdown")]).toEqual(["Renamed", both]);
  const next = fieldIn(refused.body, "expectedRevisionId") ?? "";
  expect(next).not.toBe(expectedRevisionId);
  const saved = await send(edit, { ...ours, form: "save", expectedRevisionId: next, markdown: both });
  expect(saved.status).toBe(303);
  expect(fieldIn((await read(edit)).body, "markdown")).toBe(both);
});

test("a conflict shows both versions of the lines, and keeps ours in the text", async () => {
  const { root, first, editor, admin, spaceId } = await makeSpace();
  const { read, send } = await visitorOf(app, editor);
  const edit = `${root}/pages/${first}/edit`;
  const expectedRevisionId = fieldIn((await read(edit)).body, "expectedRevisionId") ?? "";
  const theirs = text.replace("More words", "Their words");
  await editAs(app.as(admin.token), { spaceId }, { updatePage: { pageId: first, markdown: theirs } });
  const markdown = text.replace("More words", "Our words");
  const { status, body } = await send(edit, { form: "save", expectedRevisionId, title: "First", markdown });
  expect(status).toBe(409);
  expect(fieldIn(body, "markdown")).toBe(markdown);
  expect(textOf(body)).toMatch(/Yours, from line 7 Our words\. Theirs Their words\./);
});

test("an empty space offers templates, and a template fills it", async () => {
  const { space, editor, reader } = await world.space();
  const root = `/app/spaces/${space.id}`;
  const { read, send } = await visitorOf(app, editor);
  const { status, body } = await read(root);
  expect([status, textOf(body)]).toEqual([200, expect.stringContaining("Or begin with a template")]);
  expect((await (await visitorOf(app, reader)).read(root)).body).not.toContain("template");
  expect(await send(root, { form: "template", template: "CHANGELOG" })).toMatchObject({ status: 303, location: root });
  expect((await read(root)).status).toBe(307);
});

test("a new page is created below another one, and a refused one keeps its fields", async () => {
  const { root, first, editor } = await makeSpace();
  const { read, send } = await visitorOf(app, editor);
  const fields = { form: "create", title: "Third", parentId: first };
  const made = await send(`${root}/pages/new`, fields);
  expect([made.status, made.location]).toEqual([303, expect.stringMatching(/\/pages\/pag_\w+\/edit$/)]);
  expect(textOf((await read(`${root}/pages/${first}`)).body)).toContain("Third");
  const refused = await send(`${root}/pages/new`, { ...fields, title: "x".repeat(300) });
  expect([refused.status, fieldIn(refused.body, "title")]).toEqual([400, "x".repeat(300)]);
  expect(refused.body).toContain('role="alert"');
});

test("a locked space is edited in change requests alone", async () => {
  const { root, first, editor } = await makeSpace();
  await app.database.prisma.space.update({ where: { id: root.split("/").at(-1) ?? "" }, data: { editMode: "locked" } });
  const { read, send } = await visitorOf(app, editor);
  expect(textOf((await read(`${root}/pages/${first}`)).body)).not.toContain("without a review");
  expect((await read(`${root}/pages/${first}/edit`)).status).toBe(307);
  const { status, location } = await send(`${root}/pages/new`, { form: "begin" });
  expect([status, location]).toEqual([303, expect.stringMatching(/\/change-requests\/chr_\w+\/pages\/new$/)]);
  expect((await read(location ?? "")).status).toBe(200);
});

test("a deleted page leads back to the space", async () => {
  const { root, second, editor } = await makeSpace();
  const { read, send } = await visitorOf(app, editor);
  const deleted = await send(`${root}/pages/${second}/edit`, { form: "delete" });
  expect([deleted.status, deleted.location]).toEqual([303, root]);
  expect((await read(`${root}/pages/${second}`)).status).toBe(404);
});

test("a page moves inside another one and back to the beginning", async () => {
  const { root, first, second, editor } = await makeSpace();
  const { read, send } = await visitorOf(app, editor);
  const edit = `${root}/pages/${second}/edit`;
  expect((await read(edit)).body).toContain(`<option value="in ${first}">`);
  const moved = await send(edit, { form: "move", place: `in ${first}` });
  expect([moved.status, moved.location]).toEqual([303, `${root}/pages/${second}`]);
  expect((await read(`${root}/pages/${second}`)).body).toMatch(/Breadcrumbs[\s\S]*First<\/a>[\s\S]*<\/nav>/);
  expect((await send(edit, { form: "move", place: `before ${first}` })).status).toBe(303);
  expect((await read(root)).location).toBe(`${root}/pages/${second}`);
  const refused = await send(edit, { form: "move", place: `in ${second}` });
  expect([refused.status, refused.body.includes('role="alert"')]).toEqual([400, true]);
});

test("a group is created, and its title is edited without a text", async () => {
  const { root, editor } = await makeSpace();
  const { read, send } = await visitorOf(app, editor);
  const { location } = await send(`${root}/pages/new`, { form: "create", title: "Guides", type: "GROUP" });
  const { status, body } = await read(location ?? "");
  expect([status, fieldIn(body, "markdown"), fieldIn(body, "title")]).toEqual([200, undefined, "Guides"]);
  const expectedRevisionId = fieldIn(body, "expectedRevisionId") ?? "";
  expect((await send(location ?? "", { form: "save", expectedRevisionId, title: "Manuals" })).status).toBe(303);
  expect(textOf((await read(root)).body + (await read(location ?? "")).body)).toContain("Manuals");
});

test("an import begins on the page of new pages, which shows how far it is", async () => {
  const { space, editor } = await world.space();
  const root = `/app/spaces/${space.id}`;
  const { read, send } = await visitorOf(app, editor);
  const fields = { form: "import", source: "WEBSITE", url: "https://docs.example.com/" };
  const begun = await send(root, fields);
  expect([begun.status, begun.location]).toEqual([303, `${root}/pages/new`]);
  const { body } = await read(`${root}/pages/new`); // the import runs meanwhile
  expect(textOf(/role="status">.*?<\/div>/s.exec(body)?.[0] ?? "")).toContain("https://docs.example.com/");
  const refused = await send(`${root}/pages/new`, { ...fields, url: "nowhere" });
  expect([refused.status, fieldIn(refused.body, "url")]).toEqual([400, "nowhere"]);
});
