// Writes the shaped tree of a text as a template: addresses are left open.
import type { Element, ElementContent, Root } from "hast";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import { isAllowedAddress } from "#src/documents/addresses.ts";
import { classesOf, textOf } from "#src/documents/html/elements.ts";
import type { Place, TextHeading, HtmlTemplate } from "#src/documents/html/template.ts";

const writer = unified().use(rehypeStringify).freeze();

/** Marks a place. Parsers of Markdown and HTML replace this character, and `&` is escaped, so texts cannot have it. */
const mark = "\0";
// oxlint-disable-next-line no-control-regex -- it cannot be in texts
const marks = / (?:href|src|srcset)="&#x0;&#x0;"|\u0000/g;

const addresses = { href: "href", src: "src", srcSet: "srcset" } as const;

/** The template of a tree, with its headings. */
export function makeTemplate(root: Root, headings: readonly TextHeading[]): HtmlTemplate {
  const places: Place[] = [];
  for (const node of root.children) if (node.type !== "doctype") open(node, places);
  const html = writer.stringify(root);
  const pieces: string[] = [];
  let done = 0;
  for (const { 0: found, index } of html.matchAll(marks)) {
    pieces.push(html.slice(done, index));
    done = index + found.length;
  }
  pieces.push(html.slice(done));
  return { pieces, places, headings };
}

/** Replaces the addresses of an element and of those in it by marks, in the order in which they are written. */
function open(node: ElementContent, places: Place[]): void {
  if (node.type !== "element") return;
  for (const [property, attribute] of Object.entries(addresses)) {
    const address = node.properties[property];
    if (address === undefined || address === null) continue;
    const text = String(address);
    // Fragments stay within the text.
    if (property === "href" && /^#./.test(text) && isAllowedAddress(text)) continue;
    if (!isAllowedAddress(text)) Reflect.deleteProperty(node.properties, property);
    else {
      node.properties[property] = mark + mark;
      places.push({ attribute, address: text, ...(needsSize(node) && { needsSize: true }) });
      if (node.properties["dataPageTitle"] === true) openTitle(node, text, places);
    }
  }
  Reflect.deleteProperty(node.properties, "dataPageTitle");
  if (classesOf(node).length === 0) Reflect.deleteProperty(node.properties, "className");
  for (const child of node.children) open(child, places);
}

/** The text of a link to a page becomes the title of the page, if the reader's place knows it. */
function openTitle(link: Element, address: string, places: Place[]): void {
  places.push({ attribute: null, address, otherwise: textOf(link.children) });
  link.children = [{ type: "text", value: mark }];
}

const needsSize = ({ tagName, properties, ...node }: Element): boolean =>
  tagName === "img" &&
  properties["width"] === undefined &&
  properties["height"] === undefined &&
  !classesOf({ tagName, properties, ...node }).includes("card-image");
