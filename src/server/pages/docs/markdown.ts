// A page of the documentation as a syntax tree: anchors of headings, links between pages, plain text of sections.
import type { Heading, Link, Nodes, Parents, Root } from "mdast";
import remarkGfm from "remark-gfm";
import remarkParse from "remark-parse";
import { unified } from "unified";

/** A heading of a page. */
export interface DocHeading {
  readonly level: number;
  readonly title: string;
  readonly anchor: string;
}

/** The text below a heading, up to the next one. */
export interface DocSection extends DocHeading {
  readonly text: string;
}

/** Parses Markdown in GitHub's dialect. */
export const parseDoc = (text: string): Root => unified().use(remarkParse).use(remarkGfm).parse(text);

const blocks: ReadonlySet<string> = new Set(["root", "list", "listItem", "blockquote", "table", "tableRow"]);

/** The text of a node without marks; blanks divide what is in blocks of its own. */
function textOf(node: Nodes): string {
  if ("children" in node) return node.children.map(textOf).join(blocks.has(node.type) ? " " : "");
  if (node.type === "break") return " ";
  return "value" in node && node.type !== "html" ? node.value : "";
}

/** Makes the anchors of one page as GitHub does: the second heading of the same text ends with `-1`. */
function anchors(): (title: string) => string {
  const seen = new Map<string, number>();
  return (title) => {
    const plain = title.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "");
    const base = plain.replaceAll(/\s/g, "-");
    const count = seen.get(base) ?? 0;
    seen.set(base, count + 1);
    return count === 0 ? base : `${base}-${count}`;
  };
}

/** The headings of a page with their nodes, in their order. */
export function headingsOf(tree: Root): (DocHeading & { readonly node: Heading })[] {
  const anchorOf = anchors();
  return tree.children
    .filter((node): node is Heading => node.type === "heading")
    .map((node) => {
      const title = textOf(node);
      return { node, level: node.depth, title, anchor: anchorOf(title) };
    });
}

/** The sections of a page: its headings, each with the text below it. */
export function sectionsOf(tree: Root): DocSection[] {
  const headings = headingsOf(tree);
  const starts = headings.map(({ node }) => tree.children.indexOf(node));
  return headings.map(({ level, title, anchor }, index) => {
    const below = tree.children.slice((starts[index] ?? 0) + 1, starts[index + 1]);
    return { level, title, anchor, text: below.map(textOf).join(" ").replaceAll(/\s+/g, " ").trim() };
  });
}

/** Gives each heading its anchor and a link to itself. */
export function anchorHeadings(tree: Root): void {
  for (const { node, anchor, title, level } of headingsOf(tree)) {
    node.data = { ...node.data, hProperties: { id: anchor } };
    if (level > 1) node.children.push(...anchorLink(anchor, title));
  }
}

const anchorLink = (anchor: string, title: string): Heading["children"] => [
  { type: "text", value: " " },
  {
    type: "link",
    url: `#${anchor}`,
    data: { hProperties: { className: ["anchor"], ariaLabel: `Link to “${title}”` } },
    children: [{ type: "text", value: "#" }],
  },
];

/** Points links between files of the documentation to its pages; a link to another file becomes its text. */
export function linkPages(tree: Root, file: string): void {
  const visit = (parent: Parents): void => {
    parent.children = parent.children.flatMap((node) => {
      if ("children" in node) visit(node);
      if (node.type === "image" || node.type === "definition")
        return { ...node, url: addressOf(node.url, file) ?? node.url };
      return node.type === "link" ? linkOf(node, file) : node;
    }) as typeof parent.children; // texts of links may be where links are
  };
  visit(tree);
}

function linkOf(link: Link, file: string): Link | Link["children"] {
  const url = addressOf(link.url, file);
  return url === null ? link.children : { ...link, url };
}

/** The address on the gateway of a link in a file of the project; null for a file that is not a page. */
export function addressOf(url: string, file: string): string | null {
  if (/^([a-z][a-z0-9+.-]*:|[/#])/i.test(url)) return url;
  const { pathname, hash } = new URL(url, `file:///${file}`);
  if (pathname === "/README.md") return `/docs${hash}`;
  const [, name] = /^\/src\/docs\/([\w.-]+)$/.exec(pathname) ?? [];
  return name === undefined ? null : `/docs/${name.replace(/\.md$/, "")}${hash}`;
}
