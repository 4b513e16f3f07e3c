// Markdown as a syntax tree (mdast) and back, in GitHub's dialect and one style.
import type { Root } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { withWritableEmphasis } from "#src/documents/syntax/emphasis.ts";
import { sourceSyntax, strictSyntax } from "#src/documents/syntax/source.ts";

/** A new parser, for code that needs more than the tree. */
export const newParser = () => unified().use(remarkParse).use(remarkGfm).use(sourceSyntax);

const parser = newParser().freeze();

/** Cells are not padded to one width: changing one would change every line, and padding has no maximum length. */
const newWriter = () =>
  unified()
    .use(remarkStringify, { bullet: "-", bulletOther: "+" })
    .use(remarkGfm, { tablePipeAlign: false })
    .use(sourceSyntax);

const writer = newWriter().freeze();

/** Also escapes single signs that are syntax together with others, such as `$`. */
const strictWriter = newWriter().use(strictSyntax).freeze();

/** Parses Markdown: milliseconds for prose, minutes for hostile texts. Throws RangeError for thousands of levels. */
export function parseMarkdown(markdown: string): Root {
  return parser.parse(markdown);
}

/** The text of a syntax tree. Punctuation may leave its emphasis, so that it is read again without references. */
export function writeMarkdown(root: Root): string {
  return writer.stringify(withWritableEmphasis(root, { mayMove: true }));
}

/** The text of a syntax tree. Parsing it gives the same tree, except for blanks and adjacent texts. */
export function writeExactly(root: Root, { isStrict }: { isStrict: boolean }): string {
  return (isStrict ? strictWriter : writer).stringify(withWritableEmphasis(root, { mayMove: false }));
}
