// The merge of documents replayed on the history of a real book: clean merges yield the recorded text,
// and recorded conflicts are conflicts here.
import { beforeAll, describe, expect, it } from "vitest";
import { type History, type HistoryChange, readHistory } from "#src/history/history-file.ts";
import { mergeText } from "#src/features/content/model/merge/text.ts";
import { bookHistory } from "#test/support/samples.ts";

/** Page path -> name of the blob with its text. */
type Pages = Readonly<Record<string, string>>;

interface Merged {
  readonly change: HistoryChange;
  /** Merged text by path; null if the page is deleted, undefined if the sides conflict. */
  readonly pages: ReadonlyMap<string, string | null | undefined>;
  readonly took: number;
}

describe.skipIf(!bookHistory)("the document merge on the sample history", () => {
  let history: History;
  let merges: Merged[];
  beforeAll(async () => {
    history = await readHistory(bookHistory ?? "");
    merges = mergesOf(history);
  });

  const textOf = (blob: string | null | undefined) => (blob == null ? blob : (history.blobs[blob] ?? ""));

  function mergesOf({ start, steps }: History): Merged[] {
    const states: Pages[] = [start];
    const done: Merged[] = [];
    for (const step of steps) {
      const now = states.at(-1) ?? {};
      if (step.kind === "changeRequest") done.push(mergeOf(step, states[step.startedAfter] ?? {}, now));
      const after = Object.entries({ ...now, ...step.after }).filter(
        (entry): entry is [string, string] => entry[1] !== null,
      );
      states.push(Object.fromEntries(after));
    }
    return done;
  }

  function mergeOf(change: HistoryChange, base: Pages, ours: Pages): Merged {
    const start = performance.now();
    const pages = Object.entries(change.edits).map(([path, theirs]) => {
      const merged = mergePage(textOf(base[path]), textOf(ours[path]), textOf(theirs));
      return [path, merged] as const;
    });
    return { change, pages: new Map(pages), took: performance.now() - start };
  }

  function mergePage(base: string | null = null, ours: string | null = null, theirs: string | null = null) {
    if (ours === theirs || theirs === base) return ours;
    if (ours === base) return theirs;
    if (ours === null || theirs === null) return undefined; // deleted and edited
    const merge = mergeText(base ?? "", ours, theirs);
    return "merged" in merge ? merge.merged : undefined;
  }

  it("yields exactly the recorded text for clean merges", () => {
    const clean = merges.filter(({ change }) => change.merges === "cleanly");
    expect(clean).toHaveLength(61);
    for (const { change, pages } of clean)
      for (const [path, text] of pages) {
        const recorded = path in change.after ? textOf(change.after[path]) : text;
        expect({ change: change.subject, path, text }).toEqual({ change: change.subject, path, text: recorded });
      }
  });

  it("reports conflicts exactly where people had them", () => {
    const conflicts = merges.flatMap(({ change, pages }) =>
      [...pages].flatMap(([path, text]) => (text === undefined ? [`${change.merges}: ${path}`] : [])),
    );
    expect(conflicts).toEqual([
      "with conflicts: ch20-02-multithreaded.md",
      "with conflicts: ch17-03-oo-design-patterns.md",
      "with conflicts: ch13-02-iterators.md",
      "with conflicts: ch19-06-macros.md",
      "with conflicts: ch12-04-testing-the-librarys-functionality.md",
    ]);
  });

  it("logs its duration", () => {
    const times = merges.map(({ took }) => took);
    const total = times.reduce((sum, took) => sum + took, 0);
    console.log(
      `${merges.length} change requests: ${total.toFixed(1)} ms, the longest ${Math.max(...times).toFixed(1)} ms`,
    );
    expect(times).toHaveLength(66);
  });
});
