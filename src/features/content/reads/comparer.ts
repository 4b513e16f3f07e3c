// Comparing contents for one operation: what is quick is done at once, and the rest in a thread, within some seconds.
import { DomainError } from "#src/base/errors.ts";
import { isPauseDue, pause } from "#src/base/pauses.ts";
import { currentPayer, workFor } from "#src/base/payer.ts";
import { compareQuickly } from "#src/base/text/diff.ts";
import type { Change } from "#src/base/text/lines.ts";
import { ThreadPool } from "#src/base/threads.ts";
import type { Budget } from "#src/db/budget.ts";
import { currentLimit, withinLimit } from "#src/db/time-limit.ts";
import type { Context } from "#src/domain/context.ts";
import type {
  ComparisonAnswer,
  Comparisons,
  ComparisonTask,
} from "#src/features/content/model/merge/compare-thread.ts";
import type { Comparing } from "#src/features/content/model/merge/content.ts";
import { mergeTextQuickly } from "#src/features/content/model/merge/text.ts";
import { mergeTrees } from "#src/features/content/model/merge/tree.ts";

/** How long the comparisons of one operation may take together, in milliseconds. */
const operationMs = 5_000;

/** How many pages, of the three sides together, are merged at once: that takes some milliseconds. */
const fewPages = 1_500;

const pool = new ThreadPool<ComparisonTask, ComparisonAnswer>(
  new URL("../model/merge/compare-thread.ts", import.meta.url),
  { threads: 2, megabytes: 512 },
);

/**
 * Compares one thing after the other. Throws INVALID_INPUT when all of them together take more than five seconds or too
 * much memory, and what the time limit of the operation throws when that is over, or the caller gone.
 */
export class Comparer implements Comparing {
  #leftMs: number;
  #last: Promise<unknown> = Promise.resolve();

  constructor(ms: number = operationMs) {
    this.#leftMs = ms;
  }

  lines(before: string, after: string): Promise<readonly Change[]> {
    return this.#inTurn("lines", { before, after }, () => compareQuickly(before, after));
  }

  readonly mergeTexts: Comparing["mergeTexts"] = (texts) => this.#inTurn("texts", texts, () => mergeTextQuickly(texts));

  readonly mergeTrees: Comparing["mergeTrees"] = (trees, choices) => {
    const { base, ours, theirs } = trees;
    const isSmall = base.size + ours.size + theirs.size <= fewPages;
    return this.#inTurn("trees", { trees, choices }, () => (isSmall ? mergeTrees(trees, choices) : undefined));
  };

  #inTurn<Kind extends keyof Comparisons>(
    kind: Kind,
    given: Comparisons[Kind]["given"],
    tryHere: () => Comparisons[Kind]["result"] | undefined,
  ): Promise<Comparisons[Kind]["result"]> {
    const result = this.#last.then(async () => {
      if (isPauseDue()) await pause();
      currentLimit()?.check();
      const task = { kind, given } as ComparisonTask; // of one kind
      return this.#here(tryHere) ?? (await this.#inThread<Kind>(task));
    });
    this.#last = result.catch(() => {}); // those who asked for it get the error
    return result;
  }

  #here<Result>(tryHere: () => Result | undefined): Result | undefined {
    if (this.#leftMs <= 0) throw tooMuch();
    const begun = performance.now();
    const result = tryHere();
    this.#leftMs -= performance.now() - begun;
    return result;
  }

  async #inThread<Kind extends keyof Comparisons>(task: ComparisonTask): Promise<Comparisons[Kind]["result"]> {
    const payer = currentPayer();
    const takeTime = (ms: number): void => {
      this.#leftMs -= ms;
      payer.takeTime(ms);
    };
    const run = () => pool.run([task], Math.max(1, Math.floor(this.#leftMs)));
    const { answers } = await withinLimit("compare", () => workFor({ ...payer, takeTime }, run));
    const [answer] = answers;
    if (!answer) throw tooMuch();
    if ("refusal" in answer) throw new DomainError(answer.refusal.code, answer.refusal.message, answer.refusal.details);
    return answer.result as Comparisons[Kind]["result"]; // the answer of this very task
  }
}

const tooMuch = (): DomainError =>
  new DomainError(
    "INVALID_INPUT",
    `Comparing these texts takes more than ${operationMs / 1000} seconds: ask for fewer pages at a time, or make a change request of fewer pages.`,
  );

const comparers = new WeakMap<Budget, Comparer>();

/** The comparer of an operation: all of its comparisons share one time. */
export function comparerOf({ reader: { budget } }: Context): Comparer {
  const known = comparers.get(budget);
  if (known) return known;
  const comparer = new Comparer();
  comparers.set(budget, comparer);
  return comparer;
}
