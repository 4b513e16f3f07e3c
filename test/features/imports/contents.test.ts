// The contents of an import: the files that become pages, their order, titles and slugs.
import { describe, expect, test } from "vitest";
import { planOf } from "#test/features/imports/files.ts";
import { times } from "#test/support/world.ts";

describe("a SUMMARY.md of an import", () => {
  test("sets order, titles, levels and parts; items outside of lists have no part", async () => {
    const { pages, warnings } = await planOf({
      "SUMMARY.md": `# Summary

[Welcome](README.md)
[Preface](./preface.md)

# First *steps*

- [Install](guide/install.md)
    - [On \`Linux\`](guide/linux.md)
        - [Packages](<guide/more packages.md>)
* [Run](guide/run.md "title")

---

1. [Draft]()
   - [Below a draft](guide/below.md)
2. Just words

## Second part
- [Reference][r]

[Appendix](appendix.md)
[Authors](authors.md)

[r]: reference/index.md
`,
      "README.md": "",
      "preface.md": "",
      "guide/install.md": "# Another title\n",
      "guide/linux.md": "",
      "guide/more packages.md": "",
      "guide/run.md": "",
      "guide/below.md": "",
      "reference/index.md": "",
      "appendix.md": "",
      "authors.md": "",
      "unlisted.md": "",
    });
    expect(warnings).toEqual(["unlisted.md It is not in the table of contents, and is left out."]);
    expect(pages).toEqual([
      'readme "Welcome"',
      'preface "Preface"',
      'first-steps "First steps" group',
      '  install "Install"',
      '    linux "On Linux"',
      '      more-packages "Packages"',
      '  run "Run"',
      '  draft "Draft" group',
      '    below "Below a draft"',
      '  just-words "Just words" group',
      'second-part "Second part" group',
      '  reference "Reference"',
      'appendix "Appendix"',
      'authors "Authors"',
    ]);
  });

  test.each(["SUMMARY.md", "src/SUMMARY.md", "docs/SUMMARY.md", "src/summary.md"])("is found at %s", async (path) => {
    const at = (name: string) => path.replace(/summary\.md$/i, name);
    const { pages, texts, warnings } = await planOf({
      [path]: "- [Two](two.md)\n- [One](one.md)\n",
      [at("one.md")]: "![](images/a.png) [two](two.md) [rooted](/two.md)",
      [at("two.md")]: "",
      [at("images/a.png")]: Buffer.of(1),
      "elsewhere/README.md": "",
    });
    expect(pages).toEqual(['two "Two"', 'one "One"']);
    expect(texts["one"]).toBe(`![](file:${at("images/a.png")}) [two](page:two) [rooted](page:two)`);
    expect(warnings).toEqual(["elsewhere/README.md It is not in the table of contents, and is left out."]);
  });

  test("may link to other sites; missing files, duplicates and files that are not pages are warnings", async () => {
    const { pages, warnings } = await planOf({
      "SUMMARY.md": `- [Site](https://example.com/a)
- [Gone](gone.md)
- [](one.md)
- [Again](one.md#part)
    - [Two](two.md)
- [Picture](a.png)
- [Outside](../x.md)
- [Script](javascript:alert(1))
- [Itself](SUMMARY.md)
`,
      "one.md": "# The one\n",
      "two.md": "",
      "a.png": Buffer.of(1),
    });
    expect(pages).toEqual([
      'site "Site" link {"target":"https://example.com/a"}',
      'gone "Gone"',
      'one "The one"',
      'again "Again" group',
      '  two "Two"',
    ]);
    expect(warnings).toEqual([
      "SUMMARY.md:2 gone.md does not exist: its page has no text.",
      "SUMMARY.md:4 one.md#part is listed twice: only the first entry becomes a page.",
      "SUMMARY.md:6 a.png is not a Markdown file and does not become a page.",
      "SUMMARY.md:7 ../x.md is not a Markdown file and does not become a page.",
      "SUMMARY.md:8 javascript:alert(1) is not a Markdown file and does not become a page.",
      "SUMMARY.md:9 SUMMARY.md is listed twice: only the first entry becomes a page.",
    ]);
  });

  test("may link to headings of a page below it: the page is that of the item around them", async () => {
    const { pages, texts, warnings } = await planOf({
      "SUMMARY.md": "* [Markdown](md.md)\n    * [Headings](md.md#headings)\n    * [Lists](lists.md)\n",
      "md.md": "# All of it\n",
      "lists.md": "",
    });
    expect(pages).toEqual(['md "Markdown"', '  lists "Lists"']);
    expect(texts["md"]).toBe("# All of it\n");
    expect(warnings).toEqual(["SUMMARY.md:2 md.md#headings is listed twice: only the first entry becomes a page."]);
  });

  test("omits files that it does not list, except linked ones: these are hidden pages below the page of their folder", async () => {
    const { pages, texts, warnings } = await planOf({
      "SUMMARY.md": "- [Start](README.md)\n- [Guide](guide/README.md)\n",
      "README.md": "[a](notes.md) [b](guide/deep/more.md) [c](notes.md)\n\n[log](CHANGELOG.md)\n",
      "notes.md": "# Notes\n[on](further.md)",
      "further.md": "",
      "CHANGELOG.md": "---\ntitle: Changes\n---\n",
      "guide/README.md": "",
      "guide/deep/more.md": "",
      "unlinked.md": "",
    });
    expect(pages).toEqual([
      'readme "Start"',
      'guide "Guide"',
      '  more "More" {"hidden":true}',
      'notes "Notes" {"hidden":true}',
      'changelog "Changes" {"hidden":true}',
      'further "Further" {"hidden":true}',
    ]);
    expect(texts["readme"]).toBe("[a](page:notes) [b](page:more) [c](page:notes)\n\n[log](page:changelog)\n");
    expect(warnings).toEqual([
      "README.md:1 notes.md is not in the table of contents: its page is hidden.",
      "README.md:1 guide/deep/more.md is not in the table of contents: its page is hidden.",
      "README.md:3 CHANGELOG.md is not in the table of contents: its page is hidden.",
      "notes.md:2 further.md is not in the table of contents: its page is hidden.",
      "unlinked.md It is not in the table of contents, and is left out.",
    ]);
  });
});

