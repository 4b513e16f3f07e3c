// Converts the blocks of a document to nodes of Markdown's syntax tree; blocks unknown to Markdown become their text.
import type { BlockContent, DefinitionContent, List, ListItem, PhrasingContent, Root, Table, TableRow } from "mdast";
import { alertOf } from "#src/documents/alerts.ts";
import type { NodeData, PlainElement, PlainNode } from "#src/documents/document.ts";
import { parseMarkdown } from "#src/documents/markdown.ts";
import { PhrasingWriter } from "#src/documents/writing/phrasing.ts";
import { definitionOf, labelOf, settingsOf, Targets } from "#src/documents/writing/targets.ts";

export type Flow = BlockContent | DefinitionContent;

const depths = new Map(([1, 2, 3, 4, 5, 6] as const).map((depth) => [`heading-${depth}` as string, depth]));
const sides = { start: "left", center: "center", end: "right" } as const;

const isBlock = (node: PlainNode): node is PlainElement => node.object === "block";
const isBlockOf =
  (type: string) =>
  (node: PlainNode): node is PlainElement =>
    isBlock(node) && node.type === type;
const inside = ({ nodes }: PlainElement): readonly PlainNode[] => nodes ?? [];
const textIn = (data: NodeData, name: string): string | null => {
  const value = data[name];
  return typeof value === "string" ? value : null;
};

/** Writes the blocks of one document. */
export class BlockWriter {
  readonly #phrasing: PhrasingWriter;
  readonly #isCareful: boolean;

  /** A careful writer writes HTML that would be read differently as text; others write all of it unchanged. */
  constructor(nodes: readonly PlainElement[], { isCareful }: { isCareful: boolean }) {
    this.#phrasing = new PhrasingWriter(new Targets(nodes), (type, source) => !isCareful || isInline(type, source));
    this.#isCareful = isCareful;
  }

  root(nodes: readonly PlainElement[]): Root {
    return { type: "root", children: this.#flows(nodes) };
  }

  /** The node of a block, or null if it has nothing to show. */
  flow(block: PlainElement): Flow | null {
    return this.#known(block, settingsOf(block)) ?? this.#unknown(block);
  }

  #flows(nodes: readonly PlainNode[]): Flow[] {
    const flows: Flow[] = [];
    let run: PlainNode[] = [];
    const endRun = (): void => {
      const children = this.#phrasing.write(run);
      if (children.length > 0) flows.push({ type: "paragraph", children });
      run = [];
    };
    for (const node of nodes) {
      if (!isBlock(node)) {
        run.push(node);
        continue;
      }
      endRun();
      const flow = this.flow(node);
      if (flow) flows.push(flow);
    }
    endRun();
    return flows;
  }

  /** A quote of its blocks, or a paragraph of its text. */
  #unknown(block: PlainElement): Flow | null {
    if (inside(block).some(isBlock)) return { type: "blockquote", children: this.#flows(inside(block)) };
    const children = this.#phrasing.write([block]);
    return children.length === 0 ? null : { type: "paragraph", children };
  }

  /** The node of a block with all that Markdown needs for its type; null for any other. */
  #known(block: PlainElement, data: NodeData): Flow | null {
    switch (block.type) {
      case "blockquote":
        return { type: "blockquote", children: this.#flows(inside(block)) };
      case "hint":
        return inside(block).every(isBlock) ? alertOf(data, this.#flows(inside(block))) : null;
      case "list-ordered":
      case "list-unordered":
      case "list-tasks":
        return this.#list(block, data);
      case "code":
        return codeOf(block, data);
      case "table":
        return this.#table(block, data);
      case "divider":
        return { type: "thematicBreak" };
      case "html":
      case "markdown": // written unchanged, like HTML
        return this.#source(block.type, textIn(data, "source"));
      case "definition":
        return definitionOf(data);
      case "footnote": {
        const label = labelOf(data);
        return label && { type: "footnoteDefinition", ...label, children: this.#flows(inside(block)) };
      }
      default:
        return this.#heading(block);
    }
  }

  #heading(block: PlainElement): Flow | null {
    const depth = depths.get(block.type);
    if (depth === undefined || inside(block).some(isBlock)) return null;
    return { type: "heading", depth, children: this.#text(block) };
  }

  #text(block: PlainElement): PhrasingContent[] {
    return this.#phrasing.write(inside(block));
  }

  #source(type: "html" | "markdown", source: string | null): Flow | null {
    if (source === null) return null;
    if (!this.#isCareful || isWhole(type === "html" ? "html" : "source", source))
      return { type: "html", value: source };
    return { type: "code", lang: type, value: source };
  }

  #list(block: PlainElement, data: NodeData): List | null {
    if (inside(block).length === 0) return null;
    const { type } = block;
    const ordered = type === "list-ordered";
    const { start } = data;
    const isStart = typeof start === "number" && Number.isInteger(start) && start >= 0 && start <= 999_999_999;
    const children = inside(block).map((node): ListItem => {
      const item = isBlockOf("list-item")(node) ? node : null;
      const { checked, loose } = item ? settingsOf(item) : {};
      return {
        type: "listItem",
        spread: loose === true,
        checked: typeof checked === "boolean" ? checked : type === "list-tasks" ? false : null,
        children: this.#flows(item ? inside(item) : [node]),
      };
    });
    const first = ordered && { start: isStart ? start : 1 };
    return { type: "list", ordered, ...first, spread: data["loose"] === true, children };
  }

