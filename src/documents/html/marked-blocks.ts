// Makes blocks of the marks of `block-marks.ts` in a syntax tree, and of GitHub's alerts. A block becomes an element
// with its number in `data-block`, whose view (`block-views.ts`) follows after its content was sanitised.
import type {
  BlockContent,
  Blockquote,
  Code,
  Nodes,
  Paragraph,
  Parents,
  PhrasingContent,
  Root,
  RootContent,
} from "mdast";
import type { Element as HastElement } from "hast";
import { element } from "#src/documents/html/elements.ts";
import type { Source } from "#src/documents/syntax/source.ts";
import type { Attributes, Tag } from "#src/documents/html/block-tags.ts";
import { type BlockKind, type HintStyle, inlineTag, languageName, styleOf } from "#src/documents/html/block-names.ts";
import type { MarkedText } from "#src/documents/html/block-marks.ts";

/** A block of a text; its title is its first child. */
export interface TextBlock {
  readonly kind: BlockKind;
  readonly style?: HintStyle | undefined;
  readonly attributes: Attributes;
}

/** A quote that becomes a `div`: Markdown has no other node for blocks within a block. */
const blockNode = (number: number, children: readonly RootContent[]): Blockquote => ({
  type: "blockquote",
  data: { hName: "div", hProperties: { dataBlock: String(number) } },
  children: [...children] as Blockquote["children"], // definitions may be in quotes
});

const titleNode = (children: PhrasingContent[]): Paragraph => ({
  type: "paragraph",
  data: { hName: "div", hProperties: { dataTitle: "" } },
  children,
});

/** Blocks that mean something without content. */
const isComplete: ReadonlySet<BlockKind> = new Set(["embed", "reference", "file", "card", "field"]);

/** The blocks of one text. */
export class BlockMaker {
  readonly blocks: TextBlock[] = [];
  readonly #marked: MarkedText;
  readonly #phrasing: (title: string) => PhrasingContent[];

  /** `phrasing` parses the title of a block. */
  constructor(marked: MarkedText, phrasing: (title: string) => PhrasingContent[]) {
    this.#marked = marked;
    this.#phrasing = phrasing;
  }

  /** Replaces the marks and alerts in a tree by blocks, and removes leftover tags from its texts. */
  make(root: Root): void {
    this.#within(root);
  }

