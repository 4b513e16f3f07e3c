// The pages of a draft, taken from the tree level by level as they are needed: a change of one page among thousands
// costs as much as the levels around it.
import type { PageRow, PageState, PageTree } from "#src/features/content/model/page.ts";

export interface DraftPage {
  state: PageState;
  parent: DraftPage | null;
  pages: DraftPage[];
  /** Null when it, or something below it, has changed. */
  hash: string | null;
}

type Take = (row: PageRow, parent: DraftPage) => DraftPage;

/** A page of the tree. What is below it is taken when somebody asks for it. */
class TakenPage implements DraftPage {
  state: PageState;
  parent: DraftPage | null;
  hash: string | null;
  readonly #row: PageRow;
  readonly #take: Take;
  #pages: DraftPage[] | undefined;

  constructor(row: PageRow, parent: DraftPage | null, take: Take) {
    this.state = stateOf(row);
    this.parent = parent;
    this.hash = row.hash;
    this.#row = row;
    this.#take = take;
  }

  get pages(): DraftPage[] {
    this.#pages ??= this.#row.pages.map((below) => this.#take(below, this));
    return this.#pages;
  }

  set pages(pages: DraftPage[]) {
    this.#pages = pages;
  }
}

export class DraftPages {
  /** Those at the top. */
  readonly top: DraftPage[];
  readonly #taken = new Map<string, DraftPage>();
  /** The ids of those that were in the tree, and are in the draft no more. */
  readonly #gone = new Set<string>();
  #rows: PageTree["byId"];
  #size: number;

  constructor(tree: PageTree) {
    this.#rows = tree.byId;
    this.#size = tree.byId.size;
    this.top = tree.pages.map((row) => this.#take(row, null));
  }

  #take(row: PageRow, parent: DraftPage | null): DraftPage {
    const page = new TakenPage(row, parent, (below, above) => this.#take(below, above));
    this.#taken.set(row.pageId, page);
    return page;
  }

  /** How many there are, on all levels. */
  get size(): number {
    return this.#size;
  }

  has(pageId: string): boolean {
    return this.#taken.has(pageId) || this.#untaken(pageId) !== undefined;
  }

  get(pageId: string): DraftPage | undefined {
    const row = this.#untaken(pageId);
    if (row && row.parentId !== null) void this.get(row.parentId)?.pages; // takes it
    return this.#taken.get(pageId);
  }

  #untaken(pageId: string): PageRow | undefined {
    return this.#taken.has(pageId) || this.#gone.has(pageId) ? undefined : this.#rows.get(pageId);
  }

  add(page: DraftPage): void {
    this.#taken.set(page.state.pageId, page);
    this.#size += 1;
  }

  /** Forgets a page, with those below it. */
  delete(page: DraftPage): void {
    for (const below of page.pages) this.delete(below);
    this.#taken.delete(page.state.pageId);
    this.#gone.add(page.state.pageId);
    this.#size -= 1;
  }

  /** Forgets all. Answers what they were, by their ids. */
  clear(): Map<string, PageState> {
    const states = new Map<string, PageState>();
    for (const [id, row] of this.#rows) if (!this.#gone.has(id)) states.set(id, stateOf(row));
    for (const [id, { state }] of this.#taken) states.set(id, state);
    this.#rows = new Map();
    this.#taken.clear();
    this.#gone.clear();
    this.#size = 0;
    this.top.splice(0);
    return states;
  }
}

function stateOf(row: PageRow): PageState {
  const { pageId, type, title, slug, fields, documentHash, createdAt, updatedAt } = row;
  return { pageId, type, title, slug, fields, documentHash, createdAt, updatedAt };
}
