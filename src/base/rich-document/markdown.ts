// Markdown as a syntax tree (mdast) and back: the one place that says which Markdown is meant (GitHub's), and in which style it is written.
import type { Root } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkStringify from "remark-stringify";
import { unified } from "unified";

/** A new parser, for those who read more out of a text than its tree. */
export const newParser = () => unified().use(remarkParse).use(remarkGfm);

const parser = newParser().freeze();

/** Cells are not filled up to one width: a change of one would change every line of the table, and blanks could take any room. */
const writer = unified()
  .use(remarkStringify, { bullet: "-", bulletOther: "+" })
  .use(remarkGfm, { tablePipeAlign: false })
  .freeze();

/**
 * The syntax tree of a text. Its time is that of the worst case: some milliseconds for ten thousand characters of prose, and minutes for as many that
 * were written to be slow. Throws RangeError for thousands of levels.
 */
export function parseMarkdown(markdown: string): Root {
  return parser.parse(markdown);
}

/** The text of a syntax tree. Reading it gives the same tree, but for blanks and texts side by side. */
export function writeMarkdown(root: Root): string {
  return writer.stringify(root);
}
