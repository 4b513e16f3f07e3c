// Tables of websites. A cell of Markdown holds one line: several blocks become lines with `<br>` between them, and a
// table with blocks that have no such form becomes HTML.
import type { Element, ElementContent } from "hast";
import rehypeStringify from "rehype-stringify";
import { unified } from "unified";
import { element, isElement, textOf } from "#src/documents/html/elements.ts";
import {
  blockName,
  childrenOf,
  elementsOf,
  findAll,
  hasInside,
  isBlockElement,
  isEmpty,
  isHeading,
  lineIn,
  type Parent,
  property,
  rawBlock,
  rawInline,
  rawName,
  replaceElements,
} from "#src/features/imports/model/website/html/tree.ts";

/** Registers an address in HTML, and returns the text that takes its place until the target is known. */
export type KeepAddress = (address: { readonly url: string; readonly isImage: boolean }, isHtml?: boolean) => string;

const isCell = (node: Element): boolean => node.tagName === "td" || node.tagName === "th";
const isRow = (node: Element): boolean => node.tagName === "tr";

/** Tables that lay out a page: of one cell, or with headings of the page. */
function isLayout(table: Element): boolean {
  const role = property(table, "role");
  if (role === "presentation" || role === "none") return true;
  const cells = findAll(table, isCell);
  return cells.length === 1 || cells.some((cell) => hasInside(cell, ({ tagName }) => /^h[12]$/.test(tagName)));
}

const open = (node: Element): string => property(node, "open");

/** Whether the content of a cell cannot be lines: nested tables and lists, code of several lines, expandable parts. */
function isComplex(cell: Element): boolean {
  return hasInside(cell, (node) => {
    if (node.tagName === "table") return true;
    if (node.tagName === "pre") return textOf(node.children).trim().includes("\n");
    if (/^[uo]l$/.test(node.tagName)) return hasInside(node, ({ tagName }) => /^[uo]l$/.test(tagName));
    return node.tagName === blockName && !/^(?:\{% embed|\$\$)/.test(open(node));
  });
}

const embedAddress = (block: Element): string => /^\{% embed url="([^"]*)"/.exec(open(block))?.[1] ?? "";

/** The lines of a cell: each block is one, and breaks end one. */
class CellLines {
  readonly #lines: ElementContent[][] = [];
  #line: ElementContent[] = [];

  static of(children: readonly ElementContent[]): ElementContent[][] {
    const lines = new CellLines();
    lines.#add(children);
    lines.#end();
    return lines.#lines;
  }

  #end(): void {
    if (!this.#line.every(isEmpty)) this.#lines.push(this.#line);
    this.#line = [];
  }

  #add(children: readonly ElementContent[]): void {
    for (const child of children) {
      if (child.type !== "element") this.#line.push(child);
      else if (child.tagName === "br") this.#end();
      else if (isBlockElement(child)) {
        this.#end();
        this.#block(child);
        this.#end();
      } else if (hasInside(child, (inner) => inner.tagName === "br" || isBlockElement(inner))) this.#split(child);
      else this.#line.push(child);
    }
  }

  /** An element in a line with blocks inside becomes one element for each of their lines. */
  #split(node: Element): void {
    for (const [index, line] of CellLines.of(node.children).entries()) {
      if (index > 0) this.#end();
      this.#line.push({ ...node, children: line });
    }
  }

  #block(node: Element): void {
    if (node.tagName === blockName) this.#line.push(...inlineBlock(node));
    else if (node.tagName === "pre") this.#line.push(element("code", {}, [textOf(node.children).trim()]));
    else if (isHeading(node) || node.tagName === "dt")
      for (const line of CellLines.of(node.children)) {
        this.#line.push(element("strong", {}, line));
        this.#end();
      }
    else if (node.tagName === "ol") this.#numbered(node);
    else this.#add(node.children);
  }

  #numbered(list: Element): void {
    const first = Number.parseInt(property(list, "start"), 10);
    for (const [index, item] of elementsOf(list).entries()) {
      this.#line.push({ type: "text", value: `${(Number.isNaN(first) ? 1 : first) + index}. ` });
      this.#add(item.children);
      this.#end();
    }
  }
}

/** An embedded address or a formula within a line. */
function inlineBlock(block: Element): ElementContent[] {
  const url = embedAddress(block);
  if (url !== "") return [element("a", { href: url }, [url.replace(/^https?:\/\/(?:www\.)?/, "")])];
  return [rawInline(open(block).replaceAll(/\s*\n\s*/g, ""))];
}

/** Makes the content of a cell one line. */
function flatten(cell: Element): void {
  const lines = CellLines.of(cell.children);
  cell.children = lines.flatMap((line, index) => (index === 0 ? line : [rawInline("<br>"), ...line]));
  for (const raw of findAll(cell, ({ tagName }) => tagName === rawName))
    raw.properties = { ...raw.properties, value: property(raw, "value").replaceAll("|", "\\|") };
}

