// Splitting pages into segments and back: for any answer of an engine, a page keeps its structure, and untranslated
// parts stay unchanged.
import fc from "fast-check";
import type { Nodes } from "mdast";
import { describe, expect, test } from "vitest";
import { toMarkdown } from "#src/documents/to-markdown.ts";
import { parseMarkdown } from "#src/documents/markdown.ts";
import { fillPage, segmentPage } from "#src/features/translations/commands/translate-source.ts";
import { fill, segmentHash, segmentsOf, structureOf } from "#src/features/translations/model/segments.ts";
import { anyDocument } from "#test/platform/rich-document/any-document.ts";
import { anyMarkdown } from "#test/platform/rich-document/markdown.ts";
import { readBook } from "#test/support/samples.ts";
import { runs } from "#test/support/runs.ts";

const textsIn = (markdown: string): string[] => segmentsOf({ title: "", markdown }).map(({ text }) => text);

/** The text with its segments as this engine translates them, and the problems of the others. */
function fillSegments(markdown: string, engine: (text: string) => string) {
  const { page, failed } = fill({ title: "", markdown }, textsIn(markdown).map(engine));
  return { markdown: page.markdown, problems: failed.map(({ problem }) => problem) };
}

/** Upper case outside of tags. */
const loud = (text: string): string =>
  text.replaceAll(/<[^>]*>|&\w+;|[^<&]+/g, (part) => (/^[<&]/.test(part) ? part : part.toUpperCase()));

/** Code and link targets, as written. */
function targetsIn(markdown: string): string[] {
  const sourceOf = (node: Nodes): string => {
    const from = node.type === "link" ? node.children.at(-1)?.position?.end : node.position?.start;
    return markdown.slice(from?.offset, node.position?.end.offset);
  };
  const found = (node: Nodes): string[] => [
    ...(["code", "inlineCode", "link", "definition", "html"].includes(node.type) ? [sourceOf(node)] : []),
    ...("children" in node ? node.children.flatMap((child) => found(child)) : []),
  ];
  return found(parseMarkdown(markdown)).toSorted();
}

// commonmark/commonmark-spec#650, slax-lab/slax-reader-web#247: words that are joined have no blanks beside emphasis.
test.each(["注：", "「注」", "注！", "（注）", "注、", "注。", "『注』", "【注】", "注…", "“注”", "주의:", "注"])(
  "emphasis around %s keeps its signs without blanks around it, and is read again",
  (word) => {
    for (const [source, mark] of [
      ["**Note:** press it", "**"],
      ["*Note:* press it", "*"],
      ["~~Note:~~ press it", "~~"],
    ] as const) {
      const engine = (text: string) => text.replace("Note:", word).replace(" press it", "押す");
      const { markdown } = fillSegments(source, engine);
      expect(markdown).toBe(`${mark}${word}${mark}押す`);
      expect(structureOf(markdown)).toBe(structureOf(source));
    }
  },
);

test("signs leave emphasis where words without blanks would not be read as such", () => {
  const engine = (text: string) => text.replace(" press it", "presser");
  expect(fillSegments("**Note:** press it", engine).markdown).toBe("**Note**:presser");
});

