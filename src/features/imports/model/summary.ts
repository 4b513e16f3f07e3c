// A parser of SUMMARY.md: the order, titles and parts of a book in the format of mdBook
// (https://rust-lang.github.io/mdBook/format/summary.html).
import type { Definition, List, ListItem, Nodes, Paragraph, Root } from "mdast";
import { parseMarkdown } from "#src/documents/markdown.ts";
import { plainText } from "#src/features/imports/model/markdown.ts";

/** A chapter, a draft (without a URL) or a part. */
export interface SummaryItem {
  readonly title: string;
  readonly url: string | null;
  /** Counts from 1. */
  readonly line: number;
  /** A folder whose pages are in the place of this item, in the order of the folder. */
  readonly folder?: string;
  readonly items: SummaryItem[];
}

/** Every heading except the initial title starts a part, up to the next heading or a chapter outside of lists. */
export function readSummary(text: string): SummaryItem[] {
  const tree = parseMarkdown(text);
  const definitions = new Map(
    tree.children.flatMap((node) => (node.type === "definition" ? [[node.identifier, node] as const] : [])),
  );
  return new Summary(definitions).read(tree);
}

class Summary {
  readonly #definitions: ReadonlyMap<string, Definition>;
  readonly #top: SummaryItem[] = [];
  readonly #parts = new Set<SummaryItem>();
  /** The part of the next list. */
  #part: SummaryItem | null = null;

  constructor(definitions: ReadonlyMap<string, Definition>) {
    this.#definitions = definitions;
  }

  read({ children }: Root): SummaryItem[] {
    const title = children.find(({ type }) => type !== "html");
    for (const node of children) {
      if (node.type === "heading" && !(node === title && node.depth === 1)) this.#openPart(this.#item(node));
      if (node.type === "list") (this.#part?.items ?? this.#top).push(...this.#list(node));
      if (node.type === "paragraph") this.#addOutsideOfLists(node);
    }
    return this.#top.filter((item) => !this.#parts.has(item) || item.url !== null || item.items.length > 0);
  }

  #openPart(item: SummaryItem): void {
    this.#part = item;
    this.#parts.add(item);
    this.#top.push(item);
  }

  /** Chapters outside of lists, such as an introduction or appendix, do not belong to a part. */
  #addOutsideOfLists(paragraph: Paragraph): void {
    const items = this.#linksIn(paragraph).map((link) => this.#item(link));
    if (items.length === 0) return;
    if (this.#part && this.#part.items.length > 0) this.#part = null;
    (this.#part?.items ?? this.#top).push(...items);
  }

  #list(list: List): SummaryItem[] {
    return list.children.flatMap((child) => this.#listItem(child));
  }

  #listItem({ children }: ListItem): SummaryItem[] {
    const own = children.find(({ type }) => type === "paragraph" || type === "heading");
    const below = children.flatMap((child) => (child.type === "list" ? this.#list(child) : []));
    if (!own) return below;
    const item = this.#item(own);
    item.items.push(...below);
    return [item];
  }

  #item(node: Nodes): SummaryItem {
    const link = this.#linksIn(node)[0];
    const line = node.position?.start.line ?? 1;
    return { title: plainText(link ?? node), url: (link && this.#urlOf(link)) || null, line, items: [] };
  }

  #linksIn(node: Nodes): Nodes[] {
    if (this.#urlOf(node) !== undefined) return [node];
    return "children" in node ? node.children.flatMap((child) => this.#linksIn(child)) : [];
  }

  #urlOf(node: Nodes): string | undefined {
    if (node.type === "link") return node.url;
    return node.type === "linkReference" ? this.#definitions.get(node.identifier)?.url : undefined;
  }
}
