// Pages as rich documents: read from their Markdown, written as Markdown, and refused with the path of the
// invalid part.
import { describe, expect, test } from "vitest";
import type { RichDocument } from "#src/documents/document.ts";
import { fromMarkdown } from "#src/documents/from-markdown.ts";
import { type Edit, editAs, editDocument, newPage } from "#test/features/content/edits.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { isFullSize } from "#test/support/runs.ts";
import { divideLimits } from "#test/support/limits.ts";

const { app, world } = await useApp();

interface Texts {
  readonly title: string;
  readonly markdown: string | null;
  readonly document: RichDocument | null;
}

const texts = (spaceId: string, fields = "title markdown document"): string =>
  `{ space(id: "${spaceId}") { content { pages { ${fields} } } } }`;

async function readTexts(as: Client, spaceId: string): Promise<readonly Texts[]> {
  const { space } = await as.query<{ space: { content: { pages: Texts[] } } }>(texts(spaceId));
  return space.content.pages;
}

async function refusedEdit(as: Client, spaceId: string, edit: Edit): Promise<string | undefined> {
  const { errors } = await as.graphql(editDocument, { input: { contentOf: { spaceId }, edits: [edit] } });
  return errors?.[0]?.message;
}

const text = (of: string, ...marks: string[]) => ({
  object: "text",
  leaves: [{ object: "leaf", text: of, marks: marks.map((type) => ({ object: "mark", type })) }],
});
const block = (type: string, ...nodes: object[]) => ({ object: "block", type, nodes });
const documentWith = (...nodes: object[]) => ({ object: "document", nodes });

describe("reading a page as a document", () => {
  test("returns the meaning of its Markdown; groups and links have no document", async () => {
    const { space, editor, reader } = await world.space();
    const markdown = "# A *title*\n\n- [x] done\n\n| a | b |\n|---|---|\n| 1 | [p](page:x) |\n";
    const group = { createPage: { title: "Group", type: "GROUP" } };
    const link = { createPage: { title: "Link", type: "LINK", target: "https://example.com/" } };
    const pages = [newPage("Text", { markdown }).edit, newPage("Empty").edit, group, link];
    await editAs(app.as(editor.token), { spaceId: space.id }, ...pages);
    expect(await readTexts(app.as(reader.token), space.id)).toEqual([
      { title: "Text", markdown, document: fromMarkdown(markdown) },
      { title: "Empty", markdown: "", document: fromMarkdown("") },
      { title: "Group", markdown: null, document: null },
      { title: "Link", markdown: null, document: null },
    ]);
  });

  test("takes one statement for all documents of a query, and none if they are cached", async () => {
    const { space, editor } = await world.space();
    const as = app.as(editor.token);
    const pages = (count: number, of: string) =>
      Array.from({ length: count }, (_, index) => newPage(`${of} ${index}`, { markdown: `${of} text ${index}` }).edit);
    await editAs(as, { spaceId: space.id }, ...pages(2, "Few"));
    const costs: number[] = [];
    const measure = async () => {
      const withoutTexts = await as.statements(texts(space.id, "title")); // the second time the tree is cached
      costs.push((await as.statements(texts(space.id, "title document"))) - withoutTexts);
    };
    await as.statements(texts(space.id, "title"));
    await measure();
    await editAs(as, { spaceId: space.id }, ...pages(20, "Many"));
    await as.statements(texts(space.id, "title"));
    await measure();
    await measure();
    expect(costs).toEqual([1, 1, 0]);
  });

  test("returns a block that is too deep or complex as one node, beside others that are parsed, and writes it back unchanged", async () => {
    if (!isFullSize) divideLimits(6);
    const { space, editor } = await world.space();
    const as = app.as(editor.token);
    const deep = `${">".repeat(200)} deep\n`;
    const slow = `${"1. ".repeat(12_000)}\n`;
    const pages = [deep, slow, "flat"].map((markdown, index) => newPage(`Page ${index}`, { markdown }).edit);
    const revision = await editAs(as, { spaceId: space.id }, ...pages);
    const whole = (source: string) => ({
      nodes: [{ object: "block", type: "markdown", isVoid: true, data: { source } }],
    });
    const read = await readTexts(as, space.id);
    expect(read).toMatchObject([
      { document: whole(deep) },
      { document: whole(slow) },
      { document: fromMarkdown("flat") },
    ]);
    const { pageId, edit } = newPage("Copy", { document: read[0]?.document });
    expect(await editAs(as, { spaceId: space.id }, edit)).not.toBe(revision);
    const { space: found } = await as.query<{ space: { content: { page: { markdown: string } } } }>(
      `{ space(id: "${space.id}") { content { page(by: { id: "${pageId}" }) { markdown } } } }`,
    );
    expect(found.content.page.markdown).toBe(deep);
  });

  test("refuses more text at a time than a thread can parse in seconds", async () => {
    const { space, editor } = await world.space();
    const as = app.as(editor.token);
    for (const letter of ["a", "b", "c", "d", "e"])
      await editAs(as, { spaceId: space.id }, newPage(letter, { markdown: letter.repeat(412_000) }).edit);
    const { errors } = await as.graphql(texts(space.id, "document"));
    expect(errors?.[0]?.message).toBe(
      "The operation requests more than 2000000 characters of text as documents at a time. Request fewer documents.",
    );
  });
});

