// The worker thread of `reads/comparer.ts`: long comparisons and merges of texts and page trees.
import { DomainError, type ErrorCode, type ErrorDetail } from "#src/base/errors.ts";
import { compareTexts } from "#src/base/text/diff.ts";
import type { Change } from "#src/base/text/lines.ts";
import { serveTasks } from "#src/runtime/threads.ts";
import type { Trees } from "#src/features/content/model/merge/merging.ts";
import type { Choices, Sides } from "#src/features/content/model/merge/sides.ts";
import { mergeText, type TextMerge } from "#src/features/content/model/merge/text.ts";
import { type MergedTree, mergeTrees } from "#src/features/content/model/merge/tree.ts";

export interface Comparisons {
  readonly lines: { readonly given: { before: string; after: string }; readonly result: readonly Change[] };
  readonly texts: { readonly given: Sides<string>; readonly result: TextMerge };
  readonly trees: { readonly given: { trees: Trees; choices: Choices }; readonly result: MergedTree };
}

export type ComparisonTask = {
  [Kind in keyof Comparisons]: { readonly kind: Kind; readonly given: Comparisons[Kind]["given"] };
}[keyof Comparisons];

export type ComparisonAnswer =
  | { readonly result: Comparisons[keyof Comparisons]["result"] }
  | { readonly refusal: { code: ErrorCode; message: string; details: readonly ErrorDetail[] | undefined } };

function resultOf({ kind, given }: ComparisonTask): Comparisons[keyof Comparisons]["result"] {
  if (kind === "lines") return compareTexts(given.before, given.after);
  if (kind === "texts") return mergeText(given.base, given.ours, given.theirs);
  return mergeTrees(given.trees, given.choices);
}

serveTasks((task: ComparisonTask): ComparisonAnswer => {
  try {
    return { result: resultOf(task) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { code, message, details } = error;
    return { refusal: { code, message, details } };
  }
});
