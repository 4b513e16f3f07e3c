// Content beside the texts of pages: variables, reusable contents, covers and computed pages.
import { describe, expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { type Edit, editAs, editDocument, newPage, restoreDocument } from "#test/features/content/edits.ts";
import { giveFiles } from "#test/features/content/factory.ts";
import { giveSpec } from "#test/features/openapi/specs.ts";
import { useApp } from "#test/support/app.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

const set = (variables: Readonly<Record<string, string | null>>): Edit => ({
  setVariables: { variables: Object.entries(variables).map(([name, value]) => ({ name, value })) },
});

/** A new reusable content with an id from here, and that id. */
function newReusable(title: string, markdown = `${title}\n`): { id: string; edit: Edit } {
  const id = newId("ReusableContent");
  return { id, edit: { createReusableContent: { reusableContentId: id, title, markdown } } };
}

const readDocument = /* GraphQL */ `
  query ($id: ID!) {
    space(id: $id) {
      revisionId
      content {
        variables {
          name
          value
        }
        reusableContents {
          reusableContentId
          title
          markdown
        }
      }
    }
  }
`;

interface Includes {
  readonly variables: readonly { name: string; value: string }[];
  readonly reusableContents: readonly { reusableContentId: string; title: string; markdown: string }[];
}

/** A space, its editor's client, and the includes of its main content. */
async function makeFixture() {
  const made = await world.space();
  const { space, editor, organization } = made;
  await giveSpec({ app, world }, { organizationId: organization.id, slug: "petstore" });
  const as = app.as(editor.token);
  const read = async (id = space.id) =>
    (await as.query<{ space: { revisionId: string; content: Includes } }>(readDocument, { id })).space;
  const edit = (...edits: Edit[]) => editAs(as, { spaceId: space.id }, ...edits);
  const refuse = async (...edits: Edit[]) => {
    const { errors } = await as.graphql(editDocument, { input: { contentOf: { spaceId: space.id }, edits } });
    const { code, details } = errors?.[0]?.extensions ?? { code: "none" };
    return [code, ...(details ?? []).map(({ path }) => path)].join(" ");
  };
  return { ...made, as, read, edit, refuse };
}

describe("variables of a content", () => {
  test("are set by name and removed by null; variables not named stay", async () => {
    const { read, edit } = await makeFixture();
    await edit(set({ version: " 1.2 ", product: "Gauge", empty: "" }));
    await edit(set({ version: "1.3", product: null, missing: null }));
    expect((await read()).content.variables).toEqual([
      { name: "empty", value: "" },
      { name: "version", value: "1.3" },
    ]);
  });

  test("that are unchanged create no revision", async () => {
    const { edit, read } = await makeFixture();
    const first = await edit(set({ a: "1", b: "2" }));
    expect(await edit(set({ b: "2" }), set({ c: null }))).toBe(first);
    expect(await edit(set({ a: "other" }), set({ a: "1" }))).toBe(first);
    expect((await read()).revisionId).toBe(first);
  });

  test.each<[string, object, string]>([
    ["no value", { name: "a" }, "0/value"],
    ["a value that is too long", { name: "a", value: "x".repeat(1001) }, "0/value"],
    ["a value with NUL", { name: "a", value: "x\0" }, "0/value"],
    ["a name that starts with a digit", { name: "1a", value: "" }, "0/name"],
    ["a name with a space", { name: "a b", value: "" }, "0/name"],
    ["the name __proto__", { name: "__proto__", value: "" }, "0/name"],
  ])("are refused with %s", async (_name, variable, path) => {
    const { refuse } = await makeFixture();
    const outcome = await refuse({ setVariables: { variables: [variable] } });
    expect(outcome).toBe(`INVALID_INPUT edits/0/setVariables/variables/${path}`);
  });

  test("are limited to 100", async () => {
    const { edit, refuse, read } = await makeFixture();
    await edit(set(Object.fromEntries(times(99, (index) => [`v${index}`, ""]))));
    expect(await refuse(set({ a: "", b: "" }))).toBe("INVALID_INPUT edits/0/setVariables/variables");
    await edit(set({ a: "", b: "", v0: null }));
    expect((await read()).content.variables).toHaveLength(100);
  });
});

describe("reusable contents of a content", () => {
  test("are created, changed and deleted, and listed in order of creation", async () => {
    const { edit, read } = await makeFixture();
    const [one, two, three] = [newReusable("One", "# One\n"), newReusable("Two", ""), newReusable("Three")];
    await edit(one.edit, two.edit, { createReusableContent: { title: "Four", markdown: "4" } }, three.edit);
    await edit(
      { updateReusableContent: { reusableContentId: one.id, title: " Uno " } },
      { updateReusableContent: { reusableContentId: two.id, markdown: "2\n" } },
      { deleteReusableContent: { reusableContentId: three.id } },
    );
    const { reusableContents } = (await read()).content;
    const [, , four] = reusableContents;
    expect(reusableContents).toEqual([
      { reusableContentId: one.id, title: "Uno", markdown: "# One\n" },
      { reusableContentId: two.id, title: "Two", markdown: "2\n" },
      { reusableContentId: four?.reusableContentId, title: "Four", markdown: "4" },
    ]);
    expect(four?.reusableContentId).toMatch(/^reu_/);
  });

  test("that are unchanged create no revision, and neither does deleting a missing one", async () => {
    const { edit } = await makeFixture();
    const { id, edit: create } = newReusable("Same", "same\n");
    const first = await edit(create);
    const same = { updateReusableContent: { reusableContentId: id, title: "Same", markdown: "same\n" } };
    expect(await edit(same, { deleteReusableContent: { reusableContentId: newId("ReusableContent") } })).toBe(first);
  });

  test.each<[string, Edit, string]>([
    ["an empty title", { createReusableContent: { title: " ", markdown: "" } }, "createReusableContent/title"],
    ["a text with NUL", { createReusableContent: { title: "x", markdown: "\0" } }, "createReusableContent/markdown"],
    [
      "a malformed id",
      { createReusableContent: { title: "x", markdown: "", reusableContentId: "pag_1" } },
      "createReusableContent/reusableContentId",
    ],
  ])("are refused with %s", async (_name, edit, path) => {
    expect(await (await makeFixture()).refuse(edit)).toBe(`INVALID_INPUT edits/0/${path}`);
  });

  test("are not changed by null title or text; a missing one is NOT_FOUND, an existing one a CONFLICT", async () => {
    const { edit, refuse } = await makeFixture();
    const { id: reusableContentId, edit: create } = newReusable("One");
    await edit(create);
    const at = "INVALID_INPUT edits/0/updateReusableContent";
    expect(await refuse({ updateReusableContent: { reusableContentId, title: null } })).toBe(`${at}/title`);
    expect(await refuse({ updateReusableContent: { reusableContentId, markdown: null } })).toBe(`${at}/markdown`);
    const missing = { reusableContentId: newId("ReusableContent"), title: "None" };
    expect(await refuse({ updateReusableContent: missing })).toBe("NOT_FOUND");
    expect(await refuse(create)).toBe("CONFLICT");
  });

  test("are limited to 500", async () => {
    const { edit, refuse } = await makeFixture();
    await edit(...times(500, (index) => newReusable(`Text ${index}`).edit));
    expect(await refuse(newReusable("One more").edit)).toBe("INVALID_INPUT");
  });

  test("load any number of texts in one statement", async () => {
    const { edit, as, space } = await makeFixture();
    await edit(newReusable("One").edit);
    const before = await as.statements(readDocument, { id: space.id });
    await edit(...times(20, (index) => newReusable(`Text ${index}`).edit));
    expect(before).toBe(3);
    expect(await as.statements(readDocument, { id: space.id })).toBe(3);
  });
});

test("pages, variables and reusable contents of a batch are one revision, checked by expectedRevisionId, restored and copied together", async () => {
  const { edit, read, as, space, admin } = await makeFixture();
  const { id, edit: create } = newReusable("Shared");
  const first = await edit(newPage("Page").edit, set({ a: "1" }), create);
  const before = (await read()).content;
  await edit(set({ a: null }), { deleteReusableContent: { reusableContentId: id } });
  expect((await read()).content).toEqual({ variables: [], reusableContents: [] });
  const stale = { contentOf: { spaceId: space.id }, expectedRevisionId: first, edits: [set({ b: "2" })] };
  expect(await as.refusal(editDocument, { input: stale })).toBe("CONFLICT");
  await as.query(restoreDocument, { input: { contentOf: { spaceId: space.id }, revisionId: first } });
  expect((await read()).content).toEqual(before);
  const { duplicateSpace } = await app
    .as(admin.token)
    .query<{ duplicateSpace: { space: { id: string } } }>(
      `mutation { duplicateSpace(input: { spaceId: "${space.id}" }) { space { id } } }`,
    );
  expect((await read(duplicateSpace.space.id)).content).toEqual(before);
});

test("a change request has its own variables and reusable contents", async () => {
  const { editor, space, changeRequest } = await world.changeRequest();
  const as = app.as(editor.token);
  await editAs(as, { changeRequestId: changeRequest.id }, set({ a: "1" }), newReusable("Shared").edit);
  const content = "content { variables { value } reusableContents { title } }";
  expect(
    await as.query(
      `{ space(id: "${space.id}") { ${content} changeRequest(by: { id: "${changeRequest.id}" }) { ${content} } } }`,
    ),
  ).toEqual({
    space: {
      content: { variables: [], reusableContents: [] },
      changeRequest: { content: { variables: [{ value: "1" }], reusableContents: [{ title: "Shared" }] } },
    },
  });
});

describe("pages with other properties", () => {
  const read = `query ($space: ID!, $page: ID!) { space(id: $space) { content { page(by: { id: $page }) {
    type markdown cover { ref { kind fileId } refDark { kind fileId } yPos } computedSeed
    computed { type dependencies { spec { ref { kind spec } } } props { doc } }
  } } } }`;
  async function withPage(of: Record<string, unknown>) {
    const { edit, as, space, refuse } = await makeFixture();
    const page = newPage("Page", of);
    const revisionId = await edit(page.edit);
    const update = (changes: Record<string, unknown>): Edit => ({ updatePage: { pageId: page.pageId, ...changes } });
    return {
      giveFiles: () => giveFiles(app.database, revisionId, ["light.txt", "dark.txt"]),
      edit: (changes: Record<string, unknown>, ...others: Edit[]) => edit(...others, update(changes)),
      refuse: (changes: Record<string, unknown>, ...others: Edit[]) => refuse(...others, update(changes)),
      read: async () =>
        (
          await as.query<{ space: { content: { page: { computedSeed: string | null; cover: object | null } } } }>(
            read,
            {
              space: space.id,
              page: page.pageId,
            },
          )
        ).space.content.page,
    };
  }

  test("of type GROUP have no text, and those of type LINK have a target", async () => {
    const { as, space, edit, refuse } = await makeFixture();
    const pageId = newId("Page");
    const link = { type: "LINK", title: "Out", target: "https://example.com/a" };
    const fileId = newId("File");
    const links = [link.target, `page:${pageId}`, `page:${pageId}#why`, `file:${fileId}`];
    const created = links.map((target) => ({ createPage: { ...link, target } }));
    await edit({ createPage: { type: "GROUP", title: "Group" } }, ...created);
    const { space: found } = await as.query<{ space: { content: { pages: object[] } } }>(
      `{ space(id: "${space.id}") { content { pages { type markdown target { kind url pageId anchor fileId } } } } }`,
    );
    const target = (kind: string, of: object) => ({ kind, url: null, pageId: null, anchor: null, fileId: null, ...of });
    expect(found.content.pages).toEqual([
      { type: "GROUP", markdown: null, target: null },
      ...[
        target("URL", { url: "https://example.com/a" }),
        target("PAGE", { pageId }),
        target("ANCHOR", { pageId, anchor: "why" }),
        target("FILE", { fileId }),
      ].map((leads) => ({ type: "LINK", markdown: null, target: leads })),
    ]);
    for (const wrong of [
      { type: "GROUP", title: "Group", markdown: "text" },
      { type: "LINK", title: "Out" },
      { ...link, target: "javascript:alert(1)" },
      { ...link, target: "page:elsewhere" },
      { ...link, target: `file:${pageId}` },
      { title: "Text", target: "https://example.com" },
    ])
      expect(await refuse({ createPage: wrong })).toMatch(/^INVALID_INPUT edits\/0\/createPage\/(markdown|target)$/);
  });

  test("have a cover that is changed as a whole and removed by null", async () => {
    const page = await withPage({});
    const [light = "", dark = ""] = await page.giveFiles();
    await page.edit({ cover: { fileId: light, fileDarkId: dark, yPos: -12.5 } });
    expect((await page.read()).cover).toEqual({
      ref: { kind: "FILE", fileId: light },
      refDark: { kind: "FILE", fileId: dark },
      yPos: -12.5,
    });
    await page.edit({ cover: { fileId: dark } });
    expect((await page.read()).cover).toEqual({ ref: { kind: "FILE", fileId: dark }, refDark: null, yPos: null });
    await page.edit({ cover: null });
    expect((await page.read()).cover).toBeNull();
    const at = "INVALID_INPUT edits/0/updatePage/cover";
    expect(await page.refuse({ cover: { fileId: "pag_1" } })).toBe(`${at}/fileId`);
    expect(await page.refuse({ cover: { fileId: light, fileDarkId: "" } })).toBe(`${at}/fileDarkId`);
    expect(await page.refuse({ cover: { fileId: light, yPos: 1e6 } })).toBe(`${at}/yPos`);
  });

  test("cannot have a cover that is not a file of the content: of another content, or deleted in the same batch", async () => {
    const [page, other] = [await withPage({}), await withPage({})];
    const [mine = "", more = ""] = await page.giveFiles();
    const [theirs = ""] = await other.giveFiles();
    for (const cover of [{ fileId: theirs }, { fileId: mine, fileDarkId: theirs }, { fileId: newId("File") }])
      expect(await page.refuse({ cover })).toBe("NOT_FOUND");
    expect(await page.refuse({ cover: { fileId: mine } }, { deleteFile: { fileId: mine } })).toBe("NOT_FOUND");
    await page.edit({ cover: { fileId: mine } }, { deleteFile: { fileId: more } });
    await page.edit({ title: "Renamed" }, { deleteFile: { fileId: mine } }); // like links, the cover then has no target
    expect((await page.read()).cover).toMatchObject({ ref: { fileId: mine } });
  });

  test("are computed from a specification, with a seed that depends on their inputs", async () => {
    const page = await withPage({
      type: "COMPUTED",
      computed: { type: "BUILTIN_OPENAPI", spec: "petstore", doc: "models" },
    });
    const before = await page.read();
    expect(before).toMatchObject({
      type: "COMPUTED",
      markdown: "",
      computed: {
        type: "BUILTIN_OPENAPI",
        dependencies: { spec: { ref: { kind: "OPENAPI", spec: "petstore" } } },
        props: { doc: "models" },
      },
      computedSeed: expect.stringMatching(/./) as unknown,
    });
    await page.edit({ title: "Renamed" });
    expect((await page.read()).computedSeed).toBe(before.computedSeed);
    await page.edit({ computed: { type: "BUILTIN_OPENAPI", spec: "petstore" } });
    const after = await page.read();
    expect(after).toMatchObject({ computed: { props: { doc: null } } });
    expect(after.computedSeed).not.toBe(before.computedSeed);
    const at = "INVALID_INPUT edits/0/updatePage/computed";
    expect(await page.refuse({ computed: null })).toBe(at);
    expect(await page.refuse({ computed: { type: "BUILTIN_OPENAPI", spec: "../x" } })).toBe(`${at}/spec`);
    expect(await page.refuse({ computed: { type: "BUILTIN_OPENAPI", spec: "petstore", doc: "" } })).toBe(`${at}/doc`);
    expect(await page.refuse({ markdown: "text" })).toBe("INVALID_INPUT edits/0/updatePage/markdown");
  });

  test("have a computation exactly if they are of type COMPUTED", async () => {
    const { refuse } = await makeFixture();
    const computed = { type: "BUILTIN_OPENAPI", spec: "petstore" };
    expect(await refuse({ createPage: { title: "x", type: "COMPUTED" } })).toBe(
      "INVALID_INPUT edits/0/createPage/computed",
    );
    expect(await refuse({ createPage: { title: "x", computed } })).toBe("INVALID_INPUT edits/0/createPage/computed");
  });
});
