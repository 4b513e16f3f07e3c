// Comments on nodes of pages: validated against the text at the time of posting, located in the text at the time of
// reading.
import { describe, expect, it } from "vitest";
import { type Block, type RichNode, textOfNode } from "#src/documents/document.ts";
import { fromMarkdown } from "#src/documents/from-markdown.ts";
import { createComment, done, type Kind, kinds, placeOf, refused } from "#test/features/comments/discussion.ts";
import { addComment } from "#test/features/comments/factory.ts";
import { type Edit, editAs, newPage } from "#test/features/content/edits.ts";
import { useApp } from "#test/support/app.ts";
import { type Person, times } from "#test/support/world.ts";

const { app, world } = await useApp();

const high = "High water comes *twice* a day.";
const table = "| Port | Range |\n| --- | --- |\n| Brest | 6 m |\n| Kiel | 0.1 m |\n";
const markdown = `# Tides\n\n${high}\n\n${table}\nLow water comes between.\n`;

function* blocksIn(nodes: readonly RichNode[]): Generator<Block> {
  for (const node of nodes)
    if (node.object === "block") {
      yield node;
      yield* blocksIn(node.nodes);
    }
}

/** The first block of a type whose text begins with `start`. */
function blockOf(text: string, type: Block["type"], start: string): Block {
  const blocks = [...blocksIn(fromMarkdown(text).nodes)];
  const block = blocks.find((one) => one.type === type && textOfNode(one).startsWith(start));
  if (!block) throw new Error(`No ${type} begins with "${start}".`);
  return block;
}

const paragraph = blockOf(markdown, "paragraph", "High").key;
const tableKey = blockOf(markdown, "table", "Port").key;
const kiel = { record: blockOf(markdown, "table-row", "Kiel").key, definition: column("Range") };

function column(name: string): string {
  return String(blockOf(markdown, "table-cell", name).data["definition"]);
}

async function makeFixture(kind: Kind) {
  const made = await world.changeRequest();
  const target = kind === "space" ? { spaceId: made.space.id } : { changeRequestId: made.changeRequest.id };
  const edit = (...edits: readonly Edit[]) => editAs(app.as(made.editor.token), target, ...edits);
  const { pageId, edit: creation } = newPage("Tides", { markdown });
  const revisionId = await edit(creation);
  const write = (text: string) => edit({ updatePage: { pageId, markdown: text } });
  return { ...made, place: placeOf(kind, made), page: pageId, write, edit, revisionId };
}

const body = { markdown: "Is that so?" };

async function post(made: { place: object; page: string; commenter: Person }, target: object): Promise<string> {
  const input = { ...made.place, pageId: made.page, text: body, ...target };
  return (await done(app, made.commenter, createComment, input)).comment.id;
}

async function targetOf(commentId: string, { token }: Person) {
  const { comment } = await app
    .as(token)
    .query<{ comment: { target: { page: { outdated: boolean }; node: { key: string; preview: string | null } } } }>(
      `query ($id: ID!) { comment(id: $id) { target { page { outdated } node { key preview } tableCell { record definition } } } }`,
      { id: commentId },
    );
  return comment.target;
}

describe.each(kinds)("a node of a page of a %s", (kind) => {
  it("is located again after changes around it and to its marks", async () => {
    const made = await makeFixture(kind);
    const id = await post(made, { nodeKey: paragraph });
    const found = { page: { outdated: false }, node: { key: paragraph, preview: "High water comes twice a day." } };
    expect(await targetOf(id, made.reader)).toMatchObject(found);
    await made.write(`New\n\n${high.replaceAll("*", "**")}\n\n- Moved\n`);
    expect(await targetOf(id, made.reader)).toMatchObject(found);
  });

  it("is outdated after a change and is shown in its earlier state", async () => {
    const made = await makeFixture(kind);
    const id = await post(made, { nodeKey: paragraph });
    const known = { key: paragraph, preview: "High water comes twice a day." };
    await made.write(markdown.replace("*twice*", "three times"));
    expect(await targetOf(id, made.reader)).toMatchObject({ page: { outdated: true }, node: known });
    await made.write("");
    expect(await targetOf(id, made.reader)).toMatchObject({ page: { outdated: true }, node: known });
    await made.edit({ deletePage: { pageId: made.page } });
    expect(await targetOf(id, made.reader)).toMatchObject({ page: { outdated: true }, node: known });
  });

  it("must be in the present text of the page", async () => {
    const made = await makeFixture(kind);
    const { commenter, place, page } = made;
    const group = newPage("Group", { type: "GROUP" });
    const empty = newPage("Empty");
    await made.edit(group.edit, empty.edit);
    for (const [on, nodeKey] of [
      [page, "nothing"],
      [page, ""],
      [page, null],
      [group.pageId, paragraph],
      [empty.pageId, paragraph],
    ])
      expect(await refused(app, commenter, createComment, { ...place, text: body, pageId: on, nodeKey })).toBe(
        "INVALID_INPUT nodeKey",
      );
    await made.write(markdown.replace("High", "Very high"));
    expect(
      await refused(app, commenter, createComment, { ...place, text: body, pageId: page, nodeKey: paragraph }),
    ).toBe("INVALID_INPUT nodeKey");
  });
});

