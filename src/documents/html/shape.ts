// Shapes the sanitised tree of a text: anchors of headings, and the views of blocks, code, tables and images.
import type { Element, ElementContent, Root } from "hast";
import { percentDecoded } from "#src/base/url-text.ts";
import { blockView, type ViewState } from "#src/documents/html/block-views.ts";
import { codeView, inlineCodeView } from "#src/documents/html/code.ts";
import { classesOf, element, isElement, textOf, textProperty } from "#src/documents/html/elements.ts";
import { type HeadingNames, nameElement } from "#src/documents/html/heading-names.ts";
import type { TextBlock } from "#src/documents/html/marked-blocks.ts";
import type { TextHeading } from "#src/documents/html/template.ts";
import { cellView, tableView } from "#src/documents/html/table-views.ts";

type Shape = (node: Element) => ElementContent[];

/** Shapes the tree of one text. */
export class Shaper {
  readonly #blocks: readonly TextBlock[];
  readonly #names: HeadingNames;
  readonly headings: TextHeading[] = [];
  readonly #state: ViewState = { tabs: 0 };
  readonly #shapes: Readonly<Record<string, Shape>> = {
    a: (link) => this.#link(link),
    code: (code) => [inlineCodeView(code)],
    div: (div) => this.#block(div),
    h1: (heading) => this.#heading(heading),
    h2: (heading) => this.#heading(heading),
    h3: (heading) => this.#heading(heading),
    h4: (heading) => this.#heading(heading),
    h5: (heading) => this.#heading(heading),
    h6: (heading) => this.#heading(heading),
    img: (image) => [imageView(image)],
    input: (input) => [checkbox(input)],
    p: (paragraph) => withoutBox(paragraph),
    pre: (pre) => [codeView(pre)],
    section: (section) => ["dataFootnotes" in section.properties ? section : { ...section, tagName: "div" }],
    table: (table) => [tableView(table)],
    th: (cell) => [cellView(cell)],
  };

  constructor(blocks: readonly TextBlock[], names: HeadingNames) {
    this.#blocks = blocks;
    this.#names = names;
  }

  /** Shapes the whole tree in place. */
  shape(root: Root): void {
    root.children = root.children.flatMap((node) => (node.type === "doctype" ? [] : this.#shaped(node)));
  }

  #shaped(node: ElementContent): ElementContent[] {
    if (node.type !== "element") return node.type === "text" ? [node] : [];
    // The code in `pre` is shaped with it.
    const children = node.tagName === "pre" ? node.children : node.children.flatMap((child) => this.#shaped(child));
    const shape = Object.hasOwn(this.#shapes, node.tagName) ? this.#shapes[node.tagName] : undefined;
    const own = { ...node, children };
    return shape ? shape(own) : [own];
  }

  #block(div: Element): ElementContent[] {
    const number = textProperty(div, "dataBlock");
    const block = number === null ? undefined : this.#blocks[Number(number)];
    return block ? blockView(block, div.children, this.#state) : [div];
  }

  /** A heading with its name, and a link to itself. */
  #heading(heading: Element): ElementContent[] {
    if (isOfFootnotes(heading)) return [heading];
    const title = titleOf(heading);
    const children = heading.children.filter((node) => !isEmptyLink(node));
    const { dataNamed: _number, ...properties } = heading.properties;
    const named = this.#names.of(heading);
    if (!named) return [{ ...heading, properties, children }];
    const { anchor, aliases } = named;
    this.headings.push({ anchor, aliases, title, level: Number(heading.tagName.slice(1)) });
    const link = element("a", { className: ["anchor"], href: `#${anchor}`, ariaLabel: `Link to “${title}”` });
    const names = [...aliases, anchor.toLowerCase()].filter((name) => name !== anchor).map(nameElement);
    return [{ ...heading, properties: { ...properties, id: anchor }, children: [...children, link, ...names] }];
  }

  /** A link, or the name of a place. Links within the text lead to the ids of headings. */
  #link(link: Element): ElementContent[] {
    if ("dataPlace" in link.properties) return this.#names.place(link);
    const [, fragment] = /^#(.+)$/s.exec(textProperty(link, "href") ?? "") ?? [];
    const id = fragment === undefined ? null : this.#names.targetOf(percentDecoded(fragment) ?? fragment);
    return [linkView(id === null ? link : { ...link, properties: { ...link.properties, href: `#${id}` } })];
  }
}

const isOfFootnotes = (heading: Element): boolean => classesOf(heading).includes("sr-only");

const titleOf = (heading: Element): string => textOf(heading.children).replaceAll(/\s+/g, " ").trim();

/** GitBook writes the anchor of a heading as a link without text. */
const isEmptyLink = (node: ElementContent): boolean =>
  isElement(node, "a") &&
  node.properties["name"] === undefined &&
  node.children.every((child) => child.type === "text" && child.value.trim() === "");

/** GitBook's `[a.md](a.md "mention")` mentions the title of a page. */
function linkView(link: Element): Element {
  if (link.properties["title"] !== "mention") return link;
  const { title: _mention, ...properties } = link.properties;
  return { ...link, properties: { ...properties, dataPageTitle: true } };
}

/** A paragraph cannot contain a box, such as a displayed formula: the box takes its place. */
const withoutBox = (paragraph: Element): ElementContent[] =>
  paragraph.children.some((child) => isElement(child, "div")) ? paragraph.children : [paragraph];

/** An image that loads when it is near, and for one colour scheme if its address says so as GitHub's do. */
function imageView(image: Element): Element {
  const [, scheme] = /#gh-(dark|light)-mode-only$/.exec(textProperty(image, "src") ?? "") ?? [];
  const alt = textProperty(image, "alt") ?? "";
  const className = scheme === undefined ? classesOf(image) : [`only-${scheme}`];
  return {
    ...image,
    properties: {
      ...image.properties,
      alt,
      ...(className.length > 0 && { className: [...className] }),
      loading: "lazy",
    },
  };
}

/** The checkbox of a task, with a name for readers by ear. */
const checkbox = (input: Element): Element => {
  const isDone = input.properties["checked"] === true || input.properties["checked"] === "";
  return { ...input, properties: { ...input.properties, ariaLabel: isDone ? "Done" : "Not done" } };
};
