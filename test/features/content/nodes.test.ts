// Pages, files and reusable contents as nodes: ids that include the revision, and the edges of pages.
import { beforeAll, expect, test } from "vitest";
import { idInRevision, newId } from "#src/base/ids.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { type Edit, editAs, newPage, restoreDocument } from "#test/features/content/edits.ts";
import { giveTree } from "#test/features/content/factory.ts";
import { addSpace } from "#test/features/spaces/factory.ts";
import { uploadAs } from "#test/features/content/uploads.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

/** A space with `guide`, its children `start` and `more`, and then `faq`. */
async function makeFixture(given: Parameters<typeof world.changeRequest>[0] = {}) {
  const made = await world.changeRequest(given);
  const [guide, faq] = [newPage("Guide", { markdown: "One\n" }), newPage("FAQ")];
  const start = newPage("Start", { parentId: guide.pageId });
  const more = newPage("More", { parentId: guide.pageId });
  const as = app.as(made.editor.token);
  const edit = (...edits: readonly Edit[]) => editAs(as, { spaceId: made.space.id }, ...edits);
  const propose = (...edits: readonly Edit[]) => editAs(as, { changeRequestId: made.changeRequest.id }, ...edits);
  const revisionId = await edit(guide.edit, start.edit, more.edit, faq.edit);
  const ids = { guide: guide.pageId, start: start.pageId, more: more.pageId, faq: faq.pageId };
  return { ...made, as, edit, propose, revisionId, ids, reader: app.as(made.reader.token) };
}

let scene: Awaited<ReturnType<typeof makeFixture>>;
beforeAll(async () => {
  scene = await makeFixture();
});

const page = `query ($id: ID!) { node(id: $id) { __typename id ... on Page { pageId title revision { id } } } }`;

test("a page has one id per revision, which returns the page as of that revision", async () => {
  const { edit, ids, revisionId, reader, outsider } = await makeFixture();
  const later = await edit({ updatePage: { pageId: ids.guide, title: "Handbook" } });
  for (const [revision, title] of [
    [revisionId, "Guide"],
    [later, "Handbook"],
  ] as const) {
    const id = idInRevision(revision, ids.guide);
    expect(await reader.query(page, { id })).toEqual({
      node: { __typename: "Page", id, pageId: ids.guide, title, revision: { id: revision } },
    });
    expect(await app.as(outsider.token).query(page, { id })).toEqual({ node: null });
    const byId = `query ($revision: ID!, $id: ID!) { node(id: $revision) { ... on Revision { page(by: { id: $id }) { title } } } }`;
    expect(await reader.query(byId, { revision, id })).toEqual({ node: { page: { title } } });
  }
});

test("edits and comments accept the ids of a page and a reusable content from any revision", async () => {
  const { edit, ids, revisionId, space, commenter, reader } = await makeFixture();
  const reusableContentId = newId("ReusableContent");
  const shared = await edit({ createReusableContent: { reusableContentId, title: "Shared", markdown: "x" } });
  const at = (id: string) => idInRevision(revisionId, id);
  const later = await edit(
    { updatePage: { pageId: at(ids.start), title: "Begin" } },
    { movePage: { pageId: at(ids.start), parentId: at(ids.faq) } },
    { movePage: { pageId: at(ids.more), parentId: null, place: { beforePageId: at(ids.guide) } } },
    { deletePage: { pageId: at(ids.guide) } },
    { updateReusableContent: { reusableContentId: idInRevision(shared, reusableContentId), title: "New" } },
  );
  const document = `query ($id: ID!) { node(id: $id) { ... on Revision { allPages { path title } reusableContents { title } } } }`;
  expect(await reader.query(document, { id: later })).toEqual({
    node: {
      allPages: [
        { path: "more", title: "More" },
        { path: "faq", title: "FAQ" },
        { path: "faq/start", title: "Begin" },
      ],
      reusableContents: [{ title: "New" }],
    },
  });
  const post = `mutation ($input: CreateCommentInput!) { createComment(input: $input) { comment { target { page { pageId } } } } }`;
  const input = { contentOf: { spaceId: space.id }, pageId: at(ids.faq), text: { markdown: "Why?" } };
  const posted = await app.as(commenter.token).query(post, { input });
  expect(posted).toEqual({ createComment: { comment: { target: { page: { pageId: ids.faq } } } } });
  const list = `query ($id: ID!, $page: ID!) { space(id: $id) { comments(pageId: $page) { totalCount } } }`;
  for (const page of [ids.faq, at(ids.faq)])
    expect(await reader.query(list, { id: space.id, page })).toEqual({ space: { comments: { totalCount: 1 } } });
});