describe("tags of HTML", () => {
  const swapped = (one: string, other: string) => (text: string) =>
    text.replaceAll(/<[^>]*>/g, (tag) => (tag === one ? other : tag === other ? one : tag));

  // immersive-translate/immersive-translate#1459, vibgyj/WPTranslationFiller#61, DeepL/deepl-python#93
  test.each([
    ['Click <a href="x">here</a> now', ['Click <g id="1">here</g> now']],
    ["Press <b>the <i>red</i> key</b>", ['Press <g id="1">the <g id="2">red</g> key</g>']],
    ["A **bold <u>word</u>** there", ['A <g id="1">bold <g id="2">word</g></g> there']],
    ["[a <b>linked</b> word](/x)", ['<g id="1">a <g id="2">linked</g> word</g>']],
    ["Run <code>npm i</code> first", ['Run <x id="1"/> first']],
    ['The name <span translate="no">Harbour</span> stays', ['The name <x id="1"/> stays']],
    ["H<sub>2</sub>O is water", ['H<x id="1"/>O is water']],
    ["One line<br>and another", ['One line<x id="1"/>and another']],
    ["An <b>open tag", ['An <x id="1"/>open tag']],
    ["Crossed <b>one <i>two</b> three</i> four", ['Crossed <g id="1">one <x id="2"/>two</g> three<x id="3"/> four']],
    ["A <B class='k'>loud</B> word", ['A <g id="1">loud</g> word']],
    ["<mark>One</mark> and <mark>two</mark>", ['<g id="1">One</g> and <g id="2">two</g>']],
    ["A <!-- note --> word and <img src='x'> too", ['A <x id="1"/> word and <x id="2"/> too']],
  ])("of %s are sent as one placeholder for an element", (markdown, texts) => {
    expect(textsIn(markdown)).toEqual(texts);
    expect(fillSegments(markdown, (text) => text)).toEqual({ markdown, problems: [] });
    const { markdown: changed, problems } = fillSegments(markdown, loud);
    expect(problems).toEqual([]);
    expect(structureOf(changed)).toBe(structureOf(markdown));
  });

  test("may move with their words, but not out of their element, nor the end before the start", () => {
    const moved = fillSegments('Click <a href="x">here</a> now', () => 'Jetzt <g id="1">hier</g> klicken');
    expect(moved).toEqual({ markdown: 'Jetzt <a href="x">hier</a> klicken', problems: [] });
    const code = fillSegments("Use `a` then `b`", swapped('<x id="1"/>', '<x id="2"/>'));
    expect(code).toEqual({ markdown: "Use `b` then `a`", problems: [] });
    for (const [markdown, answer] of [
      ["<b>one *two*</b> three", '<g id="1">eins</g> <g id="2">zwei</g> drei'],
      ["<i>one</i> two", '</g>eins<g id="1"> zwei'],
      ["<i>one</i> two", "eins zwei"],
      ["<i>one</i> two", '<g id="1">eins</g> <g id="1">zwei</g>'],
      ["<i>one</i> two", '<g id="1"></g> eins zwei'],
      ["one <b>two <i>three</b> four</i>", 'eins<x id="3"/> zwei <g id="1">drei <x id="2"/>vier</g>'],
    ] as const) {
      const filled = fillSegments(markdown, () => answer);
      expect(filled, markdown).toEqual({ markdown, problems: [expect.any(String)] });
    }
  });
});

describe("any page split into segments", () => {
  test("stays byte for byte if no segment changes", () => {
    fc.assert(
      fc.property(anyMarkdown, (markdown) => {
        expect(fillSegments(markdown, (text) => text)).toEqual({ markdown, problems: [] });
      }),
      { numRuns: runs(30, 6) },
    );
  });

  test("keeps its structure, with code, targets and expressions, if every word changes", () => {
    fc.assert(
      fc.property(anyMarkdown, (markdown) => {
        const { markdown: changed, problems } = fillSegments(markdown, loud);
        expect(structureOf(changed)).toBe(structureOf(markdown));
        expect(targetsIn(changed)).toEqual(targetsIn(markdown));
        // A segment that cannot be written stays, which is rare.
        expect(problems.length).toBeLessThanOrEqual(1 + textsIn(markdown).length / 10);
      }),
      { numRuns: runs(30, 6) },
    );
  });

  test("keeps its structure for random Markdown, also with notes and unusual syntax", () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const markdown = toMarkdown(document);
        expect(fillSegments(markdown, (text) => text)).toEqual({ markdown, problems: [] });
        expect(structureOf(fillSegments(markdown, loud).markdown)).toBe(structureOf(markdown));
      }),
      { numRuns: runs(30, 6) },
    );
  });

  const odd = fc.constantFrom(
    "**b**",
    "<b>x</b>",
    "\n\n# h",
    "`c`",
    "[a](b)",
    "{{name}}",
    "| c |",
    "![i](j)",
    "\\",
    "- x",
    "1. y",
    '<x id="1"/>',
    "{% hint %}",
    "https://example.com",
    "```",
    "&lt;i&gt;",
    "]",
    "_e_",
    "~~s~~",
  );
  const change = fc.oneof(
    fc.tuple(odd, fc.boolean()).map(
      ([more, isBefore]) =>
        (text: string) =>
          isBefore ? `${more}${text}` : `${text} ${more}`,
    ),
    odd.map((other) => () => other),
    odd.map((other) => (text: string) => text.replaceAll(/\p{L}+/gu, (word) => (word.length < 3 ? word : other))),
    fc.constantFrom<(text: string) => string>(
      (text) => text.replace(/<[^>]*>/, ""),
      (text) => text + text,
      (text) => text.replace('id="1"', 'id="2"'),
      (text) => text.replaceAll(/<(x id="\d")\/>/g, "<$1></x>"),
      (text) => text.replaceAll("<g", "</g"),
      (text) => text.split(" ").toReversed().join(" "),
      (text) =>
        text
          .split(/(<[^>]*>)/)
          .toReversed()
          .join(""),
    ),
  );

  test("keeps its structure with a hostile engine", () => {
    fc.assert(
      fc.property(anyMarkdown, fc.infiniteStream(change), (markdown, changes) => {
        const changed = fillSegments(markdown, (text) => (changes.next().value as (text: string) => string)(text));
        expect(structureOf(changed.markdown)).toBe(structureOf(markdown));
      }),
      { numRuns: runs(30, 6) },
    );
  });
});

