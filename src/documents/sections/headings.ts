// The headings of a syntax tree with the names that their authors gave them, and the names of other places in the text.
import type { Heading, Html, Nodes, Parents, Root, RootContent } from "mdast";
import { type Anchor, anchorsOf, titled, type Titled } from "#src/documents/sections/anchors.ts";
import { readHtml } from "#src/documents/sections/html-text.ts";

export interface NamedHeading extends Titled, Anchor {
  readonly node: Heading;
}

/** Maximum number of headings that start sections: the last section contains the rest. */
const headingLimit = 2_000;

/** The named headings of a tree in their order, not those in quotes and lists. */
export function headingsIn(root: Root): NamedHeading[] {
  const found: (Titled & { node: Heading })[] = [];
  collect(root, found);
  const anchors = anchorsOf(found);
  return found.map((heading, index) => ({ ...heading, ...(anchors[index] ?? { anchor: "", aliases: [] }) }));
}

/** Blocks of other dialects are quotes in the tree (`marked-blocks.ts`). */
const isBlockNode = (node: Nodes): boolean =>
  node.type === "blockquote" && node.data?.hProperties?.["dataBlock"] !== undefined;

function collect(parent: Parents, found: (Titled & { node: Heading })[]): void {
  for (const [index, node] of parent.children.entries()) {
    if (found.length >= headingLimit) return;
    if (node.type === "heading") found.push({ node, ...readHeading(node, parent.children, index) });
    else if (isBlockNode(node)) collect(node as Parents, found);
  }
}

function readHeading(node: Heading, siblings: readonly RootContent[], index: number): Titled {
  const around = [...namesBefore(siblings, index), ...namesAfter(siblings[index + 1])];
  return titled({ text: plainText(node, " "), compact: plainText(node, ""), ids: namesIn(node), around });
}

/** The text of a node without its marks; `html` replaces elements of HTML. */
export function plainText(node: Nodes, html: string): string {
  switch (node.type) {
    case "text":
    case "inlineCode":
    case "code":
      return node.value;
    case "html":
      return html;
    case "source":
      return node.value.startsWith("{%") || node.value.startsWith("{{reusable:") ? html : node.value;
    case "break":
      return "\n";
    case "image":
    case "imageReference":
      return node.alt ?? "";
    case "footnoteReference":
      return "";
    default:
      return "children" in node ? node.children.map((child) => plainText(child, html)).join("") : "";
  }
}

/** The ids and names in the HTML of a node. */
function namesIn(node: Nodes): string[] {
  if (node.type === "html") return idsOf(node);
  return "children" in node ? node.children.flatMap((child) => namesIn(child)) : [];
}

const idsOf = ({ value }: Html): string[] => [...readHtml(value).names];

/** The names in blocks of HTML without content right before a heading. */
function namesBefore(siblings: readonly RootContent[], index: number): string[] {
  const before = siblings[index - 1];
  if (!before || (before.type !== "html" && before.type !== "paragraph")) return [];
  const isEmpty = before.type === "html" ? readHtml(before.value).text.trim() === "" : isEmptyHtml(before);
  return isEmpty ? namesIn(before) : [];
}

const isEmptyHtml = (node: Parents): boolean =>
  node.children.every((child) => child.type === "html" || (child.type === "text" && child.value.trim() === ""));

const attributesLine = /^\{:\s*#([^\s{}]{1,100})[^{}]*\}$/;

/** The name in a line of attributes after a heading, as kramdown has it. */
function namesAfter(node: RootContent | undefined): string[] {
  const [only, ...others] = node?.type === "paragraph" ? node.children : [];
  const [, name] = (only?.type === "text" && others.length === 0 && attributesLine.exec(only.value)) || [];
  return name === undefined ? [] : [name];
}

/** The names of places in a text besides its headings: the ids of elements. */
export function namedPlacesIn(root: Root, headings: readonly NamedHeading[]): string[] {
  const taken = new Set(headings.flatMap(({ anchor, aliases }) => [anchor.toLowerCase(), ...aliases]));
  const places = namesIn(root).map((name) => name.toLowerCase());
  return [...new Set(places)].filter((name) => !taken.has(name) && name.length <= 200 && !/\s/.test(name));
}