test("invalid node ids return null, whatever their form", async () => {
  const { reader, ids, revisionId, space } = scene;
  const own = ids.guide.slice(4);
  const hostile = [
    ids.guide, // without a revision
    newId("File"),
    newId("ReusableContent"),
    idInRevision(newId("Revision"), ids.guide),
    idInRevision(revisionId, newId("Page")),
    idInRevision(revisionId, newId("File")),
    idInRevision(revisionId, newId("ReusableContent")),
    idInRevision(revisionId, space.id), // a space is not part of a revision
    idInRevision(ids.guide, ids.guide),
    `pag_${own}${own}${own}`,
    `pag_${revisionId.slice(4)}${own.toUpperCase()}`,
    `pag_${revisionId.slice(4)}9${own.slice(1)}`,
    `pag_${revisionId.slice(4)}' or true --`,
    "pag_",
    "__proto__",
    "",
  ];
  const document = `query ($ids: [ID!]!) { nodes(ids: $ids) { id } }`;
  expect(await reader.query(document, { ids: hostile })).toEqual({ nodes: hostile.map(() => null) });
  const known = idInRevision(revisionId, ids.faq);
  expect(await reader.query(document, { ids: ["x", known, "y", known] })).toEqual({
    nodes: [null, { id: known }, null, { id: known }],
  });
  const many = times(101, () => known);
  const { errors } = await reader.graphql(document, { ids: many });
  expect(errors?.[0]).toMatchObject({
    message: "ids: must have at most 100 entries, and has 101.",
    extensions: { code: "INVALID_INPUT" },
  });
});

const around = `query ($id: ID!) { node(id: $id) { ... on Revision { allPages { path parent { path } ancestors { path } children { path }
  previous { path } next { path } space { id } changeRequest { id } } } } }`;

test("a page has its parent, siblings, children, and the previous and next page in reading order", async () => {
  const { reader, revisionId, space, edit, ids } = await makeFixture();
  await edit({ createPage: { title: "Deep", parentId: ids.more } });
  const at = (path: string | null) => path && { path };
  const entry = (path: string, parent: string | null, more: object) => ({
    path,
    parent: at(parent),
    space: { id: space.id },
    changeRequest: null,
    ...more,
  });
  const below = [at("guide/start"), at("guide/more")];
  expect(await reader.query(around, { id: revisionId })).toEqual({
    node: {
      allPages: [
        entry("guide", null, { ancestors: [], children: below, previous: null, next: at("guide/start") }),
        entry("guide/start", "guide", {
          ancestors: [at("guide")],
          children: [],
          previous: at("guide"),
          next: at("guide/more"),
        }),
        entry("guide/more", "guide", {
          ancestors: [at("guide")],
          children: [],
          previous: at("guide/start"),
          next: at("faq"),
        }),
        entry("faq", null, { ancestors: [], children: [], previous: at("guide/more"), next: null }),
      ],
    },
  });
  const deep = `{ space(id: "${space.id}") { content { page(by: { path: "guide/more/deep" }) { ancestors { path } next { path } } } } }`;
  expect(await reader.query(deep)).toEqual({
    space: { content: { page: { ancestors: [at("guide"), at("guide/more")], next: at("faq") } } },
  });
});

interface History {
  readonly node: {
    readonly history: { readonly totalCount: number; readonly nodes: readonly { readonly id: string }[] };
  } | null;
}

const history = `query ($id: ID!, $first: Int) { node(id: $id) { ... on Page { history(first: $first) { totalCount nodes { id } } } } }`;

