// Links in imported texts: which are replaced, with exact positions; nothing else of a text changes.
import { describe, expect, test } from "vitest";
import { planOf } from "#test/features/imports/files.ts";

/** The imported text of `guide/a.md`, beside some other files. */
async function importText(text: string) {
  const { texts, warnings } = await planOf({
    "README.md": "",
    "other page.md": "",
    "top.md": "",
    "guide/README.md": "",
    "guide/a.md": text,
    "guide/b.md": "",
    "guide/c(1).md": "",
    "guide/é.md": "",
    "guide/img/x y.png": Buffer.of(1),
    "guide/img/z.svg": "<svg/>",
    "data/table.csv": "a,b",
  });
  return { text: texts["a"], warnings };
}

describe("links in an imported text", () => {
  test.each([
    ["[b](b.md)", "[b](page:b)"],
    ['[b](./b.md#part "Title")', '[b](page:b#part "Title")'],
    ["[b]( <b.md> 'x' )", "[b]( <page:b> 'x' )"],
    ["[up](../top.md)", "[up](page:top)"],
    ["[rooted](/guide/b.md)", "[rooted](page:b)"],
    ["[above](/docs/guide/b.md#x) [above](/content/guide/b)", "[above](page:b#x) [above](page:b)"],
    ["[slash](b.md/#x) [slash](b.html/)", "[slash](page:b#x) [slash](page:b)"],
    [
      "[blank](<../other page.md>) [encoded](../other%20page.md)",
      "[blank](<page:other-page>) [encoded](page:other-page)",
    ],
    [
      "[brackets](c(1).md) [escaped](c\\(1\\).md) [reference](&#98;.md)",
      "[brackets](page:c-1) [escaped](page:c-1) [reference](page:b)",
    ],
    ["[decomposed](e\u0301.md)", "[decomposed](page:e)"],
    [
      "[folder](./) [index](index.html) [readme](../guide/README.md)",
      "[folder](page:guide) [index](page:guide) [readme](page:guide)",
    ],
    ["[root](..) [root](../index.html) [root](/)", "[root](page:readme) [root](page:readme) [root](page:readme)"],
    ["[site](b.html#a) [plain](b) [slash](../guide/)", "[site](page:b#a) [plain](page:b) [slash](page:guide)"],
    ["[query](b.md?plain=1#x) ![raw](img/z.svg?raw=true)", "[query](page:b#x) ![raw](file:guide/img/z.svg)"],
    ["[itself](a.md#x)", "[itself](page:a#x)"],
    [
      '![x](<img/x y.png> "t") ![again](img/x%20y.png)',
      '![x](<file:guide/img/x y.png> "t") ![again](file:guide/img/x y.png)',
    ],
    ["[download](../data/table.csv)", "[download](file:data/table.csv)"],
    ["[![in a link](img/z.svg)](b.md)", "[![in a link](file:guide/img/z.svg)](page:b)"],
    [
      "[b], [B][b] and [c]\n\n[b]: b.md#x 'T'\n[c]: <../top.md>",
      "[b], [B][b] and [c]\n\n[b]: page:b#x 'T'\n[c]: <page:top>",
    ],
    ["> - quoted [b](b.md)\n>   and\n>   [b](\n>   b.md)", "> - quoted [b](page:b)\n>   and\n>   [b](\n>   page:b)"],
    [
      "| a | b |\n|---|---|\n| [b](b.md) | ![z](img/z.svg) |",
      "| a | b |\n|---|---|\n| [b](page:b) | ![z](file:guide/img/z.svg) |",
    ],
    [
      "Text[^1]\n\n[^1]: See [b](b.md)\n\n    and [top](../top.md)\n",
      "Text[^1]\n\n[^1]: See [b](page:b)\n\n    and [top](page:top)\n",
    ],
    ["# [b](b.md) {#id}\n\nSetext [b](b.md)\n---\n", "# [b](page:b) {#id}\n\nSetext [b](page:b)\n---\n"],
    ["\ttab\n\n- \t[b](b.md)\n", "\ttab\n\n- \t[b](page:b)\n"],
    ["Mac\r\n[b](b.md)\r\n\r\n[b](b.md)\r\n", "Mac\r\n[b](page:b)\r\n\r\n[b](page:b)\r\n"],
    ["𝒳 🧭 [b](b.md) é [b](b.md)", "𝒳 🧭 [b](page:b) é [b](page:b)"],
    ["[b](b.md#a%20b) [b](<b.md#a (b)>)", "[b](page:b#a%20b) [b](<page:b#a%20%28b%29>)"],
  ])("are replaced: %s", async (before, after) => {
    expect(await importText(before)).toEqual({ text: after, warnings: [] });
  });

  test.each([
    [
      '<img src="img/z.svg" alt="b.md"> <a class=x href=\'b.md#x\'>b</a>',
      '<img src="file:guide/img/z.svg" alt="b.md"> <a class=x href=\'page:b#x\'>b</a>',
    ],
    [
      '<p>\n  <IMG\n   SRC = "img/x%20y.png?a=1&amp;b=2"/>\n</p>',
      '<p>\n  <IMG\n   SRC = "file:guide/img/x y.png"/>\n</p>',
    ],
    [
      '> <div>\n> <a href="b.md">b</a>\n> </div>\n\n[b](b.md)',
      '> <div>\n> <a href="page:b">b</a>\n> </div>\n\n[b](page:b)',
    ],
    [
      '<div><!-- <a href="gone.md"> --><a href="b.md"></a></div>',
      '<div><!-- <a href="gone.md"> --><a href="page:b"></a></div>',
    ],
    ['<a data-href="b.md" hrefs="b.md">', '<a data-href="b.md" hrefs="b.md">'],
    // npm/marky-markdown#306: without quotes, and in sets
    ["<img src=img/z.svg>", "<img src=file:guide/img/z.svg>"],
    [
      "Text <img alt=x src=img/z.svg width=5> <a href=b.md>b</a>",
      "Text <img alt=x src=file:guide/img/z.svg width=5> <a href=page:b>b</a>",
    ],
    [
      '<picture>\n<source srcset="img/z.svg 1x, img/x%20y.png 2x">\n<img src="img/z.svg">\n</picture>',
      '<picture>\n<source srcset="file:guide/img/z.svg 1x, file:guide/img/x y.png 2x">\n<img src="file:guide/img/z.svg">\n</picture>',
    ],
    ["<img srcset=img/z.svg>", "<img srcset=file:guide/img/z.svg>"],
    [
      `<video poster='img/z.svg' src="img/z.svg"></video>`,
      `<video poster='file:guide/img/z.svg' src="file:guide/img/z.svg"></video>`,
    ],
    ['<video><source src="img/z.svg"></video>', '<video><source src="file:guide/img/z.svg"></video>'],
    [
      '<img data-src="img/z.svg" data-srcset="img/z.svg 2x">',
      '<img data-src="file:guide/img/z.svg" data-srcset="file:guide/img/z.svg 2x">',
    ],
    ['<object data="img/z.svg"></object>', '<object data="file:guide/img/z.svg"></object>'],
    ['<map><area href="b.md"></map>', '<map><area href="page:b"></map>'],
    ['<img alt="1 > 0" src="img/z.svg">', '<img alt="1 > 0" src="file:guide/img/z.svg">'],
    ['> <p>\n> <img\n>  src="img/z.svg">\n> </p>', '> <p>\n> <img\n>  src="file:guide/img/z.svg">\n> </p>'],
    ["\\<img src=img/z.svg> `<img src=img/z.svg>`", "\\<img src=img/z.svg> `<img src=img/z.svg>`"],
  ])("are replaced in HTML: %s", async (before, after) => {
    expect(await importText(before)).toEqual({ text: after, warnings: [] });
  });

  test.each([
    ["https://example.com/b.md"],
    ["//example.com/b.md"],
    ["mailto:b@example.com"],
    ["page:pag_1"],
    ["#part"],
    [""],
  ])("to other addresses are kept: %s", async (url) => {
    const text = `[b](${url}) ![b](${url}) <a href="${url}">b</a>\n`;
    expect(await importText(text)).toEqual({ text, warnings: [] });
  });

  test.each([
    ["code", "`[b](b.md)`\n\n```\n[b](b.md)\n```\n\n    [b](b.md)\n"],
    ["escaped brackets", "\\[b](b.md) !\\[b](b.md)\n"],
    ["directives of other tools", "\\{{#include b.md}} and {{#title b.md}}\n"],
    ["comments", "<!-- [b](b.md) <a href='b.md'> -->\n"],
    ["bare names", "b.md <b.md> [b.md]\n"],
    ["trailing blanks, tabs and odd line ends", "a  \nb\t\r\nc \r d\n\n\n"],
  ])("are not found in %s, and the text is unchanged", async (_what, text) => {
    expect(await importText(text)).toEqual({ text, warnings: [] });
  });

  test("to missing files are kept, with a warning that has the line", async () => {
    const text = `---
title: A
---

[a](gone.md) [b](../../out.md#x)

![c](img/none.png)
<p>
<a href="nowhere.html">
</p>

[d](/gone) [e](50%.md) [f](<ctrl\u001b[31m.md>)

[g]: img
`;
    const { text: after, warnings } = await importText(text);
    expect(after).toBe(text.slice(text.indexOf("[a]")));
    expect(warnings).toEqual([
      "guide/a.md:5 The link target gone.md does not exist in the import.",
      "guide/a.md:5 The link target ../../out.md#x does not exist in the import.",
      "guide/a.md:7 The link target img/none.png does not exist in the import.",
      "guide/a.md:9 The link target nowhere.html does not exist in the import.",
      "guide/a.md:12 The link target /gone does not exist in the import.",
      "guide/a.md:12 The link target 50%.md does not exist in the import.",
      "guide/a.md:12 The link target ctrl [31m.md does not exist in the import.",
      "guide/a.md:14 The link target img does not exist in the import.",
    ]);
  });

  test("to one file import the file once", async () => {
    const { plan } = await planOf({
      "a.md": "![1](x.png) ![2](x.png) [3](b.md)",
      "b.md": "![4](./x.png)",
      "x.png": Buffer.of(1),
      "unused.png": Buffer.of(2),
    });
    expect(plan.files.map(({ path }) => path)).toEqual(["x.png"]);
    expect(plan.all.map(({ links }) => links.length)).toEqual([3, 1]);
  });
});
