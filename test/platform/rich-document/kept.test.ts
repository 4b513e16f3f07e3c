// A document that is written as it was read leaves its text as it was, byte by byte; after an edit of one block, the
// others keep their bytes. Written elsewhere, it is read as the same document.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { convert } from "#src/documents/convert.ts";
import type { RichDocument } from "#src/documents/document.ts";
import { fromMarkdown } from "#src/documents/from-markdown.ts";
import { isSameDocument } from "#src/documents/writing/same.ts";
import { toMarkdown } from "#src/documents/to-markdown.ts";
import { bookHistory, readBook } from "#test/support/samples.ts";
import { isFullSize, runs } from "#test/support/runs.ts";

/** As a client sends it. */
const sent = (document: RichDocument): RichDocument => JSON.parse(JSON.stringify(document));

/** Without keys, which are created each time. */
const meaning = (document: RichDocument): unknown =>
  JSON.parse(JSON.stringify(document, (name, value: unknown) => (["key", "definition"].includes(name) ? null : value)));

function expectKept(markdown: string): void {
  const read = sent(fromMarkdown(markdown));
  expect(toMarkdown(read, { base: markdown })).toBe(markdown);
  expect(meaning(fromMarkdown(toMarkdown(read)))).toEqual(meaning(read));
}

/** Syntax of dialects, with the report of the tool that broke it. */
const dialects: readonly (readonly [source: string, markdown: string])[] = [
  ["pentacent/keila#159", '{% embed url="https://e.org/v?a=1&b=2" %}\n\n$$x_{1}*y*$$\n'],
  ["forem/forem#6765", "Text {% youtube a_b_c %} and {% link https://example.com/a_b %}\n"],
  ["OrchardCMS/OrchardCore#2218", "{{ page.a_b | upcase }} *x* {{ a*b*c }}\n"],
  ["bytedance/deer-flow#637", "Inline $x_1$ and $$\\frac{a_1}{b*c*}$$\n\n$$\na_1\n\nb*c*\n$$\n"],
  ["nextcloud/text#5311", "- $a_1$\n- b $$c_2$$\n\n> $$\n> d_3\n> $$\n"],
  ["rstudio/rstudio#9821", "Costs $5, $6 or $7_000_000.\n"],
  ["GitbookIO/plugin-hints#5", '{% hint style="warning" %}\n**a**\n\n* b\n{% endhint %}\n'],
  ["GitBook's tabs", '{% tabs %}\n{% tab title="a_b" %}\n1. x\n2. y\n{% endtab %}\n{% endtabs %}\n'],
  ["Docusaurus", ":::tip[My_title]\n- a\n:::\n\n::::note\n:::tip\nx\n:::\n::::\n"],
  ["MkDocs", '!!! note "A_b"\n    Text *x*\n\n    - item\n\n??? tip\n    y\n\n=== "Tab"\n    z\n'],
  ["Obsidian", "Text %%a_b_c *d*%% text\n\n%%\nhidden\n\nlines\n%%\n"],
  ["Hugo", '{{< figure src="a_b.png" >}} and {{% note_it %}}\n'],
  ["Jinja in a table", "| {{ a_b }} | $c_d$ |\n| --- | --- |\n| {% x_y %} | e |\n"],
  ["docgraph", "{{ reusable:rec_a_b }} {{ my_var }}\n"],
  ["escaped syntax", "\\$x\\$ \\{{ a }} \\{% b %}\n\n\\:::note\n\n\\!!! note\n"],
  ["GitbookIO/public-docs", "End.&#x20;\n\n&#x20;Start\n\n| a&#x20; | b |\n| --- | --- |\n| &#x20;c | d |\n"],
  ["commonmark/commonmark-spec#650", "**注：**押す *「注」*だ ~~注：~~押す 押す**“注”**だ\n"],
  ["alerts", "> [!NOTE]\n> Text\n\n> [!tip] Title\n> - a\n"],
];

test.each(dialects)("%s: is the same after a save, and elsewhere: %j", (_source, markdown) => expectKept(markdown));