test("the history of a page lists the revisions that created, edited, moved or deleted it, newest first", async () => {
  const { edit, propose, reader, revisionId: created, ids, as, space } = await makeFixture();
  const of = async (revision: string, pageId: string) => {
    const { node } = await reader.query<History>(history, { id: idInRevision(revision, pageId) });
    expect(node?.history.totalCount).toBe(node?.history.nodes.length);
    return node?.history.nodes.map(({ id }) => id);
  };
  await edit({ updatePage: { pageId: ids.faq, title: "Questions" } });
  const edited = await edit({ updatePage: { pageId: ids.start, markdown: "New\n" } });
  await edit({ movePage: { pageId: ids.start, place: { afterPageId: ids.more } } }); // reorders its siblings
  await edit({ updatePage: { pageId: ids.guide, slug: "handbook" } }); // changes its parent
  const moved = await edit({ movePage: { pageId: ids.start, parentId: ids.faq } });
  await edit({ movePage: { pageId: ids.faq, place: { beforePageId: ids.guide } } });
  const deleted = await edit({ deletePage: { pageId: ids.faq } }); // deletes its descendants
  const { data } = await as.graphql<{ restoreRevision: { revision: { id: string } } }>(restoreDocument, {
    input: { contentOf: { spaceId: space.id }, revisionId: moved },
  });
  const restored = data?.restoreRevision.revision.id ?? "";
  const whole = [restored, deleted, moved, edited, created];
  expect(await of(created, ids.start)).toEqual(whole);
  expect(await of(restored, ids.start)).toEqual(whole);
  expect(await of(created, ids.more)).toEqual([created]);
  const { node } = await reader.query<History>(history, { id: idInRevision(moved, ids.start), first: 2 });
  expect(node?.history).toEqual({ totalCount: 5, nodes: [{ id: restored }, { id: deleted }] });

  const proposed = await propose({ createPage: { pageId: newId("Page"), title: "Mine" } });
  const [mine] = (
    await reader.query<{ node: { pages: { pageId: string }[] } }>(
      `{ node(id: "${proposed}") { ... on Revision { pages { pageId } } } }`,
    )
  ).node.pages;
  expect(await of(proposed, mine?.pageId ?? "")).toEqual([proposed]);
});

test("a copied space starts new page histories, and outsiders see only the active revision", async () => {
  const { space, ids, edit, outsider, admin } = await makeFixture({ space: { visibility: "public" } });
  const active = await edit({ updatePage: { pageId: ids.guide, title: "Handbook" } });
  const seen = await app.as(outsider.token).query<History>(history, { id: idInRevision(active, ids.guide) });
  expect(seen.node?.history.nodes).toEqual([{ id: active }]);
  const { duplicateSpace } = await app
    .as(admin.token)
    .query<{ duplicateSpace: { space: { revisionId: string } } }>(
      `mutation { duplicateSpace(input: { spaceId: "${space.id}" }) { space { revisionId } } }`,
    );
  const { revisionId } = duplicateSpace.space;
  const { node } = await app.as(admin.token).query<History>(history, { id: idInRevision(revisionId, ids.start) });
  expect(node?.history.nodes).toEqual([{ id: revisionId }]);
});

const comments = `query ($id: ID!) { node(id: $id) { ... on Page { commentCount open: comments(status: OPEN) { totalCount }
  comments(first: 2, orderBy: { field: POSTED_AT }) { totalCount nodes { id } } } } }`;

test("a page has its comments, separately for the main content and change requests, for users with a role", async () => {
  const { space, changeRequest, ids, revisionId, propose, reader, commenter, outsider } = await makeFixture({
    space: { visibility: "public" },
  });
  const proposed = await propose({ createPage: { title: "Mine" } });
  const [copied] = (
    await reader.query<{ node: { pages: { pageId: string; id: string }[] } }>(
      `{ node(id: "${proposed}") { ... on Revision { pages { id pageId } } } }`,
    )
  ).node.pages;
  const here = { spaceId: space.id, postedById: commenter.id };
  const made = await world.insert((rows) => ({
    main: times(3, (index) =>
      addComment(rows, { ...here, pageId: ids.guide, status: index === 0 ? "resolved" : "open" }),
    ),
    other: addComment(rows, { ...here, pageId: ids.faq }),
    onChange: addComment(rows, { ...here, changeRequestId: changeRequest.id, pageId: copied?.pageId ?? "" }),
  }));
  const id = idInRevision(revisionId, ids.guide);
  const nodes = made.main.slice(0, 2).map((comment) => ({ id: comment.id }));
  const node = { commentCount: 2, open: { totalCount: 2 }, comments: { totalCount: 3, nodes } };
  expect(await reader.query(comments, { id })).toEqual({ node });
  expect(await reader.query(comments, { id: copied?.id })).toMatchObject({
    node: { commentCount: 1, comments: { nodes: [{ id: made.onChange.id }] } },
  });
  expect(await app.as(outsider.token).query(comments, { id })).toMatchObject({
    node: { commentCount: 0, comments: { totalCount: 0, nodes: [] } },
  });
});

