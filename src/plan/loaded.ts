// What a run has read for a child: the rows or values, and which of them belong to which row of the parent.
import { isObjectType } from "graphql";
import type { Batch } from "#src/plan/batch.ts";
import type { Child, Selection } from "#src/plan/selection.ts";
import { Unfit } from "#src/plan/unfit.ts";

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
  /** The row of a target for each row of the parent, or item of a list; -1 for null. Without it, in their order. */
  readonly at?: ArrayLike<number> | null;
  /** Which target, where there are several: of an abstract type. */
  readonly which?: ArrayLike<number>;
  readonly targets: readonly Target[];
}

/** What a child selects of its objects. */
export function selectionOf(child: Child, type = child.of): Selection {
  if (!child.selectionOf || !isObjectType(type)) throw new Unfit("no type of objects");
  return child.selectionOf(type);
}
