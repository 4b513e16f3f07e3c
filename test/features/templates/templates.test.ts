// Templates through the API: all of them, beside existing pages, with images, and refusals.
import { describe, expect, test } from "vitest";
import { editAs, inContent, newPage, outline, readPages, type Tree } from "#test/features/content/edits.ts";
import { pngFile, uploadAs } from "#test/features/content/uploads.ts";
import { type Client, useApp } from "#test/support/app.ts";

const { app, world } = await useApp();

interface TemplatePage {
  readonly title: string;
  readonly path: string;
  readonly pages?: readonly TemplatePage[];
}

interface Template {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly contentRefs: readonly { readonly name: string }[];
  readonly pages: readonly TemplatePage[];
}

const applyDocument = /* GraphQL */ `
  mutation ($input: ApplyTemplateInput!) {
    applyTemplate(input: $input) {
      revision {
        id
        type
      }
      pageCount
    }
  }
`;

interface Applied {
  readonly revision: { readonly id: string; readonly type: string };
  readonly pageCount: number;
}

const applyAs = async (as: Client, input: Record<string, unknown>) =>
  (await as.query<{ applyTemplate: Applied }>(applyDocument, { input: inContent(input) })).applyTemplate;

async function templatesFor(as: Client): Promise<readonly Template[]> {
  const page = "title path";
  const { templates } = await as.query<{ templates: Template[] }>(
    `{ templates { name title description contentRefs { name } pages { ${page} pages { ${page} pages { ${page} } } } } }`,
  );
  return templates;
}

const flat = <Page extends { readonly pages?: readonly Page[] }>(pages: readonly Page[]): Page[] =>
  pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);

async function withPicture() {
  const { editor, space } = await world.space();
  const as = app.as(editor.token);
  const { file } = await uploadAs(as, { spaceId: space.id, file: pngFile("logo.png", { width: 2, height: 2 }) });
  return { editor, space, as, file };
}

const textOf = (pages: readonly Tree[], path: string) => flat(pages).find((page) => page.path === path)?.markdown;

