// Resolves what the text of a page refers to: pages and headings of the PDF, addresses, files and footnotes.
import { Links } from "#src/base/public-urls.ts";
import type { Block } from "#src/documents/document.ts";
import { readReference, type Reference } from "#src/documents/references.ts";
import { isPath, pathAt } from "#src/features/links/model/paths.ts";
import type { Book, BookFile } from "#src/features/pdfs/model/book.ts";
import { type Chapter, type Heading, labelKey, type Note } from "#src/features/pdfs/model/chapters.ts";

/** The target of a link, as pdfmake takes it; empty for what stays plain text. */
export interface Target {
  readonly link?: string;
  readonly linkToDestination?: string;
}

/** Longer addresses are not links. */
const addressLimit = 2_000;

/** What the chapters of a book share. */
export interface Library {
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

/** Resolves the references of one chapter. */
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
        return {}; // has no address
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
  linkToDestination: (anchor === undefined ? undefined : anchors.get(anchor)) ?? id,
});

/** A link to an address that a click may open; empty for any other. */
function linkTo(address: string | undefined): Target {
  if (address === undefined || address.length > addressLimit || !URL.canParse(address)) return {};
  const { protocol, href } = new URL(address);
  return ["http:", "https:", "mailto:", "tel:"].includes(protocol) ? { link: href } : {};
}
