// What a run has read for a child: the rows or values, and which of them belong to which row of the parent.
import { isObjectType } from "graphql";
import type { Budget } from "#src/db/connection/budget.ts";
import type { Batch } from "#src/plan/batch.ts";
import type { Child, Selection } from "#src/plan/selection.ts";
import { Unfit } from "#src/plan/unsupported.ts";

/** The rows behind a selection. */
export interface Target {
  readonly selection: Selection;
  readonly batch: Batch;
}

export interface Loaded {
  /** Of a leaf: its values, one for each row of the parent. */
  readonly values?: readonly unknown[];
  /** Of a list: where that of each row of the parent begins, -1 for null, and where it ends. */
  readonly first?: ArrayLike<number>;
  readonly last?: ArrayLike<number>;
  /** Of a list that a resolver gives: the resolver has counted its items. */
  readonly isCounted?: true;
  /** The row of a target for each row of the parent, or item of a list; -1 for null. Without it, in their order. */
  readonly at?: ArrayLike<number> | null;
  /** Which target, where there are several: of an abstract type. */
  readonly which?: ArrayLike<number>;
  readonly targets: readonly Target[];
}

/** Counts the items that an answer has, each as often as it is written. */
export class ItemCounts {
  readonly #budget: Budget;
  /** The rows of the parent for which the lists of resolvers were written. */
  readonly #written = new Map<Loaded, Set<number>>();

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Counts a list for a row of the parent. Where its resolver has counted the items, only their values, once. */
  take({ values }: Child, loaded: Loaded, row: number): void {
    const { first, last, isCounted = false } = loaded;
    const count = (last?.[row] ?? 0) - (first?.[row] ?? 0);
    if (isCounted && this.#isFirst(loaded, row)) this.#budget.takeValues(count * values);
    else this.#budget.takeRows(count, values);
  }

  /** The answer is written again from its start. */
  restart(): void {
    this.#written.clear();
  }

  #isFirst(loaded: Loaded, row: number): boolean {
    const rows = this.#written.get(loaded);
    if (rows?.has(row)) return false;
    if (rows) rows.add(row);
    else this.#written.set(loaded, new Set([row]));
    return true;
  }
}

/** What a child selects of its objects. */
export function selectionOf(child: Child, type = child.of): Selection {
  if (!child.selectionOf || !isObjectType(type)) throw new Unfit("no type of objects");
  return child.selectionOf(type);
}
