// Contents in /v1: whole revisions and page trees of spaces and change requests, visibility, and cost.
import { describe, expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { gitBlob, gitTree } from "#src/features/content/model/git.ts";
import { documentOf } from "#src/rest/endpoint.ts";
import { schema } from "#src/schema.ts";
import { features } from "#src/features/index.ts";
import { giveFiles, giveLevels, giveTree } from "#test/features/content/factory.ts";
import { type Edit, editAs, newPage, wholeLayout } from "#test/features/content/edits.ts";
import { giveSpec } from "#test/features/openapi/specs.ts";
import { useApp } from "#test/support/app.ts";
import { sized } from "#test/support/runs.ts";
import { type Person, times, type World } from "#test/support/world.ts";

const { app, world } = await useApp();

interface Item {
  readonly id: string;
  readonly pages: readonly Item[];
  readonly [name: string]: unknown;
}

interface List {
  readonly next?: { readonly page: string };
}

interface Answer extends Item {
  readonly error?: { readonly code: number };
}

const get = async ({ token }: Person, path: string) => {
  const { status, body } = await app.as(token).rest<Answer>("GET", path);
  return { status, body };
};

const instant = expect.stringMatching(/^\d{4}-.*Z$/) as unknown;

/** Both kinds of contents: their paths, and the target of edits. */
const kinds = ["space", "change request"] as const;

async function makeFixture(kind: (typeof kinds)[number], given: Parameters<World["changeRequest"]>[0] = {}) {
  const made = await world.changeRequest(given);
  const { space, changeRequest } = made;
  const below = kind === "space" ? "" : `/change-requests/${changeRequest.number}`;
  const app_ = `${app.url}/app/spaces/${space.id}${kind === "space" ? "" : `/change-requests/${changeRequest.id}`}`;
  const target = kind === "space" ? { spaceId: space.id } : { changeRequestId: changeRequest.id };
  const edit = (...edits: Edit[]) => editAs(app.as(made.editor.token), target, ...edits);
  return { ...made, path: `/v1/spaces/${space.id}${below}/content`, edit, inApp: app_ };
}

describe.each(kinds)("GET of the content of a %s", (kind) => {
  test("returns the active revision with the whole page tree and everything else in the content", async () => {
    const { path, edit, reader, space, changeRequest, inApp } = await makeFixture(kind);
    const reusableContentId = newId("ReusableContent");
    const [guide, start, more] = [newPage("Guide", { markdown: "Secret" }), newPage("Start"), newPage("More")];
    const revisionId = await edit(
      guide.edit,
      { createPage: { ...start.edit["createPage"], parentId: guide.pageId } },
      { createPage: { ...more.edit["createPage"], parentId: start.pageId } },
      newPage("FAQ").edit,
      { setVariables: { variables: [{ name: "version", value: "1.2" }] } },
      { createReusableContent: { reusableContentId, title: "Shared", markdown: "Shared" } },
    );
    const { status, body } = await get(reader, `${path}?metadata=false`);
    expect(status).toBe(200);
    const entry = (title: string, of: object) => ({
      id: expect.stringMatching(/^pag_/) as unknown,
      title,
      type: "document",
      slug: title.toLowerCase(),
      createdAt: instant,
      updatedAt: instant,
      hidden: false,
      noIndex: false,
      noRobotsIndex: false,
      layout: wholeLayout,
      variables: {},
      urls: { app: expect.stringContaining(`${inApp}/pages/pag_`) as unknown },
      ...of,
    });
    expect(body).toEqual({
      object: "revision",
      id: revisionId,
      type: "edits",
      parents: [kind === "space" ? space.revisionId : changeRequest.revisionId],
      createdAt: instant,
      variables: { version: "1.2" },
      files: [],
      reusableContents: [{ id: reusableContentId, title: "Shared" }],
      urls: { app: `${app.url}/app/spaces/${space.id}/revisions/${revisionId}` },
      pages: [
        entry("Guide", {
          path: "guide",
          pages: [
            entry("Start", {
              path: "guide/start",
              pages: [entry("More", { path: "guide/start/more", pages: [] })],
            }),
          ],
        }),
        entry("FAQ", { path: "faq", pages: [] }),
      ],
    });
    expect(await get(reader, `${path}/pages?metadata=false`)).toEqual({ status: 200, body: { pages: body.pages } });
  });

  test("returns every field of pages", async () => {
    const { path, edit, reader, organization } = await makeFixture(kind);
    await giveSpec({ app, world }, { organizationId: organization.id, slug: "petstore" });
    const [fileId = ""] = await giveFiles(app.database, await edit(newPage("Last").edit), ["cover.txt"]);
    const computed = { type: "BUILTIN_OPENAPI", spec: "petstore", doc: "models" };
    await edit(
      newPage("Full", {
        emoji: "🧭",
        icon: "compass",
        description: "Everything",
        layout: { width: "WIDE", coverSize: "HERO", outline: false },
        cover: { fileId, fileDarkId: fileId, yPos: 3 },
        variables: [{ name: "version", value: "1.2" }],
        hidden: true,
      }).edit,
      newPage("Link", { type: "LINK", target: "https://example.com" }).edit,
      newPage("Models", { type: "COMPUTED", computed }).edit,
    );
    const file = { kind: "file", file: fileId };
    const { body } = await get(reader, `${path}/pages`);
    expect(body.pages).toMatchObject([
      { title: "Last" },
      {
        type: "document",
        emoji: "🧭",
        icon: "compass",
        description: "Everything",
        layout: { width: "wide", coverSize: "hero", outline: false },
        cover: { ref: file, refDark: file, yPos: 3 },
        variables: { version: "1.2" },
        hidden: true,
      },
      { type: "link", target: { kind: "url", url: "https://example.com" } },
      {
        type: "computed",
        computed: {
          type: "builtin:openapi",
          dependencies: { spec: { ref: { kind: "openapi", spec: "petstore" } } },
          props: { doc: "models" },
        },
        computedSeed: expect.any(String) as unknown,
      },
    ]);
    const [, , , models] = (await get(reader, `${path}/pages?computed=false`)).body.pages;
    expect(models).toMatchObject({ computed: { type: "builtin:openapi" } });
    expect(models).not.toHaveProperty("computedSeed");
  });

  test("returns pages with their texts as documents and as Markdown, evaluated on request, and with their child pages", async () => {
    const { path, edit, reader } = await makeFixture(kind);
    const guide = newPage("Guide", { markdown: "Version {{ version }}\n" });
    const start = newPage("Start", { parentId: guide.pageId, markdown: "Below" });
    const variables = [{ name: "version", value: "1.2" }];
    await edit(guide.edit, start.edit, newPage("Links", { type: "GROUP" }).edit, { setVariables: { variables } });
    const [listed, group] = (await get(reader, `${path}/pages`)).body.pages;
    const read = (query: string) => get(reader, `${path}/page/${guide.pageId}${query}`);
    const answer = (of: object) => ({ status: 200, body: { ...listed, ...of } });
    expect(await read("?format=markdown")).toEqual(answer({ markdown: "Version {{ version }}\n" }));
    expect(await read("?format=markdown&evaluated=true")).toEqual(answer({ markdown: "Version 1.2\n" }));
    const text = (of: string): unknown =>
      expect.objectContaining({ leaves: [expect.objectContaining({ text: of })] }) as unknown;
    const document = (...nodes: unknown[]) => ({
      object: "document",
      data: { schemaVersion: 1 },
      nodes: [expect.objectContaining({ type: "paragraph", nodes })],
    });
    const expression = expect.objectContaining({ type: "markdown", data: { source: "{{ version }}" } }) as unknown;
    for (const query of ["", "?format=document"])
      expect(await read(query)).toEqual(answer({ document: document(text("Version "), expression) }));
    expect(await read("?evaluated=true")).toEqual(answer({ document: document(text("Version 1.2")) }));
    expect((await get(reader, `${path}/page/${group?.id}`)).body).toEqual(group);
    for (const query of ["?evaluated=yes", "?format=html", "?format=MARKDOWN", "?format=markdown&format=document"])
      expect((await read(query)).status, query).toBe(400);
    for (const id of [newId("Page"), "guide", newId("File")])
      expect((await get(reader, `${path}/page/${id}`)).status, id).toBe(404);
  });

  test("returns files, as a list and individually", async () => {
    const { path, edit, reader, outsider } = await makeFixture(kind);
    const [one = "", two = "", three = ""] = await giveFiles(app.database, await edit(newPage("Page").edit), [
      "one.txt",
      "two.txt",
      "three.txt",
    ]);
    const first = await app.as(reader.token).rest<List>("GET", `${path}/files?limit=2`);
    expect(first).toMatchObject({ status: 200, body: { count: 3, items: [{ id: one }, { id: two }] } });
    const second = await app.as(reader.token).rest<List>("GET", `${path}/files?limit=2&page=${first.body.next?.page}`);
    expect(second.body).toEqual({ count: 3, items: [expect.objectContaining({ id: three })] });
    const file = {
      id: one,
      name: "one.txt",
      contentType: "text/plain",
      size: 7,
      downloadURL: expect.stringContaining(`/files/${one}/`) as unknown,
    };
    expect((await get(reader, `${path}/files/${one}`)).body["git"]).toMatchObject({ oid: gitBlob("one.txt") });
    expect(await get(reader, `${path}/files/${one}?metadata=false&computed=false`)).toEqual({
      status: 200,
      body: file,
    });
    expect((await get(reader, `${path}?metadata=false`)).body["files"]).toEqual([
      file,
      { ...file, id: two, downloadURL: expect.any(String) as unknown, name: "two.txt" },
      expect.objectContaining({ id: three, size: 9 }),
    ]);
    for (const [person, at] of [
      [reader, newId("File")],
      [reader, "one.txt"],
      [outsider, one],
    ] as const)
      expect((await get(person, `${path}/files/${at}`)).status).toBe(404);
    expect((await get(reader, `${path}/files?metadata=maybe`)).status).toBe(400);
  });

  test("requires a role, except for spaces that everyone may view", async () => {
    const open = await makeFixture(kind, { space: { visibility: "public" } });
    const { path, reader, guest, outsider, invitedGuest } = open;
    for (const at of [path, `${path}/pages`]) {
      const statuses = async (...people: Person[]) =>
        Promise.all(people.map(async (person) => (await get(person, at)).status));
      expect(await statuses(reader, invitedGuest)).toEqual([200, 200]);
      const open = kind === "space" ? 200 : 404;
      expect(await statuses(guest, outsider)).toEqual([open, open]);
    }
    const closed = await makeFixture(kind);
    for (const at of [closed.path, `${closed.path}/pages`]) expect((await get(closed.outsider, at)).status).toBe(404);
  });
});

test("GET of a change request's content accepts its id, and returns 404 for one of another space", async () => {
  const { space, changeRequest, reader } = await makeFixture("space");
  const other = await world.changeRequest({ space: { visibility: "public" } });
  const path = (spaceId: string, name: string | number) => `/v1/spaces/${spaceId}/change-requests/${name}/content`;
  for (const name of [changeRequest.id, changeRequest.number])
    expect((await get(reader, path(space.id, name))).body.id).toBe(changeRequest.revisionId);
  expect((await get(reader, path(other.space.id, changeRequest.id))).status).toBe(404);
  expect((await get(reader, path(space.id, other.changeRequest.id))).status).toBe(404);
  expect((await get(reader, path(space.id, "99"))).status).toBe(404);
});

test("GET of open main content includes its published URL, GET of an earlier revision does not", async () => {
  const { space, edit, editor, outsider } = await makeFixture("space", { space: { visibility: "public" } });
  const first = await edit(newPage("One").edit);
  const published = `${app.url}/published/${space.id}`;
  const { body } = await get(outsider, `/v1/spaces/${space.id}/content`);
  expect(body["urls"]).toEqual({
    app: `${app.url}/app/spaces/${space.id}/revisions/${first}`,
    published,
    public: published,
  });
  await edit(newPage("Two").edit);
  const urls = `{ node(id: "${first}") { ... on Revision { urls { published public } } } }`;
  expect(await app.as(editor.token).query(urls)).toEqual({ node: { urls: { published: null, public: null } } });
  await app.database.prisma.space.update({ where: { id: space.id }, data: { visibility: "unlisted" } });
  expect((await get(outsider, `/v1/spaces/${space.id}/content`)).body["urls"]).toEqual({
    app: expect.any(String) as unknown,
    published,
  });
});

describe("the parameter metadata", () => {
  test("adds Git metadata of the content unless it is false", async () => {
    const oid = gitTree([]);
    const { space, reader, changeRequest } = await makeFixture("space");
    const path = `/v1/spaces/${space.id}/content`;
    expect((await get(reader, path)).body["git"]).toEqual({ oid });
    expect((await get(reader, `${path}?metadata=true`)).body["git"]).toEqual({ oid });
    expect((await get(reader, `${path}?metadata=false`)).body).not.toHaveProperty("git");
    const inChangeRequest = await get(reader, `/v1/spaces/${space.id}/change-requests/${changeRequest.id}/content`);
    expect(inChangeRequest.body["git"]).toEqual({ oid });
  });

  test("is refused if it is neither true nor false, even where it has no effect", async () => {
    const { path, reader } = await makeFixture("space");
    for (const at of [`${path}?metadata=maybe`, `${path}/pages?metadata=1`, `${path}/pages?computed=`])
      expect((await get(reader, at)).status, at).toBe(400);
  });
});

test("a revision that a merge created has its change request, for users with a role", async () => {
  const { space, changeRequest, reader, outsider } = await makeFixture("space", { space: { visibility: "public" } });
  const { prisma } = app.database;
  await prisma.revision.update({ where: { id: space.revisionId }, data: { type: "merge" } });
  const merged = { status: "merged", revisionMergedId: space.revisionId } as const;
  await prisma.changeRequest.update({ where: { id: changeRequest.id }, data: merged });
  const path = `/v1/spaces/${space.id}/content`;
  expect((await get(reader, path)).body).toMatchObject({ type: "merge", mergedFrom: changeRequest.id });
  expect((await get(outsider, path)).body).not.toHaveProperty("mergedFrom");
});

describe("cost of reading contents in /v1", () => {
  function documentNamed(operationId: string): string {
    const route = features.flatMap(({ routes }) => routes).find((one) => one.operationId === operationId);
    if (!route) throw new Error(`Route ${operationId} does not exist.`);
    return documentOf(schema, route);
  }

  test("statements: space and revision, then the tree, which is cached after the first read; Git hashes once", async () => {
    const { space, reader } = await makeFixture("space");
    const fresh = { textOf: () => newId("Page") }; // whose hashes are not cached
    await giveLevels(app.database, space.revisionId, { count: 90, siblings: 10, ...fresh });
    const as = app.as(reader.token);
    const content = documentNamed("getSpaceContent");
    expect(await as.statements(content, { spaceId: space.id, metadata: false })).toBe(3);
    expect(await as.statements(content, { spaceId: space.id, metadata: false })).toBe(2);
    expect(await as.statements(content, { spaceId: space.id })).toBe(3);
    expect(await as.statements(content, { spaceId: space.id })).toBe(2);
    expect(await as.statements(documentNamed("listSpacePages"), { spaceId: space.id })).toBe(2);
  });

  test("1,500 files take as many statements as two", async () => {
    const { space, reader } = await makeFixture("space");
    const document = documentNamed("getSpaceContent");
    const as = app.as(reader.token);
    const give = (...names: string[]) => giveFiles(app.database, space.revisionId, names);
    await give("one.txt", "two.txt");
    const statements = await as.statements(document, { spaceId: space.id });
    await give(...times(1500, (index) => `${index}.txt`));
    expect((await get(reader, `/v1/spaces/${space.id}/content?metadata=false`)).body["files"]).toHaveLength(1502);
    expect(await as.statements(document, { spaceId: space.id })).toBe(statements);
  });

  test("thousands of pages are returned complete and in order; logs durations", async () => {
    const figures: string[] = [];
    for (const count of sized([100, 2000], [100, 1000, 10_000])) {
      const { path, space, reader } = await makeFixture("space");
      const ids = await giveTree(app.database, space.revisionId, count);
      const read = async () => {
        const start = performance.now();
        const { body } = await get(reader, `${path}/pages`);
        return { body, ms: performance.now() - start };
      };
      const first = await read();
      const again = await read();
      figures.push(`${count} pages: ${first.ms.toFixed(0)} ms, from memory ${again.ms.toFixed(0)} ms`);
      const idsIn = (pages: readonly Item[]): string[] =>
        pages.flatMap(({ id, pages: below }) => [id, ...idsIn(below)]);
      expect(idsIn(first.body.pages)).toEqual(ids);
      expect(again.body).toEqual(first.body);
    }
    console.info(figures.join("; "));
  });
});
