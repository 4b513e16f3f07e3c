// Writes the shaped tree of a text as a template: addresses are left open, and the edges of sections are known.
import type { Element, ElementContent, Root, RootContent, Text } from "hast";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import { isAllowedAddress } from "#src/documents/addresses.ts";
import { classesOf, textOf, textProperty } from "#src/documents/html/elements.ts";
import type { HtmlTemplate, Place, TextHeading } from "#src/documents/html/template.ts";

const writer = unified().use(rehypeStringify).freeze();

/** Marks a place. Parsers of Markdown and HTML replace this character, and `&` is escaped, so texts cannot have it. */
const mark = "\0";
// oxlint-disable-next-line no-control-regex -- it cannot be in texts
const marks = / (?:href|src|srcset)="&#x0;&#x0;"|\u0000/g;

const addresses = { href: "href", src: "src", srcSet: "srcset" } as const;

/** The template of a tree, with its headings. */
export function makeTemplate(root: Root, headings: readonly TextHeading[]): HtmlTemplate {
  const sections = new Sections(headings);
  sections.mark(root);
  const places: Place[] = [];
  for (const node of root.children) if (node.type !== "doctype") open(node, places, sections);
  const html = writer.stringify(root);
  const pieces: string[] = [];
  let done = 0;
  for (const { 0: found, index } of html.matchAll(marks)) {
    pieces.push(html.slice(done, index));
    done = index + found.length;
  }
  pieces.push(html.slice(done));
  return { pieces, places, headings: sections.headings };
}

/** The headings of one text, and the texts that mark the edges of their sections. */
class Sections {
  readonly headings;
  readonly #byAnchor;
  readonly #edges = new Map<ElementContent, (place: number) => void>();

  constructor(headings: readonly TextHeading[]) {
    this.headings = headings.map((heading) => ({ ...heading, from: 0, to: 0 }));
    this.#byAnchor = new Map(this.headings.map((heading) => [heading.anchor, heading]));
  }

  /** Puts marks before each heading, and before the next one of its level or above within the same element. */
  mark(parent: Root | Element): void {
    const open: { readonly level: number; readonly close: Text }[] = [];
    const closeFrom = (level: number): Text[] => {
      const closed: Text[] = [];
      while ((open.at(-1)?.level ?? 0) >= level) closed.push(...open.splice(-1).map(({ close }) => close));
      return closed;
    };
    const marked = (parent.children as RootContent[]).flatMap((child): RootContent[] => {
      if (child.type !== "element") return [child];
      this.mark(child);
      const level = levelOf(child);
      if (level === null) return [child];
      const closed = closeFrom(level);
      const heading = this.#byAnchor.get(textProperty(child, "id") ?? "");
      if (!heading) return [...closed, child];
      open.push({ level, close: this.#edge((place) => (heading.to = place)) });
      return [...closed, this.#edge((place) => (heading.from = place)), child];
    });
    parent.children = [...marked, ...closeFrom(1)] as Element["children"]; // a doctype is only at the top
  }

  #edge(place: (place: number) => void): Text {
    const edge: Text = { type: "text", value: mark };
    this.#edges.set(edge, place);
    return edge;
  }

  /** Adds the place of an edge, if the node is one. */
  place(node: ElementContent, places: Place[]): void {
    const edge = this.#edges.get(node);
    if (edge) edge(places.push({ edge: true }) - 1);
  }
}

/** The level of a heading; footnotes end all sections. */
function levelOf({ tagName, properties }: Element): number | null {
  if (tagName === "section" && "dataFootnotes" in properties) return 1;
  return /^h[1-6]$/.test(tagName) ? Number(tagName.slice(1)) : null;
}

/** Replaces the addresses of an element and of those in it by marks, in the order in which they are written. */
function open(node: ElementContent, places: Place[], sections: Sections): void {
  if (node.type !== "element") return sections.place(node, places);
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
  for (const child of node.children) open(child, places, sections);
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
