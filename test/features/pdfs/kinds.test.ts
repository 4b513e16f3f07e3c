// The content of PDFs: a text with all kinds of blocks, and chapters of a real book, whose words are read from
// the PDF in the same order. At the small size a long text has half of the places.
import { posix } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { nodesIn, type RichDocument, type RichNode, textOfNode } from "#src/documents/document.ts";
import { fromMarkdown } from "#src/documents/from-markdown.ts";
import { htmlParts } from "#src/features/pdfs/model/html.ts";
import { fontRuns } from "#src/features/pdfs/model/fonts.ts";
import { editAs, newPage } from "#test/features/content/edits.ts";
import { uploadAs } from "#test/features/content/uploads.ts";
import { pngOf, smallJpeg } from "#test/features/pdfs/factory.ts";
import { bytesAt, pdfOf, type Read, readPdf, squeezed } from "#test/features/pdfs/reading.ts";
import { type Client, useApp } from "#test/support/app.ts";
import { inTurn, isFullSize } from "#test/support/runs.ts";
import { bookHistory, readBook } from "#test/support/samples.ts";

const { app, world } = await useApp();
let as: Client;
let spaceId: string;

beforeAll(async () => {
  const { editor, space } = await world.space({ space: { title: "Kinds" } });
  as = app.as(editor.token);
  spaceId = space.id;
});

const red = pngOf(Array(8).fill(Array(8).fill([255, 0, 0, 128]).flat()), 8, { type: 6 });

interface Files {
  readonly png: string;
  readonly jpeg: string;
  readonly svg: string;
  readonly broken: string;
}

async function upload(name: string, bytes: Buffer<ArrayBuffer> | string): Promise<string> {
  return (await uploadAs(as, { spaceId, file: new File([bytes], name) })).file.id;
}

const textWithAll = (files: Files, page: string): string => `
Plain, **bold**, *italic*, ***both***, ~~gone~~ and \`code()\`; a [link](https://example.com/a?b=c),
a [page](page:${page}#second-part), an [anchor](#tables), a [path](./other.md), [nothing](javascript:alert(1)).\\
A note[^1], H<sub>2</sub>O.

## Scripts

Ελληνικά ξεσκεπάζω. Русский съешь. 日本語、いろはにほへと。**太字** \`コード\`. ติดตั้งฐานข้อมูล **ด้วย**. ✅ ⚠️ 👍 ≤ ≠ → ñ.

- Point
  1. Nested
- [x] Done
- [ ] Open

7. Seventh

> Quote

> [!WARNING]
> Take care.

{% hint style="info" %}
Another one.
{% endhint %}

{% hint style="warning" %}
**First**

* Listed
{% endhint %}

!!! tip "Titled"
    Indented

:::danger
- Contained
:::

{% tabs %}
{% tab title="Tab name" %}
In a tab {{ unknown }} %%hidden%%
{% endtab %}
{% endtabs %}

[by another name](#scripts_one) and $x_1$.

## Scripts_one

## Tables

| Left | Right |
| --- | ---: |
| **a** | \`b\` |

\`\`\`ts
const x = 1;

    indented("日本");
\`\`\`

![Picture](file:${files.png} "Its caption")
![Photo](file:${files.jpeg}) ![Drawing](file:${files.svg}) ![](file:${files.broken}) ![Outside](https://example.com/x.png)

<p>Some <b>HTML</b> &amp; <img src="https://example.com/cat.png" alt="a cat"></p>
<!-- not shown -->

[^1]: What is noted.
`;

const shown = `
Plain, bold, italic, both, gone and code(); a link, a page, an anchor, a path, nothing. A note1, H2O.
Scripts Ελληνικά ξεσκεπάζω. Русский съешь. 日本語、いろはにほへと。太字 コード. ติดตั้งฐานข้อมูล ด้วย. ✓ ⚠ \ufffd ≤ ≠ → ñ.
Point 1. Nested Done Open 7. Seventh Quote Warning Take care. Note Another one.
Warning First Listed Tip Titled Indented Danger Contained Tab name In a tab {{ unknown }}
by another name and $x_1$. Scripts_one
Tables Left Right a b const x = 1; indented("日本");
Its caption Image: Drawing Image: broken.png Image: Outside
Some HTML & Image: a cat 1 What is noted.`;

