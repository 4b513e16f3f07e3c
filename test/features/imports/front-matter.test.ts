// Front matter: which values of it become those of a page, which warnings there are, and when it is just text.
import { describe, expect, test } from "vitest";
import { planOf } from "#test/features/imports/files.ts";

async function imported(text: string) {
  const { pages, texts, warnings } = await planOf({ "a.md": text });
  return { page: pages[0], text: texts["a"], warnings };
}

describe("front matter", () => {
  test("gives what pages have, and removes the empty lines after it", async () => {
    const { page, text, warnings } = await imported(`---
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
    ["empty", "---\n---\ntext\n", 'a "A"', "text\n"],
    ["with other line ends", "---\r\ntitle: T\r\n---\r\n\r\ntext\r\n", 'a "T"', "text\r\n"],
    ["behind a byte order mark", "\ufeff---\ntitle: T\n---\ntext", 'a "T"', "text"],
    ["ended by dots", "---\ntitle: T\n...\ntext", 'a "T"', "text"],
    ["of a number", "---\ntitle: 2024\n---\n", 'a "2024"', ""],
    ["with an empty title", "---\ntitle: '  '\n---\n# H", 'a "H"', "# H"],
  ])("%s", async (_what, before, page, text) => {
    expect(await imported(before)).toEqual({ page, text, warnings: [] });
  });

  test.each([
    ["a line at the start that is never matched", "---\ntext\n"],
    ["not at the start", "\n---\ntitle: T\n\n---\n"],
    ["four dashes", "----\ntitle: T\n\n----\n"],
  ])("%s: it is text", async (_what, text) => {
    expect(await imported(text)).toEqual({ page: 'a "A"', text, warnings: [] });
  });

  test.each([
    ["no YAML", "---\ntitle: [\n---\ntext", /stays part of the text: it is not valid YAML \(.+\)\.$/],
    ["a tab", "---\na:\n\tb: 1\n---\ntext", /stays part of the text: it is not valid YAML/],
    ["no names", "---\n- a\n- b\n---\ntext", /stays part of the text: it is not a YAML mapping\.$/],
    ["just words", "---\nwords\n---\ntext", /stays part of the text: it is not a YAML mapping\.$/],
    [
      "an alias bomb",
      `---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c]\n---\ntext`,
      /stays part of the text: it has too many aliases\.$/,
    ],
  ])("with %s stays text", async (_what, text, warning) => {
    const outcome = await imported(text);
    expect(outcome).toEqual({ page: 'a "A"', text, warnings: [expect.stringMatching(warning)] });
  });

  test("values that a page cannot have are left out, with a warning", async () => {
    const { page, warnings } = await imported(
      `---\ntitle: [T]\ndescription: ${"x".repeat(1001)}\nhidden: maybe\nicon: {a: 1}\nlayout: {width: huge, cover: true}\n__proto__: {title: P}\n---\n`,
    );
    expect(page).toBe('a "A" {"layout":{"cover":true}}');
    const left = (name: string) => `a.md:1 The value of ${name} in the front matter is not valid and is ignored.`;
    expect(warnings.toSorted()).toEqual(["description", "hidden", "icon", "layout.width", "title"].map(left));
  });
});
