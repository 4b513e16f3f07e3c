// The text of HTML within Markdown, and the ids and names of its elements.
import type { Element, Nodes } from "hast";
import rehypeParse from "rehype-parse";
import { unified } from "unified";

interface HtmlText {
  readonly text: string;
  /** The ids of elements, and the names of links. */
  readonly names: readonly string[];
}

const parser = unified().use(rehypeParse, { fragment: true }).freeze();

const nothing: HtmlText = { text: "", names: [] };

/** A single tag or comment without names, such as most HTML in texts: parsing it would find nothing. */
const bareTag = /^<[^<>]*>$/;
const mayHaveNames = /[\s"'/](?:id|name)\s*=/i;

/** Reads HTML as browsers do. */
export function readHtml(source: string): HtmlText {
  if (source.startsWith("<!--") && source.indexOf("-->") === source.length - 3) return nothing;
  if (bareTag.test(source) && !mayHaveNames.test(source)) return nothing;
  const names: string[] = [];
  return { text: textOf(parser.parse(source), names), names };
}

const hidden: ReadonlySet<string> = new Set(["script", "style", "template", "noscript"]);

const flowing: ReadonlySet<string> = new Set(
  "a b i em strong code kbd span sub sup small mark u s del abbr".split(" "),
);

function textOf(node: Nodes, names: string[]): string {
  if (node.type === "text") return node.value;
  if (!("children" in node)) return "";
  if (node.type === "element") {
    names.push(...namesOf(node));
    if (hidden.has(node.tagName)) return "";
  }
  const inside = node.children.map((child) => textOf(child, names)).join("");
  return node.type !== "element" || flowing.has(node.tagName) ? inside : ` ${inside} `;
}

/** The names that lead to an element. */
export function namesOf({ tagName, properties }: Element): string[] {
  const { id, name } = properties;
  return [id, tagName === "a" ? name : undefined].filter((one) => typeof one === "string" && one !== "") as string[];
}