/** Forms of CommonMark and GFM that the writer would write in another way. */
const forms = [
  "Title\n=====\n\nSub\n---\ntext\n",
  "# Closed #\ntext right below\n* * *\n___\n",
  "* a\n* b\n\n+ c\n\n1) d\n2) e\n",
  "-   wide\n\n    second\n-   item\n",
  "    indented code\n\n~~~ js\ntildes\n~~~\n\n````\n```\n````\n",
  "_a_ __b__ *c __d__* ***e*** `` ` `` `f`\n",
  "[a]( <x y> 'T' ) [b][R] [R][] [R] ![i][r]\n\n[r]:  https://example.com  (Title)\n[unused]: x\n",
  "<https://example.com> https://example.com/a_b www.example.com a@example.com\n",
  "hard  \nbreak\\\nbreak<br>\nsoft\n",
  "<div>\n*raw*\n</div>\n\n<!-- c -->\n<b>x</b> &copy; &#42; &amp;\n",
  "| a | b\n|:-:|--\n| 1 | 2 | 3\n\n|x|\n|-|\n",
  "> quote\nlazy\n>\n> > nested\n\n- > in item\n",
  "- [ ] a\n- [x] b\n\n[^1]: Note\n\n    more\n\nText[^1]\n",
  "\ttab\n\n \u00a0nbsp\n\n\n\nmany blank lines\n\n\n",
  "no newline at the end",
  "windows\r\n\r\n- line\r\n- ends\r\n",
  "---\ntitle: Front matter\n---\n\nText\n",
  "1. one\n1. one\n1. one\n\n\n\n7. seven\n",
  "a\\\n\\*b\\* \\[c] \\# 1\\. &lt;\n",
  '<!-- docgraph:next paragraph {"data":{"align":"center"}} -->\n\nCentred\n',
  "* x\n\n  ```\n  code\n  ```\n\n  | t |\n  |---|\n  | u |\n* y\n",
];

test("every form of CommonMark and GFM is the same after a save, and elsewhere", () => {
  for (const markdown of forms) expectKept(markdown);
});

test.skipIf(!bookHistory)("every page of a book is the same after a save, and elsewhere", () => {
  const pages = readBook().filter((_page, index) => isFullSize || index % 12 === 0);
  for (const [, markdown] of pages) expectKept(markdown);
});

const words =
  '{%@ %}@{{@}}@$@$$@%%@:::@:::tip@!!! note@=== "a"@    @  @- @> @1. @a@b_c@*@**@注：@`@```@# @[@](x)@<b>@<!--@-->';
const pieces = fc.constantFrom(...words.split("@"), "|", "\n", "\n\n", "&#x20;", "\\", "[!NOTE]", "~~", "\t");

test("any mix of syntax is read within the limit of time, and is the same after a save, and elsewhere", async () => {
  const mixes = fc.array(pieces, { maxLength: 14 }).map((some) => some.join(""));
  const texts = fc.sample(mixes, { numRuns: runs(600, 80) });
  const read = await convert(texts.map((text) => ({ to: "document", text })));
  expect(read.every((document) => typeof document === "string")).toBe(true);
  for (const markdown of texts) {
    const document = sent(fromMarkdown(markdown));
    expect(toMarkdown(document, { base: markdown })).toBe(markdown);
    expect(isSameDocument(fromMarkdown(toMarkdown(document)), document), markdown).toBe(true);
  }
});

describe("after an edit of one block", () => {
  const edited = (markdown: string, at: number, text: string): string => {
    const { nodes, ...document } = sent(fromMarkdown(markdown));
    const leaf = { object: "leaf" as const, text, marks: [] };
    const block = { ...nodes[at], nodes: [{ object: "text" as const, key: "", leaves: [leaf] }] };
    return toMarkdown({ ...document, nodes: nodes.with(at, block as (typeof nodes)[number]) }, { base: markdown });
  };

  test.each([
    ["Title\n===\n* a\n* b\n\n\nText __c__\n\n~~~\nd\n~~~", 2, "Title\n===\n* a\n* b\n\n\nNew\n\n~~~\nd\n~~~"],
    ["# A #\ntext\n***\n_b_\n", 1, "# A #\nNew\n***\n_b_\n"],
    ["[a][r]\n\ntext\n\n[r]:  x\n", 1, "[a][r]\n\nNew\n\n[r]:  x\n"],
    ["{% hint %}\ntext\n{% endhint %}\n__b__\n", 1, "{% hint %}\nNew\n{% endhint %}\n__b__\n"],
  ])("the others keep their bytes: %j", (markdown, at, after) => {
    expect(edited(markdown, at, "New")).toBe(after);
  });

  test("added, moved and deleted blocks leave the others as they were", () => {
    const markdown = "* a\n* b\n\n__c__\n\nd  \ne\n";
    const { nodes, ...document } = sent(fromMarkdown(markdown));
    const write = (...order: number[]) =>
      toMarkdown({ ...document, nodes: order.flatMap((at) => nodes[at] ?? []) }, { base: markdown });
    expect(write(0, 2)).toBe("* a\n* b\n\nd  \ne\n");
    expect(write(1, 0, 2)).toBe("__c__\n\n* a\n* b\n\nd  \ne\n");
    expect(write(2)).toBe("d  \ne\n");
    expect(write(0, 1, 1, 2)).toBe("* a\n* b\n\n__c__\n\n__c__\n\nd  \ne\n");
  });
});
