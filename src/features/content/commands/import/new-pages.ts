// From the plan of an import to pages with ids, whose texts link to each other by these.
import { newId } from "#src/base/ids.ts";
import type { NewPage } from "#src/features/content/commands/draft.ts";
import type { PlannedLink, PlannedPage } from "#src/features/content/commands/import/plan.ts";
import type { PageRow } from "#src/features/content/reads/pages.ts";

/**
 * The planned pages as new ones. One with the path and type of a page in `before` gets the id of that page, so that it goes on as it; `fileIds` has the
 * ids of files that the texts link to, by their paths; links to others stay as they are.
 */
export function newPages(
  planned: readonly PlannedPage[],
  { before, fileIds }: { before: readonly PageRow[]; fileIds: ReadonlyMap<string, string> },
): NewPage[] {
  const ids = new Map<PlannedPage, string>();
  giveIds(planned, before, ids);
  const addressOf = ({ to, anchor }: PlannedLink): string | null => {
    if ("pages" in to) return `page:${ids.get(to)}${encodeAnchor(anchor)}`;
    const id = fileIds.get(to.path);
    return id === undefined ? null : `file:${id}`;
  };

  const asNew = (page: PlannedPage): NewPage => {
    const { type, title, slug, cover } = page;
    const pageId = ids.get(page);
    const file = cover && fileIds.get(cover.file.path);
    const withCover = file && { cover: { file, ...(cover.yPos !== undefined && { yPos: cover.yPos }) } };
    return {
      ...(pageId !== undefined && { pageId }),
      type,
      title,
      slug,
      fields: { ...page.fields, ...withCover },
      text: withAddresses(page, addressOf),
      pages: page.pages.map(asNew),
    };
  };
  return planned.map(asNew);
}

function giveIds(planned: readonly PlannedPage[], before: readonly PageRow[], ids: Map<PlannedPage, string>): void {
  const bySlug = new Map(before.map((row) => [row.slug, row]));
  for (const page of planned) {
    const row = bySlug.get(page.slug);
    ids.set(page, row?.type === page.type ? row.pageId : newId("Page"));
    giveIds(page.pages, row?.pages ?? [], ids);
  }
}

/** The text with the addresses of its links replaced, and not a character besides. */
function withAddresses({ text, links }: PlannedPage, addressOf: (link: PlannedLink) => string | null): string {
  const parts: string[] = [];
  let done = 0;
  for (const link of links) {
    const address = addressOf(link);
    if (address === null) continue;
    parts.push(text.slice(done, link.start), address);
    done = link.end;
  }
  return [...parts, text.slice(done)].join("");
}

/** The anchor without characters that would end an address, in Markdown or in HTML. */
const encodeAnchor = (anchor: string): string =>
  anchor.replaceAll(/[\s<>()"'`\\&]/g, (character) => {
    const encoded = encodeURIComponent(character);
    return encoded === character ? `%${character.charCodeAt(0).toString(16)}` : encoded;
  });
