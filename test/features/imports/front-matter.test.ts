// Front matter: values that become page fields, warnings, and cases in which it stays text.
import { describe, expect, test } from "vitest";
import { planOf } from "#test/features/imports/files.ts";

async function importText(text: string) {
  const { pages, texts, warnings } = await planOf({ "a.md": text });
  return { page: pages[0], text: texts["a"], warnings };
}

describe("front matter", () => {
  test("sets page fields, and is removed with the empty lines after it", async () => {
    const { page, text, warnings } = await importText(`---
title: "The: title"
description: >
  What it is
  about.
icon: compass
emoji: 🧭
hidden: true
noIndex: true
noRobotsIndex: false
tags: [a, b]
layout:
  width: wide
  title:
    visible: true
  outline: false
---

# Heading
`);
    const layout = { width: "wide", title: true, outline: false };
    const fields = {
      description: "What it is about.",
      icon: "compass",
      emoji: "🧭",
      hidden: true,
      noIndex: true,
      layout,
    };
    expect(page).toBe(`a "The: title" ${JSON.stringify(fields)}`);
    expect(text).toBe("# Heading\n");
    expect(warnings).toEqual([]);
  });

  test.each([
    ["if empty", "---\n---\ntext\n", 'a "A"', "text\n"],
    ["with other line ends", "---\r\ntitle: T\r\n---\r\n\r\ntext\r\n", 'a "T"', "text\r\n"],
    ["behind a byte order mark", "\ufeff---\ntitle: T\n---\ntext", 'a "T"', "text"],
    ["ended by dots", "---\ntitle: T\n...\ntext", 'a "T"', "text"],
    ["of a number", "---\ntitle: 2024\n---\n", 'a "2024"', ""],
    ["with an empty title", "---\ntitle: '  '\n---\n# H", 'a "H"', "# H"],
  ])("is read %s", async (_what, before, page, text) => {
    expect(await importText(before)).toEqual({ page, text, warnings: [] });
  });

  test.each([
    ["an unclosed line at the start", "---\ntext\n"],
    ["not at the start", "\n---\ntitle: T\n\n---\n"],
    ["four dashes", "----\ntitle: T\n\n----\n"],
  ])("is text if it is %s", async (_what, text) => {
    expect(await importText(text)).toEqual({ page: 'a "A"', text, warnings: [] });
  });

  test.each([
    ["a list without names", "---\n- a\n- b\n---\ntext", /stays part of the text: it is not a YAML mapping\.$/],
    ["words only", "---\nwords\n---\ntext", /stays part of the text: it is not a YAML mapping\.$/],
  ])("stays text with a warning for %s", async (_what, text, warning) => {
    const outcome = await importText(text);
    expect(outcome).toEqual({ page: 'a "A"', text, warnings: [expect.stringMatching(warning)] });
  });

  test("is read without values that a page cannot have, with a warning", async () => {
    const { page, warnings } = await importText(
      `---\ntitle: [T]\ndescription: ${"x".repeat(1001)}\nhidden: maybe\nicon: {a: 1}\nlayout: {width: huge, cover: true}\n__proto__: {title: P}\n---\n`,
    );
    expect(page).toBe('a "[T]" {"layout":{"cover":true}}');
    const left = (name: string) => `a.md:1 The value of ${name} in the front matter is not valid and is ignored.`;
    expect(warnings.toSorted()).toEqual(["description", "hidden", "icon", "layout.width"].map(left));
  });

  /** fern-api/fern#3133, kubernetes/kubernetes#12531, dauxio/daux.io#19, eyeseast/python-frontmatter#70. */
  test.each([
    ["a colon", "title: Re: our plan", "Re: our plan"],
    ["backticks", "title: `code` first", "`code` first"],
    ["an at sign", "title: @scope/name", "@scope/name"],
    ["an open bracket", "title: [a\ntags:\n  - b", "[a"],
    ["a percent sign", "title: %PATH%", "%PATH%"],
    ["a star", "title: *bold* words", "*bold* words"],
    ["a dash", "title: - first", "- first"],
    ["quotes inside", 'title: "Quoted" word', '"Quoted" word'],
    ["a bad escape", 'title: "C:\\dir"', "C:\\dir"],
    ["an apostrophe in quotes", "title: 'It's here'", "It's here"],
    ["a tab elsewhere", "seo:\n\tindex: yes\ntitle: T", "T"],
    ["a boolean", "title: true", "true"],
    ["a number with a zero at its end", "title: 1.10", "1.10"],
    ["a key twice", "title: A\ntitle: B", "B"],
    ["a list", "title: [Draft]", "[Draft]"],
    [
      "an alias bomb beside it",
      "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c]\ntitle: T",
      "T",
    ],
  ])("has its title, and leaves the text, with %s", async (_what, matter, title) => {
    const { page, text, warnings } = await importText(`---\n${matter}\n---\n\n# Heading\n`);
    expect({ page, text }).toEqual({ page: `a ${JSON.stringify(title)}`, text: "# Heading\n" });
    expect(warnings.filter((warning) => !/was read line by line/.test(warning))).toEqual([]);
  });

  test.each([
    ["TOML", "+++\ntitle = 'A: b' # comment\ndate = 2024-01-02\ntags = [\n 'x',\n]\n+++\n"],
    ["JSON", '{\n  "title": "A: b",\n  "tags": ["x"]\n}\n'],
    ["YAML with its name", "---yaml\ntitle: 'A: b'\n---\n"],
    ["TOML between dashes", '---toml\ntitle = "A: b"\n---\n'],
  ])("may be written in %s", async (_what, matter) => {
    expect(await importText(`${matter}\ntext`)).toEqual({ page: 'a "A: b"', text: "text", warnings: [] });
  });
});