test("covers and links resolve to the file and the page in the same revision", async () => {
  const { as, edit, space, ids, reader } = await makeFixture();
  const { file } = await uploadAs(as, { spaceId: space.id, file: new File(["x"], "cover.txt") });
  const cover = { fileId: file.id, fileDarkId: file.id };
  const revision = await edit(
    { updatePage: { pageId: ids.guide, cover } },
    newPage("Link", { type: "LINK", target: `page:${ids.faq}` }).edit,
  );
  const document = `query ($id: ID!) { node(id: $id) { ... on Revision { files { nodes { id } } allPages { cover { file { id name downloadURL }
    fileDark { fileId } ref { file { fileId } page { id } } } target { kind pageId page { id title } file { id } space { id } } } } } }`;
  const fileNode = idInRevision(revision, file.id);
  const { node } = await reader.query<{ node: { files: unknown; allPages: unknown[] } }>(document, { id: revision });
  expect(node.files).toEqual({ nodes: [{ id: fileNode }] });
  expect(node.allPages[0]).toEqual({
    cover: {
      file: { id: fileNode, name: "cover.txt", downloadURL: expect.stringContaining(`/files/${file.id}/`) as unknown },
      fileDark: { fileId: file.id },
      ref: { file: { fileId: file.id }, page: null },
    },
    target: null,
  });
  const linkedPage = { id: idInRevision(revision, ids.faq), title: "FAQ" };
  expect(node.allPages.at(-1)).toEqual({
    cover: null,
    target: { kind: "PAGE", pageId: ids.faq, page: linkedPage, file: null, space: null },
  });
  const byNode = `query ($id: ID!) { node(id: $id) { ... on File { fileId name git { path } } } }`;
  expect(await reader.query(byNode, { id: fileNode })).toEqual({
    node: { fileId: file.id, name: "cover.txt", git: { path: `.docgraph/files/${file.id}/cover.txt` } },
  });
  const one = `query ($id: ID!, $file: ID!) { node(id: $id) { ... on Revision { file(id: $file) { name } } } }`;
  for (const id of [file.id, fileNode])
    expect(await reader.query(one, { id: revision, file: id })).toEqual({ node: { file: { name: "cover.txt" } } });
});

test("a link to a page of another space resolves there for users who see that space", async () => {
  const { edit, reader, outsider, ...one } = await makeFixture({ space: { visibility: "public" } });
  const other = await world.insert((rows) => addSpace(rows, { organizationId: one.organization.id }));
  const there = newPage("There");
  const content = await editAs(app.as(one.admin.token), { spaceId: other.id }, there.edit);
  const target = `page:${other.id}/${there.pageId}`;
  const revision = await edit(newPage("Link", { type: "LINK", target }).edit);
  const document = `query ($id: ID!) { node(id: $id) { ... on Revision { page(by: { path: "link" }) { target { page { id title } space { id } } } } } }`;
  const linkedPage = { id: idInRevision(content, there.pageId), title: "There" };
  for (const [as, found] of [
    [reader, { page: linkedPage, space: { id: other.id } }],
    [app.as(outsider.token), { page: null, space: null }],
  ] as const)
    expect(await as.query(document, { id: revision })).toEqual({ node: { page: { target: found } } });
});

test("nodes take as many statements for twenty pages as for two, and one for each type", async () => {
  const { reader, space, changeRequest } = await world.changeRequest();
  const as = app.as(reader.token);
  const pageIds = await giveTree(app.database, changeRequest.revisionId, 20);
  await giveTree(app.database, space.revisionId, 2);
  const everything = `query ($id: ID!) { node(id: $id) { ... on Revision { allPages { id parent { id } ancestors { id } children { id } next { id }
    previous { id } commentCount comments { nodes { id } } history { nodes { id } } space { id } revision { id } changeRequest { id } } } } }`;
  // The revision, its tree, and one each for the counts, comments, histories, spaces, revisions and change requests.
  expect(await as.statements(everything, { id: space.revisionId })).toBe(7);
  expect(await as.statements(everything, { id: changeRequest.revisionId })).toBe(8);
  const document = `query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Page { title } } }`;
  const ids = (count: number) => [
    ...pageIds.slice(0, count).map((id) => idInRevision(changeRequest.revisionId, id)),
    ...times(count, () => idInRevision(space.revisionId, newId("File"))),
    ...times(count, () => idInRevision(space.revisionId, newId("ReusableContent"))),
  ];
  // Revisions of pages (their tree is cached), files, and revisions of reusable contents.
  expect([await as.statements(document, { ids: ids(2) }), await as.statements(document, { ids: ids(20) })]).toEqual([
    3, 3,
  ]);
});
