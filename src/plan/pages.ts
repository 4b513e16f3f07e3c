// One page of a list for each of its parents, from the rows of one statement.
import { encodeCursor, type Order } from "#src/db/reading/cursor.ts";
import { Rows } from "#src/db/connection/wire/rows.ts";
import type { PageRequest } from "#src/db/reading/page-list.ts";
import { type Batch, batchOf } from "#src/plan/batch.ts";
import { type Child, columnsFor, type Selection, type Target } from "#src/plan/selection.ts";
import { Unsupported } from "#src/plan/byte-writer.ts";

type Found = Rows | readonly object[];

export interface ReadList {
  readonly parents: number;
  readonly order: Order;
  readonly range: PageRequest;
  readonly rows: Found;
  /** One row for each parent; null unless selected. */
  readonly counts: Batch | null;
  readonly existAfter: Batch | null;
  readonly existBefore: Batch | null;
}

/** The pages of a list; the last one is empty, for parents without one. */
export class Pages {
  /** Page `n` has the rows from `first[n]` up to `last[n]`. */
  readonly first: Int32Array;
  readonly last: Int32Array;
  /** The index of each row in page order; null if they are in it. */
  readonly at: Int32Array | null;
  readonly list: ReadList;
  /** The rows of the pages, without the extra one that shows that a page is followed by more. */
  readonly rows: Found;
  readonly #more: boolean[] = [];

  constructor(list: ReadList) {
    this.list = list;
    const { parents, range } = list;
    this.first = new Int32Array(parents + 1);
    this.last = new Int32Array(parents + 1);
    const rows = batchOf(list.rows, []);
    const parentOf = rows.numbers("$parent");
    const beyond: number[] = [];
    let row = 0;
    for (let parent = 0; parent < parents; parent++) {
      const start = row;
      this.first[parent] = start - beyond.length;
      while (row < rows.count && parentOf(row) === parent + 1) row++;
      this.#more[parent] = row - start > range.limit;
      if (row - start > range.limit) beyond.push(row - 1);
      this.last[parent] = row - beyond.length;
    }
    if (row !== rows.count) throw new Unsupported("rows out of the order of their parents");
    this.rows = without(list.rows, beyond);
    this.at = range.backward ? this.#reversed(row) : null;
  }

  get count(): number {
    return this.list.parents + 1;
  }

  /** The cursor of a row of `batch`, which contains the rows of these pages. */
  cursorOf(batch: Batch, row: number): string {
    const key = batch.get(row, "$key") as string | number; // read, since cursors are selected
    return encodeCursor(this.list.order, { key, id: batch.get(row, "id") as string });
  }

  /** The rows of all pages with their selection. */
  target(selection: Selection): Target {
    const batch = batchOf(this.rows, selection.columns);
    batch.cursorOf = (row) => this.cursorOf(batch, row);
    return { selection, batch };
  }

  rowsOf(type: Child["of"]): Batch {
    return batchOf(this.rows, ["id", ...columnsFor(type?.extensions ?? {})]);
  }

  isMore(page: number): boolean {
    return this.#more[page] ?? false;
  }

  #reversed(count: number): Int32Array {
    const at = new Int32Array(count);
    for (const [page, first] of this.first.entries()) {
      const last = this.last[page] ?? first;
      for (let row = first; row < last; row++) at[row] = last - 1 - (row - first);
    }
    return at;
  }
}

function without(found: Found, indexes: readonly number[]): Found {
  if (indexes.length === 0) return found;
  if (!(found instanceof Rows)) {
    const left = new Set(indexes);
    return found.filter((_row, index) => !left.has(index));
  }
  found.leaveOut(indexes);
  return found;
}

/** A page as the fields of a connection see it. */
export class ReadPage {
  readonly pages: Pages;
  readonly #index: number;

  constructor(pages: Pages, index: number) {
    this.pages = pages;
    this.#index = index;
  }

  get pageInfo(): this {
    return this;
  }

  get totalCount(): number {
    return this.#isEmpty ? 0 : (this.#answer(this.pages.list.counts, "count") as number); // a count
  }

  get hasNextPage(): boolean {
    return !this.#isEmpty && (this.#isMore(false) || this.#answer(this.pages.list.existAfter, "exists") === true);
  }

  get hasPreviousPage(): boolean {
    return !this.#isEmpty && (this.#isMore(true) || this.#answer(this.pages.list.existBefore, "exists") === true);
  }

  get startCursor(): string | null {
    return this.#cursorAt(0);
  }

  get endCursor(): string | null {
    return this.#cursorAt(-1);
  }

  get #isEmpty(): boolean {
    return this.#index === this.pages.list.parents;
  }

  #isMore(backward: boolean): boolean {
    return this.pages.list.range.backward === backward && this.pages.isMore(this.#index);
  }

  #answer(answers: Batch | null, column: string): unknown {
    if (answers && answers.get(this.#index, "$parent") !== this.#index + 1)
      throw new Unsupported("count rows out of order");
    return answers?.get(this.#index, column);
  }

  #cursorAt(end: 0 | -1): string | null {
    const { first, last, at, rows } = this.pages;
    const [from = 0, to = 0] = [first[this.#index], last[this.#index]];
    if (from === to) return null;
    const row = end === 0 ? from : to - 1;
    return this.pages.cursorOf(batchOf(rows, []), at ? (at[row] ?? row) : row);
  }
}
