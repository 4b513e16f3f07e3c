// Reading content: visibility of revisions by role and link, and SQL statements.
import { describe, expect, test } from "vitest";
import { giveContent } from "#test/features/content/factory.ts";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { addRevision } from "#test/features/spaces/factory.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

const revision = `query ($id: ID!) { node(id: $id) { ... on Revision { message author { id } pages { title markdown } } } }`;

describe("visibility of content", () => {
  test("users with a role see every revision, others only the active one of an open space, without author and message", async () => {
    const { space, editor, reader, outsider } = await world.space({ space: { visibility: "public" } });
    const as = app.as(editor.token);
    const input = { spaceId: space.id, message: "Secret reasons" };
    const first = await editAs(as, input, newPage("First", { markdown: "1" }).edit);
    const second = await editAs(as, input, newPage("Second", { markdown: "2" }).edit);
    const read = (token: string, id: string) => app.as(token).query<{ node: object | null }>(revision, { id });
    const page = (title: string, markdown: string) => ({ title, markdown });
    expect(await read(reader.token, first)).toEqual({
      node: { message: "Secret reasons", author: { id: editor.id }, pages: [page("First", "1")] },
    });
    expect(await read(outsider.token, first)).toEqual({ node: null });
    expect(await read(outsider.token, second)).toEqual({
      node: { message: null, author: null, pages: [page("First", "1"), page("Second", "2")] },
    });
    const { space: found } = await app
      .as(outsider.token)
      .query<{ space: object }>(
        `{ space(id: "${space.id}") { content { id pageCount message } revisions { totalCount nodes { id } } } }`,
      );
    expect(found).toEqual({
      content: { id: second, pageCount: 2, message: null },
      revisions: { totalCount: 0, nodes: [] },
    });
  });

  test("the content is visible with the key of a share link, and not without", async () => {
    const { space, outsider } = await world.space({ space: { visibility: "share_link", shareKey: "the-key" } });
    await giveContent(app.database, space.revisionId, ["Shared"]);
    const as = app.as(outsider.token);
    const read = (key: string) => `{ space(id: "${space.id}", shareKey: "${key}") { content { pages { title } } } }`;
    expect(await as.query(read("the-key"))).toEqual({ space: { content: { pages: [{ title: "Shared" }] } } });
    expect(await as.refusal(read("a-key"))).toBe("NOT_FOUND");
    expect(await as.query(revision, { id: space.revisionId })).toEqual({ node: null });
  });

  test("revisions of change requests of open spaces, and of deleted spaces, are not visible to users without a role", async () => {
    const { space, editor, outsider, admin, changeRequest } = await world.changeRequest({
      space: { visibility: "public" },
    });
    const id = await editAs(app.as(editor.token), { changeRequestId: changeRequest.id }, newPage("Draft").edit);
    expect(await app.as(outsider.token).query(revision, { id })).toEqual({ node: null });
    expect(await app.as(editor.token).query(revision, { id })).not.toEqual({ node: null });
    await app.database.prisma.space.update({ where: { id: space.id }, data: { deletedAt: new Date() } });
    expect(await app.as(admin.token).query(revision, { id })).toEqual({ node: null });
  });
});

test("a page is found by exactly one of id and path", async () => {
  const { space, editor } = await world.space();
  const as = app.as(editor.token);
  const [top, inner] = [newPage("Top"), newPage("Inner")];
  await editAs(as, { spaceId: space.id }, top.edit, {
    createPage: { ...inner.edit["createPage"], parentId: top.pageId },
  });
  const one = (args: string) => `{ space(id: "${space.id}") { content { page${args} { pageId path } } } }`;
  for (const args of [`(by: { id: "${inner.pageId}" })`, `(by: { path: "top/inner" })`])
    expect(await as.query(one(args))).toEqual({
      space: { content: { page: { pageId: inner.pageId, path: "top/inner" } } },
    });
  for (const args of [
    `(by: { path: "inner" })`,
    `(by: { path: "top/inner/" })`,
    `(by: { path: "" })`,
    `(by: { id: "${space.id}" })`,
  ])
    expect(await as.refusal(one(args)), args).toBe("NOT_FOUND");
  for (const args of ["", "(by: {})", `(by: { id: "x", path: "top" })`])
    expect(await as.refusal(one(args)), args).toBe("GRAPHQL_VALIDATION_FAILED");
  const byVariable = `query ($by: PageKey!) { space(id: "${space.id}") { content { page(by: $by) { path } } } }`;
  for (const by of [{}, { id: "x", path: "top" }])
    expect(await as.refusal(byVariable, { by }), JSON.stringify(by)).toBe("INVALID_INPUT");
});

describe("SQL statements of reading content", () => {
  const content = "content { message pageCount pages { title path markdown pages { title markdown } } }";

  test("one each for space, revision, pages and texts: as many for 2 pages as for 90", async () => {
    // Longer lists may pause, and read in several statements between the pauses.
    const { reader, space } = await world.space();
    const other = (await world.space({ space: { visibility: "public" } })).space;
    await giveContent(app.database, space.revisionId, ["One", "Two"]);
    const titles = times(90, (index) => `Page ${index}`);
    await giveContent(app.database, other.revisionId, titles);
    const as = app.as(reader.token);
    for (const { id } of [space, other]) {
      const document = `{ space(id: "${id}") { ${content} } }`;
      expect(await as.statements(document)).toBe(4);
      expect(await as.statements(document)).toBe(3); // the tree is cached by now
    }
    expect(
      await as.statements(`{ space(id: "${space.id}") { content { page(by: { path: "one" }) { title } } } }`),
    ).toBe(2);
  });

  test("cached content is not shown to users who may not see the revision", async () => {
    const { reader, outsider, space } = await world.space();
    await giveContent(app.database, space.revisionId, ["Secret"]);
    const read = (token: string) => app.as(token).query(revision, { id: space.revisionId });
    expect(await read(reader.token)).toMatchObject({ node: { pages: [{ title: "Secret" }] } });
    expect(await read(outsider.token)).toEqual({ node: null });
  });

  test("contents of 20 change requests take as many as those of 2", async () => {
    const { reader, editor, space } = await world.space();
    const made = await world.insert((rows) =>
      times(20, () => {
        const { id: revisionId } = addRevision(rows, { spaceId: space.id, parents: [space.revisionId] });
        return addChangeRequest(rows, { space, createdById: editor.id, revisionId });
      }),
    );
    for (const [index, { revisionId }] of made.entries())
      await giveContent(app.database, revisionId, [`Page ${index}`, "Same"]);
    const document = `query ($first: Int) { space(id: "${space.id}") { changeRequests(first: $first) { nodes { ${content} } } } }`;
    const as = app.as(reader.token);
    expect(await as.statements(document, { first: 2 })).toBe(5);
    expect(await as.statements(document, { first: 20 })).toBe(5);
  });

  test("more than 100,000 pages in total are INVALID_INPUT, even if revisions share them", async () => {
    const { reader, editor, space } = await world.space();
    const titles = times(1001, (index) => `Page ${index}`);
    await giveContent(app.database, space.revisionId, titles);
    const { revisionId } = space;
    await world.insert((rows) =>
      times(100, () => addChangeRequest(rows, { space, createdById: editor.id, revisionId })),
    );
    const list = `{ space(id: "${space.id}") { changeRequests(first: 100) { nodes { content { pageCount pages { title } } } } } }`;
    const { errors } = await app.as(reader.token).graphql(list);
    expect(errors?.[0]?.extensions.code).toBe("INVALID_INPUT");
    expect(await app.as(reader.token).query(list.replace("pages { title }", ""))).toBeDefined();
  });
});