  /** A table begins with a row that has cells: its head. */
  #table(block: PlainElement, data: NodeData): Table | null {
    const rows = inside(block);
    if (!rows.every(isBlockOf("table-row")) || !rows.every((row) => inside(row).every(isBlockOf("table-cell"))))
      return null;
    const width = rows[0] ? inside(rows[0]).length : 0;
    if (width === 0) return null;
    const children = rows.map((row): TableRow => {
      const cells = inside(row).filter(isBlock);
      return {
        type: "tableRow",
        children: cells.map((cell) => ({ type: "tableCell", children: withKeptEdges(this.#text(cell)) })),
      };
    });
    const columns: readonly unknown[] = Array.isArray(data["columns"]) ? data["columns"] : [];
    return { type: "table", align: Array.from({ length: width }, (_, index) => sideOf(columns[index])), children };
  }
}

/** Blanks at the edges of a cell, which belong to the table, as references. */
function withKeptEdges(content: readonly PhrasingContent[]): PhrasingContent[] {
  const blank: PhrasingContent = { type: "source", value: "&#x20;" };
  const [first] = content;
  const last = content.at(-1);
  const starts = first?.type === "text" && first.value.startsWith(" ");
  const ends =
    last?.type === "text" && last.value.endsWith(" ") && (content.length > 1 || last.value.length > 1 || !starts);
  const inside = content.map((node, index): PhrasingContent => {
    if (node.type !== "text") return node;
    const start = starts && index === 0 ? 1 : 0;
    return { ...node, value: node.value.slice(start, ends && index === content.length - 1 ? -1 : undefined) };
  });
  return [...(starts ? [blank] : []), ...inside, ...(ends ? [blank] : [])];
}

function sideOf(column: unknown): "left" | "center" | "right" | null {
  const align: unknown = typeof column === "object" && column !== null && "align" in column ? column.align : null;
  return typeof align === "string" && Object.hasOwn(sides, align) ? sides[align as keyof typeof sides] : null;
}

function codeOf(code: PlainElement, data: NodeData): Flow | null {
  const lines = inside(code);
  if (!lines.every(isBlockOf("code-line"))) return null;
  const texts = lines.map((line) => inside(line).map((node) => (node.object === "text" ? textOf(node.leaves) : null)));
  if (texts.flat().includes(null)) return null;
  const value = texts.map((parts) => parts.join("")).join("\n");
  return { type: "code", value, lang: textIn(data, "syntax"), meta: textIn(data, "meta") };
}

const textOf = (leaves: readonly { readonly text: string }[]): string => leaves.map(({ text }) => text).join("");

type SourceType = "html" | "source";

/** Whether a text is parsed as one block of this type that ends with the text. */
function isWhole(type: SourceType, source: string): boolean {
  const [first, ...others] = parseMarkdown(`${source}\n\nx`).children;
  return first?.type === type && first.value === source && others.length === 1 && others[0]?.type === "paragraph";
}

/** Whether a text is parsed as one node of this type inside a paragraph. */
function isInline(type: SourceType, source: string): boolean {
  const { children } = parseMarkdown(`x ${source} x`);
  const [paragraph] = children;
  if (children.length !== 1 || paragraph?.type !== "paragraph") return false;
  const [, node] = paragraph.children;
  return paragraph.children.length === 3 && node?.type === type && node.value === source;
}