describe("the PDF of a text with all kinds of blocks", () => {
  let pdf: Read;

  beforeAll(async () => {
    const files = {
      png: await upload("picture.png", red),
      jpeg: await upload("photo.jpg", smallJpeg),
      svg: await upload("drawing.svg", `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`),
      broken: await upload("broken.png", red.subarray(0, 60)),
    };
    const other = newPage("Other", { slug: "other", markdown: "# Other\n\n## Second part\n\nText." });
    const all = newPage("All kinds", { markdown: textWithAll(files, other.pageId), description: "About it." });
    await editAs(as, { spaceId }, all.edit, other.edit);
    pdf = await readPdf(await bytesAt((await pdfOf(as, { space: spaceId })).url));
  });

  test("shows them in order, in every script", () => {
    const text = pdf.sheets.slice(2).join("");
    expect(squeezed(text)).toBe(squeezed(`All kinds About it. ${shown} Other Second part Text.`));
  });

  test("links to its headings and other pages, and to URLs with safe schemes", () => {
    const links = pdf.links.slice(2).flat();
    const last = pdf.sheets.length;
    expect(links).toContain("https://example.com/a?b=c");
    expect(links.filter((link) => link === last).length).toBeGreaterThanOrEqual(2); // by id and by path
    expect(links.filter((link) => typeof link === "string" && !/^https?:/.test(link))).toEqual([]);
    expect(pdf.outline).toEqual(["All kinds", "  Scripts", "  Scripts_one", "  Tables", "Other", "  Second part"]);
  });
});

// bpampuch/pdfmake#2800, #271 and #204
test("text without a place to break stays on the sheet wherever it is, with the lines beside it", async () => {
  const run = "abcdefghij".repeat(30);
  const words = "word ".repeat(60);
  const mixed = `${"日本語".repeat(40)}${"x9".repeat(60)}`;
  const places: Readonly<Record<string, (text: string) => string>> = {
    "a paragraph": (text) => text,
    Thai: (text) => `${"คุณสามารถติดตั้งฐานข้อมูลด้วยคำสั่งนี้".repeat(8)} ${text}`,
    "a heading": (text) => `## ${text}`,
    "a block of code": (text) => `\`\`\`\n${text}\n${words}\n\`\`\``,
    "a quote": (text) => `> ${text}\n>\n> ${words}`,
    "a hint": (text) => `{% hint style="info" %}\n${text}\n\n${words}\n{% endhint %}`,
    "an alert": (text) => `> [!NOTE]\n> ${text}\n>\n> ${words}`,
    "a list": (text) => `- ${text}\n- ${words}\n  1. ${text}`,
    "code in a list": (text) => `1. One\n\n   \`\`\`\n   ${text}\n   ${words}\n   \`\`\``,
    "code in a hint in a list": (text) => `- One\n\n  > [!TIP]\n  > \`\`\`\n  > ${text}\n  > ${words}\n  > \`\`\``,
    "a cell": (text) => `| a | b |\n| --- | --- |\n| ${text} | ${words} |`,
    "code in a paragraph": (text) => `See \`${text}\` there`,
    "an address": (text) => `See <https://example.com/${text}> there`,
    "a footnote": (text) => `A note[^n].\n\n[^n]: ${text} ${words}`,
    "the name of an image": (text) => `![${text}](https://example.com/x.png)`,
    "code in a footnote": (text) => `A note[^n].\n\n[^n]: Code:\n\n    \`\`\`\n    ${text}\n    \`\`\``,
    "right to left": (text) => `- שלום ${text} עולם`,
  };
  const { editor, space } = await world.space({ space: { title: "w".repeat(50) } });
  const title = "LongTitleWithoutABlank".repeat(6);
  const [placesOfMixed, placesOfRun] = [0, 1].map((turn) => inTurn(Object.entries(places), turn));
  const pagesOf = (text: string, of: typeof placesOfRun = []) =>
    of.map(([place, write]) => newPage(`${place} ${text.slice(0, 1)}`, { markdown: write(text) }));
  const pages = [...pagesOf(run, placesOfRun), ...pagesOf(mixed, placesOfMixed)];
  await editAs(app.as(editor.token), { spaceId: space.id }, ...pages.map(({ edit }) => edit), newPage(title).edit);
  const { edges, sheets } = await readPdf(await bytesAt((await pdfOf(app.as(editor.token), { space: space.id })).url));
  expect(edges.filter(({ right }) => right > 595.28 - 64 + 1)).toEqual([]);
  const text = squeezed(sheets.join("")).replaceAll("\u200b", "");
  expect(text.split(run).length - 1).toBe((placesOfRun?.length ?? 0) + 1); // a list has it twice
  expect(text).toContain(title);
});