describe("writing a page as a document", () => {
  test("creates and changes the page and stores Markdown", async () => {
    const { space, editor } = await world.space();
    const as = app.as(editor.token);
    const { pageId, edit } = newPage("Page", { document: documentWith(block("heading-2", text("Hi"))) });
    const revision = await editAs(as, { spaceId: space.id }, edit);
    expect(await readTexts(as, space.id)).toMatchObject([{ markdown: "## Hi\n", document: fromMarkdown("## Hi") }]);
    const document = documentWith(block("paragraph", text("So "), text("it is", "bold")));
    const next = await editAs(as, { spaceId: space.id }, { updatePage: { pageId, document } });
    expect(next).not.toBe(revision);
    const [page] = await readTexts(as, space.id);
    expect(page?.markdown).toBe("So **it is**\n");
    expect(await editAs(as, { spaceId: space.id }, { updatePage: { pageId, document: page?.document } })).toBe(next);
  });

  test("leaves the bytes of a text that is saved as it was read, and of the blocks around an edited one", async () => {
    const { space, editor } = await world.space();
    const as = app.as(editor.token);
    const markdown =
      'Title\n===\n* a\n* __b__\n{% embed url="https://e.org/v?a=1&b=2" %}\n\n$$x_{1}*y*$$\n\n\nEnd.&#x20;\n';
    const { pageId, edit } = newPage("Page", { markdown });
    const revision = await editAs(as, { spaceId: space.id }, edit);
    const [read] = await readTexts(as, space.id);
    const { nodes = [] } = read?.document ?? {};
    expect(await editAs(as, { spaceId: space.id }, { updatePage: { pageId, document: read?.document } })).toBe(
      revision,
    );
    const document = documentWith(
      ...nodes.with(3, block("paragraph", text("New")) as unknown as (typeof nodes)[number]),
    );
    await editAs(as, { spaceId: space.id }, { updatePage: { pageId, document } });
    const [page] = await readTexts(as, space.id);
    expect(page?.markdown).toBe(markdown.replace("$$x_{1}*y*$$", "New"));
  });

  test("accepts documents as literals in the query", async () => {
    const { space, editor } = await world.space();
    const as = app.as(editor.token);
    await as.query(/* GraphQL */ `
      mutation {
        editContent(
          input: {
            contentOf: { spaceId: "${space.id}" }
            edits: [{ createPage: { title: "Page", document: { object: "document", nodes: [{ object: "block", type: "divider" }] } } }]
          }
        ) {
          revision {
            id
          }
        }
      }
    `);
    expect(await readTexts(as, space.id)).toMatchObject([{ markdown: "***\n" }]);
  });

  test.each([
    [
      "both forms",
      { markdown: "x", document: documentWith() },
      "document: must not be set together with `markdown`. Set only one of them.",
    ],
    ["null", { document: null }, "document: must not be null."],
    [
      "a bad block",
      { document: documentWith(block("paragraph"), { object: "block" }) },
      "document/nodes/1/type: must be given.",
    ],
    [
      "a bad leaf",
      { document: documentWith(block("paragraph", { object: "text", leaves: [{ text: 1 }] })) },
      "document/nodes/0/nodes/0/leaves/0/text: must be a string.",
    ],
    [
      "a text over the limit",
      { document: documentWith(block("paragraph", text("x".repeat(500_001)))) },
      "document: must have at most 500000 characters.",
    ],
    [
      "a text for a group",
      { type: "GROUP", document: documentWith() },
      "document: must not be set: a group page has no text.",
    ],
  ])("is refused with %s, and nothing is written", async (_what, fields, message) => {
    const { space, editor } = await world.space();
    const as = app.as(editor.token);
    const refused = await refusedEdit(as, space.id, newPage("Page", fields).edit);
    expect(refused?.replace("edits/0/createPage/", "")).toMatch(message);
    expect(await readTexts(as, space.id)).toEqual([]);
  });

  test("is refused if nested too deep, at any depth", async () => {
    const { space, editor } = await world.space();
    for (const depth of [120, 10_000]) {
      const nodes = `${'[{"object":"block","type":"blockquote","nodes":'.repeat(depth)}[]${"}]".repeat(depth)}`;
      const edits = [{ createPage: { title: "Page", document: "<nodes>" } }];
      const input = { contentOf: { spaceId: space.id }, edits };
      const body = JSON.stringify({ query: editDocument, variables: { input } });
      const answer = await app.as(editor.token).rest<{ errors: { message: string }[] }>("POST", "/graphql", {
        body: body.replace('"<nodes>"', `{"object":"document","nodes":${nodes}}`),
      });
      expect(answer.body.errors).toMatchObject([
        { message: "A document may have at most 100 levels of blocks, links and marks." },
      ]);
    }
  });

  test("is refused to users without edit rights before anything is converted", async () => {
    const { space, reader } = await world.space();
    const edits = [newPage("Page", { document: documentWith({ object: "block" }) }).edit];
    expect(
      await app.as(reader.token).refusal(editDocument, { input: { contentOf: { spaceId: space.id }, edits } }),
    ).toBe("FORBIDDEN");
  });
});
