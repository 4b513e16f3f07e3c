// Which pages of a content a published site lists, and in which order they are read.
import { hasText, type PageRow, type PageTree } from "#src/features/content/model/page.ts";

export interface ListedPages {
  /** Those of tables of contents, in the order of the tree: without hidden pages and what is below these. */
  readonly listed: readonly PageRow[];
  /** Those among them that are read: neither headings of others nor links. */
  readonly readable: readonly PageRow[];
  /** The place of each of these. */
  readonly places: ReadonlyMap<string, number>;
}

/** What is listed of a tree. A hidden page can be read by its path all the same. */
export function listedPages({ pages }: PageTree): ListedPages {
  const listed: PageRow[] = [];
  const add = (level: readonly PageRow[]): void => {
    for (const page of level) {
      if (page.fields.hidden) continue;
      listed.push(page);
      add(page.pages);
    }
  };
  add(pages);
  const readable = listed.filter(({ type }) => hasText(type));
  return { listed, readable, places: new Map(readable.map(({ pageId }, place) => [pageId, place])) };
}
