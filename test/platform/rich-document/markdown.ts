// Markdown for tests of rich documents: its meaning as HTML, and arbitrary texts with every construct of GitHub
// Flavored Markdown.
import fc from "fast-check";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";

const renderer = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(rehypeStringify, { allowDangerousHtml: true })
  .freeze();

/** The meaning of a text as normalized HTML. */
export function htmlOf(markdown: string): string {
  return String(renderer.processSync(markdown));
}

const pageId = "pag_01h455vb4pex5vsknk084sn02q";
const fileId = "fil_01h455vb4pex5vsknk084sn02q";

const words = fc.constantFrom(
  "one",
  "two three",
  "Ünï çødé",
  "snake_case_name",
  "3 * 4",
  "a < b & c",
  "x|y",
  "#7",
  "1. x",
  "- y",
  "😀",
  "[z]",
  "a\\*b",
);
const escaped = words.map((text) => text.replaceAll(/[\\`*_{}[\]()#+\-.!<>&|~:]/g, (character) => `\\${character}`));
const address = fc.constantFrom(
  "https://example.com/a_b?c=d&e",
  `page:${pageId}`,
  `page:${pageId}#part-2`,
  `file:${fileId}`,
  "#there",
  "<a b>",
  "/x(y)",
);

const piece = fc.oneof(
  { weight: 4, arbitrary: escaped },
  escaped.map((text) => `*${text}*`),
  escaped.map((text) => `**${text}**`),
  escaped.map((text) => `~~${text}~~`),
  escaped.map((text) => `***${text}***`),
  fc.tuple(escaped, escaped).map(([one, other]) => `*${one} **${other}** [${other}](x) ~~${one}~~*`),
  fc.constantFrom("`code`", "`` a ` b ``", "**`bold code`**", "`a|b`"),
  fc.tuple(escaped, address).map(([text, to]) => `[${text}](${to})`),
  fc.tuple(escaped, address).map(([text, to]) => `[**${text}** \`c\`](${to} "Title \\"q\\"")`),
  fc.tuple(escaped, address).map(([text, to]) => `![${text}](${to} 'T')`),
  fc.tuple(address).map(([to]) => `[![alt](${to})](${to})`),
  fc.constantFrom("[full][r]", "[r][]", "[r]", "![image][r]", "**[R  ][r]**", "[^note]", "[^other note]"),
  fc.constantFrom("<https://example.com>", "https://example.com/x_y", "www.example.com", "me@example.com"),
  fc.constantFrom(
    "&copy;",
    "&#42;",
    "&lt;b&gt;",
    "<b>html</b>",
    "<br/>",
    "*a<br>b*",
    "a\\\nb",
    "a  \nb",
    "soft\nbreak",
  ),
);

const inlines = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => `Text ${pieces.join(" ")} end`);
const oneLine = inlines.map((text) => text.replaceAll(/\s*\\?\n/g, " "));
const indented = (text: string, by: string): string => text.replaceAll(/\n(?=.)/g, `\n${by}`);
const codeLines = fc.array(fc.constantFrom("let x = 1;", "", "  *not* [this](x)", "``` ~~~ ````", "\tend"), {
  maxLength: 4,
});

const cells = fc.array(
  oneLine.map((text) => text.replaceAll("`a|b`", "`a\\|b`")),
  { minLength: 3, maxLength: 3 },
);
const rowOf = (row: readonly string[]): string => `| ${row.join(" | ")} |`;
const table = fc
  .tuple(cells, fc.array(cells, { maxLength: 3 }))
  .map(([head, rows]) => [rowOf(head), "| --- | :-: | --: |", ...rows.map(rowOf)].join("\n"));

const { blocks } = fc.letrec<{ blocks: string; block: string; item: string }>((tie) => ({
  blocks: fc.array(tie("block"), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("\n\n")),
  item: fc
    .tuple(inlines, fc.option(tie("block")))
    .map(([text, block]) => (block === null ? text : `${text}\n\n${block}`)),
  block: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    inlines,
    fc.tuple(fc.integer({ min: 1, max: 6 }), oneLine).map(([level, text]) => `${"#".repeat(level)} ${text}`),
    inlines.map((text) => `${text}\n===`),
    fc
      .tuple(fc.constantFrom("", "js", 'rust title="x.rs" {1,3}'), codeLines)
      .map(([info, lines]) => ["`````" + info, ...lines, "`````"].join("\n")),
    codeLines.map((lines) => ["Code:", "", "    first", ...lines.map((line) => `    ${line}`), "    last"].join("\n")),
    table,
    fc.constantFrom(
      "---",
      '<div align="center">\n  <b>raw</b> &amp; *raw*\n</div>',
      "<!-- a\n\ncomment -->",
      "<script>alert(1)</script>",
    ),
    tie("blocks").map((text) => `> ${text.replaceAll("\n", "\n> ")}`),
    fc
      .array(oneLine, { minLength: 1, maxLength: 3 })
      .map((items) => items.map((text) => `- ${text}\n  - nested`).join("\n")),
    fc
      .array(tie("item"), { minLength: 1, maxLength: 3 })
      .map((items) => items.map((text) => `* ${indented(text, "  ")}`).join("\n")),
    fc
      .array(tie("item"), { minLength: 1, maxLength: 3 })
      .map((items) => items.map((text) => `7. ${indented(text, "   ")}`).join("\n\n")),
    fc
      .array(fc.tuple(fc.constantFrom(" ", "x"), oneLine), { minLength: 1, maxLength: 3 })
      .map((items) => items.map(([mark, text]) => `- [${mark}] ${text}`).join("\n")),
    fc.constant("- [ ] task\n- none\n- [x] done"),
    fc.constant("Paragraph\n\n- \n- x\n\n1) other list\n\n- a list\n\n* another"),
  ),
}));

/**
 * Any Markdown that a person might write: all blocks and inline constructs nested, with definitions and
 * footnotes.
 */
export const anyMarkdown = blocks.map((text) =>
  [
    text,
    `[r]: https://example.com "Defined"`,
    "[^note]: A note\n    with *two* lines.\n\n    - and a list",
    "[^other note]: Other.",
    "[r]: ignored",
  ].join("\n\n"),
);