/** The elements of HTML that tables keep; others leave their content. */
const kept: ReadonlySet<string> = new Set(
  (
    "table thead tbody tfoot tr th td caption p ul ol li br hr strong b em i del s code kbd pre a img sub sup u mark " +
    "h3 h4 h5 h6 blockquote details summary"
  ).split(" "),
);

const tabTitle = /^\{% tab title="([^"]*)"/;
const lineBreak = "\ue000";

/** Writes a table as HTML without blank lines, which would end it in Markdown. */
class HtmlTable {
  readonly #keep: KeepAddress;

  constructor(keep: KeepAddress) {
    this.#keep = keep;
  }

  clean(nodes: readonly ElementContent[]): ElementContent[] {
    return nodes.flatMap((node): ElementContent[] => {
      if (node.type === "text") return [node];
      if (node.type !== "element") return [];
      if (node.tagName === blockName) return this.#block(node);
      if (node.tagName === rawName)
        return [{ type: "text", value: property(node, "value").replaceAll(/<[^>]*>/g, "") }];
      if (node.tagName === "pre")
        return [element("pre", {}, [textOf(node.children).trim().replaceAll("\n", lineBreak)])];
      const children = this.clean(node.children);
      if (!kept.has(node.tagName))
        return /^(?:div|section|dt|dd)$/.test(node.tagName) ? [element("p", {}, children)] : children;
      return [{ ...element(node.tagName, this.#properties(node)), children }];
    });
  }

  #properties(node: Element): Element["properties"] {
    const { colSpan, rowSpan, align, alt, start, open: isOpen } = node.properties;
    const href = property(node, "href");
    const src = property(node, "src");
    return {
      ...(isCell(node) && { colSpan, rowSpan, align }),
      ...(node.tagName === "ol" && { start }),
      ...(node.tagName === "details" && { open: isOpen }),
      ...(node.tagName === "a" && href !== "" && { href: this.#keep({ url: href, isImage: false }) }),
      ...(node.tagName === "img" &&
        src !== "" && { src: this.#keep({ url: src, isImage: true }), alt: String(alt ?? "") }),
    };
  }

  #block(block: Element): ElementContent[] {
    const url = embedAddress(block);
    const tag = open(block);
    if (url !== "") return [element("p", {}, [element("a", { href: url }, [url])])];
    if (tag.startsWith("$$")) return [element("p", {}, [tag.replaceAll("\n", "")])];
    const children = this.clean(block.children);
    const summary = /^<summary>(.*)<\/summary>$/s.exec(tag)?.[1];
    if (summary !== undefined) return [element("summary", {}, [unescaped(summary)])];
    if (tag.startsWith("<details")) return [element("details", {}, children)];
    const title = tabTitle.exec(tag)?.[1];
    return title === undefined
      ? children
      : [element("p", {}, [element("strong", {}, [unescaped(title)])]), ...children];
  }
}

const unescaped = (text: string): string =>
  text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

const writer = unified().use(rehypeStringify).freeze();

function htmlOf(table: Element, keep: KeepAddress): Element {
  const html = writer.stringify({ type: "root", children: new HtmlTable(keep).clean([table]) });
  const lines = html.replaceAll(/\s*\n\s*/g, " ").replaceAll(lineBreak, "&#10;");
  return rawBlock(lines.replaceAll(/(<\/tr>|<\/?t(?:head|body|foot)>|<table>)\s*(?=<)/g, "$1\n"));
}

function convertTable(table: Element, keep: KeepAddress): ElementContent[] {
  const cells = findAll(table, isCell);
  if (isLayout(table)) return [...captionsOf(table), ...cells.map((cell) => element("div", {}, cell.children))];
  if (cells.some(isComplex)) return [htmlOf(table, keep)];
  const captions = captionsOf(table);
  for (const cell of cells) flatten(cell);
  for (const row of findAll(table, isRow)) if (elementsOf(row).length === 0) row.children = [];
  return [...captions, table];
}

const captionsOf = (table: Element): Element[] =>
  childrenOf(table)
    .filter((child): child is Element => isElement(child, "caption") && lineIn(child) !== "")
    .map((caption) => element("p", {}, caption.children));

/** Makes each table one that Markdown can hold. Inner tables make the outer one HTML. */
export function convertTables(tree: Parent, keep: KeepAddress): void {
  const visit = (parent: Parent): void => {
    parent.children = childrenOf(parent).flatMap((child): ElementContent[] => {
      if (child.type !== "element") return [child];
      if (child.tagName !== "table") {
        visit(child);
        return [child];
      }
      if (!isLayout(child)) return convertTable(child, keep);
      const unwrapped = element("div", {}, convertTable(child, keep));
      visit(unwrapped);
      return unwrapped.children;
    });
  };
  visit(tree);
  // rows and cells outside of a table are blocks
  replaceElements(tree, (node, parents) => {
    const isInTable = parents.some((parent) => parent.type === "element" && parent.tagName === "table");
    return isCell(node) && !isInTable ? [{ ...node, tagName: "div" }] : null;
  });
}
