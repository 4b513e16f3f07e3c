// Converts the plan of an import to pages with ids, and rewrites the links between them.
import { newId } from "#src/base/ids.ts";
import { replaceRanges } from "#src/base/text/forms.ts";
import type { NewPage, PageRow } from "#src/features/content/model/page.ts";
import { linkText, type PlannedLink, type PlannedPage } from "#src/features/imports/model/plan.ts";

/** Converts planned pages. `fileIds` are by path; links to other files stay unchanged. */
export function newPages(
  planned: readonly PlannedPage[],
  { pageIds, fileIds }: { pageIds: ReadonlyMap<PlannedPage, string>; fileIds: ReadonlyMap<string, string> },
): NewPage[] {
  const addressOf = (link: PlannedLink): string | null => {
    const { to, anchor } = link;
    if ("pages" in to) return linkText(link, `page:${pageIds.get(to)}${encodeAnchor(anchor)}`);
    const id = fileIds.get(to.path);
    return id === undefined ? null : linkText(link, `file:${id}`);
  };

  const asNew = (page: PlannedPage): NewPage => {
    const { type, title, slug, cover } = page;
    const pageId = pageIds.get(page);
    const file = cover && fileIds.get(cover.file.path);
    const withCover = file && { cover: { file, ...(cover.yPos !== undefined && { yPos: cover.yPos }) } };
    return {
      ...(pageId !== undefined && { pageId }),
      type,
      title,
      slug,
      fields: { ...page.fields, ...withCover },
      text: replaceRanges(page.text, page.links, addressOf),
      pages: page.pages.map(asNew),
    };
  };
  return planned.map(asNew);
}

/** Ids for planned pages: a page with the path and type of one in `before` gets its id. */
export function pageIdsFor(planned: readonly PlannedPage[], before: readonly PageRow[]): Map<PlannedPage, string> {
  const bySlug = new Map(before.map((row) => [row.slug, row]));
  const ids = planned.flatMap((page) => {
    const row = bySlug.get(page.slug);
    const id = row?.type === page.type ? row.pageId : newId("Page");
    return [[page, id] as const, ...pageIdsFor(page.pages, row?.pages ?? [])];
  });
  return new Map(ids);
}

/** Escapes characters that would end a URL in Markdown or HTML. */
const encodeAnchor = (anchor: string): string =>
  anchor.replaceAll(/[\s<>()"'`\\&]/g, (character) => {
    const encoded = encodeURIComponent(character);
    return encoded === character ? `%${character.charCodeAt(0).toString(16)}` : encoded;
  });
