// Converts a rich document to Markdown, with notes (`notes.ts`) for properties that Markdown cannot express.
import type { RootContent } from "mdast";
import { DomainError } from "#src/base/errors.ts";
import { BlockWriter } from "#src/documents/writing/blocks.ts";
import { checkTree, type NodeData, type PlainDocument, type PlainElement } from "#src/documents/document.ts";
import { BlockReader, fromMarkdown } from "#src/documents/from-markdown.ts";
import { checkDocument } from "#src/documents/check-document.ts";
import { writeOver } from "#src/documents/writing/kept-source.ts";
import { parseMarkdown, writeExactly } from "#src/documents/markdown.ts";
import { digestOf, noteOfDocument, noteOfNext, noteOfNode } from "#src/documents/notes.ts";
import { isSameContent, isSameDocument, isSameElement, isSameSetting } from "#src/documents/writing/same.ts";
import { settingsOf } from "#src/documents/writing/targets.ts";

interface Options {
  /** Before the pointers of errors. */
  readonly path?: string | undefined;
  /** The text that the document replaces: unchanged blocks keep their bytes. */
  readonly base?: string | null | undefined;
}

/** The Markdown of a document. Throws INVALID_INPUT like the check. */
export function toMarkdown(given: object, { path = "document", base = null }: Options = {}): string {
  const document = checkDocument(given, path);
  const kept = base === null || base === "" ? null : writtenOver(document, base);
  return kept ?? written(document);
}

function writtenOver(document: PlainDocument, base: string): string | null {
  try {
    return writeOver(document, base);
  } catch (error) {
    if (error instanceof DomainError) return null; // the text before, or a block, is too deep
    throw error;
  }
}

function written(document: PlainDocument): string {
  const { nodes } = document;
  if (nodes.every(isEmptyParagraph)) return noteOfSettings(document) ?? "";
  const source = wholeSource(document);
  if (source !== null) return source;
  const tree = new BlockWriter(nodes, { isCareful: false }).root(nodes);
  checkTree(tree);
  for (const isStrict of [false, true]) {
    const markdown = writeExactly(tree, { isStrict });
    if (isReadAs(markdown, document)) return markdown;
  }
  return withNotes(document);
}

/** The note with the settings of a document; null if they are the default ones. */
function noteOfSettings({ data = {} }: PlainDocument): string | null {
  const isUsual = isSameDocument({ data: { schemaVersion: 1 }, nodes: [] }, { data, nodes: [] });
  return isUsual ? null : noteOfDocument({ data });
}

const isEmptyParagraph = (block: PlainElement): boolean =>
  block.type === "paragraph" && isSameElement({ object: "block", type: "paragraph" }, block);

/** The text of a document with one Markdown block that was too deep or intricate to be parsed. */
function wholeSource({ nodes: [block, ...others] }: PlainDocument): string | null {
  if (block?.type !== "markdown" || others.length > 0 || (block.nodes ?? []).length > 0) return null;
  const { source, ...data } = settingsOf(block);
  return typeof source === "string" && Object.keys(data).length === 0 ? source : null;
}

/** Whether parsing the Markdown gives the same document. */
const isReadAs = (markdown: string, document: PlainDocument): boolean =>
  isSameDocument(fromMarkdown(markdown), document);

/** The Markdown with notes, each before the block that it concerns. */
function withNotes(document: PlainDocument): string {
  const { data = {}, nodes } = document;
  const writer = new BlockWriter(nodes, { isCareful: true });
  const flows = nodes.map((block) => writer.flow(block));
  const notes = notesOf(nodes, flows);
  const children = flows.flatMap((flow, index) => [...comment(notes[index] ?? null), ...(flow ? [flow] : [])]);
  const head = comment(noteOfSettings(document));
  const markdown = writeExactly({ type: "root", children: [...head, ...children] }, { isStrict: true });
  if (isReadAs(markdown, document)) return markdown;
  const shown = writeExactly({ type: "root", children: flows.filter((flow) => flow !== null) }, { isStrict: true });
  return `${noteOfDocument({ data, nodes }, digestOf(shown))}\n${shown === "" ? "" : `\n${shown}`}`;
}

const comment = (value: string | null): RootContent[] => (value === null ? [] : [{ type: "html", value }]);

/** The note that each block needs, or null: found by parsing all of them, with a mark before each. */
function notesOf(blocks: readonly PlainElement[], flows: readonly (RootContent | null)[]): (string | null)[] {
  const tree = flows.flatMap((flow, index) => [...comment(markOf(index)), ...(flow ? [flow] : [])]);
  const markdown = writeExactly({ type: "root", children: tree }, { isStrict: true });
  const root = parseMarkdown(markdown);
  checkTree(root);
  const reader = new BlockReader(root);
  let at = 0;
  return blocks.map((block, index) => {
    while (at < root.children.length && !isMark(root.children[at], index)) at++;
    const first = at + 1;
    while (at < root.children.length && !isMark(root.children[at], index + 1)) at++;
    const [node, ...others] = root.children.slice(first, at);
    if (!node) return noteOfNode(saidOf(block));
    if (others.length > 0) return null; // detected when the whole document is parsed
    const [read] = reader.read([node]);
    if (!read || isSameElement(read, block)) return null;
    const said = settingsBeside(read, block);
    if (said) return noteOfNext(node.type, said);
    const { start, end } = node.position ?? {};
    return noteOfNext(node.type, saidOf(block), digestOf(markdown.slice(start?.offset, end?.offset)));
  });
}

const markOf = (index: number): string => `<!-- ${index} -->`;

const isMark = (node: RootContent | undefined, index: number): boolean =>
  node?.type === "html" && node.value === markOf(index);

/** The block as a note contains it: without the defaults of notes. */
function saidOf({ object: _object, data = {}, nodes = [], ...block }: PlainElement): Partial<PlainElement> {
  return { ...block, ...(Object.keys(data).length > 0 && { data }), ...(nodes.length > 0 && { nodes }) };
}

/** The properties of a block that its Markdown lacks; null if its content differs from the Markdown. */
function settingsBeside(read: PlainElement, block: PlainElement): Partial<PlainElement> | null {
  const { object: _object, type, isVoid, data = {}, nodes = [], ...further } = block;
  if (!isSameContent(read.nodes ?? [], nodes)) return null;
  const found: NodeData = read.data ?? {};
  const beside = Object.entries(data).filter(([name]) => !isSameSetting(block, found, name));
  const said = {
    ...further,
    ...(type !== read.type && { type }),
    ...(isVoid !== undefined && isVoid !== read.isVoid && { isVoid }),
    ...(beside.length > 0 && { data: Object.fromEntries(beside) }),
  };
  return isSameElement({ ...read, ...said, data: { ...found, ...said.data } }, block) ? said : null;
}
