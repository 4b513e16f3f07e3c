// Pages computed from specifications: computed when they are written, and again for each new version.
import { describe, expect, test } from "vitest";
import { indexMissing } from "#src/features/content/commands/index-texts.ts";
import { newPage, outline, readPages } from "#test/features/content/edits.ts";
import { smallDocument } from "#test/features/openapi/factory.ts";
import { documentWith, fixtureMaker } from "#test/features/openapi/scene.ts";
import { compute, from, giveSpec } from "#test/features/openapi/specs.ts";
import { useApp } from "#test/support/app.ts";

// Has its own database: the job computes the oldest pages of the whole database.
const { app, world } = await useApp({ own: true });
const makeFixture = fixtureMaker({ app, world });

const titles = ["api", "  ships", "    listships", "  models", "    ship"];

describe("a computed page", () => {
  test("has its text and child pages at once, which are read like others", async () => {
    const { edit, read, as, space, reader } = await makeFixture(documentWith("All about *ships*."));
    const revisionId = await edit(newPage("API", from("harbour")).edit);
    expect(outline(await readPages(as, revisionId))).toEqual(titles);
    const api = await read();
    expect(api).toMatchObject({ revisionId, type: "COMPUTED", computed: { props: { doc: null } } });
    expect(api.markdown).toContain("All about *ships*.");
    expect(api.document.nodes.length).toBeGreaterThan(3);
    const operation = await read("api/ships/listships");
    expect(operation).toMatchObject({ type: "COMPUTED", computed: { props: { doc: "operations/listShips" } } });
    expect(operation.markdown).toContain("GET https://api.example.com/ships");
    const model = await read("api/models/ship");
    expect(operation.markdown).toContain(`[Ship](page:${model.pageId})`);
    const { node } = await app
      .as(reader.token)
      .query<{ node: { path: string } }>(`query ($id: ID!) { node(id: $id) { ... on Page { path } } }`, {
        id: operation.id,
      });
    expect(node.path).toBe("api/ships/listships");
    const { body } = await app
      .as(reader.token)
      .rest("GET", `/v1/spaces/${space.id}/content/page/${model.pageId}?format=markdown`);
    expect(body).toMatchObject({ id: model.pageId, type: "computed", markdown: model.markdown });
  });

  test("has only its written text where computed pages are not requested", async () => {
    const { edit, as, space, reader } = await makeFixture();
    const api = newPage("API", from("harbour"));
    await edit(api.edit);
    const rest = (path: string) => app.as(reader.token).rest("GET", `/v1/spaces/${space.id}/content${path}`);
    expect((await rest("/pages?computed=false")).body).toMatchObject({ pages: [{ slug: "api", type: "computed" }] });
    expect(JSON.stringify((await rest("/pages?computed=false")).body)).not.toMatch(/ships|computedSeed/);
    expect(JSON.stringify((await rest("?computed=false")).body)).not.toMatch(/ships/);
    expect(JSON.stringify((await rest("/pages")).body)).toMatch(/"listships".*computedSeed/);
    const page = await rest(`/page/${api.pageId}?format=markdown&computed=false`);
    expect(page.body).toMatchObject({ markdown: "" });
    expect(page.body).not.toHaveProperty("pages.0");
    const { space: found } = await as.query<{
      space: { content: { pages: { markdown: string; children: object[] }[] } };
    }>(`query ($id: ID!) { space(id: $id) { content { pages(computed: false) { markdown children { title } } } } }`, {
      id: space.id,
    });
    expect(found.content.pages).toEqual([{ markdown: "", children: [] }]);
  });

  test("contains only the part that it names", async () => {
    const { edit, read } = await makeFixture();
    await edit(
      newPage("Models", from("harbour", "models")).edit,
      newPage("One", from("harbour", "operations/listShips")).edit,
      newPage("None", from("harbour", "tags/planes")).edit,
    );
    expect(await read("models")).toMatchObject({
      markdown: expect.stringContaining("[Ship](page:") as unknown,
      children: [{ slug: "ship" }],
    });
    expect(await read("one")).toMatchObject({
      markdown: expect.stringContaining("`application/json`: array of Ship") as unknown,
      children: [],
    });
    expect((await read("none")).markdown).toBe("*The specification has no such part.*");
  });

  test("is empty without a version, and computed once one exists", async () => {
    const { edit, read, organization, space } = await makeFixture();
    const later = await giveSpec({ app, world }, { organizationId: organization.id, slug: "later" });
    await edit(newPage("API", from("later")).edit);
    expect(await read()).toMatchObject({ markdown: "", children: [] });
    await later.version(smallDocument);
    await compute(app, { spaceIds: [space.id] });
    expect((await read()).children).toHaveLength(2);
  });
});

