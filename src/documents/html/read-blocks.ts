// Reads a text with the blocks of all dialects: the tree that HTML, sections, outlines and anchors are made of.
import type { PhrasingContent, Root } from "mdast";
import { markBlocks } from "#src/documents/html/block-marks.ts";
import { BlockMaker } from "#src/documents/html/marked-blocks.ts";
import { readNotes } from "#src/documents/html/noted-blocks.ts";
import { parseMarkdown } from "#src/documents/markdown.ts";

/** The syntax tree of a text without its front matter, with its blocks. */
export function readBlocks(markdown: string): { root: Root; blocks: BlockMaker } {
  const marked = markBlocks(markdown);
  const root = parseMarkdown(marked.text);
  const blocks = new BlockMaker(marked, phrasingOf);
  blocks.make(root);
  readNotes(root, blocks);
  return { root, blocks };
}

/** The content of a title. */
function phrasingOf(title: string): PhrasingContent[] {
  const [first, ...others] = parseMarkdown(title.slice(0, 500)).children;
  return first?.type === "paragraph" && others.length === 0 ? first.children : [{ type: "text", value: title }];
}
