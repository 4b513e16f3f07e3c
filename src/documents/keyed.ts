// Adds keys and the common properties of nodes to nodes as they were given.
import type { Block, NodeData, PlainElement, PlainNode, PlainText, RichNode } from "#src/documents/document.ts";
import { contentOf, Keys } from "#src/documents/keys.ts";
import { addressOf, readReference } from "#src/documents/references.ts";

/** The types without text of their own. */
const voidTypes: ReadonlySet<string> = new Set(
  "image break html footnote-reference divider definition markdown".split(" "),
);

/** The block with keys, including those of the nodes in it: the same that a block of this text has in Markdown. */
export function keyedBlock(block: PlainElement, keys: Keys): Block {
  return { ...(keyed(block, keys) as Block), object: "block" }; // nodes that are not text are kept
}

function keyed(node: PlainNode, keys: Keys): RichNode {
  if (node.object === "text") return keyedText(node, keys);
  const { object, type, isVoid: given, data: settings = {}, nodes: children = [], ...further } = node;
  const nodes = children.map((child) => keyed(child, keys));
  const isVoid = given ?? (voidTypes.has(type) && nodes.length === 0);
  const key = keys.next(type, nodes.length > 0 ? contentOf(nodes) : voidContent(type, settings));
  const element = { ...further, object, type, key, isVoid, data: settings, nodes };
  return type === "table" && object === "block" ? withColumns({ ...element, object }) : element;
}

function keyedText({ leaves: given, ...further }: PlainText, keys: Keys): RichNode {
  const leaves = given.map(({ text, marks = [], ...leaf }) => ({
    ...leaf,
    object: "leaf" as const,
    text,
    marks: marks.map((mark) => ({ ...mark, object: "mark" as const })),
  }));
  return { ...further, object: "text", key: keys.next("text", leaves.map(({ text }) => text).join("")), leaves };
}

/** The key source of a node without text. */
function voidContent(type: string, { source, label, ref, reference }: NodeData): string {
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  const target = readReference(ref);
  const address = "message" in target ? "" : addressOf(target);
  switch (type) {
    case "html":
    case "markdown":
      return text(source);
    case "footnote-reference":
      return text(label);
    case "definition":
      return `${text(label)}\n${address}`;
    case "image":
      return typeof reference === "object" && reference !== null && "label" in reference
        ? text(reference.label).toLowerCase()
        : address;
    default:
      return "";
  }
}

/** A table whose columns and cells have the keys of columns, made of the texts of the first row. */
function withColumns(table: Block): Block {
  const { columns: given = [] } = table.data;
  const [head] = table.nodes;
  if (!Array.isArray(given) || head?.object !== "block" || head.type !== "table-row") return table;
  const keys = new Keys();
  const columns = head.nodes.map((cell, index) => {
    const content = cell.object === "text" ? contentOf([cell]) : contentOf(cell.nodes);
    const settings: unknown = given[index];
    return { ...(typeof settings === "object" && settings), key: keys.next("column", content) };
  });
  const nodes = table.nodes.map((row): RichNode => {
    if (row.object !== "block" || row.type !== "table-row") return row;
    const cells = row.nodes.map((cell, index): RichNode => {
      const column = columns[index];
      if (!column || cell.object !== "block" || cell.type !== "table-cell") return cell;
      return { ...cell, data: { ...cell.data, definition: column.key } };
    });
    return { ...row, nodes: cells };
  });
  return { ...table, data: { ...table.data, columns }, nodes };
}
