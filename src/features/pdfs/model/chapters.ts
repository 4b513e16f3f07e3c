// Chapters: the pages of a book with their parsed texts, and the targets of links.
import { DomainError } from "#src/base/errors.ts";
import { type Block, nodesIn, type RichDocument, textOfNode } from "#src/documents/document.ts";
import { fromMarkdown, wholeDocument } from "#src/documents/from-markdown.ts";
import { anchorsOf, titled, type Titled } from "#src/documents/sections/anchors.ts";
import { readHtml } from "#src/documents/sections/html-text.ts";
import { evaluate, includedIn } from "#src/features/content/model/expressions.ts";
import type { Book, BookPage } from "#src/features/pdfs/model/book.ts";

/** A page with its text. Ids name destinations in the PDF. */
export interface Chapter {
  readonly page: BookPage;
  readonly id: string;
  /** The blocks of its text, without a first heading that repeats the title. */
  readonly blocks: readonly Block[];
  readonly headings: ReadonlyMap<Block, Heading>;
  /** The ids of headings by the anchors that texts name them by. */
  readonly anchors: ReadonlyMap<string, string>;
  /** Footnotes by their labels, in the order of their first reference. */
  readonly notes: ReadonlyMap<string, Note>;
}

export interface Heading {
  readonly id: string;
  /** The id of the parent heading or page in the outline. */
  readonly parentId: string;
}

export interface Note {
  readonly number: number;
  readonly id: string;
  readonly block: Block;
}

/** The chapters of a book. Throws INVALID_INPUT for a text that includes too much. */
export function readChapters(book: Book): Chapter[] {
  const texts = new Map(Object.entries(book.reusableContents));
  return book.pages.map((page, index) => {
    const id = `p${index}`;
    const document = documentWithin(evaluated(book, page, texts));
    return { page, id, ...headingsIn(document, page, id), notes: notesIn(document, id) };
  });
}

function evaluated(book: Book, { markdown, variables }: BookPage, texts: ReadonlyMap<string, string>): string {
  if (includedIn(markdown) === null) return markdown;
  return evaluate(markdown, new Map(Object.entries({ ...book.variables, ...variables })), texts);
}

/** The document of a text; one block of source if the text is too deep or too complex. */
function documentWithin(markdown: string): RichDocument {
  try {
    return fromMarkdown(markdown);
  } catch (error) {
    if (error instanceof DomainError) return wholeDocument(markdown);
    throw error;
  }
}

const depthOf = ({ type }: Block): number => Number(/^heading-([1-6])$/.exec(type)?.[1] ?? 0);

/** The headings, and their ids by all names that links know them by (`anchorsOf`). */
function headingsIn({ nodes }: RichDocument, { title }: BookPage, id: string) {
  const headings = new Map<Block, Heading>();
  const places: string[] = [];
  const above: { readonly depth: number; readonly id: string }[] = [];
  const isRepeated = nodes[0]?.type === "heading-1" && textOfNode(nodes[0]).trim() === title.trim();
  for (const [index, block] of nodes.entries()) {
    const depth = depthOf(block);
    if (depth === 0) continue;
    const isTitle = isRepeated && index === 0;
    const place = isTitle ? id : `${id}h${index}`;
    places.push(place);
    while ((above.at(-1)?.depth ?? 0) >= depth) above.pop();
    if (isTitle) continue;
    headings.set(block, { id: place, parentId: above.at(-1)?.id ?? id });
    above.push({ depth, id: place });
  }
  const anchors = new Map<string, string>();
  for (const [index, names] of anchorsOf(nodes.filter((block) => depthOf(block) > 0).map(titledBlock)).entries())
    for (const name of [names.anchor.toLowerCase(), ...names.aliases]) anchors.set(name, places[index] ?? id);
  return { blocks: isRepeated ? nodes.slice(1) : nodes, headings, anchors };
}

/** A heading as {@link anchorsOf} names it. */
function titledBlock(block: Block): Titled {
  const sources = block.nodes.flatMap((node) => (node.object !== "text" && node.type === "html" ? [node] : []));
  const ids = sources.flatMap(({ data }) => readHtml(String(data["source"])).names);
  const text = (html: string): string =>
    block.nodes.map((node) => (node.object !== "text" && node.type === "html" ? html : textOfNode(node))).join("");
  return titled({ text: text(" "), compact: text(""), ids });
}

/** The key of a footnote, whose labels are compared without case. */
export const labelKey = (label: unknown): string => (typeof label === "string" ? label.trim().toLowerCase() : "");

function notesIn(document: RichDocument, id: string): ReadonlyMap<string, Note> {
  const blocks = new Map<string, Block>();
  const labels = new Set<string>();
  for (const node of nodesIn(document)) {
    if (node.object === "text") continue;
    const label = labelKey(node.data["label"]);
    if (node.type === "footnote-reference") labels.add(label);
    else if (node.object === "block" && node.type === "footnote" && !blocks.has(label)) blocks.set(label, node);
  }
  const referred = [...labels].filter((label) => blocks.has(label));
  const notes = new Map<string, Note>();
  for (const label of new Set([...referred, ...blocks.keys()])) {
    const block = blocks.get(label);
    if (block) notes.set(label, { number: notes.size + 1, id: `${id}n${notes.size + 1}`, block });
  }
  return notes;
}
