// Markdown as a syntax tree (mdast) and back, in GitHub's dialect and one style.
import type { Root } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkStringify from "remark-stringify";
import { unified } from "unified";

/** A new parser, for code that needs more than the tree. */
export const newParser = () => unified().use(remarkParse).use(remarkGfm);

const parser = newParser().freeze();

/** Cells are not padded to one width: changing one would change every line, and padding has no maximum length. */
const writer = unified()
  .use(remarkStringify, { bullet: "-", bulletOther: "+" })
  .use(remarkGfm, { tablePipeAlign: false })
  .freeze();

/** Parses Markdown: milliseconds for prose, minutes for hostile texts. Throws RangeError for thousands of levels. */
export function parseMarkdown(markdown: string): Root {
  return parser.parse(markdown);
}

/** The text of a syntax tree. Parsing it gives the same tree, except for blanks and adjacent texts. */
export function writeMarkdown(root: Root): string {
  return writer.stringify(root);
}
