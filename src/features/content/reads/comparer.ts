// Comparisons of contents for one operation: short ones run inline, others in a thread with a time limit.
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

/** Up to this number of pages on all three sides, trees are merged inline: that takes at most some ten milliseconds. */
const fewPages = 3_000;

const pool = new ThreadPool<ComparisonTask, ComparisonAnswer>(
  new URL("../model/merge/compare-thread.ts", import.meta.url),
  { threads: 2, megabytes: 512 },
);

/** Runs one comparison at a time. INVALID_INPUT if the operation exceeds its time or memory. */
export class Comparer implements Comparing {
  readonly #time: ComparisonTime;
  #last: Promise<unknown> = Promise.resolve();

  constructor(time = new ComparisonTime()) {
    this.#time = time;
  }

  lines(before: string, after: string): Promise<readonly Change[]> {
    return this.#enqueue("lines", { before, after }, () => compareQuickly(before, after));
  }

  readonly mergeTexts: Comparing["mergeTexts"] = (texts) =>
    this.#enqueue("texts", texts, () => mergeTextQuickly(texts));

  readonly mergeTrees: Comparing["mergeTrees"] = async (trees, choices) => {
    const { base, ours, theirs } = trees;
    // Not queued, so that several merges of one operation read their texts in one batch.
    if (base.size + ours.size + theirs.size <= fewPages) return mergeTrees(trees, choices);
    return this.#enqueue("trees", { trees, choices }, () => undefined);
  };

  #enqueue<Kind extends keyof Comparisons>(
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
    this.#last = result.catch(() => {}); // the caller gets the error
    return result;
  }

  async #inThread<Kind extends keyof Comparisons>(task: ComparisonTask): Promise<Comparisons[Kind]["result"]> {
    const { answers } = await this.#time.inThread((ms) => pool.run([task], ms));
    const [answer] = answers;
    if (!answer) throw tooMuch();
    if ("refusal" in answer) throw new DomainError(answer.refusal.code, answer.refusal.message, answer.refusal.details);
    return answer.result as Comparisons[Kind]["result"]; // the result of this task
  }
}

const tooMuch = (): DomainError =>
  new DomainError(
    "INVALID_INPUT",
    `Comparing these texts takes more than ${comparisonMs / 1000} seconds. Request fewer pages at a time, or create a change request with fewer pages.`,
  );

export const comparerOf = (context: Context): Comparer =>
  context.reader.once(comparerOf, "", () => new Comparer(comparisonTimeOf(context)));
