// What runs in the thread of `readme.ts`: Markdown becomes HTML, which takes half a second of a processor.
import { readFile } from "node:fs/promises";
import type { Heading, Nodes, Root } from "mdast";
import rehypeStringify from "rehype-stringify";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { serveTasks } from "#src/runtime/threads.ts";
import type { Rendered } from "#src/server/pages/readme.ts";

/** The text of a piece of Markdown, without its marks. */
const textOf = (node: Nodes): string =>
  "children" in node ? node.children.map(textOf).join("") : "value" in node ? node.value : "";

/** The name that links to a heading have after their `#`, as usual on GitHub. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");

function nameHeadings(tree: Root): Rendered["chapters"] {
  const headings = tree.children.filter((node): node is Heading => node.type === "heading");
  for (const heading of headings) heading.data = { ...heading.data, hProperties: { id: anchorOf(textOf(heading)) } };
  return headings
    .filter(({ depth }) => depth === 2 || depth === 3)
    .map((heading) => ({ level: heading.depth, title: textOf(heading), anchor: anchorOf(textOf(heading)) }));
}

serveTasks(async (path: string): Promise<Rendered> => {
  const parser = unified().use(remarkParse).use(remarkGfm);
  const tree = parser.parse(await readFile(path));
  const chapters = nameHeadings(tree);
  const writer = unified().use(remarkRehype).use(rehypeStringify);
  return { chapters, html: writer.stringify(await writer.run(tree)) };
});
