// Comparing contents for one operation: what is quick is done at once, and the rest in a thread, within some seconds.
import { DomainError } from "#src/base/errors.ts";
import { isPauseDue, pause } from "#src/runtime/yielding.ts";
import { compareQuickly } from "#src/base/text/diff.ts";
import type { Change } from "#src/base/text/lines.ts";
import { ThreadPool } from "#src/runtime/threads.ts";
import { currentLimit } from "#src/db/connection/time-limit.ts";
import { comparisonMs, ComparisonTime, comparisonTimeOf } from "#src/domain/comparison-time.ts";
import type { Context } from "#src/domain/context.ts";
import type {
  ComparisonAnswer,
  Comparisons,
  ComparisonTask,
} from "#src/features/content/model/merge/compare-thread.ts";
import type { Comparing } from "#src/features/content/model/merge/content.ts";
import { mergeTextQuickly } from "#src/features/content/model/merge/text.ts";
import { mergeTrees } from "#src/features/content/model/merge/tree.ts";

/** How many pages, of the three sides together, are merged at once: that takes some ten milliseconds at most. */
const fewPages = 3_000;

const pool = new ThreadPool<ComparisonTask, ComparisonAnswer>(
  new URL("../model/merge/compare-thread.ts", import.meta.url),
  { threads: 2, megabytes: 512 },
);

/** One comparison after the other. INVALID_INPUT when the time of the operation is used up, or too much memory. */
export class Comparer implements Comparing {
  readonly #time: ComparisonTime;
  #last: Promise<unknown> = Promise.resolve();

  constructor(time = new ComparisonTime()) {
    this.#time = time;
  }

  lines(before: string, after: string): Promise<readonly Change[]> {
    return this.#inTurn("lines", { before, after }, () => compareQuickly(before, after));
  }

  readonly mergeTexts: Comparing["mergeTexts"] = (texts) => this.#inTurn("texts", texts, () => mergeTextQuickly(texts));

  readonly mergeTrees: Comparing["mergeTrees"] = async (trees, choices) => {
    const { base, ours, theirs } = trees;
    // Without a turn of their own: several merges of one operation then read their texts together.
    if (base.size + ours.size + theirs.size <= fewPages) return mergeTrees(trees, choices);
    return this.#inTurn("trees", { trees, choices }, () => undefined);
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
      if (this.#time.isOver) throw tooMuch();
      return this.#time.here(tryHere) ?? (await this.#inThread<Kind>(task));
    });
    this.#last = result.catch(() => {}); // those who asked for it get the error
    return result;
  }

  async #inThread<Kind extends keyof Comparisons>(task: ComparisonTask): Promise<Comparisons[Kind]["result"]> {
    const { answers } = await this.#time.inThread((ms) => pool.run([task], ms));
    const [answer] = answers;
    if (!answer) throw tooMuch();
    if ("refusal" in answer) throw new DomainError(answer.refusal.code, answer.refusal.message, answer.refusal.details);
    return answer.result as Comparisons[Kind]["result"]; // the answer of this very task
  }
}

const tooMuch = (): DomainError =>
  new DomainError(
    "INVALID_INPUT",
    `Comparing these texts takes more than ${comparisonMs / 1000} seconds: ask for fewer pages at a time, or make a change request of fewer pages.`,
  );

export const comparerOf = (context: Context): Comparer =>
  context.reader.once(comparerOf, "", () => new Comparer(comparisonTimeOf(context)));
