// The pages of a draft, copied lazily from the tree: changing one page among thousands copies that page and its
// ancestors, not its siblings.
import type { PageRow, PageState, PageTree } from "#src/features/content/model/page.ts";

/** The change of a level: a range of its pages was replaced; the pages before and after the range are the same. */
interface LevelChange {
  readonly kept: number;
  readonly was: readonly string[];
  readonly is: readonly string[];
}

export interface LevelStep extends LevelChange {
  readonly from: string;
}

interface Hashed {
  readonly hash: string;
}

/** The smallest change between two levels; null if both are the same. */
export function changeOfLevel(before: readonly Hashed[], after: readonly string[]): LevelChange | null {
  const most = Math.min(before.length, after.length);
  let kept = 0;
  while (kept < most && before[kept]?.hash === after[kept]) kept++;
  let behind = 0;
  while (behind < most - kept && before.at(-1 - behind)?.hash === after.at(-1 - behind)) behind++;
  const was = before.slice(kept, before.length - behind).map(({ hash }) => hash);
  const is = after.slice(kept, after.length - behind);
  return was.length + is.length === 0 ? null : { kept, was, is };
}

export interface DraftPage {
  state: PageState;
  parent: DraftPage | null;
  pages: DraftPage[];
  /** Null if the page or one below it has changed. */
  hash: string | null;
}

type Take = (row: PageRow, parent: DraftPage | null) => DraftPage;

/** Siblings from the tree. All are copied as soon as their order is needed. */
class Level {
  readonly rows: readonly PageRow[];
  readonly #take: (row: PageRow) => DraftPage;
  readonly #alone = new Map<PageRow, DraftPage>();
  #pages: DraftPage[] | undefined;

  constructor(rows: readonly PageRow[], take: (row: PageRow) => DraftPage) {
    this.rows = rows;
    this.#take = take;
  }

  take(row: PageRow): void {
    if (!this.#pages && !this.#alone.has(row)) this.#alone.set(row, this.#take(row));
  }

  get pages(): DraftPage[] {
    this.#pages ??= this.rows.map((row) => this.#alone.get(row) ?? this.#take(row));
    return this.#pages;
  }

  set pages(pages: DraftPage[]) {
    this.#pages = pages;
  }

  get present(): readonly (DraftPage | PageRow)[] {
    if (this.#pages) return this.#pages;
    const present: (DraftPage | PageRow)[] = [...this.rows];
    for (const [row, page] of this.#alone) present[this.rows.indexOf(row)] = page;
    return present;
  }
}

class TakenPage implements DraftPage {
  state: PageState;
  parent: DraftPage | null;
  hash: string | null;
  /** The hash under which its children are stored, if they are. */
  readonly childrenHash: string | null | undefined;
  readonly level: Level;

  constructor(row: PageRow, parent: DraftPage | null, take: Take) {
    this.state = stateOf(row);
    this.parent = parent;
    this.hash = row.hash;
    this.childrenHash = row.childrenHash;
    this.level = new Level(row.pages, (below) => take(below, this));
  }

  get pages(): DraftPage[] {
    return this.level.pages;
  }

  set pages(pages: DraftPage[]) {
    this.level.pages = pages;
  }
}

interface FinishedLevel {
  /** In order; unchanged ones as rows. */
  readonly pages: readonly (DraftPage | PageRow)[];
  /** The stored level from which it originates, and its hash; null for a new level. */
  readonly from: { readonly hash: string | null; readonly rows: readonly PageRow[] } | null;
}

export class DraftPages {
  readonly #top: Level;
  readonly #topHash: string | null | undefined;
  readonly #taken = new Map<string, DraftPage>();
  readonly #deleted = new Set<string>();
  #rows: PageTree["byId"];
  #size: number;

  constructor(tree: PageTree) {
    this.#rows = tree.byId;
    this.#size = tree.byId.size;
    this.#top = new Level(tree.pages, (row) => this.#take(row, null));
    this.#topHash = tree.hash;
  }

  #take(row: PageRow, parent: DraftPage | null): DraftPage {
    const page = new TakenPage(row, parent, (below, above) => this.#take(below, above));
    this.#taken.set(row.pageId, page);
    return page;
  }

  get top(): DraftPage[] {
    return this.#top.pages;
  }

  get size(): number {
    return this.#size;
  }

  has(pageId: string): boolean {
    return this.#taken.has(pageId) || this.#untaken(pageId) !== undefined;
  }

  get(pageId: string): DraftPage | undefined {
    const row = this.#untaken(pageId);
    if (row) {
      const parent = row.parentId === null ? null : this.get(row.parentId);
      if (parent === null) this.#top.take(row);
      else if (parent instanceof TakenPage) parent.level.take(row);
    }
    return this.#taken.get(pageId);
  }

  #untaken(pageId: string): PageRow | undefined {
    return this.#taken.has(pageId) || this.#deleted.has(pageId) ? undefined : this.#rows.get(pageId);
  }

  add(page: DraftPage): void {
    this.#taken.set(page.state.pageId, page);
    this.#size += 1;
  }

  delete(page: DraftPage): void {
    for (const below of page.pages) this.delete(below);
    this.#taken.delete(page.state.pageId);
    this.#deleted.add(page.state.pageId);
    this.#size -= 1;
  }

  clear(): Map<string, PageState> {
    const states = new Map<string, PageState>();
    for (const [id, row] of this.#rows) if (!this.#deleted.has(id)) states.set(id, stateOf(row));
    for (const [id, { state }] of this.#taken) states.set(id, state);
    this.#rows = new Map();
    this.#taken.clear();
    this.#deleted.clear();
    this.#size = 0;
    this.#top.pages = [];
    return states;
  }

  finished(parent: DraftPage | null): FinishedLevel {
    if (parent !== null && !(parent instanceof TakenPage)) return { pages: parent.pages, from: null };
    const { present: pages, rows } = parent?.level ?? this.#top;
    const hash = parent === null ? this.#topHash : parent.childrenHash;
    return { pages, from: hash === undefined ? null : { hash, rows } };
  }
}

function stateOf(row: PageRow): PageState {
  const { pageId, type, title, slug, fields, documentHash, createdAt, updatedAt } = row;
  return { pageId, type, title, slug, fields, documentHash, createdAt, updatedAt };
}
