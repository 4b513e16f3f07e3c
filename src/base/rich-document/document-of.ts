// From Markdown to a rich document.
import type { Code, Definition, List, Nodes, Root, RootContent, Table, TableCell, TableRow } from "mdast";
import type {
  Block,
  BlockType,
  HeadingType,
  NodeData,
  RichDocument,
  RichNode,
  TableColumn,
} from "#src/base/rich-document/document.ts";
import { InlineReader, targetOf } from "#src/base/rich-document/inlines.ts";
import { contentOf, Keys } from "#src/base/rich-document/keys.ts";
import { parseMarkdown } from "#src/base/rich-document/markdown.ts";
import { checkTree, tooDeep } from "#src/base/rich-document/tree-limit.ts";

const schemaVersion = 1;

/**
 * The document of a text. Nothing is lost: `markdownOf` makes Markdown of the same meaning from it. Throws
 * INVALID_INPUT beyond `documentLimit`.
 *
 * A text that was made to be slow takes minutes: texts from outside are read in a thread, with a limit of time
 * (`convert`).
 */
export function documentOf(markdown: string): RichDocument {
  const root = parse(markdown);
  checkTree(root);
  return { object: "document", data: { schemaVersion }, nodes: new BlockReader(root).read(root.children) };
}

/** A document for a text that cannot be parsed: one void block, which `markdownOf` writes as it is. */
export function wholeDocument(markdown: string): RichDocument {
  const key = new Keys().next("markdown", markdown);
  const data = { source: markdown };
  const block: Block = { object: "block", type: "markdown", key, isVoid: true, data, nodes: [] };
  return { object: "document", data: { schemaVersion }, nodes: [block] };
}

/** The parser runs out of stack at thousands of levels. */
function parse(markdown: string): Root {
  try {
    return parseMarkdown(markdown);
  } catch (error) {
    throw error instanceof RangeError ? tooDeep() : error;
  }
}

/** All definitions of addresses by identifier: of several the first one counts. */
function definitionsIn(node: Nodes, found = new Map<string, Definition>()): ReadonlyMap<string, Definition> {
  if (node.type === "definition" && !found.has(node.identifier)) found.set(node.identifier, node);
  if ("children" in node) for (const child of node.children) definitionsIn(child, found);
  return found;
}

/** Sides of columns, in the words of documents. */
const columnAligns = { left: "start", center: "center", right: "end" } as const;

/** Reads the blocks of one document. */
class BlockReader {
  readonly #keys = new Keys();
  readonly #inlines: InlineReader;

  constructor(root: Root) {
    this.#inlines = new InlineReader(this.#keys, definitionsIn(root));
  }

  read(content: readonly RootContent[]): Block[] {
    return content.map((node) => this.#block(node));
  }

  #block(node: RootContent): Block {
    switch (node.type) {
      case "paragraph":
        return this.#holder("paragraph", this.#inlines.read(node.children));
      case "heading":
        return this.#holder(`heading-${node.depth}` satisfies HeadingType, this.#inlines.read(node.children));
      case "blockquote":
        return this.#holder("blockquote", this.read(node.children));
      case "list":
        return this.#list(node);
      case "code":
        return this.#code(node);
      case "table":
        return this.#table(node);
      case "footnoteDefinition":
        return this.#holder("footnote", this.read(node.children), { label: node.label ?? node.identifier });
      case "definition": {
        const label = node.label ?? node.identifier;
        return this.#void("definition", { label, ...targetOf(node) }, `${label}\n${node.url}`);
      }
      case "html":
        return this.#void("html", { source: node.value }, node.value);
      case "thematicBreak":
        return this.#void("divider", {}, "");
      default:
        throw new Error(`The parser of Markdown makes no block of type ${node.type}.`);
    }
  }

  #holder(type: BlockType, nodes: readonly RichNode[], data: NodeData = {}): Block {
    return { object: "block", type, key: this.#keys.next(type, contentOf(nodes)), isVoid: false, data, nodes };
  }

  #void(type: BlockType, data: NodeData, content: string): Block {
    return { object: "block", type, key: this.#keys.next(type, content), isVoid: true, data, nodes: [] };
  }

  #list({ ordered, start, spread, children }: List): Block {
    const isTasks = !ordered && children.every(({ checked }) => checked != null);
    const items = children.map((item) =>
      this.#holder("list-item", this.read(item.children), {
        ...(item.checked != null && { checked: item.checked }),
        ...(item.spread && { loose: true }),
      }),
    );
    const type = ordered ? "list-ordered" : isTasks ? "list-tasks" : "list-unordered";
    return this.#holder(type, items, { ...(ordered && { start: start ?? 1 }), ...(spread && { loose: true }) });
  }

  #code({ value, lang, meta }: Code): Block {
    const lines = value === "" ? [] : value.split("\n");
    const nodes = lines.map((text) =>
      this.#holder("code-line", text === "" ? [] : [this.#inlines.text([{ object: "leaf", text, marks: [] }])]),
    );
    return this.#holder("code", nodes, { ...(lang && { syntax: lang }), ...(meta && { meta }) });
  }

  /** The first row is the head: there is a column for each of its cells. */
  #table({ align, children: [head, ...others] }: Table): Block {
    const columnKeys = new Keys();
    const columns: TableColumn[] = [];
    const cells = (row: TableRow, nodesOf: (cell: TableCell, index: number) => RichNode[]) =>
      row.children.map((cell, index) => {
        const nodes = nodesOf(cell, index);
        const column = columns[index]; // none for cells beyond the head, which are never shown
        return this.#holder("table-cell", nodes, column ? { definition: column.key } : {});
      });
    const headNodes = (cell: TableCell, index: number): RichNode[] => {
      const nodes = this.#inlines.read(cell.children);
      const side = align?.[index];
      columns.push({ key: columnKeys.next("column", contentOf(nodes)), ...(side && { align: columnAligns[side] }) });
      return nodes;
    };
    const rows = [
      ...(head ? [this.#holder("table-row", cells(head, headNodes), { head: true })] : []),
      ...others.map((row) =>
        this.#holder(
          "table-row",
          cells(row, ({ children }) => this.#inlines.read(children)),
        ),
      ),
    ];
    return this.#holder("table", rows, { columns });
  }
}
