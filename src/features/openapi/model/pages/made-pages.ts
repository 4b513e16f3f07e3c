// The pages of a specification as those of a content, below the page that is computed from it.
import { idOf } from "#src/base/ids.ts";
import type { MadeContent } from "#src/features/content/model/computed.ts";
import type { NewPage, PageComputed } from "#src/features/content/model/page.ts";
import { type SpecPage, specPages } from "#src/features/openapi/model/pages/spec-pages.ts";
import type { SpecDocument } from "#src/features/openapi/model/spec-document.ts";

/** The version of all that makes pages of specifications: to be raised whenever they would be others. */
export const pagesVersion = 2;

/** A page that is to be computed. */
export interface Asked {
  /** The document of the specification, as JSON. */
  readonly json: Uint8Array;
  readonly pageId: string;
  readonly computed: PageComputed;
  readonly made: string;
  readonly room: { readonly pages: number; readonly levels: number };
  /** False where descriptions are to be plain texts. */
  readonly parses: boolean;
}

/**
 * What a page is to become. The pages below it have ids by their keys: the same in each version, and others below
 * another page.
 */
export function makePages({ json, pageId, computed, made, room, parses }: Asked): MadeContent {
  const document = JSON.parse(new TextDecoder().decode(json)) as SpecDocument; // as it was processed
  const { doc = "overview", type, spec } = computed;
  const idOfKey = (key: string) => (key === doc ? pageId : idOf("Page", `${pageId} ${key}`));
  const page = specPages(document, { doc, addressOf: (key) => `page:${idOfKey(key)}`, room, parses });
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
