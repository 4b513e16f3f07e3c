// Evaluated texts: variables and reusable contents replace expressions, except where expressions stay literal.
// The small size evaluates fewer texts of the book.
import { gunzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
import type { Nodes } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { describe, expect, test } from "vitest";
import { newId } from "#src/base/ids.ts";
import { expressionsIn } from "#src/features/content/model/expressions.ts";
import { addChangeRequest } from "#test/features/change-requests/factory.ts";
import { type Edit, editAs, newPage } from "#test/features/content/edits.ts";
import { useApp } from "#test/support/app.ts";
import { bookHistory } from "#test/support/samples.ts";
import { sized } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

const { app, world } = await useApp();

const read = `query ($id: ID!) { space(id: $id) { content { pages { markdown evaluated: markdown(evaluated: true) } } } }`;

interface Answer {
  readonly space: { readonly content: { readonly pages: readonly { markdown: string; evaluated: string }[] } };
}

const reusableContentId = newId("ReusableContent");
const note = `{{ reusable:${reusableContentId} }}`;
const included: readonly Edit[] = [
  {
    setVariables: {
      variables: Object.entries({ version: "1.2", product: "Gauge", "größe-2": "XL" }).map(([name, value]) => ({
        name,
        value,
      })),
    },
  },
  { createReusableContent: { reusableContentId, title: "Note", markdown: `Mind {{ version }}.\n\n${note}\n` } },
];

/** The evaluated texts of pages in a content with these variables and one reusable content. */
async function evaluate(...pages: (string | Record<string, unknown>)[]): Promise<string[]> {
  const { space, editor } = await world.space();
  const as = app.as(editor.token);
  const edits = pages.map((page) => newPage("Page", typeof page === "string" ? { markdown: page } : page).edit);
  await editAs(as, { spaceId: space.id }, ...included, ...edits);
  const { content } = (await as.query<Answer>(read, { id: space.id })).space;
  return content.pages.map(({ evaluated }) => evaluated);
}

describe("an evaluated text", () => {
  test("has the values of variables; page variables override those of the revision", async () => {
    const markdown = "# {{ product }} {{version}}\n\n[{{\tgröße-2 }}](https://example.com/{{ version }})\n";
    const variables = [{ name: "version", value: "2.0" }];
    expect(await evaluate(markdown, { markdown, variables })).toEqual([
      "# Gauge 1.2\n\n[XL](https://example.com/1.2)\n",
      "# Gauge 2.0\n\n[XL](https://example.com/2.0)\n",
    ]);
  });

  test("has the texts of reusable contents with variables in them, but without nested reusable contents", async () => {
    const variables = [{ name: "version", value: "2.0" }];
    expect(await evaluate(`Before\n\n${note}\n`, { markdown: `> - ${note}\n`, variables })).toEqual([
      `Before\n\nMind 1.2.\n\n${note}\n`,
      `> - Mind 2.0.\n\n>   ${note}\n`,
    ]);
  });

  test.each([
    [
      "unknown names and ids",
      `{{ nothing }} {{ constructor }} {{ reusable:${newId("ReusableContent")} }} {{ reusable:x }}`,
    ],
    ["other things in braces", "{{ a b }} {{ 1a }} {{}} { { version } } {{ version"],
    ["fenced code", "```\n{{ version }}\n```\n~~~ js\n{{ version }}\n```\n~~~\n> ```\n> {{ version }}"],
    ["fenced code in lists", "- ```\n  {{ version }}\n\n  {{ version }}\n  ```\n"],
    ["indented code", "Text\n\n    {{ version }}\n\n- Item\n\n      {{ version }}\n"],
    ["spans of code", "`{{ version }}` ``a ` {{ version }}`` `over\nlines {{ version }}`"],
    ["braces after a backslash", "\\{{ version }}"],
  ])("keeps %s", async (_name, markdown) => {
    expect(await evaluate(markdown)).toEqual([markdown]);
  });

  test("has values after text that only looks like code", async () => {
    const markdown = [
      "```\ncode\n```\n{{ version }}",
      "a ` b {{ version }}\n\n\\`{{ version }}`",
      "Text\n    {{ version }}",
      "- Item\n\n    {{ version }}",
      "> ```\n{{ version }}",
      "# `\n{{ version }} `",
      "| ` | {{ version }} |",
    ];
    const expected = markdown.map((text) => text.replaceAll("{{ version }}", "1.2"));
    expect(await evaluate(...markdown)).toEqual(expected);
  });

  test("is null for a page without text", async () => {
    expect(await evaluate({ type: "GROUP" }, { type: "LINK", target: "https://example.com" })).toEqual([null, null]);
  });

  test("is INVALID_INPUT beyond two million characters", async () => {
    const { space, editor } = await world.space();
    const as = app.as(editor.token);
    const long = { createReusableContent: { reusableContentId, title: "Long", markdown: "x".repeat(100_000) } };
    const page = (count: number) => newPage("Page", { markdown: note.repeat(count) }).edit;
    await editAs(as, { spaceId: space.id }, long, page(20));
    expect((await as.query<Answer>(read, { id: space.id })).space.content.pages[0]?.evaluated).toHaveLength(2_000_000);
    await editAs(as, { spaceId: space.id }, page(21));
    expect(await as.refusal(read, { id: space.id })).toBe("INVALID_INPUT");
  });
});

test("evaluated texts are visible to everyone who sees the content, also by the key of a share link", async () => {
  const { space, editor, outsider } = await world.space({
    space: { visibility: "share_link", shareKey: "evaluated-key" },
  });
  const page = newPage("Page", { markdown: `{{ version }} ${note}` }).edit;
  await editAs(app.as(editor.token), { spaceId: space.id }, ...included, page);
  const shared = `{ space(id: "${space.id}", shareKey: "evaluated-key") { content { pages { markdown(evaluated: true) } } } }`;
  expect(await app.as(outsider.token).query(shared)).toMatchObject({
    space: { content: { pages: [{ markdown: expect.stringContaining("1.2 Mind 1.2.") as unknown }] } },
  });
});

test("evaluated texts take one statement for includes and one for their texts, for any number of pages and change requests", async () => {
  const { space, editor } = await world.space();
  const as = app.as(editor.token);
  const pages = times(20, (index) => newPage("Page", { markdown: `${index} {{ version }} ${note}` }).edit);
  await editAs(as, { spaceId: space.id }, ...included, ...pages);
  const { revisionId } = await app.database.prisma.space.findUniqueOrThrow({ where: { id: space.id } });
  await world.insert((rows) => times(20, () => addChangeRequest(rows, { space, createdById: editor.id, revisionId })));
  const document = `query ($first: Int) { space(id: "${space.id}") { changeRequests(first: $first) { nodes {
    content { pages { markdown(evaluated: true) } } } } } }`;
  const first = await as.statements(document, { first: 2 });
  // One each: the space, its change requests, their revisions, texts, the includes, and their text. The pages were
  // cached by the edit.
  expect(first).toBe(6);
  expect(await as.statements(document, { first: 20 })).toBe(first);
});

describe("texts of half a million characters that are slow to parse are read by their length", () => {
  const length = 500_000;
  const filled = (part: string): string => part.repeat(length / part.length);
  test.each<[string, string, number]>([
    ["quotes in quotes", `${filled(">")}{{ x }}`, 1],
    ["lists in lists", `${filled("- + ")}{{ x }}`, 1],
    ["almost a thematic break", `${filled("- ")}x {{ x }}`, 1],
    ["runs of backticks of different lengths", `{{ x }}${times(1000, (index) => "`".repeat(index + 1)).join(" ")}`, 1],
    ["open braces", filled("{"), 0],
    ["blanks behind braces", `${filled("{{ ")}${filled(" ")}`, 0],
    ["expressions", filled("{{a}}"), 100_000],
  ])("%s", (_name, text, count) => {
    expect([...expressionsIn(text)]).toHaveLength(count);
  });
});

describe.skipIf(!bookHistory)("evaluated texts of the sample book", () => {
  /** The code positions, by the parser. */
  function codeIn(node: Nodes): [start: number, end: number][] {
    const { start, end } = node.position ?? {};
    if (node.type === "code" || node.type === "inlineCode") return [[start?.offset ?? 0, end?.offset ?? 0]];
    return "children" in node ? node.children.flatMap(codeIn) : [];
  }

  test("evaluate inserted expressions exactly where the parser sees no code, in some texts", () => {
    const { blobs, start } = JSON.parse(gunzipSync(readFileSync(bookHistory ?? "")).toString()) as {
      blobs: Record<string, string>;
      start: Record<string, string>;
    };
    const parser = unified().use(remarkParse).use(remarkGfm);
    let seed = 1;
    const random = (below: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) % below;
    let code = 0;
    for (const [path, blob] of Object.entries(start).filter((_, index) => index % sized(12, 4) === 0)) {
      let text = blobs[blob] ?? "";
      for (let count = text.length / 400; count > 0; count--) {
        const at = random(text.length);
        if (!/[\\\ud800-\udbff]/.test(text[at - 1] ?? "")) text = `${text.slice(0, at)}{{ x }}${text.slice(at)}`;
      }
      const blocks = codeIn(parser.parse(text));
      const places = [...text.matchAll(/\{\{ x \}\}/g)].map(({ index }) => index);
      const prose = places.filter((place) => !blocks.some(([from, to]) => from <= place && place < to));
      code += places.length - prose.length;
      expect(
        [...expressionsIn(text)].map(({ start: place }) => place),
        path,
      ).toEqual(prose);
    }
    expect(code).toBeGreaterThan(sized(30, 100));
  });
});
