// The pages of a translated space: ids derived from those of the source, and links to translated pages and headings.
import { hash } from "node:crypto";
import { replaceRanges } from "#src/base/text/forms.ts";
import { idOf } from "#src/base/ids.ts";
import type { NewPage, PageFields, PageRow, PageTree } from "#src/features/content/model/page.ts";
import { SiblingSlugs, slugOf } from "#src/base/text/slugs.ts";
import { anchorsIn, linksIn } from "#src/features/links/model/text-links.ts";
import type { PageText } from "#src/features/translations/model/segments.ts";

/** The id of the translation of a page. */
export const targetPageId = (translationId: string, sourcePageId: string): string =>
  idOf("Page", `${translationId} ${sourcePageId}`);

/** SHA-256 of the translated parts of a page, to detect changes. */
export function sourceHashOf({ title, fields, documentHash }: PageRow): string {
  return hash("sha256", JSON.stringify([title, fields.description ?? null, documentHash]), "base64url");
}

type Translating = { readonly translationId: string; readonly source: PageTree };

/** The address of the translation of a page of the source; null for other addresses. */
function targetAddress(address: string, { translationId, source }: Translating): string | null {
  const [, id = "", anchor = ""] = /^page:(pag_\w+)(#.*)?$/s.exec(address) ?? [];
  return source.byId.has(id) ? `page:${targetPageId(translationId, id)}${anchor}` : null;
}

export const withTargetLinks = (markdown: string, of: Translating): string =>
  replaceRanges(markdown, linksIn(markdown), ({ address }) => targetAddress(address, of));

export interface TargetPages extends Translating {
  /** The pages of the last run, whose slugs stay. */
  readonly before: PageTree;
  readonly textOf: (page: PageRow) => PageText;
  readonly anchors: Anchors;
}

/** The pages of the translated space. A new page gets its slug from the translated title. */
export function targetPages(of: TargetPages, pages = of.source.pages): NewPage[] {
  const { translationId, before } = of;
  const ids = pages.map(({ pageId }) => targetPageId(translationId, pageId));
  const known = ids.map((id) => before.byId.get(id)?.slug);
  const slugs = new SiblingSlugs();
  const kept = known.map((slug) => (slug === undefined ? undefined : slugs.take(slug)));
  return pages.map((page, index) => {
    const { title, description, markdown } = of.textOf(page);
    return {
      pageId: ids[index] ?? "",
      type: page.type,
      title,
      slug: kept[index] ?? slugs.take(slugOf(title)),
      fields: { ...fieldsOf(page.fields, of), ...(description !== undefined && { description }) },
      text: markdown,
      pages: targetPages(of, page.pages),
    };
  });
}

function fieldsOf({ description: _translated, ...fields }: PageFields, of: TargetPages): PageFields {
  if (fields.target === undefined) return fields;
  const target = targetAddress(fields.target, of) ?? fields.target;
  return { ...fields, target: anchoredAddress(target, of.anchors) ?? target };
}

/** The anchors of headings of the source with those of the translation, by the ids of translated pages. */
export type Anchors = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The anchors of a text with those of its translation; empty if the numbers of headings differ. */
export async function anchorsBetween(source: string, translated: string): Promise<ReadonlyMap<string, string>> {
  const [before, after] = await Promise.all([anchorsIn(source), anchorsIn(translated)]);
  if (before.length !== after.length) return new Map();
  return new Map(before.map((anchor, index) => [anchor, after[index] ?? anchor]));
}

/** An address with the anchor of the translated heading; null if unknown. */
function anchoredAddress(address: string, anchors: Anchors, ownPageId = ""): string | null {
  const [, page = "", id = ownPageId, anchor = ""] = /^((?:page:(pag_\w+))?#)(.+)$/s.exec(address) ?? [];
  const translated = anchors.get(id)?.get(anchor);
  return translated === undefined ? null : `${page}${translated}`;
}

/** The text of a translated page, with the anchors of translated headings in its links. */
export const anchoredText = (markdown: string, anchors: Anchors, ownPageId: string): string =>
  replaceRanges(markdown, linksIn(markdown), ({ address }) => anchoredAddress(address, anchors, ownPageId));
