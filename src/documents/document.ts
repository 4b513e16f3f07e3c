// The rich document: its nodes, as /v1 returns them, its limits, and functions that find nodes.
import type { Nodes, Root } from "mdast";
import { DomainError } from "#src/base/errors.ts";

/** Emphasis of a leaf. The first mark of a leaf is the outermost; of those known to Markdown `code` is the last. */
export interface Mark {
  readonly object: "mark";
  /** One that Markdown supports ({@link MarkType}), or any other. */
  readonly type: string;
  readonly data?: NodeData;
}

export const markTypes = ["bold", "italic", "strikethrough", "code"] as const;
export type MarkType = (typeof markTypes)[number];

export interface Leaf {
  readonly object: "leaf";
  readonly text: string;
  readonly marks: readonly Mark[];
}

/** A run of text: leaves side by side, each with its marks. A line break without a meaning is `\n`. */
interface TextNode {
  readonly object: "text";
  readonly key: string;
  readonly leaves: readonly Leaf[];
}

/** Settings of a node; which ones depends on its type. */
export type NodeData = Readonly<Record<string, unknown>>;

interface Element<Kind extends string> {
  readonly object: Kind;
  /** One that Markdown supports ({@link InlineType}, {@link BlockType}), or any other. */
  readonly type: string;
  readonly key: string;
  /** It has no text of its own: everything about it is in `data`. */
  readonly isVoid: boolean;
  readonly data: NodeData;
  readonly nodes: readonly RichNode[];
}

export const inlineTypes = ["link", "image", "break", "html", "footnote-reference", "markdown"] as const;
export type InlineType = (typeof inlineTypes)[number];

/** A node in flowing text. `data.marks` are the marks around it; the leaves in it have them, too. */
export type Inline = Element<"inline">;

const headingTypes = ["heading-1", "heading-2", "heading-3", "heading-4", "heading-5", "heading-6"] as const;
export type HeadingType = (typeof headingTypes)[number];

export const blockTypes = [
  "paragraph",
  ...headingTypes,
  "blockquote",
  "hint",
  "list-ordered",
  "list-unordered",
  "list-tasks",
  "list-item",
  "code",
  "code-line",
  "table",
  "table-row",
  "table-cell",
  "divider",
  "html",
  "definition",
  "footnote",
  "markdown",
] as const;
export type BlockType = (typeof blockTypes)[number];

export type Block = Element<"block">;

export type RichNode = Block | Inline | TextNode;

/** A tree of nodes. A key is made of the type and text of its node and survives other changes; equal ones count. */
export interface RichDocument {
  readonly object: "document";
  readonly data: NodeData & { readonly schemaVersion: number };
  readonly nodes: readonly Block[];
}

/** A document from a client: its content is checked when it is converted. */
export interface GivenDocument {
  readonly object: "document";
  readonly data?: unknown;
  readonly nodes: readonly unknown[];
}

export type PlainMark = Omit<Mark, "object">;

export interface PlainLeaf {
  readonly text: string;
  readonly marks?: readonly PlainMark[];
}

export interface PlainText {
  readonly object: "text";
  readonly leaves: readonly PlainLeaf[];
}

/** A block or inline node as it was given: without a key, and with any further properties. */
export interface PlainElement {
  readonly object: "block" | "inline";
  readonly type: string;
  readonly isVoid?: boolean;
  readonly data?: NodeData;
  readonly nodes?: readonly PlainNode[];
}

export type PlainNode = PlainElement | PlainText;

/** A document as it was given, after it has been checked. */
export interface PlainDocument {
  readonly data?: NodeData;
  readonly nodes: readonly PlainElement[];
}

export const aligns = ["start", "center", "end"] as const;

/** A column of a table, in its `data.columns`. The key is made of the text of the head, and belongs to the table. */
export interface TableColumn {
  readonly key: string;
  readonly align?: (typeof aligns)[number];
}

/** The maximum nesting and number of nodes: far more than people write, few enough to process. */
export const documentLimit = { levels: 100, nodes: 100_000 } as const;

/** Every node of a document, or in a node: each before the nodes in it. */
export function* nodesIn({ nodes }: { readonly nodes: readonly RichNode[] }): Generator<RichNode> {
  for (const node of nodes) {
    yield node;
    if (node.object !== "text") yield* nodesIn(node);
  }
}

const indexes = new WeakMap<RichDocument, ReadonlyMap<string, RichNode>>();

/** The node of this key, or null. A document must not change: its nodes are indexed by the first look-up. */
export function findNode(document: RichDocument, key: string): RichNode | null {
  let index = indexes.get(document);
  if (!index) indexes.set(document, (index = new Map(Array.from(nodesIn(document), (node) => [node.key, node]))));
  return index.get(key) ?? null;
}

/** The keys of all nodes, in the order of the text, without duplicates. */
export function keysOf(document: RichDocument): string[] {
  return Array.from(nodesIn(document), ({ key }) => key);
}

/** The cell in a row (`record`) and column (`definition`) of a table, by their keys; null if missing. */
export function findCell(within: { nodes: readonly RichNode[] }, record: string, definition: string): Block | null {
  for (const node of nodesIn(within)) {
    if (node.object !== "block" || node.type !== "table-row" || node.key !== record) continue;
    for (const cell of node.nodes) if (cell.object === "block" && cell.data["definition"] === definition) return cell;
    return null;
  }
  return null;
}

/** The text of a node without marks, for previews: blocks on separate lines, an image as its alternative text. */
export function textOfNode(node: RichNode): string {
  if (node.object === "text") return node.leaves.map(({ text }) => text).join("");
  if (node.isVoid) return textOfVoid(node);
  return node.nodes.map(textOfNode).join(node.nodes[0]?.object === "block" ? "\n" : "");
}

function textOfVoid({ type, data }: Block | Inline): string {
  const { alt, source } = data;
  const text = { image: alt, html: source, markdown: source, break: "\n" }[type as string]; // other types have no text
  return typeof text === "string" ? text : "";
}

/** The error for a document that is nested too deep. */
export const tooDeep = (): DomainError =>
  new DomainError(
    "INVALID_INPUT",
    `A document may have at most ${documentLimit.levels} levels of blocks, links and marks.`,
  );

/** The error for a document with too many nodes. */
export const tooMany = (): DomainError =>
  new DomainError("INVALID_INPUT", `A document may have at most ${documentLimit.nodes} nodes.`);

/** Throws INVALID_INPUT for a tree beyond {@link documentLimit}, so that every written document can be read again. */
export function checkTree(root: Root): void {
  let count = 0;
  let level: readonly Nodes[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > documentLimit.levels) throw tooDeep();
    // A line of code is a node with a text.
    for (const node of level) count += node.type === "code" ? 1 + 2 * node.value.split("\n").length : 1;
    if (count > documentLimit.nodes) throw tooMany();
    level = level.flatMap((node) => ("children" in node ? node.children : []));
  }
}
