// Replaces HTML in Markdown by Markdown: runs of blocks with HTML are parsed as browsers do, others are unchanged.
import type { Parents as HtmlParents, Root as HtmlRoot, RootContent as HtmlContent } from "hast";
import type { Definition, Nodes, Root, RootContent } from "mdast";
import rehypeRaw from "rehype-raw";
import rehypeRemark from "rehype-remark";
import remarkRehype from "remark-rehype";
import { unified } from "unified";

const toHtml = unified().use(remarkRehype, { allowDangerousHtml: true }).use(rehypeRaw).freeze();
const toMarkdown = unified().use(rehypeRemark).freeze();

/**
 * The tree without HTML; what Markdown does not have leaves its text. Throws RangeError for thousands of levels, and
 * takes minutes for hostile texts.
 */
export function withoutHtml(root: Root): Root {
  if (!hasHtml(root)) return root;
  const definitions = definitionsIn(root);
  const children: RootContent[] = [];
  for (let start = 0; start < root.children.length;) {
    const end = endOfRun(root.children, start);
    const run = root.children.slice(start, Math.max(end, start + 1));
    children.push(...(end > start ? converted([...run, ...definitions]) : run));
    start += run.length;
  }
  return { ...root, children };
}

/** In blocks. An element around more of them ends with its own block. */
const longestRun = 200;

/** The end of the blocks from `start` that share elements, such as `<details>` around paragraphs. */
function endOfRun(blocks: readonly RootContent[], start: number): number {
  const first = blocks[start];
  if (!first || !hasHtml(first)) return start;
  let open = openElements(first);
  let end = start + 1;
  while (open > 0 && end < blocks.length && end - start < longestRun) {
    const next = blocks[end];
    if (!next) break;
    open += openElements(next);
    end++;
  }
  // An element that nothing closes ends with its own block.
  return open > 0 ? start + 1 : end;
}

const hasHtml = (node: Nodes): boolean => node.type === "html" || ("children" in node && node.children.some(hasHtml));

const tag = /<(\/?)([a-z][\w-]*)[^<>]*>/gi;
const endless = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|d[td]|t[dhr]|option)$/i;

/** Started elements minus ended ones; elements whose end is optional do not count. */
function openElements(node: Nodes): number {
  if (node.type === "html") {
    let open = 0;
    for (const [text, slash, name = ""] of node.value.matchAll(tag))
      if (!endless.test(name) && !text.endsWith("/>")) open += slash ? -1 : 1;
    return open;
  }
  return "children" in node ? node.children.reduce((sum, child) => sum + openElements(child), 0) : 0;
}

/** The targets of references, wherever they are. */
const definitionsIn = (node: Nodes): Definition[] =>
  node.type === "definition" ? [node] : "children" in node ? node.children.flatMap(definitionsIn) : [];

function converted(blocks: readonly RootContent[]): RootContent[] {
  const root: Root = { type: "root", children: [...blocks] };
  const tree = toHtml.runSync(root) as HtmlRoot;
  removeComments(tree);
  return (toMarkdown.runSync(tree) as Root).children;
}

/** Comments would become HTML in Markdown. */
function removeComments(parent: HtmlParents): void {
  const children: HtmlContent[] = parent.children.filter(({ type }) => type !== "comment" && type !== "doctype");
  for (const child of children) if ("children" in child) removeComments(child);
  parent.children = children as typeof parent.children; // a part of them
}
