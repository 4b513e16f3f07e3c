// The pages of a translated space: those of the source in their places, each with an id of its own, which is tied to
// that of its source.
import { createHash } from "node:crypto";
import { idOf } from "#src/base/ids.ts";
import type { NewPage, PageFields, PageRow, PageTree } from "#src/features/content/model/page.ts";
import { SiblingSlugs, slugOf } from "#src/features/content/model/slug.ts";
import { linksIn } from "#src/features/links/model/text-links.ts";
import { type Anchors, anchoredAddress } from "#src/features/translations/model/anchors.ts";
import type { PageText } from "#src/features/translations/model/segments.ts";

/** The id of the page that a translation makes of a page: always the same. */
export const targetPageId = (translationId: string, sourcePageId: string): string =>
  idOf("Page", `${translationId} ${sourcePageId}`);

/** SHA-256 of what is translated of a page, by which one sees whether that has changed. */
export function sourceHashOf({
  title,
  description,
  documentHash,
}: {
  title: string;
  description: string | null;
  documentHash: string | null;
}): string {
  return createHash("sha256")
    .update(JSON.stringify([title, description, documentHash]))
    .digest("base64url");
}

/** Gives addresses of pages of the source the ids of their translations; all others stay as they are. */
export function targetLinks(translationId: string, source: PageTree) {
  const targetOf = (address: string): string | null => {
    const [, id = "", anchor = ""] = /^page:(pag_\w+)(#.*)?$/s.exec(address) ?? [];
    return source.byId.has(id) ? `page:${targetPageId(translationId, id)}${anchor}` : null;
  };
  return {
    address: (address: string): string => targetOf(address) ?? address,
    /** A text with its links to pages of the source replaced, and nothing else changed. */
    text(markdown: string): string {
      const parts: string[] = [];
      let done = 0;
      for (const { address, start, end } of linksIn(markdown)) {
        const target = start >= done ? targetOf(address) : null;
        if (target === null) continue;
        parts.push(markdown.slice(done, start), target);
        done = end;
      }
      return [...parts, markdown.slice(done)].join("");
    },
  };
}

/** What the pages of a translated space are made of. */
export interface TargetPages {
  readonly translationId: string;
  readonly source: PageTree;
  /** What was made before: there pages have got their slugs, which stay. */
  readonly before: PageTree;
  readonly textOf: (page: PageRow) => PageText;
  readonly anchors: Anchors;
}

/** The pages of the translated space. A new one gets its slug from its translated title. */
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

function fieldsOf(
  { description: _translated, ...fields }: PageFields,
  { translationId, source, anchors }: TargetPages,
): PageFields {
  if (fields.target === undefined) return fields;
  const target = targetLinks(translationId, source).address(fields.target);
  return { ...fields, target: anchoredAddress(target, anchors) };
}
