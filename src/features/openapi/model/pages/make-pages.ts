// Creates the pages of a specification, below the page computed from it. Runs in the threads of pages-maker.ts.
import { idOf } from "#src/base/ids.ts";
import type { MadeContent } from "#src/features/content/model/computed.ts";
import type { NewPage, PageComputed } from "#src/features/content/model/page.ts";
import { parseExact } from "#src/features/openapi/model/exact.ts";
import { type SpecPage, specPages } from "#src/features/openapi/model/pages/spec-pages.ts";
import type { SpecDocument } from "#src/features/openapi/model/spec-document.ts";
import { serveTasks } from "#src/runtime/threads.ts";

/** Raised whenever the pages of specifications would change. */
export const pagesVersion = 3;

export interface PagesTask {
  /** The document of the specification, as JSON. */
  readonly json: Uint8Array;
  readonly pageId: string;
  readonly computed: PageComputed;
  readonly made: string;
  readonly room: { readonly pages: number; readonly levels: number };
  /** The address that the specification is fetched from; null if it was given. */
  readonly source: string | null;
  /** False to write descriptions as plain text. */
  readonly parses: boolean;
}

const mayHaveHtml = /<[a-z/!]/i;

/** The content of a page. The ids of the pages below it are derived from its own and their keys in all versions. */
export async function makePages(task: PagesTask): Promise<MadeContent> {
  const { pageId, computed, made, room, source, parses } = task;
  const json = new TextDecoder().decode(task.json);
  const document = parseExact(json) as SpecDocument; // written by processing
  // Most documents have no HTML, whose parser takes longer to load than their pages to make.
  const withoutHtml = mayHaveHtml.test(json)
    ? (await import("#src/documents/html/html-markdown.ts")).withoutHtml
    : undefined;
  const { doc = "overview", type, spec } = computed;
  const idOfKey = (key: string) => (key === doc ? pageId : idOf("Page", `${pageId} ${key}`));
  const addressOf = (key: string) => `page:${idOfKey(key)}`;
  const page = specPages(document, { doc, addressOf, room, source, parses, withoutHtml });
  if (!page) return { made, text: "*The specification has no such part.*", pages: [] };
  const asNew = ({ key, title, slug, text, pages }: SpecPage): NewPage => ({
    pageId: idOfKey(key),
    type: "computed",
    title,
    slug,
    fields: { computed: { type, spec, doc: key } },
    text,
    pages: pages.map(asNew),
  });
  return { made, text: page.text, pages: page.pages.map(asNew) };
}

serveTasks(makePages);
