// The structure of a text: all that a translation must not change. Two texts with the same structure differ in words.
import type { Nodes } from "mdast";
import { parseMarkdown } from "#src/documents/markdown.ts";
import { heldOutIn } from "#src/features/translations/model/held-out.ts";

/** The structure of a text in Markdown, to be compared with another one. */
export function structureOf(markdown: string): string {
  return JSON.stringify([structureOfNode(parseMarkdown(markdown)), heldOutIn(markdown)]);
}

/** What is in flowing text may stand in another order: languages have their own. */
const isFlowing = (type: string): boolean =>
  ["paragraph", "heading", "tableCell", "strong", "emphasis", "delete", "link", "linkReference"].includes(type);

/** How a node is written, or what is said by its text. */
const without = new Set(["type", "position", "children", "data", "alt", "label", "referenceType"]);

function structureOfNode(node: Nodes): unknown {
  const own = Object.entries(node).filter(([name, value]) => !without.has(name) && value !== null);
  const { type } = node;
  if (!("children" in node)) return [type, own];
  const inside = node.children.filter((child) => child.type !== "text").map((child) => structureOfNode(child));
  const sorted = isFlowing(type) ? inside.map((one) => JSON.stringify(one)).toSorted() : inside;
  return [type, own, sorted];
}