describe("folders of an import without a SUMMARY.md", () => {
  test("set the levels; README.md, index.md or a file of the same name beside it is the page of a folder", async () => {
    const { pages } = await planOf({
      "README.md": "# Welcome {#welcome}\n",
      "10-later.md": "",
      "9-sooner.markdown": "",
      "guide/index.md": "---\ntitle: The guide\n---\n# Not this\n",
      "guide/b.md": "Text\n\n## *Second* `code` <b>!</b>\n",
      "guide/a/readme.md": "",
      "guide/a/index.md": "",
      "faq.md": "",
      "faq/one.md": "",
      "the_api-docs/v1.md": "# v1\n",
      "images/only.png": Buffer.of(1),
      ".github/CONTRIBUTING.md": "",
      "node_modules/x/README.md": "",
      "Ünïcode näme.md": "",
    });
    expect(pages).toEqual([
      'readme "Welcome"',
      '9-sooner "9 sooner"',
      '10-later "10 later"',
      'faq "Faq"',
      '  one "One"',
      'guide "The guide"',
      '  a "A"',
      '    index "Index"',
      '  b "Second code !"',
      'the-api-docs "The api docs" group',
      '  v1 "v1"',
      'unicode-name "Ünïcode näme"',
    ]);
  });

  test.each([
    ["# One\n\n# Two", "One"],
    ["Text\n\n## Two ##", "Two"],
    ["Over\ntwo lines\n====", "Over two lines"],
    ["```\n# Code\n```\n\n### Three", "Three"],
    ["    # Code\n\n# `a` *b* [c](https://example.com)", "a b c"],
    ["[a](page.md)\n\n```\n# Code\n```\n\n### With links", "With links"],
    ["Text\n\n---\n\n- # In a list", "Page"],
    ["#", "Page"],
    [`${"Text\n".repeat(3000)}# Too far down`, "Page"],
  ])("set titles by first headings: %j", async (text, title) => {
    const { pages } = await planOf({ "page.md": text });
    expect(pages).toEqual([`page "${title}"`]);
  });

  test("set slugs that are unique among siblings, and titles of at most 200 characters", async () => {
    const { pages } = await planOf({
      "a b.md": `# ${"long ".repeat(50)}\n`,
      "a-b.md": "",
      "a_b.md": "",
      "!.md": "",
    });
    expect(pages.map((line) => line.split(" ")[0])).toEqual(["page", "a-b", "a-b-2", "a-b-3"]);
    expect(pages.find((line) => line.includes("long"))).toMatch(new RegExp(` "${"long ".repeat(40).trim()}"$`));
  });

  test("may be as deep as pages; those below become siblings, with a warning", async () => {
    const deep = (levels: number) => ({ [`${times(levels - 1, () => "d").join("/")}/page.md`]: "" });
    expect((await planOf(deep(20))).pages).toHaveLength(20);
    const { pages, warnings } = await planOf(deep(23));
    expect(pages.at(-1)).toMatch(/^ {38}page "Page"$/);
    expect(warnings).toEqual([
      expect.stringMatching(/page\.md It is on a higher level: pages may have at most 20 levels\.$/),
    ]);
  });

  test("must contain a page", async () => {
    await expect(planOf({ "a.txt": "text" })).rejects.toThrow("The import contains no Markdown files.");
    await expect(planOf({ "SUMMARY.md": "# Nothing\n" })).rejects.toThrow("The import contains no Markdown files.");
  });
});
