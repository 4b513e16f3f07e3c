// Comparing contents in a worker thread: when, for how long, and with the same result.
// At the small size fewer pages are moved.
import { expect, test } from "vitest";
import { compareTexts } from "#src/base/text/diff.ts";
import { ComparisonTime } from "#src/domain/comparison-time.ts";
import type { PageNode } from "#src/features/content/model/merge/merging.ts";
import { mergeText } from "#src/features/content/model/merge/text.ts";
import { type MergedTree, mergeTrees } from "#src/features/content/model/merge/tree.ts";
import { Comparer } from "#src/features/content/reads/comparer.ts";
import { hardText } from "#test/features/content/hard-texts.ts";
import { sized } from "#test/support/runs.ts";
import { times } from "#test/support/world.ts";

/** How often other work of the process ran meanwhile. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false];
  void work.finally(() => (isOver = true)).catch(() => {});
  while (!isOver) {
    await new Promise((resolve) => void setImmediate(resolve));
    turns += 1;
  }
  return turns;
}

const refusal = { code: "INVALID_INPUT", message: expect.stringContaining("more than 5 seconds") as string };

test("a slow comparison and a slow merge give the same result in a thread, and leave the process to others", async () => {
  const [base, ours] = [hardText(1, 1500), hardText(2, 1500)];
  const theirs = `${base}one more\n`;
  const comparer = new Comparer(new ComparisonTime(60_000));
  const lines = comparer.lines(base, ours);
  const merge = comparer.mergeTexts({ base, ours, theirs });
  expect(await turnsDuring(merge)).toBeGreaterThan(100); // in the process itself there would be only a few
  expect(await lines).toEqual(compareTexts(base, ours));
  expect(await merge).toEqual(mergeText(base, ours, theirs));
});

test("a merge of many pages gives the same result in a thread, with choices and refusals", async () => {
  const node = (id: number, position: number, parent: number | null = null): [string, PageNode] => [
    `pag_${id}`,
    {
      parent: parent === null ? null : `pag_${parent}`,
      position,
      fields: { slug: `s${id}`, title: `T${id}`, type: "document" },
      document: null,
    },
  ];
  const count = 1_001; // more than 3,000 pages on all sides
  const moved = sized(250, 1_000);
  const base = new Map(times(count, (id) => node(id, id)));
  const changed = (by: number, parentOf: (id: number) => number | null) =>
    new Map(times(count, (id) => (id < moved ? node(id, (id * by) % moved, parentOf(id)) : node(id, id))));
  const ours = changed(7, (id) => (id % 2 ? id - 1 : null));
  const theirs = changed(11, (id) => (id % 2 ? null : id + 1));
  const trees = { base, ours, theirs };
  const comparer = new Comparer(new ComparisonTime(60_000));
  // As lists: maps of a thousand pages take seconds to compare.
  const listed = ({ pages, documents, settlement }: MergedTree) => [[...pages], [...documents], settlement];
  const first = await comparer.mergeTrees(trees, new Map());
  expect(listed(first)).toEqual(listed(mergeTrees(trees, new Map())));
  expect(first.settlement.open.length).toBeGreaterThan(100);
  const choices = new Map(first.settlement.open.map(({ id }, index) => [id, index % 2 ? "ours" : "theirs"] as const));
  expect(listed(await comparer.mergeTrees(trees, choices))).toEqual(listed(mergeTrees(trees, choices)));

  const slugs = { base: new Map(), ours: new Map(base), theirs: new Map(base) };
  slugs.theirs.set("pag_0", { ...node(0, 0)[1], fields: { slug: "s0", title: "Other", type: "document" } });
  const clash = (await comparer.mergeTrees(slugs, new Map())).settlement.open[0]?.id ?? "";
  const tooLong = new Map([[clash, { text: "x".repeat(1000), at: "resolutions/0" }]]);
  await expect(comparer.mergeTrees(slugs, tooLong)).rejects.toMatchObject({
    code: "INVALID_INPUT",
    details: [{ path: "resolutions/0" }],
  });
});

test("comparisons that take too long in total are refused, and so are later ones", async () => {
  const comparer = new Comparer(new ComparisonTime(1));
  const hard = comparer.mergeTexts({ base: hardText(1, 5000), ours: hardText(2, 5000), theirs: hardText(3, 5000) });
  const next = comparer.lines("a\n", "b\n");
  await expect(hard).rejects.toMatchObject(refusal);
  await expect(next).rejects.toMatchObject(refusal);
});
