// Compares two documents by meaning; keys, default settings, the division into leaves and blanks do not count.
import { isDeepStrictEqual } from "node:util";
import type { NodeData, PlainDocument, PlainElement, PlainLeaf } from "#src/documents/document.ts";
import type { PlainNode, PlainText } from "#src/documents/document.ts";

/** Whether `read` means the same as `given`. */
export function isSameDocument(read: PlainDocument, given: PlainDocument): boolean {
  const settings = Object.entries(given.data ?? {});
  return (
    settings.every(([name, value]) => isDeepStrictEqual(read.data?.[name], value)) &&
    isSameContent(read.nodes, given.nodes)
  );
}

/** The same for the nodes in a node. */
export function isSameContent(read: readonly PlainNode[], given: readonly PlainNode[]): boolean {
  const found = itemsOf(read);
  const wanted = itemsOf(given);
  return (
    found.length === wanted.length &&
    wanted.every((item, index) => {
      const other = found[index];
      return isElement(item) && isElement(other) ? isSameElement(other, item) : isDeepStrictEqual(other, item);
    })
  );
}

/** Settings that the parser adds if they are not given. */
const added: ReadonlySet<string> = new Set(["start", "loose", "checked", "head", "columns", "definition", "marker"]);

/** The same for a node that is not text. */
export function isSameElement(read: PlainElement, given: PlainElement): boolean {
  const { object, type, isVoid, data = {}, nodes = [], ...further } = given;
  const found = read.data ?? {};
  return (
    read.object === object &&
    read.type === type &&
    (isVoid === undefined || read.isVoid === isVoid) &&
    Object.keys(found).every((name) => Object.hasOwn(data, name) || added.has(name)) &&
    Object.keys(data).every((name) => isSameSetting(given, found, name)) &&
    Object.entries(further).every(([name, value]) => isDeepStrictEqual({ ...read }[name as never], value)) &&
    isSameContent(read.nodes ?? [], nodes)
  );
}

/** Whether a setting is among the parsed ones. */
export function isSameSetting({ object, type, data }: PlainElement, read: NodeData, name: string): boolean {
  const value = data?.[name];
  if (object === "block" && type === "table-cell" && name === "definition") return true; // a key
  if (object === "block" && type === "table" && name === "columns") return isSameColumns(read[name], value);
  if (object === "inline" && name === "reference" && isWayOfWriting(type, value) && read[name] === undefined)
    return true;
  if (object === "inline" && name === "marks" && Array.isArray(value) && Array.isArray(read[name]))
    return marksOf({ marks: read[name] }) === marksOf({ marks: value });
  return isDeepStrictEqual(read[name], value);
}

/** A link or image by reference whose definition is missing, or has another target, is written with its address. */
const isWayOfWriting = (type: string, value: unknown): boolean =>
  (type === "link" || type === "image") && typeof value === "object" && value !== null && "label" in value;

function isSameColumns(read: unknown, given: unknown): boolean {
  if (!Array.isArray(read) || !Array.isArray(given) || given.length > read.length) return false;
  return given.every((column: unknown, index) => {
    const other: unknown = read[index];
    if (typeof column !== "object" || column === null || typeof other !== "object" || other === null) return false;
    return isDeepStrictEqual({ ...other, key: null }, { ...column, key: null });
  });
}

/** A piece of text without blanks with its marks, or blanks. */
type Piece = readonly [marks: string, text: string];

/** Nodes, and between them the texts side by side as one. */
type Item = PlainElement | PlainText | readonly Piece[];

const isElement = (item: Item | undefined): item is PlainElement =>
  item !== undefined && "object" in item && item.object !== "text";

function itemsOf(nodes: readonly PlainNode[]): Item[] {
  const items: (PlainElement | PlainText | Piece[])[] = [];
  for (const node of nodes) {
    const last = items.at(-1);
    if (node.object !== "text" || Object.keys(node).some((name) => !textProperties.has(name))) items.push(node);
    else if (last && "length" in last) addPieces(last, node.leaves);
    else items.push(addPieces([], node.leaves));
  }
  return items.filter((item) => !("length" in item) || item.length > 0);
}

const textProperties: ReadonlySet<string> = new Set(["object", "key", "leaves"]);

const isBlank = (piece: Piece | undefined): boolean => piece !== undefined && isBlankText(piece[1]);
/** Blanks of Markdown: other invisible characters count as text. */
const isBlankText = (text: string): boolean => /^[ \n\r\t]*$/.test(text);

function addPieces(pieces: Piece[], leaves: readonly PlainLeaf[]): Piece[] {
  for (const leaf of leaves) {
    const marks = marksOf(leaf);
    for (const [found] of leaf.text.matchAll(/[ \n\r\t]+|[^ \n\r\t]+/g)) {
      const piece: Piece = isBlankText(found) ? ["", found.replaceAll(/\r\n?|\n/g, " ")] : [marks, found];
      const last = pieces.at(-1);
      if (last?.[0] === piece[0] && isBlank(last) === isBlank(piece))
        pieces[pieces.length - 1] = [piece[0], last[1] + piece[1]];
      else pieces.push(piece);
    }
  }
  return pieces;
}

/** The marks of a leaf and its own properties; the position of `code` among the marks has no meaning. */
function marksOf({ marks = [], ...leaf }: Partial<PlainLeaf>): string {
  const plain = marks.map(({ data, ...mark }) => {
    const hasData = data && Object.keys(data).length > 0;
    return { ...mark, object: undefined, ...(hasData && { data }) };
  });
  const isCode = ({ type }: { type: string }): boolean => type === "code";
  const further = { ...leaf, object: undefined, text: undefined };
  return JSON.stringify([plain.filter((mark) => !isCode(mark)), plain.some(isCode), further]);
}
