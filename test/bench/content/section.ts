// The section on content: the cost of merges, reads and revisions, by HTTP to a real process.
import os from "node:os";
import { readHistory } from "#src/history/history-file.ts";
import { type Main, measureMerges, type MergeCost, siblings } from "#test/bench/content/merges.ts";
import { withContentFixture, timeOf } from "#test/bench/content/fixture.ts";
import { countStatements, type StatementCount } from "#test/bench/content/statements.ts";
import { measureStorage, type Storage, totalOf } from "#test/bench/content/storage.ts";
import { percentile, table } from "#test/bench/figures.ts";
import { Replay } from "#test/features/change-requests/replay.ts";
import { bookHistory } from "#test/support/samples.ts";

const sizes = [100, 1_000, 10_000] as const;
const rounds = 15;
const edits = 1_000;

type Say = (line: string) => void;

/** Measures everything, part by part, and returns the section for the results. It has no targets. */
export async function measureContent(serverUrl: string, say: Say): Promise<{ text: string; missed: string[] }> {
  const load = loadNow();
  const parts: string[][] = [];
  const add = (lines: string[]) => {
    parts.push(lines);
    for (const line of lines) if (line !== "") say(`  ${line}`);
  };
  if (bookHistory) add(await replayBook(serverUrl, bookHistory));
  add(reportMerges(await measureMerges(serverUrl, sizes, rounds)));
  add(reportStatements(await countStatements(serverUrl)));
  if (bookHistory) add(reportStorage(await measureStorage(serverUrl, edits)));
  else add(["The sample book is not there (SAMPLES_DIR): its history is not replayed, and its storage not measured."]);
  const text = [
    "## (content) Merging, reading and keeping content",
    "",
    `Each part in a database of its own, one request at a time, by HTTP. Load of the machine before: ${load}, after: ${loadNow()}.`,
    ...parts.flatMap((lines) => ["", ...lines]),
  ].join("\n");
  return { text, missed: [] };
}

const loadNow = () => os.loadavg()[0]?.toFixed(1) ?? "unknown";
const shown = (value: number) => value.toFixed(1).replace(/\.0$/, "");
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(2)} MB`;

async function replayBook(serverUrl: string, path: string): Promise<string[]> {
  const history = await readHistory(path);
  return withContentFixture(serverUrl, async ({ as, made }) => {
    const replay = new Replay(as, history, made.space.id);
    const seconds = (await timeOf(() => replay.run())) / 1000;
    const { merges, mergesAfterwards } = replay;
    const cleanly = merges.filter(({ outcome }) => outcome === "merged").length;
    const conflicting = merges.filter(({ outcome }) => outcome === "CONFLICT").length;
    const times = [...merges, ...mergesAfterwards].map(({ milliseconds }) => milliseconds);
    const at = [50, 95, 100].map((percent) => percentile(times, percent).toFixed(1));
    return [
      "### The sample history, lived again",
      "",
      `${history.steps.length} steps (edits, change requests opened, edited and merged, conflicts read and settled) in ${seconds.toFixed(1)} s.`,
      `Of ${merges.length} change requests ${cleanly} merged cleanly, ${conflicting} with conflicts, of which ${mergesAfterwards.filter(({ outcome }) => outcome === "merged").length} merged once these were settled.`,
      "",
      ...table(["", "p50 ms", "p95 ms", "max ms"], [[`${times.length} merges`, ...at]]),
    ];
  });
}

const mainIs: Readonly<Record<Main, string>> = {
  unchanged: "main content unchanged since",
  changed: "another page changed since",
};

function reportMerges(costs: readonly MergeCost[]): string[] {
  const rows = (Object.keys(mainIs) as Main[]).map((main) => {
    const own = costs.filter((cost) => cost.main === main);
    const [least, most] = [own[0], own.at(-1)];
    const ratio = least && most ? most.milliseconds / least.milliseconds : Number.NaN;
    return [
      mainIs[main],
      ...own.map(({ milliseconds, statements }) => `${milliseconds.toFixed(1)} ms, ${shown(statements)}`),
      `${ratio.toFixed(1)} x`,
    ];
  });
  const [least, most] = [sizes[0], sizes.at(-1)];
  return [
    "### A merge of one changed line, by the size of the content",
    "",
    `Time at the median of ${rounds} merges, and SQL statements (transaction commands included). ${siblings} pages side by side on every level.`,
    "",
    ...table(["", ...sizes.map((size) => `${size} pages`), `time of ${most} : ${least}`], rows),
  ];
}

function reportStatements(counts: readonly StatementCount[]): string[] {
  const rows = counts.map(({ name, first, again }) => [name, shown(first), shown(again)]);
  return [
    "### SQL statements of reads",
    "",
    "The first time after edits of the content, and again with its tree in memory.",
    "",
    ...table(["", "first", "again"], rows),
  ];
}

function reportStorage({ pages, characters, edits: count, book, after, milliseconds }: Storage): string[] {
  const row = (name: string, before: number, now: number) => {
    const more = now - before;
    const each = `${(more / count / 1000).toFixed(2)} KB`;
    return [name, megabytes(before), megabytes(more), each, `${(more / before).toFixed(1)} x`];
  };
  return [
    `### Storage of ${count} one-line edits`,
    "",
    `The sample book at its start has ${pages} pages, ${megabytes(characters)} of text. An edit is a revision: ${milliseconds.toFixed(0)} ms on the average.`,
    "",
    ...table(
      ["", "book", `${count} edits more`, "an edit", "edits : book"],
      [
        row("rows of texts", book.rows.ContentDocument, after.rows.ContentDocument),
        row("rows of pages", book.rows.ContentPage, after.rows.ContentPage),
        row("rows of levels", book.rows.ContentTree, after.rows.ContentTree),
        row("rows, all", totalOf(book.rows), totalOf(after.rows)),
        row("on disk with indexes", totalOf(book.disk), totalOf(after.disk)),
      ],
    ),
  ];
}