it("a node as a comment target has a one-line preview of at most 200 characters", async () => {
  const made = await makeFixture("space");
  const text = `- one\n- two\n\n${"🌊".repeat(300)}\n`;
  await made.write(text);
  const list = await post(made, { nodeKey: blockOf(text, "list-unordered", "one").key });
  const long = await post(made, { nodeKey: blockOf(text, "paragraph", "🌊").key });
  expect((await targetOf(list, made.reader)).node.preview).toBe("one two");
  expect((await targetOf(long, made.reader)).node.preview).toBe(`${"🌊".repeat(199)}…`);
});

describe("a comment on one of several equal nodes", () => {
  const list = (...items: string[]) => `${items.map((item) => `- ${item}`).join("\n")}\n`;
  const table = (...rows: string[]) => `| A |\n| --- |\n${rows.map((row) => `| ${row} |\n`).join("")}`;
  const paragraphs = (...texts: string[]) => `${texts.join("\n\n")}\n`;

  /** The text, the type and number of the node among equal ones, the text after an edit, and its number there. */
  const cases: readonly (readonly [
    source: string,
    before: string,
    of: [Block["type"], number],
    after: string,
    now: number | null,
  ])[] = [
    ["GitbookIO/plugin-comment#3", list("Yes", "Yes", "Yes"), ["list-item", 2], list("Yes", "Yes"), null],
    ["Kareadita/Kavita#4661", list("Yes", "Yes", "Yes"), ["list-item", 2], list("Yes", "Yes", "Yes", "Yes"), null],
    ["own", list("A", "Yes", "B", "Yes", "C"), ["list-item", 2], list("B", "Yes", "C"), 1],
    ["own", list("A", "Yes", "B", "Yes", "C"), ["list-item", 1], list("New", "A", "Yes", "B", "C"), 1],
    ["own", list("A", "Yes", "B", "Yes", "C"), ["list-item", 1], list("B", "Yes", "C"), null],
    ["own", list("Yes", "Yes"), ["list-item", 1], `New\n\n${list("Yes", "Yes")}`, 1],
    ["own", paragraphs("Yes", "A", "Yes", "B"), ["paragraph", 2], paragraphs("A", "Yes", "B"), 1],
    ["own", paragraphs("A", "Yes", "B"), ["paragraph", 1], paragraphs("Yes", "C", "A", "Yes", "B"), 2],
    ["own", paragraphs("Yes", "Yes"), ["paragraph", 2], paragraphs("Yes"), null],
    ["own", table("1", "A", "1", "B"), ["table-row", 2], table("A", "1", "B"), 1],
    ["own", table("1", "1", "1"), ["table-row", 3], table("1", "1"), null],
    ["own", "```\nx\n```\n\nA\n\n```\nx\n```\n", ["code", 2], "A\n\n```\nx\n```\n", 1],
  ];

  it("is on the node with the same neighbours, and is outdated where these do not tell", async () => {
    const made = await makeFixture("space");
    for (const [, before, [type, number], after, now] of cases) {
      const content = /^(?:Yes|1|x)$/;
      const equal = (text: string) =>
        [...blocksIn(fromMarkdown(text).nodes)].filter((one) => one.type === type && content.test(textOfNode(one)));
      await made.write(before);
      const id = await post(made, { nodeKey: equal(before)[number - 1]?.key });
      await made.write(after);
      const { page, node } = await targetOf(id, made.reader);
      const key = now === null ? equal(before)[number - 1]?.key : equal(after)[now - 1]?.key;
      expect([page.outdated, node.key], `${before} -> ${after}`).toEqual([now === null, key]);
    }
  });
});

describe("a comment on a table cell", () => {
  it("requires a cell of the table that is the node", async () => {
    const made = await makeFixture("space");
    const id = await post(made, { nodeKey: tableKey, tableCell: kiel });
    expect(await targetOf(id, made.reader)).toMatchObject({ node: { key: tableKey }, tableCell: kiel });
    for (const [nodeKey, tableCell] of [
      [paragraph, kiel],
      [tableKey, { ...kiel, record: tableKey }],
      [tableKey, { ...kiel, definition: "nothing" }],
    ] as const)
      expect(
        await refused(app, made.commenter, createComment, {
          ...made.place,
          text: body,
          pageId: made.page,
          nodeKey,
          tableCell,
        }),
      ).toBe("INVALID_INPUT tableCell");
  });

  it("without a node requires a cell of a table of the page", async () => {
    const made = await makeFixture("space");
    expect(await targetOf(await post(made, { tableCell: kiel }), made.reader)).toMatchObject({
      node: null,
      tableCell: kiel,
    });
    const tableCell = { record: "row-1", definition: "Range" };
    expect(
      await refused(app, made.commenter, createComment, { ...made.place, text: body, pageId: made.page, tableCell }),
    ).toBe("INVALID_INPUT tableCell");
  });
});