/** The words of a text as PDFs show them, from its document. */
function wordsOf(nodes: readonly RichNode[]): string {
  return nodes.map(wordsOfNode).join("");
}

function wordsOfNode(node: RichNode): string {
  if (node.object === "text") return shownIn(textOfNode(node));
  const { type, data, nodes } = node;
  if (type === "definition") return "";
  if (type === "image") return `Image:${typeof data["alt"] === "string" ? data["alt"] : ""}`;
  if (type === "html") return htmlParts(String(data["source"])).map(wordsOfHtml).join("");
  if (type !== "list-ordered") return wordsOf(nodes);
  return nodes.map((item, index) => `${Number(data["start"]) + index}.${wordsOf([item])}`).join("");
}

const shownIn = (text: string): string =>
  fontRuns(text, "Sans")
    .map((run) => run.text)
    .join("");

const wordsOfHtml = (part: ReturnType<typeof htmlParts>[number]): string =>
  "text" in part
    ? shownIn(part.text)
    : "image" in part
      ? `Image:${part.image.alt || posix.basename(part.image.address)}`
      : "";

/** The heads of tables, which are repeated where a table continues on another sheet. */
const headsIn = (documents: readonly RichDocument[]): string[] =>
  documents.flatMap((document) =>
    [...nodesIn(document)].flatMap((node) =>
      node.object === "block" && node.type === "table-row" && node.data["head"] === true
        ? [squeezed(wordsOf([node]))]
        : [],
    ),
  );

/** The first difference: the expected and the found words; null without a difference. */
function differenceOf(found: string, expected: string, heads: readonly string[]): [string, string] | null {
  let at = 0;
  for (let index = 0; index < expected.length; at++, index++) {
    if (found[at] === expected[index]) continue;
    // A repeated head may begin with the same words as the following text.
    const back = [...Array(40).keys()].find((steps) =>
      heads.some((head) => repeats(found, expected, { at, index, steps, head })),
    );
    const head =
      back === undefined
        ? undefined
        : heads.find((one) => repeats(found, expected, { at, index, steps: back, head: one }));
    if (head === undefined) return [expected.slice(index - 40, index + 40), found.slice(at - 40, at + 40)];
    at += head.length;
  }
  return at === found.length ? null : ["the end", found.slice(at, at + 80)];
}

/** Whether a table head occurs shortly before a difference, followed by the expected words. */
function repeats(
  found: string,
  expected: string,
  { at, index, steps, head }: { at: number; index: number; steps: number; head: string },
): boolean {
  const rest = expected.slice(index - steps, index + 20);
  return found.startsWith(head, at - steps) && found.startsWith(rest, at - steps + head.length);
}

// The whole book would take a minute of a busy machine.
const chapters = isFullSize ? /^(?:ch0[0-4]|appendix-0[026])/ : /^(?:ch03-0[01]|appendix-02)/;

test.skipIf(!bookHistory)(
  "the words of a real book are read from its PDF in the same order",
  { timeout: 180_000 },
  async () => {
    const { editor, space } = await world.space({ space: { title: "The book" } });
    const texts = readBook().filter(([path]) => chapters.test(path));
    expect(texts.length).toBeGreaterThan(isFullSize ? 15 : 2);
    const pages = texts.map(([path, markdown]) => ({ title: path, markdown, ...newPage(path, { markdown }) }));
    await editAs(app.as(editor.token), { spaceId: space.id }, ...pages.map(({ edit }) => edit));
    const issued = await pdfOf(app.as(editor.token), { space: space.id });
    const { sheets, outline } = await readPdf(await bytesAt(issued.url));
    const documents = pages.map(({ markdown }) => fromMarkdown(markdown));
    const words = documents.map(({ nodes }, index) => squeezed(`${pages[index]?.title}${wordsOf(nodes)}`)).join("");
    const [, , ...chapterSheets] = sheets; // after the cover and the contents
    expect(differenceOf(squeezed(chapterSheets.join("")), words, headsIn(documents))).toBeNull();
    expect(outline.filter((title) => !title.startsWith(" "))).toEqual(pages.map(({ title }) => title));
  },
);
