// The rows or values that a run has read for a child, and which of them belong to which row of the parent.
import { isObjectType } from "graphql";
import type { Budget } from "#src/db/connection/budget.ts";
import type { Batch } from "#src/plan/batch.ts";
import type { Child, Selection } from "#src/plan/selection.ts";
import { Unsupported } from "#src/plan/unsupported.ts";

/** The rows behind a selection. */
export interface Target {
  readonly selection: Selection;
  readonly batch: Batch;
}

export interface ChildRows {
  /** Of a scalar: one value for each row of the parent. */
  readonly values?: readonly unknown[];
  /** Of a list: where each parent's items begin (-1 for null) and end. */
  readonly first?: ArrayLike<number>;
  readonly last?: ArrayLike<number>;
  /** The list comes from a resolver, which has counted its items. */
  readonly isCounted?: true;
  /** The row of a target for each row of the parent, or item of a list; -1 for null. Without it they are in order. */
  readonly at?: ArrayLike<number> | null;
  /** The index of the target, for an abstract type. */
  readonly which?: ArrayLike<number>;
  readonly targets: readonly Target[];
}

/** Counts the items of an answer, each as often as it is written. */
export class ItemCounts {
  readonly #budget: Budget;
  /** The parent rows whose resolver lists were already written. */
  readonly #written = new Map<ChildRows, Set<number>>();

  constructor(budget: Budget) {
    this.#budget = budget;
  }

  /** Counts the list of a parent row. Items that the resolver has counted cost their values only, once. */
  take({ values }: Child, rows: ChildRows, row: number): void {
    const { first, last, isCounted = false } = rows;
    const count = (last?.[row] ?? 0) - (first?.[row] ?? 0);
    if (isCounted && this.#isFirst(rows, row)) this.#budget.takeValues(count * values);
    else this.#budget.takeRows(count, values);
  }

  /** Forgets what was written: the answer starts again. */
  restart(): void {
    this.#written.clear();
  }

  #isFirst(rows: ChildRows, row: number): boolean {
    const counted = this.#written.get(rows);
    if (counted?.has(row)) return false;
    if (counted) counted.add(row);
    else this.#written.set(rows, new Set([row]));
    return true;
  }
}

/** The selection of a child for objects of a type. */
export function selectionOf(child: Child, type = child.of): Selection {
  if (!child.selectionOf || !isObjectType(type)) throw new Unsupported("no type of objects");
  return child.selectionOf(type);
}
