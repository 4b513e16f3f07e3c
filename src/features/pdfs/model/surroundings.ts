// What the text of a page may refer to: pages and headings of the PDF, addresses, files and footnotes.
import { Links } from "#src/base/public-urls.ts";
import type { Block } from "#src/documents/document.ts";
import { type Reference, readReference } from "#src/documents/references.ts";
import { isPath, pathAt } from "#src/features/links/model/paths.ts";
import type { Book, BookFile } from "#src/features/pdfs/model/book.ts";
import { type Chapter, type Heading, labelKey, type Note } from "#src/features/pdfs/model/chapters.ts";

/** Where a click leads, as pdfmake takes it; nothing for what is only text. */
export interface Target {
  readonly link?: string;
  readonly linkToDestination?: string;
}

/** Longer addresses are not links. */
const addressLimit = 2_000;

/** What is around the texts of a book. */
export class Library {
  readonly #book: Book;
  readonly #links: Links;
  readonly #byId: ReadonlyMap<string, Chapter>;
  readonly #byPath: ReadonlyMap<string, Chapter>;

  constructor(book: Book, chapters: readonly Chapter[]) {
    this.#book = book;
    this.#links = new Links(book.addresses);
    this.#byId = new Map(chapters.map((chapter) => [chapter.page.pageId, chapter]));
    this.#byPath = new Map(chapters.map((chapter) => [chapter.page.path, chapter]));
  }

  /** The file of a reference, where it is one. */
  fileOf(ref: unknown): { readonly id: string; readonly file: BookFile } | null {
    const reference = readReference(ref);
    if (!("kind" in reference) || reference.kind !== "file") return null;
    const file = Object.hasOwn(this.#book.files, reference.file) ? this.#book.files[reference.file] : undefined;
    return file ? { id: reference.file, file } : null;
  }

  /** Where a reference on a page leads. */
  targetOf(ref: unknown, from: Chapter): Target {
    const reference = readReference(ref);
    if (!("kind" in reference)) return {};
    switch (reference.kind) {
      case "page":
      case "anchor":
        return this.#pageTarget(reference, from);
      case "file":
        return linkTo(this.fileOf(reference)?.file.url ?? undefined);
      case "url":
        return this.#urlTarget(reference.url, from);
      case "space":
        return linkTo(this.#links.app(`spaces/${reference.space}`, reference.space));
      case "user":
        return linkTo(this.#links.app(`users/${reference.user}`, reference.user));
      case "collection":
        return linkTo(this.#links.app(`collections/${reference.collection}`, reference.collection));
      case "openapi":
        return {}; // has no address
    }
  }

  #pageTarget(reference: Extract<Reference, { kind: "page" | "anchor" }>, from: Chapter): Target {
    const { page, space } = reference;
    const chapter = page === undefined ? from : this.#byId.get(page);
    const isOther = space !== undefined && space !== this.#book.spaceId;
    if (chapter && !isOther) return inside(chapter, reference.kind === "anchor" ? reference.anchor : undefined);
    if (page === undefined) return {};
    const { spaceId, changeRequest } = this.#book;
    const content = changeRequest === null ? spaceId : `${spaceId}/change-requests/${changeRequest.id}`;
    return linkTo(this.#links.app(`spaces/${space ?? content}/pages/${page}`, page));
  }

  #urlTarget(url: string, from: Chapter): Target {
    if (!isPath(url)) return linkTo(url);
    const place = pathAt(url, from.page);
    const chapter = place && this.#byPath.get(place.path);
    return chapter ? inside(chapter, place.anchor ?? undefined) : {};
  }
}

const inside = ({ id, anchors }: Chapter, anchor: string | undefined): Target => ({
  linkToDestination: (anchor === undefined ? undefined : anchors.get(anchor)) ?? id,
});

/** A link to an address that a click may open. */
function linkTo(address: string | undefined): Target {
  if (address === undefined || address.length > addressLimit || !URL.canParse(address)) return {};
  const { protocol, href } = new URL(address);
  return ["http:", "https:", "mailto:", "tel:"].includes(protocol) ? { link: href } : {};
}

/** What is around the text of one page. */
export class Surroundings {
  readonly #library: Library;
  readonly #chapter: Chapter;

  constructor(library: Library, chapter: Chapter) {
    this.#library = library;
    this.#chapter = chapter;
  }

  targetOf(ref: unknown): Target {
    return this.#library.targetOf(ref, this.#chapter);
  }

  fileOf(ref: unknown): ReturnType<Library["fileOf"]> {
    return this.#library.fileOf(ref);
  }

  noteOf(label: string): Note | null {
    return this.#chapter.notes.get(labelKey(label)) ?? null;
  }

  headingOf(block: Block): Heading | null {
    return this.#chapter.headings.get(block) ?? null;
  }
}
