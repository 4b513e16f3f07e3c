// Converts Markdown to a rich document.
import type { Code, Definition, List, Nodes, Root, RootContent, Table, TableCell, TableRow } from "mdast";
import { alertIn } from "#src/documents/alerts.ts";
import { unlinkRefused } from "#src/documents/addresses.ts";
import { checkTree, type HeadingType, type TableColumn, tooDeep } from "#src/documents/document.ts";
import type { Block, BlockType, NodeData, RichDocument, RichNode } from "#src/documents/document.ts";
import { InlineReader, targetOf } from "#src/documents/inlines.ts";
import { keyedBlock } from "#src/documents/keyed.ts";
import { contentOf, Keys } from "#src/documents/keys.ts";
import { parseMarkdown } from "#src/documents/markdown.ts";
import { digestOf, type Note, noteIn } from "#src/documents/notes.ts";

const schemaVersion = 1;

/**
 * The document of a text, with the content of its notes (`notes.ts`); links and images with forbidden addresses become
 * their texts. Throws INVALID_INPUT beyond `documentLimit`. Hostile texts take minutes: `convert` limits the time.
 */
export function fromMarkdown(markdown: string): RichDocument {
  const root = readable(markdown);
  const at = root.children.findIndex((node) => noteIn(node)?.on === "document");
  const note = noteIn(root.children[at]);
  if (note?.on !== "document") return documentWith({}, new BlockReader(root).readNoted(root.children, markdown));
  const { data = {}, nodes } = note.document;
  const isWhole = at === 0 && note.digest === digestOf(markdown.slice(root.children[at]?.position?.end.offset));
  if (!isWhole) return documentWith(data, new BlockReader(root).readNoted(root.children.toSpliced(at, 1), markdown));
  const keys = new Keys();
  const blocks = nodes.map((node) => keyedBlock(node, keys));
  return documentWith(data, keys.numbered(blocks));
}

function readable(markdown: string): Root {
  const root = parse(markdown);
  checkTree(root);
  unlinkRefused(root, definitionsIn(root));
  return root;
}

interface Placed {
  readonly read: RichDocument;
  /** The range of each block in the text, with its note. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
}

/** The document of a text with the places of its blocks; null for one with a note about the whole document. */
export function readPlaced(markdown: string): Placed | null {
  const root = readable(markdown);
  if (root.children.some((node) => noteIn(node)?.on === "document")) return null;
  const ranges: { start: number; end: number }[] = [];
  const blocks = new BlockReader(root).readNoted(root.children, markdown, (first, last) =>
    ranges.push({ start: first.position?.start.offset ?? 0, end: last.position?.end.offset ?? 0 }),
  );
  return { read: documentWith({}, blocks), ranges };
}

const documentWith = (data: NodeData, nodes: readonly Block[]): RichDocument => ({
  object: "document",
  data: { schemaVersion, ...data },
  nodes,
});

/** The types of blocks that Markdown has: their Markdown, not a note, defines them. */
const isKnownType = (type: string): boolean =>
  /^(?:paragraph|heading-[1-6]|blockquote|hint|list-(?:ordered|unordered|tasks)|code|table|divider|html|definition|footnote|markdown)$/.test(
    type,
  );

/** A document for a text that cannot be parsed: one void block, which `toMarkdown` writes unchanged. */
export function wholeDocument(markdown: string): RichDocument {
  const key = new Keys().next("markdown", markdown);
  const data = { source: markdown };
  return documentWith({}, [{ object: "block", type: "markdown", key, isVoid: true, data, nodes: [] }]);
}

/** The parser overflows the stack at thousands of levels. */
function parse(markdown: string): Root {
  try {
    return parseMarkdown(markdown);
  } catch (error) {
    throw error instanceof RangeError ? tooDeep() : error;
  }
}

/** All definitions of addresses by identifier: of several with the same one the first counts. */
function definitionsIn(node: Nodes, found = new Map<string, Definition>()): ReadonlyMap<string, Definition> {
  if (node.type === "definition" && !found.has(node.identifier)) found.set(node.identifier, node);
  if ("children" in node) for (const child of node.children) definitionsIn(child, found);
  return found;
}

const columnAligns = { left: "start", center: "center", right: "end" } as const;

/** Reads the blocks of one document. */
export class BlockReader {
  readonly #keys = new Keys();
  readonly #inlines: InlineReader;

  constructor(root: Root) {
    this.#inlines = new InlineReader(this.#keys, definitionsIn(root));
  }

  /** The blocks of a text with their notes applied. A note that does not match is kept as a comment. */
  readNoted(
    content: readonly RootContent[],
    markdown: string,
    place: (first: RootContent, last: RootContent) => void = () => {},
  ): Block[] {
    const blocks: Block[] = [];
    for (let index = 0; index < content.length; index++) {
      const node = content[index];
      const next = content[index + 1];
      const note = noteIn(node);
      const isNoted = note?.on === "next" && next?.type === note.as;
      if (node) place(node, isNoted ? next : node);
      if (note?.on === "node") blocks.push(keyedBlock(note.block, this.#keys));
      else if (note?.on === "next" && next?.type === note.as) {
        blocks.push(this.#noted(note, next, markdown));
        index++;
      } else if (node) blocks.push(this.#block(node));
    }
    return [...this.#keys.numbered(blocks)];
  }

  #noted({ digest, hasType, block }: Extract<Note, { on: "next" }>, node: RootContent, markdown: string): Block {
    const { start, end } = node.position ?? {};
    const isAsWritten = digest !== undefined && digest === digestOf(markdown.slice(start?.offset, end?.offset));
    if (isAsWritten) return keyedBlock(block, this.#keys);
    const read = this.#block(node);
    const { object: _object, type, isVoid = read.isVoid, data = {}, nodes: _before, ...further } = block;
    const isOther = hasType && (digest === undefined || !isKnownType(type));
    // A note without a hash contains settings only, for this Markdown; those of an outdated one have lower priority.
    const settings = digest === undefined ? { ...read.data, ...data } : { ...data, ...read.data };
    return { ...read, ...further, ...(isOther && { type }), isVoid, data: settings };
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
      case "blockquote": {
        const alert = alertIn(node);
        if (alert) return this.#holder("hint", this.read(alert.content), alert.data);
        return this.#holder("blockquote", this.read(node.children));
      }
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
      case "source":
        return this.#void("markdown", { source: node.value }, node.value);
      case "thematicBreak":
        return this.#void("divider", {}, "");
      default:
        throw new Error(`The parser of Markdown does not make blocks of the type ${node.type}.`);
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
        const column = columns[index]; // undefined for cells beyond the head, which are not shown
        return this.#holder("table-cell", nodes, column ? { definition: column.key } : {});
      });
    const headNodes = (cell: TableCell, index: number): RichNode[] => {
      const nodes = this.#inlines.read(cell.children);
      const side = align?.[index];
      columns.push({ key: columnKeys.next("column", contentOf(nodes)), ...(side && { align: columnAligns[side] }) });
      return nodes;
    };
    const bodyNodes = ({ children }: TableCell) => this.#inlines.read(children);
    const rows = [
      ...(head ? [this.#holder("table-row", cells(head, headNodes), { head: true })] : []),
      ...others.map((row) => this.#holder("table-row", cells(row, bodyNodes))),
    ];
    return this.#holder("table", rows, { columns });
  }
}