describe("templates", () => {
  test("each create the pages that they list in one revision, with links to them", async () => {
    const { editor } = await world.space();
    const as = app.as(editor.token);
    const templates = await templatesFor(as);
    expect(templates.map(({ name }) => name)).toEqual([
      "BLANK",
      "PRODUCT_DOCS",
      "API_REFERENCE",
      "KNOWLEDGE_BASE",
      "CHANGELOG",
    ]);
    for (const template of templates) {
      const { editor: author, space } = await world.space();
      const { revision, pageCount } = await applyAs(app.as(author.token), {
        spaceId: space.id,
        template: template.name,
      });
      const pages = flat(await readPages(app.as(author.token), revision.id));
      expect(pages.map(({ title, path }) => ({ title, path }))).toEqual(
        flat(template.pages).map(({ title, path }) => ({ title, path })),
      );
      expect({ type: revision.type, pageCount }).toEqual({ type: "IMPORT", pageCount: pages.length });
      const text = pages.map(({ markdown }) => markdown).join("\n");
      const linked = Array.from(text.matchAll(/page:(pag_\w+)/g), ([, id]) => id);
      expect(pages.map(({ pageId }) => pageId)).toEqual(expect.arrayContaining(linked));
      expect(text).not.toMatch(/\]\((?!page:|https:)|ref:/);
    }
  });

  test("are added beside existing pages, and the same one twice gets other slugs", async () => {
    const { editor, space } = await world.space();
    const as = app.as(editor.token);
    await editAs(as, { spaceId: space.id }, newPage("Welcome", { markdown: "Mine" }).edit);
    await applyAs(as, { spaceId: space.id, template: "BLANK" });
    const { revision } = await applyAs(as, { spaceId: space.id, template: "BLANK", message: "Once more" });
    const pages = await readPages(as, revision.id);
    expect(outline(pages)).toEqual(["welcome", "welcome-2", "welcome-3"]);
    expect(textOf(pages, "welcome")).toBe("Mine");
  });

  test("can be added to change requests, without changing the main content", async () => {
    const { editor, space, changeRequest } = await world.changeRequest();
    const as = app.as(editor.token);
    const { revision } = await applyAs(as, { changeRequestId: changeRequest.id, template: "CHANGELOG" });
    expect(outline(await readPages(as, revision.id))).toContain("changelog");
    const { space: now } = await as.query<{ space: { content: { pages: unknown[] } } }>(
      `{ space(id: "${space.id}") { content { pages { path } } } }`,
    );
    expect(now.content.pages).toEqual([]);
  });

  test("show the given images and omit the others", async () => {
    const { space, as, file } = await withPicture();
    const contentRefs = [{ name: "logo", fileId: file.id }];
    const { revision } = await applyAs(as, { spaceId: space.id, template: "API_REFERENCE", contentRefs });
    expect(textOf(await readPages(as, revision.id), "introduction")).toContain(
      `![Logo](file:${file.id})\n\nSay in one`,
    );
    const { revision: without } = await applyAs(as, { spaceId: space.id, template: "API_REFERENCE" });
    expect(textOf(await readPages(as, without.id), "introduction-2")).toMatch(/# Introduction\n\nSay in one/);
  });
});

describe("refused templates", () => {
  test("have references that are unknown, given twice, or not to a file, and change nothing", async () => {
    const { space, as, file } = await withPicture();
    const { file: other } = await withPicture();
    const before = await as.query(`{ space(id: "${space.id}") { revisionId } }`);
    const logo = { name: "logo", fileId: file.id };
    const refused = [
      { contentRefs: [{ ...logo, name: "portrait" }], path: "contentRefs/portrait", message: "must be one of logo." },
      { contentRefs: [logo, logo], path: "contentRefs/logo", message: "is repeated." },
      { contentRefs: [{ ...logo, fileId: other.id }], path: "contentRefs/logo", message: /must be the id of a file/ },
    ];
    for (const { contentRefs, path, message } of refused) {
      const input = { contentOf: { spaceId: space.id }, template: "API_REFERENCE", contentRefs };
      const { errors } = await as.graphql(applyDocument, { input });
      expect(errors).toMatchObject([
        { extensions: { code: "INVALID_INPUT", details: [{ path, message: expect.stringMatching(message) }] } },
      ]);
    }
    expect(await as.query(`{ space(id: "${space.id}") { revisionId } }`)).toEqual(before);
  });
});

describe("POST /v1/spaces/{spaceId}/content/template", () => {
  test("returns 201 without a body, and inserts files by name", async () => {
    const { space, as, file } = await withPicture();
    const path = `/v1/spaces/${space.id}/content/template`;
    const params = { contentRefs: { screenshot: { kind: "file", file: file.id } } };
    const made = await as.rest("POST", path, { body: { id: "product-docs", params } });
    expect({ status: made.status, body: made.body }).toEqual({ status: 201, body: undefined });
    const { space: now } = await as.query<{ space: { content: { page: { markdown: string } } } }>(
      `{ space(id: "${space.id}") { content { page(by: { path: "overview" }) { markdown } } } }`,
    );
    expect(now.content.page.markdown).toContain(`](file:${file.id})`);
  });

  test("refuses invalid bodies with the pointer of the error", async () => {
    const { space, as } = await withPicture();
    const path = `/v1/spaces/${space.id}/content/template`;
    const bodies = [
      [{}, "/id"],
      [{ id: "product_docs" }, "/id"],
      [{ id: "blank", params: [] }, "/params"],
      [{ id: "blank", params: { contentRefs: { a: { kind: "page", file: "x" } } } }, "/params/contentRefs/a/kind"],
      [{ id: "blank", params: { contentRefs: { "a/b": { kind: "file" } } } }, "/params/contentRefs/a~1b/file"],
      [{ id: "blank", params: { more: 1 } }, "/params/more"],
    ] as const;
    for (const [body, place] of bodies)
      expect(await as.rest("POST", path, { body })).toMatchObject({
        status: 400,
        body: { error: { details: [{ path: place }] } },
      });
  });
});
