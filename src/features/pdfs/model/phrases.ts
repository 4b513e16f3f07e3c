// Converts the inline nodes of a document to runs of text and images, and resolves their references.
import type { Block, NodeData, RichNode } from "#src/documents/document.ts";
import { readReference, type Reference, referenceOfAddress } from "#src/documents/references.ts";
import { percentDecoded } from "#src/base/url-text.ts";
import { namesToTry } from "#src/documents/sections/anchors.ts";
import { type Font, fontRuns } from "#src/features/pdfs/model/fonts.ts";
import { htmlParts } from "#src/features/pdfs/model/html.ts";
import { bodySize, colours } from "#src/features/pdfs/model/look.ts";
import { Links } from "#src/base/public-urls.ts";
import { isPath, pathAt } from "#src/features/links/model/paths.ts";
import type { Book, BookFile } from "#src/features/pdfs/model/book.ts";
import { type Chapter, type Heading, labelKey, type Note } from "#src/features/pdfs/model/chapters.ts";

interface Run extends Partial<Omit<Look, "font" | "size">>, Target {
  readonly text: string;
  readonly font: Font;
  readonly fontSize?: number;
}

export interface Look extends Target {
  readonly font: "Sans" | "Mono";
  /** The size of the surrounding text, in points. */
  readonly size: number;
  readonly bold?: true;
  readonly italics?: true;
  readonly decoration?: "lineThrough";
  readonly color?: string;
  readonly background?: string;
  readonly sup?: true;
}

export interface ShownImage {
  readonly ref: unknown;
  readonly alt: string;
  readonly title: string;
  readonly target: Target;
}

/** Text up to the next image, or an image: pdfmake does not support inline images. */
export type Phrase = { readonly runs: readonly Run[] } | { readonly image: ShownImage };

export const plainLook: Look = { font: "Sans", size: bodySize };

/** Scales the fonts to the same apparent size. */
const sizeOfMono = 0.9;

/** Runs of a text, whose soft line breaks become spaces. */
export function runsOf(text: string, look: Look): Run[] {
  const { font: wished, size, ...rest } = look;
  const own = wished === "Mono" ? { ...rest, fontSize: sizeOfMono * size } : rest;
  const flowing = text.replaceAll(/(?<=[\u2e80-\u{3ffff}])\n(?=[\u2e80-\u{3ffff}])/gu, "").replaceAll("\n", " ");
  return fontRuns(flowing, wished).map((run) => ({ ...own, ...run }));
}

export class PhraseWriter {
  readonly #resolver: ReferenceResolver;

  constructor(resolver: ReferenceResolver) {
    this.#resolver = resolver;
  }

  write(nodes: readonly RichNode[], look: Look): Phrase[] {
    return joined(this.#phrases(nodes, look));
  }

  writeHtml(source: string, look: Look): Phrase[] {
    return joined(this.#html(source, look));
  }

  *#phrases(nodes: readonly RichNode[], look: Look): Generator<Phrase> {
    for (const node of nodes) {
      if (node.object === "text") {
        for (const { text, marks } of node.leaves) yield { runs: runsOf(text, marked(look, marks)) };
      } else if (node.type === "link") {
        const target = this.#resolver.targetOf(node.data["ref"]);
        const isLink = Object.keys(target).length > 0;
        yield* this.#phrases(node.nodes, isLink ? { ...look, ...target, color: colours.link } : look);
      } else if (node.isVoid) yield* this.#void(node.type, node.data, look);
      else yield* this.#phrases(node.nodes, look);
    }
  }

  *#void(type: string, data: NodeData, look: Look): Generator<Phrase> {
    const target = targetIn(look);
    if (type === "break") yield { runs: [{ text: "\n", font: look.font }] };
    else if (type === "image") {
      yield { image: { ref: data["ref"], alt: textOf(data["alt"]), title: textOf(data["title"]), target } };
    } else if (type === "markdown") yield* sourceRuns(textOf(data["source"]), look);
    else if (type === "html") yield* this.#html(textOf(data["source"]), look);
    else if (type === "footnote-reference") {
      const note = this.#resolver.noteOf(textOf(data["label"]));
      if (note)
        yield {
          runs: runsOf(String(note.number), { ...look, sup: true, color: colours.link, linkToDestination: note.id }),
        };
    }
  }

  *#html(source: string, look: Look): Generator<Phrase> {
    for (const part of htmlParts(source)) {
      if ("text" in part) yield { runs: runsOf(part.text, look) };
      else if ("isBreak" in part) yield { runs: [{ text: "\n", font: look.font }] };
      else {
        const { address, alt } = part.image;
        yield { image: { ref: referenceOfAddress(address), alt, title: "", target: targetIn(look) } };
      }
    }
  }
}

/** Tags and comments are not shown, formulas as they were written. */
function* sourceRuns(source: string, look: Look): Generator<Phrase> {
  if (!source.startsWith("{%") && !source.startsWith("%%")) yield { runs: runsOf(source, look) };
}