describe("another version of a computed page's specification", () => {
  test("changes the pages and no revision; unchanged pages stay the same", async () => {
    const { edit, read, spec, space, organization } = await makeFixture();
    await edit(newPage("API", from("harbour")).edit);
    const before = [await read(), await read("api/ships/listships")] as const;
    await spec.version(documentWith("Now with planes.", { tags: [{ name: "ships", description: "What floats." }] }));
    await compute(app, { organizationId: organization.id });
    expect(await compute(app, { organizationId: organization.id })).toBe(0);
    const after = [await read(), await read("api/ships/listships")] as const;
    expect(after[0].markdown).toContain("Now with planes.");
    expect(after[0]).toMatchObject({ revisionId: before[0].revisionId, id: before[0].id });
    expect(after[0].computedSeed).not.toBe(before[0].computedSeed);
    expect(after[1]).toEqual(before[1]); // the same text and time
    expect((await read("api/ships")).markdown).toContain("What floats.");
    const [event] = (await app.eventsOf(space.id)).slice(-1);
    expect(event).toMatchObject({
      type: "space.contentUpdated",
      actorId: null,
      payload: { revisionId: after[0].revisionId },
    });
  });

  test("removes and adds pages; a page in both keeps its id", async () => {
    const { edit, read, spec, as } = await makeFixture();
    const revisionId = await edit(newPage("API", from("harbour")).edit);
    const { pageId } = await read("api/models/ship");
    const components = { schemas: { Plane: { type: "object" }, Ship: { type: "object" } } };
    await spec.version(documentWith("", { paths: {}, components }));
    await compute(app);
    expect(outline(await readPages(as, revisionId))).toEqual(["api", "  models", "    plane", "    ship"]);
    expect((await read("api/models/ship")).pageId).toBe(pageId);
  });

  test("becomes a revision if the space is set so", async () => {
    const { edit, read, spec, space, as, admin } = await makeFixture(documentWith("First."));
    await app
      .as(admin.token)
      .query(`mutation ($input: UpdateSpaceInput!) { updateSpace(input: $input) { space { freezesComputed } } }`, {
        input: { spaceId: space.id, freezesComputed: true },
      });
    const first = await edit(newPage("API", from("harbour")).edit);
    await spec.version(documentWith("Second."));
    await compute(app);
    const { revisionId, markdown } = await read();
    expect(markdown).toContain("Second.");
    expect(revisionId).not.toBe(first);
    const [old] = await readPages(as, first);
    expect(old?.markdown).toContain("First.");
    const { node } = await as.query<{ node: object }>(
      `query ($id: ID!) { node(id: $id) { ... on Revision { type message author { id } parents: parentRevisionIds changes { pages { nodes { kinds after { path } } } } } } }`,
      { id: revisionId },
    );
    expect(node).toEqual({
      type: "UPDATE",
      message: "Recomputed from harbour",
      author: null,
      parents: [first],
      changes: { pages: { nodes: [{ kinds: ["EDITED"], after: { path: "api" } }] } },
    });
  });

  test("updates locked spaces, and not deleted ones", async () => {
    const { edit, read, spec, space } = await makeFixture();
    await edit(newPage("API", from("harbour")).edit);
    const set = (data: object) => app.database.prisma.space.update({ where: { id: space.id }, data });
    await set({ editMode: "locked" });
    await spec.version(documentWith("For the locked."));
    await compute(app);
    expect((await read()).markdown).toContain("For the locked.");
    await set({ deletedAt: new Date() });
    await spec.version(documentWith("For the deleted."));
    expect(await compute(app)).toBe(0);
  });

  test("updates search and links", async () => {
    const { edit, spec, space, as, read } = await makeFixture();
    await edit(newPage("API", from("harbour")).edit);
    const { pageId } = await read("api/ships/listships");
    await edit(newPage("Guide", { markdown: `[list](page:${pageId})` }).edit);
    await spec.version(documentWith("A wild quokka."));
    await compute(app);
    await indexMissing(app.database);
    const found = await as.query<{ space: { search: { nodes: { path: string }[] }; content: { page: object } } }>(
      `query ($id: ID!, $pageId: ID!) { space(id: $id) { search(text: "quokka") { nodes { path } }
        content { page(by: { id: $pageId }) { backlinks(first: 5) { totalCount } } } } }`,
      { id: space.id, pageId },
    );
    expect(found.space).toEqual({
      search: { nodes: [{ path: "api" }] },
      content: { page: { backlinks: { totalCount: 2 } } },
    });
  });

  test("applies immediately during an edit, and once when several gateways compute", async () => {
    const { edit, spec, read, space } = await makeFixture();
    const api = newPage("API", from("harbour"));
    await edit(api.edit);
    await spec.version(documentWith("Late."));
    await Promise.all([
      edit({ updatePage: { pageId: api.pageId, title: "Renamed" } }),
      ...[1, 2, 3].map(() => compute(app, { spaceIds: [space.id] })),
    ]);
    await compute(app);
    const page = await read();
    expect(page.markdown).toContain("Late.");
    expect(page.children).toHaveLength(2);
  });
});

describe("a computed page without its specification", () => {
  test("is empty, and so are its former child pages", async () => {
    const { edit, read, spec, as } = await makeFixture();
    const revisionId = await edit(newPage("API", from("harbour")).edit);
    await app.database.prisma.openApiSpec.delete({ where: { id: spec.id } });
    await compute(app);
    expect(await read()).toMatchObject({ markdown: "", children: [] });
    expect(outline(await readPages(as, revisionId))).toEqual(["api"]);
  });
});