  #within(parent: Parents): void {
    if (parent.children.some(({ type }) => type === "source"))
      parent.children = (parent.children as RootContent[]).flatMap((child) =>
        child.type === "source" ? shownSource(this.#marked.unmarked(child.value), child, parent) : [child],
      ) as never; // blocks for blocks, text for text
    for (const child of parent.children) {
      if (child.type === "text") child.value = child.value.replaceAll(inlineTag, "");
      else if ("value" in child) child.value = this.#value(child);
      else if ("children" in child) this.#within(child);
    }
    const children: RootContent[] = parent.children;
    if (children.some((child) => this.#tagOf(child) !== null || child.type === "blockquote"))
      parent.children = this.#grouped(children) as never; // blocks are flow content
  }

  #value(node: Extract<Nodes, { value: string }>): string {
    const isMark = node.type === "html" && this.#marked.numberIn(node.value) !== null;
    return isMark ? node.value : this.#marked.unmarked(node.value);
  }

  #tagOf(node: RootContent): Tag | null {
    const number = node.type === "html" ? this.#marked.numberIn(node.value) : null;
    return number === null ? null : (this.#marked.tags[number] ?? null);
  }

  #grouped(children: readonly RootContent[]): RootContent[] {
    const done: RootContent[] = [];
    const open: { readonly tag: Tag; readonly inside: RootContent[] }[] = [];
    const add = (node: RootContent) => (open.at(-1)?.inside ?? done).push(node);
    const close = (to: number) => {
      while (open.length > to) {
        const last = open.pop();
        if (last) for (const node of this.#blocksOf(last.tag, last.inside)) add(node);
      }
    };
    for (const child of children) {
      const tag = this.#tagOf(child);
      if (!tag) add(child.type === "blockquote" ? this.#quote(child) : child);
      else if (tag.side === "both") for (const node of this.#blocksOf(tag, [])) add(node);
      else if (tag.side === "start") open.push({ tag, inside: [] });
      else {
        const at = open.findLastIndex(({ tag: { name } }) => name === tag.name);
        if (at >= 0) close(at);
      }
    }
    close(0);
    return this.#withTabs(done);
  }

  /** The block of a tag; the settings of `{% code %}` go to the code in it. */
  #blocksOf({ kind, style, attributes }: Tag, inside: RootContent[]): RootContent[] {
    if (kind === "part" || (inside.length === 0 && !isComplete.has(kind))) return inside;
    if (kind === "code") {
      for (const node of inside) if (node.type === "code") setCode(node, attributes);
      return inside;
    }
    const content = kind === "tabs" ? inside.flatMap((node) => this.#codeTab(node)) : inside;
    const title = attributes["title"] ?? attributes["label"] ?? "";
    return [
      this.block({ kind, style: style ?? styleOf(attributes["style"] ?? "") ?? undefined, attributes }, title, content),
    ];
  }

  /** A block with its title, which is parsed if it is a text. */
  block(block: TextBlock, title: string | PhrasingContent[], content: readonly RootContent[]): Blockquote {
    const phrasing = typeof title === "string" ? (title === "" ? [] : this.#phrasing(title)) : title;
    const head = phrasing.length > 0 ? [titleNode(phrasing)] : [];
    this.blocks.push(block);
    return blockNode(this.blocks.length - 1, [...head, ...content]);
  }

  /** A fence among tabs is a tab, as in groups of code. */
  #codeTab(node: RootContent): RootContent {
    if (node.type !== "code") return node;
    const { title = languageName(node.lang ?? "") } = codeSettings(node.meta ?? "");
    node.meta = null;
    return this.block({ kind: "tab", attributes: {} }, [{ type: "text", value: title || "Code" }], [node]);
  }

  /** GitHub's and Obsidian's alerts: `> [!NOTE]`, `> [!tip] Title`, with `-` or `+` an expandable block. */
  #quote(quote: Blockquote): RootContent {
    const [first, ...others] = quote.children;
    const [start, ...rest] = first?.type === "paragraph" ? first.children : [];
    if (start?.type !== "text") return quote;
    const [whole = "", name = "", fold, line = ""] = alert.exec(start.value) ?? [];
    const style = styleOf(name);
    if (style === null) return quote;
    // A title with emphasis or links in it is shown as the start of the text.
    const isText = rest.length > 0 && !start.value.includes("\n");
    const value = (isText ? line : "") + start.value.slice(whole.length);
    const left = [...(value === "" ? [] : [{ type: "text" as const, value }]), ...rest];
    const content: BlockContent[] = left.length > 0 ? [{ type: "paragraph", children: left }] : [];
    const title = (isText ? "" : line) || name.charAt(0).toUpperCase() + name.slice(1).toLowerCase();
    const attributes: Attributes = fold === "+" ? { open: "true" } : {};
    const all: readonly RootContent[] = [...content, ...others];
    return this.block({ kind: fold ? "expandable" : "hint", style, attributes }, title, all);
  }

  /** Tabs of fences. */
  tabsOf(fences: readonly RootContent[]): RootContent {
    const tabs = fences.map((node) => this.#codeTab(node));
    return this.block({ kind: "tabs", attributes: {} }, "", tabs);
  }

  /** Puts adjacent tabs that are not in tabs, as MkDocs writes them, into tabs. */
  #withTabs(children: readonly RootContent[]): RootContent[] {
    const joined: RootContent[] = [];
    let tabs: Blockquote | null = null;
    for (const child of children) {
      const isTab = this.blocks[blockNumber(child)]?.kind === "tab";
      if (isTab && tabs) (tabs.children as RootContent[]).push(child);
      else {
        tabs = isTab ? this.block({ kind: "tabs", attributes: {} }, "", [child]) : null;
        joined.push(tabs ?? child);
      }
    }
    return joined;
  }
}

/** A formula, or the text of a source without the tags of blocks; comments are not shown. */
function shownSource(source: string, node: Source, parent: Parents): RootContent[] {
  const isText = isPhrasingParent(parent);
  const [, tex] = /^(?:\$\$?)([^]*?)\$\$?$/.exec(source) ?? [];
  if (tex !== undefined)
    return [{ ...node, value: tex.trim(), data: isText ? mathInLine(tex) : mathOnLines(tex.trim()) }];
  const value = source.startsWith("%%") ? "" : source.replaceAll(inlineTag, "");
  if (value.trim() === "") return [];
  return isText ? [{ type: "text", value }] : [{ type: "paragraph", children: [{ type: "text", value }] }];
}

const isPhrasingParent = ({ type }: Parents): boolean =>
  !["root", "blockquote", "listItem", "footnoteDefinition"].includes(type);

const mathOf = (tex: string, name: string): HastElement =>
  element("code", { className: ["language-math", name] }, [tex]);

const mathInLine = (tex: string) => {
  const { tagName, properties, children } = mathOf(tex, "math-inline");
  return { hName: tagName, hProperties: properties, hChildren: children };
};

const mathOnLines = (tex: string) => ({ hName: "pre", hChildren: [mathOf(tex, "math-display")] });

const blockNumber = (node: RootContent): number => Number(node.data?.hProperties?.["dataBlock"] ?? -1);

const alert = /^\[!(\w+)\]([+-]?)[ \t]*([^\n]*)(?:\n|$)/;

/** The name of a file, and options, of a fence; the name may be the whole of its meta. */
export function codeSettings(meta: string): { title?: string; wraps: boolean; numbered: boolean } {
  const text = meta.slice(0, 1_000);
  const [, quoted, apart] = /\b(?:title|filename|file|name)\s*=\s*(?:["']([^"']*)["']|([^\s"'{}]+))/.exec(text) ?? [];
  const [, inBrackets] = /^\[([^\]]+)\]/.exec(text) ?? [];
  const [, bare] = /^([\w./@-]+\.\w+)(?:\s|$)/.exec(text) ?? [];
  const title = quoted ?? apart ?? inBrackets ?? bare;
  return {
    ...(title !== undefined && title !== "" && { title }),
    wraps: /overflow\s*=\s*["']?wrap|(?:^|\s)wrap(?:\s|$)/.test(text),
    numbered: /lineNumbers\s*=\s*["'{]?true|showLineNumbers|(?:^|\s)lines(?:\s|$)/.test(text),
  };
}

function setCode(node: Code, attributes: Attributes): void {
  const given = Object.entries(attributes).map(([name, value]) => `${name}="${value.replaceAll('"', "'")}"`);
  node.meta = [...given, node.meta ?? ""].join(" ");
}