describe.each(kinds)("comments without a page in the content of a %s", (kind) => {
  const pageDocument = `query ($id: ID!) { comment(id: $id) { target { page { pageId page { pageId path } } node { key } tableCell { record } } } }`;

  it("on a node or a cell find its page", async () => {
    const made = await makeFixture(kind);
    await made.edit(newPage("Other", { markdown: "Other\n" }).edit, newPage("Group", { type: "GROUP" }).edit);
    const page = { pageId: made.page, page: { pageId: made.page, path: "tides" } };
    for (const [given, target] of [
      [{ nodeKey: paragraph }, { page, node: { key: paragraph }, tableCell: null }],
      [
        { nodeKey: tableKey, tableCell: kiel },
        { page, node: { key: tableKey }, tableCell: { record: kiel.record } },
      ],
      [{ tableCell: kiel }, { page, node: null, tableCell: { record: kiel.record } }],
    ] as const) {
      const { comment } = await done(app, made.commenter, createComment, { ...made.place, text: body, ...given });
      expect(await app.as(made.reader.token).query(pageDocument, { id: comment.id })).toEqual({ comment: { target } });
    }
  });

  it("are refused if no page has the node, or if several do, which are named", async () => {
    const made = await makeFixture(kind);
    const refusal = async (given: object): Promise<string> => {
      const input = { ...made.place, text: body, ...given };
      const { errors } = await app.as(made.commenter.token).graphql(createComment, { input });
      return errors?.[0]?.message ?? "";
    };
    expect(await refusal({ nodeKey: "nothing" })).toMatch(/^nodeKey: must be a node of the current content/);
    const nowhere = { record: "nothing", definition: "Range" };
    expect(await refusal({ tableCell: nowhere })).toMatch(
      /^tableCell: must be a cell of a table of the current content/,
    );
    expect(await refusal({ nodeKey: paragraph, tableCell: kiel })).toBe(
      "tableCell: must be a cell of the table that is the node.",
    );
    await made.edit(newPage("Copy", { markdown }).edit);
    for (const given of [{ nodeKey: paragraph }, { tableCell: kiel }])
      expect(await refusal(given)).toMatch(/: is on 2 pages, such as tides and copy\. Set the page as well\.$/);
  });
});

it("are returned in /v1", async () => {
  const made = await makeFixture("change request");
  const path = `/v1/spaces/${made.space.id}/change-requests/${made.changeRequest.id}/comments`;
  const client = app.as(made.commenter.token);
  const sent = { body, page: made.page, node: tableKey, tableCell: kiel };
  const { status, body: comment } = await client.rest<{ id: string; target: object }>("POST", path, { body: sent });
  expect(status).toBe(200);
  expect(comment.target).toMatchObject({
    page: { id: made.page, outdated: false },
    node: { id: tableKey, preview: "Port Range Brest 6 m Kiel 0.1 m" },
    tableCell: kiel,
  });
  const listed = await client.rest<{ items: { id: string; target: object }[] }>(
    "GET",
    `${path}?targetPage=${made.page}`,
  );
  expect(listed.body.items).toEqual([comment]);
  expect((await client.rest<{ items: [] }>("GET", `${path}?targetPage=${made.changeRequest.id}`)).body.items).toEqual(
    [],
  );
});

it("SQL statements: texts of any number of comments take one more, cached or unchanged texts take none", async () => {
  const made = await makeFixture("space");
  const { space, commenter, revisionId } = made;
  const pages = times(20, (index) => newPage(`Page ${index}`, { markdown: `Page ${index}\n\n${markdown}` }));
  await made.edit(...pages.map(({ edit }) => edit));
  const comments = pages.map(({ pageId }) => ({ pageId, nodeId: paragraph }));
  await world.insert((rows) =>
    comments.map((target) =>
      addComment(rows, { spaceId: space.id, postedById: commenter.id, revisionId, documentHash: "old", ...target }),
    ),
  );
  const cost = (first: number, fields: string) =>
    app
      .as(commenter.token)
      .statements(
        `query ($id: ID!, $first: Int!) { space(id: $id) { comments(first: $first) { nodes { target { ${fields} } } } } }`,
        { id: space.id, first },
      );
  await cost(1, "page { title }"); // so that the pages are cached
  // The space and its comments, and the current content; then the texts, since a key may have another number in them.
  expect([await cost(2, "node { key }"), await cost(20, "page { title } node { key }")]).toEqual([4, 4]);
  expect([
    await cost(2, "page { outdated } node { preview }"),
    await cost(20, "page { outdated } node { preview }"),
  ]).toEqual([3, 3]);
  expect(await cost(20, "page { outdated } node { preview }")).toBe(3);
});