function joined(phrases: Iterable<Phrase>): Phrase[] {
  const all: Phrase[] = [];
  let runs: Run[] = [];
  const endRuns = (): void => {
    while (runs.at(-1)?.text.trim() === "") runs.pop();
    if (runs.length > 0) all.push({ runs });
    runs = [];
  };
  for (const phrase of phrases) {
    if ("image" in phrase) {
      endRuns();
      all.push(phrase);
    } else for (const run of phrase.runs) if (runs.length > 0 || run.text.trim() !== "") runs.push(run);
  }
  endRuns();
  return all;
}

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const targetIn = ({ link, linkToDestination }: Look): Target => ({
  ...(link !== undefined && { link }),
  ...(linkToDestination !== undefined && { linkToDestination }),
});

const markLooks: Readonly<Record<string, Partial<Look>>> = {
  bold: { bold: true },
  italic: { italics: true },
  strikethrough: { decoration: "lineThrough" },
  code: { font: "Mono", background: colours.wash },
};

const marked = (look: Look, marks: readonly { readonly type: string }[]): Look =>
  marks.reduce((all, { type }) => ({ ...all, ...(Object.hasOwn(markLooks, type) && markLooks[type]) }), look);

/** The target of a link for pdfmake; empty if it stays plain text. */
export interface Target {
  readonly link?: string;
  readonly linkToDestination?: string;
}

/** Longer addresses are not links. */
const addressLimit = 2_000;

interface Library {
  readonly book: Book;
  readonly links: Links;
  readonly byId: ReadonlyMap<string, Chapter>;
  readonly byPath: ReadonlyMap<string, Chapter>;
}

export const libraryOf = (book: Book, chapters: readonly Chapter[]): Library => ({
  book,
  links: new Links(book.addresses),
  byId: new Map(chapters.map((chapter) => [chapter.page.pageId, chapter])),
  byPath: new Map(chapters.map((chapter) => [chapter.page.path, chapter])),
});

export class ReferenceResolver {
  readonly #library: Library;
  readonly #chapter: Chapter;

  constructor(library: Library, chapter: Chapter) {
    this.#library = library;
    this.#chapter = chapter;
  }

  /** The file that a reference names; null for other references. */
  fileOf(ref: unknown): { readonly id: string; readonly file: BookFile } | null {
    const reference = readReference(ref);
    if (!("kind" in reference) || reference.kind !== "file") return null;
    const { files } = this.#library.book;
    const file = Object.hasOwn(files, reference.file) ? files[reference.file] : undefined;
    return file ? { id: reference.file, file } : null;
  }

  targetOf(ref: unknown): Target {
    const reference = readReference(ref);
    if (!("kind" in reference)) return {};
    const { links } = this.#library;
    switch (reference.kind) {
      case "page":
      case "anchor":
        return this.#pageTarget(reference);
      case "file":
        return linkTo(this.fileOf(reference)?.file.url ?? undefined);
      case "url":
        return this.#urlTarget(reference.url);
      case "space":
        return linkTo(links.app(`spaces/${reference.space}`, reference.space));
      case "user":
        return linkTo(links.app(`users/${reference.user}`, reference.user));
      case "collection":
        return linkTo(links.app(`collections/${reference.collection}`, reference.collection));
      case "openapi":
        return {}; // without an address
    }
  }

  noteOf(label: string): Note | null {
    return this.#chapter.notes.get(labelKey(label)) ?? null;
  }

  headingOf(block: Block): Heading | null {
    return this.#chapter.headings.get(block) ?? null;
  }

  #pageTarget(reference: Extract<Reference, { kind: "page" | "anchor" }>): Target {
    const { page, space } = reference;
    const { book, links, byId } = this.#library;
    const chapter = page === undefined ? this.#chapter : byId.get(page);
    const isOther = space !== undefined && space !== book.spaceId;
    if (chapter && !isOther) return inside(chapter, reference.kind === "anchor" ? reference.anchor : undefined);
    if (page === undefined) return {};
    const { spaceId, changeRequest } = book;
    const content = changeRequest === null ? spaceId : `${spaceId}/change-requests/${changeRequest.id}`;
    return linkTo(links.app(`spaces/${space ?? content}/pages/${page}`, page));
  }

  #urlTarget(url: string): Target {
    if (!isPath(url)) return linkTo(url);
    const place = pathAt(url, this.#chapter.page);
    const chapter = place && this.#library.byPath.get(place.path);
    return chapter ? inside(chapter, place.anchor ?? undefined) : {};
  }
}

const inside = ({ id, anchors }: Chapter, anchor: string | undefined): Target => ({
  linkToDestination: (anchor === undefined ? undefined : anchorIn(anchors, anchor)) ?? id,
});

function anchorIn(anchors: Chapter["anchors"], fragment: string): string | undefined {
  const names = namesToTry(percentDecoded(fragment) ?? fragment);
  return names.map((name) => anchors.get(name)).find((id) => id !== undefined);
}

/** A link to an address with an allowed protocol; empty for others. */
function linkTo(address: string | undefined): Target {
  if (address === undefined || address.length > addressLimit || !URL.canParse(address)) return {};
  const { protocol, href } = new URL(address);
  return ["http:", "https:", "mailto:", "tel:"].includes(protocol) ? { link: href } : {};
}
