// Converts a Markdown text to HTML that cannot run scripts, whatever its author wrote: raw HTML is parsed as browsers
// do, and everything outside of a list of elements and attributes is removed before blocks and code get their views.
import type { Element, Root as Tree, RootContent as TreeContent } from "hast";
import rehypeRaw from "rehype-raw";
import remarkRehype from "remark-rehype";
import { unified } from "unified";
import { checkTree, tooDeep } from "#src/documents/document.ts";
import { classesOf, element } from "#src/documents/html/elements.ts";
import { nameHeadings } from "#src/documents/html/heading-names.ts";
import { makeTemplate } from "#src/documents/html/make-template.ts";
import { prepare } from "#src/documents/html/prepare.ts";
import { readBlocks } from "#src/documents/html/read-blocks.ts";
import { sanitizing } from "#src/documents/html/sanitize.ts";
import { Shaper } from "#src/documents/html/shape.ts";
import type { HtmlTemplate } from "#src/documents/html/template.ts";

const settings = {
  allowDangerousHtml: true,
  clobberPrefix: "note_", // names of headings have no underscores
  footnoteLabelProperties: { className: ["sr-only"] },
};
const toTree = unified().use(remarkRehype, settings).freeze();
const toTreeOfRaw = unified().use(remarkRehype, settings).use(rehypeRaw).freeze();
const sanitize = sanitizing();

/**
 * The HTML of a text. Throws INVALID_INPUT beyond `documentLimit`;
 * hostile texts take minutes: `convert` limits the time.
 */
export function htmlOf(markdown: string): HtmlTemplate {
  try {
    return converted(markdown);
  } catch (error) {
    throw error instanceof RangeError ? tooDeep() : error;
  }
}

function converted(markdown: string): HtmlTemplate {
  const { root, blocks } = readBlocks(markdown);
  checkTree(root);
  const names = nameHeadings(root);
  const hasHtml = prepare(root, blocks);
  const tree = (hasHtml ? toTreeOfRaw : toTree).runSync(root) as Tree;
  linkEmbedded(tree);
  names.markPlaces(tree);
  const clean = sanitize(tree) as Tree;
  const shaper = new Shaper(blocks.blocks, names);
  shaper.shape(clean);
  return makeTemplate(clean, shaper.headings);
}

const embedding: readonly string[] = ["iframe", "video", "audio", "embed", "object"];

/** Replaces frames, films and sounds by links to them, and removes the names of icons, which GitBook writes as text. */
function linkEmbedded(parent: Tree | Element): void {
  const children: TreeContent[] = parent.children;
  parent.children = children.flatMap((child): TreeContent[] => {
    if (child.type !== "element") return [child];
    if (child.tagName === "i" && classesOf(child).some((name) => name.startsWith("fa-"))) return [];
    if (embedding.includes(child.tagName)) return [linkTo(child)];
    if (child.tagName === "mark") colourMark(child);
    linkEmbedded(child);
    return [child];
  }) as Element["children"]; // a doctype is only at the top
}

const colour = /^(background-)?color:\s*(red|orange|yellow|green|blue|purple|pink|gr[ae]y)\b/;

/** GitBook colours texts by styles, which the sanitiser removes: a class keeps the colour. */
function colourMark(mark: Element): void {
  const [, isBackground, name = ""] = colour.exec(String(mark.properties["style"] ?? "")) ?? [];
  if (name !== "")
    mark.properties = { className: [`${isBackground ? "back" : "ink"}-${name.replace("grey", "gray")}`] };
}

function linkTo({ properties, children }: Element): Element {
  const source = children.find((child) => child.type === "element" && child.tagName === "source");
  const { src = properties["data"], title } = properties;
  const address = String(src ?? (source?.type === "element" ? source.properties["src"] : undefined) ?? "");
  const shown =
    typeof title === "string" && title.trim() !== "" ? title : address.replace(/^(?:https?:)?\/\/(?:www\.)?/, "");
  return element("a", { href: address }, [shown]);
}
