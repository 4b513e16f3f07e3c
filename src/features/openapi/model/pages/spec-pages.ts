// The pages of a specification in Markdown: an overview, servers, authorization, a page for each tag with its
// operations below it, webhooks and models. The length of a page is bounded, so that the time is linear in their
// number.
import { Lookup } from "#src/features/openapi/model/lookup.ts";
import { OperationText } from "#src/features/openapi/model/pages/operation.ts";
import { type OutlinedPage, outlineOf } from "#src/features/openapi/model/pages/outline.ts";
import { Prose } from "#src/features/openapi/model/pages/prose.ts";
import type { Writing } from "#src/features/openapi/model/pages/schema-fields.ts";
import { SchemaWords } from "#src/features/openapi/model/pages/schema-words.ts";
import {
  modelsText,
  modelText,
  overviewText,
  securityText,
  serversText,
  tagText,
} from "#src/features/openapi/model/pages/texts.ts";
import type { SpecDocument } from "#src/features/openapi/model/spec-document.ts";

export interface SpecPage extends Pick<OutlinedPage, "key" | "title" | "slug"> {
  readonly text: string;
  readonly pages: readonly SpecPage[];
}

export interface PagesOptions {
  /** The key of the page to make, with those below it; by default the overview with all pages. */
  readonly doc?: string | undefined;
  /** The address of a page by its key, for links. */
  readonly addressOf: (key: string) => string;
  /** The most pages below the first one, and levels of pages. */
  readonly room: { readonly pages: number; readonly levels: number };
  /** False to write descriptions as plain text. */
  readonly parses: boolean;
}

/** The page of the key, with those below it; null if the specification has none. */
export function specPages(document: SpecDocument, { doc, addressOf, room, parses }: PagesOptions): SpecPage | null {
  const lookup = new Lookup(document);
  const found = find(outlineOf(document, lookup), doc ?? "overview");
  if (!found) return null;
  const { page, isAll } = within(found, room);
  const keys = new Set(keysIn(page));
  const linkTo = (key: string) => (keys.has(key) ? addressOf(key) : null);
  const words = new SchemaWords(lookup, (model) => linkTo(`models/${model}`));
  const made = new Writer({ document, lookup, words, prose: new Prose({ parses }), linkTo }).write(page);
  return isAll
    ? made
    : { ...made, text: `${made.text}\n\n*Further pages are left out: a content has no room for them.*` };
}

function find(page: OutlinedPage, key: string): OutlinedPage | null {
  if (page.key === key) return page;
  for (const below of page.pages) {
    const found = find(below, key);
    if (found) return found;
  }
  return null;
}

/** The page with as many pages below it as there is room for. */
function within(page: OutlinedPage, room: PagesOptions["room"]): { page: OutlinedPage; isAll: boolean } {
  let left = room.pages;
  let isAll = true;
  const keep = ({ pages, ...own }: OutlinedPage, level: number): OutlinedPage => ({
    ...own,
    pages: pages.flatMap((below) => {
      const fits = left > 0 && level < room.levels;
      if (fits) left--;
      isAll &&= fits;
      return fits ? [keep(below, level + 1)] : [];
    }),
  });
  return { page: keep(page, 0), isAll };
}

function* keysIn(page: OutlinedPage): Generator<string> {
  yield page.key;
  for (const below of page.pages) yield* keysIn(below);
}

class Writer {
  readonly #writing: Writing;
  readonly #operations: OperationText;

  constructor(writing: Writing) {
    this.#writing = writing;
    this.#operations = new OperationText(writing);
  }

  write(page: OutlinedPage): SpecPage {
    const { key, title, slug } = page;
    return { key, title, slug, text: this.#text(page), pages: page.pages.map((below) => this.write(below)) };
  }

  #text({ subject, pages }: OutlinedPage): string {
    switch (subject.kind) {
      case "overview":
        return overviewText(this.#writing, pages);
      case "servers":
        return serversText(this.#writing);
      case "security":
        return securityText(this.#writing);
      case "tag":
        return tagText(this.#writing, subject.tag, subject.operations);
      case "webhooks":
        return tagText(this.#writing, null, subject.operations);
      case "operation":
        return this.#operations.of(subject.operation);
      case "models":
        return modelsText(this.#writing, pages);
      case "model":
        return modelText(this.#writing, subject.model);
    }
  }
}
