// The thread that renders a page of the documentation as HTML: the libraries are large, and a page takes a while.
import rehypeStringify from "rehype-stringify";
import type { Root } from "hast";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { readDoc } from "#src/base/documentation.ts";
import { serveTasks } from "#src/runtime/threads.ts";
import { anchorHeadings, type DocHeading, headingsOf, linkPages, parseDoc } from "#src/server/pages/docs/markdown.ts";

/** A page as HTML. Raw HTML in Markdown is left out. */
export interface RenderedDoc {
  readonly html: string;
  readonly headings: readonly DocHeading[];
}

/** Lets the keyboard scroll wide blocks of code and tables. */
const letBlocksScroll = () => (tree: Root) => {
  for (const node of tree.children)
    if (node.type === "element" && ["pre", "table"].includes(node.tagName)) node.properties["tabIndex"] = 0;
};

serveTasks(async (file: string): Promise<RenderedDoc> => {
  const tree = parseDoc(await readDoc({ file }));
  const headings = headingsOf(tree).map(({ level, title, anchor }) => ({ level, title, anchor }));
  anchorHeadings(tree);
  linkPages(tree, file);
  const writer = unified().use(remarkRehype).use(letBlocksScroll).use(rehypeStringify);
  return { headings, html: writer.stringify(await writer.run(tree)) };
});
