// Reading the files of a content: visibility, order, pagination and SQL statements.
import { describe, expect, test } from "vitest";
import { giveFiles } from "#test/features/content/factory.ts";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { addRevision } from "#test/features/spaces/factory.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

const names = (count: number) => times(count, (index) => `file-${index}.txt`);

test("a file has its properties and its URL", async () => {
  const { space, reader } = await world.space();
  const [id = ""] = await giveFiles(app.database, space.revisionId, ["Ünïcode & more.md"]);
  const { space: found } = await app
    .as(reader.token)
    .query<{ space: { content: { file: Record<string, string> } } }>(
      `{ space(id: "${space.id}") { content { file(id: "${id}") { __typename id: fileId name contentType size dimensions { width height } downloadURL createdAt } } } }`,
    );
  const { downloadURL, createdAt, ...file } = found.content.file;
  expect(file).toEqual({
    __typename: "File",
    id,
    name: "Ünïcode & more.md",
    contentType: "text/markdown",
    size: 19,
    dimensions: null,
  });
  expect(createdAt).toMatch(/^2026-/);
  const prefix = `${app.url}/files/${id}/`;
  expect(downloadURL?.startsWith(prefix)).toBe(true);
  expect(downloadURL?.slice(prefix.length)).toMatch(
    /^rev_\w{26}\.\d+\.\w+\.[\w-]{43}\/%C3%9Cn%C3%AFcode%20%26%20more\.md$/,
  );
});

describe("the list of files", () => {
  const list = `query ($id: ID!, $first: Int, $after: String, $last: Int, $before: String) { node(id: $id) { ... on Revision {
    files(first: $first, after: $after, last: $last, before: $before) {
      totalCount nodes { id: fileId name } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } } }`;
  interface Listed {
    node: {
      files: {
        totalCount: number;
        nodes: { id: string; name: string }[];
        pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
      };
    };
  }

  test("is sorted by id and paginated in both directions", async () => {
    const { space, reader } = await world.space();
    const ids = await giveFiles(app.database, space.revisionId, names(5));
    const read = async (page: object) =>
      (await app.as(reader.token).query<Listed>(list, { id: space.revisionId, ...page })).node.files;
    const idsOf = ({ nodes }: Listed["node"]["files"]) => nodes.map(({ id }) => id);
    expect(idsOf(await read({}))).toEqual(ids);
    const first = await read({ first: 2 });
    expect([idsOf(first), first.totalCount, first.pageInfo.hasNextPage]).toEqual([ids.slice(0, 2), 5, true]);
    const second = await read({ first: 2, after: first.pageInfo.endCursor });
    expect(idsOf(second)).toEqual(ids.slice(2, 4));
    expect(second.pageInfo.hasPreviousPage).toBe(true);
    const third = await read({ first: 2, after: second.pageInfo.endCursor });
    expect([idsOf(third), third.pageInfo.hasNextPage]).toEqual([ids.slice(4), false]);
    expect(idsOf(await read({ last: 2, before: third.pageInfo.startCursor }))).toEqual(ids.slice(2, 4));
  });

  test("is empty without files, and contains only the files of its revision", async () => {
    const { space, reader, editor } = await world.space();
    const other = await world.insert((rows) => addRevision(rows, { spaceId: space.id, authorId: editor.id }));
    const [mine = ""] = await giveFiles(app.database, space.revisionId, ["mine.txt"]);
    const as = app.as(reader.token);
    expect((await as.query<Listed>(list, { id: other.id })).node.files).toMatchObject({ totalCount: 0, nodes: [] });
    const [theirs = ""] = await giveFiles(app.database, other.id, ["theirs.txt"]);
    const file = (revisionId: string, id: string) =>
      `{ node(id: "${revisionId}") { ... on Revision { file(id: "${id}") { name } } } }`;
    expect(await as.query(file(other.id, theirs))).toEqual({ node: { file: { name: "theirs.txt" } } });
    expect(await as.refusal(file(other.id, mine))).toBe("NOT_FOUND");
    expect(await as.refusal(file(space.revisionId, "fil_nothing"))).toBe("NOT_FOUND");
  });

  test("is visible to everyone who sees the revision", async () => {
    const { space, people } = await world.space();
    await giveFiles(app.database, space.revisionId, ["secret.txt"]);
    const read = (name: keyof typeof people) => app.as(people[name].token).query(list, { id: space.revisionId });
    expect(await read("reader")).toMatchObject({ node: { files: { nodes: [{ name: "secret.txt" }] } } });
    for (const name of ["outsider", "guest", "disabled"] as const) expect(await read(name)).toEqual({ node: null });
  });

  test("of an open space is visible to anyone, but not those of its change requests", async () => {
    const { space, outsider, changeRequest } = await world.changeRequest({ space: { visibility: "public" } });
    await giveFiles(app.database, space.revisionId, ["published.txt"]);
    await giveFiles(app.database, changeRequest.revisionId, ["proposed.txt"]);
    const as = app.as(outsider.token);
    expect(await as.query(`{ space(id: "${space.id}") { content { files { nodes { name } } } } }`)).toEqual({
      space: { content: { files: { nodes: [{ name: "published.txt" }] } } },
    });
    expect(await as.query(list, { id: changeRequest.revisionId })).toEqual({ node: null });
  });

  test("is the only access: a file cannot be read by its id alone", async () => {
    const { space, admin } = await world.space();
    const [id] = await giveFiles(app.database, space.revisionId, ["a.txt"]);
    expect(await app.as(admin.token).query(`{ node(id: "${id}") { id } }`)).toEqual({ node: null });
  });
});

describe("SQL statements of files", () => {
  test("one for the files of any number of revisions, and one more with counts", async () => {
    const { reader, editor, space } = await world.space();
    const made = await world.insert((rows) =>
      times(20, () => {
        const { id: revisionId } = addRevision(rows, { spaceId: space.id, parents: [space.revisionId] });
        return addChangeRequest(rows, { space, createdById: editor.id, revisionId });
      }),
    );
    for (const [index, { revisionId }] of made.entries()) await giveFiles(app.database, revisionId, names(index + 1));
    const document = `query ($first: Int, $files: Int) { space(id: "${space.id}") { changeRequests(first: $first) { nodes { content {
      files(first: $files) { totalCount nodes { name downloadURL } } } } } } }`;
    const as = app.as(reader.token);
    for (const first of [2, 20])
      for (const files of [2, 20]) expect(await as.statements(document, { first, files }), `${first} ${files}`).toBe(5);
  });
});