describe("segments of a page", () => {
  const page = {
    title: "Start with {{ product }} 🚀",
    description: "What <you> need & how",
    markdown: [
      "---\ntitle: Front matter\n---\n",
      "# 1. Install\n",
      'Run `npm ci`, read the *[guide](page:x "T") of\n__{{ product }}__*\\\nand 😀 <b>go</b>.\n',
      "- [ ] See https://example.com/a_b\n- ![a \\] map](map.png)\n",
      "> [!NOTE]\n> Mind\n> it.\n",
      '{% hint style="info" %}\nTwice.\n{% endhint %}\n',
      "| Key | `b` |\n| --- | --- |\n| a \\| c | [r] {{reusable:abc}} |\n",
      "```js\nconst word = 1;\n```\n",
      "<div>\nHTML\n</div>\n",
      "[r]: https://example.com 'Title'\n",
    ].join("\n"),
  };

  test("are its texts, with placeholders for untranslated parts", () => {
    expect(segmentsOf(page)).toEqual([
      { kind: "title", text: 'Start with <x id="1"/> <x id="2"/>' },
      { kind: "description", text: 'What <x id="1"/>you<x id="2"/> need &amp; how' },
      { kind: "heading", text: "1. Install" },
      {
        kind: "paragraph",
        text:
          'Run <x id="1"/>, read the <g id="2"><g id="3">guide</g> of <x id="4"/></g><x id="5"/>and <x id="6"/> ' +
          '<g id="7">go</g>.',
      },
      { kind: "list item", text: 'See <x id="1"/>' },
      { kind: "alternative text", text: "a ] map" },
      { kind: "quote", text: "Mind it." },
      { kind: "paragraph", text: "Twice." },
      { kind: "table cell", text: "Key" },
      { kind: "table cell", text: "a | c" },
      { kind: "table cell", text: '<g id="1">r</g> <x id="2"/>' },
    ]);
  });

  test("leave everything else of the page unchanged", () => {
    const { page: changed, failed } = fill(
      page,
      segmentsOf(page).map(({ text }) => loud(text)),
    );
    expect(failed).toEqual([]);
    expect(changed).toEqual({
      title: "START WITH {{ product }} 🚀",
      description: "WHAT <YOU> NEED & HOW",
      markdown: page.markdown
        .replace("Install", "INSTALL")
        .replace("Run `npm ci`, read the *[guide]", "RUN `npm ci`, READ THE *[GUIDE]")
        .replace("of\n__{{ product }}__*\\\nand 😀 <b>go", "OF __{{ product }}__*\\\nAND 😀 <b>GO")
        .replace("See", "SEE")
        .replace("a \\] map", "A \\] MAP")
        .replace("Mind\n> it", "MIND IT")
        .replace("Twice", "TWICE")
        .replace("Key", "KEY")
        .replace("a \\| c", "A \\| C")
        .replace("| [r] ", "| [R][r] "),
    });
  });

  test.each([
    ["Words only", "Palabras", "Palabras"],
    ["1\\. a", "1. a - **b** {{c}} <", "1\\. a - \\*\\*b\\*\\* \\{{c}} <"],
    ["A `b` *c*", '<g id="2"> d </g><x id="1"></x>e', "*d* `b`e"],
    ["A **「b」** c", '<g id="1">「b」</g>です', "**「b」**です"],
    ["A _b_ c", 'x<g id="1">y</g>z', "x*y*z"],
    ["> A\\\n> b", 'C<x id="1"/>d', "> C\\\n> d"],
    ["10\u00a0MB", "10\u00a0Mo\n de", "10\u00a0Mo de"],
    ["Done! [a](b)", '¡Hecho!<g id="1">x</g>', "¡Hecho\\![x](b)"],
    ["a $$x_{1}*y*$$ b", 'A <x id="1"/> B', "A $$x_{1}*y*$$ B"],
    ["a $x_1$ b", 'A <x id="1"/> B', "A $x_1$ B"],
    ["a\n\n$$\nx_1\n\ny*z*\n$$", "A", "A\n\n$$\nx_1\n\ny*z*\n$$"],
    ["| a $$x_1$$ |\n| --- |", 'A <x id="1"/>', "| A $$x_1$$ |\n| --- |"],
  ])("for %j with the answer %j become %j", (source, answer, expected) => {
    expect(fillSegments(source, () => answer)).toEqual({ markdown: expected, problems: [] });
  });

  test.each([
    ["A `b`", "C", "placeholder 1 is missing"],
    ["A `b`", 'C <x id="1"/> <x id="1"/>', "placeholder 1 is repeated, or not in the source"],
    ["A", 'C <x id="7"/>', "placeholder 7 is repeated, or not in the source"],
    ["A **b `c`**", 'd <x id="2"/> <g id="1">e</g>', "placeholder 2 has another position than in the source"],
    ["A **b**", 'd <x id="1"/>', "placeholder 1 has another position than in the source"],
    ["A **b**", 'd <g id="1"></g>', "placeholder 1 has lost its text"],
    ["A **b**", 'd <g id="1">e', "placeholder 1 is not closed"],
    ["A **b**", 'd </g> <g id="1">', "its placeholders are not properly nested"],
    ["A `b`", 'd <x id="1">e</x>', "it has text in placeholder 1, which must be empty"],
    ["A", "<b>C</b>", "it has markup that the source does not have"],
    ["A", "…", "it is empty"],
    ["A", "long ".repeat(200), "it is far longer than the source"],
  ])("for %j with the answer %j stay unchanged: %s", (source, answer, problem) => {
    expect(fillSegments(source, () => answer)).toEqual({ markdown: source, problems: [problem] });
  });

  test("that fail do not affect the others", () => {
    const source = "One\n\nTwo\n\nThree";
    const { page: changed, failed } = fill({ title: "Four", markdown: source }, [
      "x".repeat(201),
      "Uno",
      null,
      "<i>Tres",
    ]);
    expect(changed).toEqual({ title: "Four", markdown: "Uno\n\nTwo\n\nThree" });
    expect(failed).toEqual([
      { index: 0, problem: "it has more than 200 characters" },
      { index: 3, problem: "it has markup that the source does not have" },
    ]);
  });

  test("do not exist in a text with reserved private characters", () => {
    expect(textsIn("One \uFDD0\uFDD1")).toEqual([]);
  });

  test("have another hash for anything that their translation depends on", () => {
    const origin = { text: "One", from: "en", to: "es", instructions: "", engine: "apertium", terms: [] };
    const texts = ["text", "from", "to", "instructions", "engine"];
    const others = texts.map((name) => segmentHash({ ...origin, [name]: "other" }));
    const ofTerms = ["Uno", null].map((translation) =>
      segmentHash({ ...origin, terms: [{ term: "One", translation }] }),
    );
    expect(new Set([segmentHash(origin), ...others, ...ofTerms]).size).toBe(8);
    expect(segmentHash({ ...origin })).toBe(segmentHash(origin));
  });
});

describe("segments in a thread", () => {
  test("are split and joined", async () => {
    const page = { title: "One", markdown: "Two **three**" };
    expect(await segmentPage(page)).toEqual(segmentsOf(page));
    const translations = ["Uno", 'Dos <g id="1">tres</g>'];
    expect(await fillPage(page, translations)).toEqual(fill(page, translations));
  });

  test("of a text that is slow to parse are aborted, and others continue", async () => {
    const slow = { title: "", markdown: `${"- ".repeat(12_000)}a` };
    const jobs = [segmentPage(slow, 500), segmentPage({ title: "One", markdown: "" }), fillPage(slow, [], 500)];
    expect(await Promise.all(jobs)).toEqual([null, [{ kind: "title", text: "One" }], null]);
  });

  test("do not exist for a text that is nested too deep", async () => {
    expect(await segmentPage({ title: "", markdown: `${">".repeat(2_000)} a` })).toEqual([]);
  });
});

test.skipIf(readBook().length === 0)("of a book's pages are all translated", () => {
  const pages = readBook()
    .filter(([path]) => path.endsWith(".md"))
    .slice(0, 4);
  expect(pages.flatMap(([, markdown]) => fillSegments(markdown, loud).problems)).toEqual([]);
});
