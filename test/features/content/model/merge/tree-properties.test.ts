// Properties of every merge of page trees, checked on random trees with random edits: on a tenth of them at
// the small size.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Conflict, PagesById, Trees } from "#src/features/content/model/merge/merging.ts";
import type { Choice } from "#src/features/content/model/merge/sides.ts";
import { randomTrees } from "#test/features/content/model/merge/random-trees.ts";
import { mergeTrees, outlineOf } from "#test/features/content/model/merge/trees.ts";
import { runs } from "#test/support/runs.ts";

const options = { numRuns: runs(2_000), seed: 7 };
const merge = (given: Trees, choices?: ReadonlyMap<string, Choice>) => mergeTrees(given, choices, (hash) => hash);

it("a merge with an unchanged side gives the other side", () => {
  fc.assert(
    fc.property(randomTrees, ({ base, theirs }) => {
      for (const given of [
        { base, ours: base, theirs },
        { base, ours: theirs, theirs: base },
        { base, ours: theirs, theirs },
      ]) {
        const merged = merge(given);
        expect(merged.conflicts).toEqual([]);
        expect(outlineOf(merged.pages)).toEqual(outlineOf(theirs));
      }
    }),
    options,
  );
});

it("a merge is clean in both directions or in neither, with the same pages", () => {
  fc.assert(
    fc.property(randomTrees, ({ base, ours, theirs }) => {
      const one = merge({ base, ours, theirs });
      const other = merge({ base, ours: theirs, theirs: ours });
      expect(other.conflicts.length === 0).toBe(one.conflicts.length === 0);
      if (one.conflicts.length > 0) return;
      const plain = (pages: PagesById) =>
        [...pages]
          .map(([id, { parent, fields }]) => JSON.stringify([id, parent, fields["slug"], fields["title"]]))
          .toSorted();
      expect(plain(other.pages)).toEqual(plain(one.pages));
      expect(other.texts).toEqual(one.texts);
    }),
    options,
  );
});

it("a merge result is a tree, even as a draft, and keeps every page that one side created", () => {
  fc.assert(
    fc.property(randomTrees, ({ base, ours, theirs }) => {
      const { pages, conflicts } = mergeTrees({ base, ours, theirs });
      outlineOf(pages);
      for (const id of [...ours.keys(), ...theirs.keys()]) if (!base.has(id)) expect(pages.has(id)).toBe(true);
      for (const [id, was] of base) {
        const isKept = ours.get(id) === was && theirs.get(id) === was;
        if (isKept) expect(pages.get(id)).toMatchObject({ fields: was.fields, parent: was.parent });
      }
      if (conflicts.length === 0) {
        const slugs = [...pages.values()].map(({ parent, fields }) => JSON.stringify([parent, fields["slug"]]));
        expect(new Set(slugs).size).toBe(slugs.length);
      }
    }),
    options,
  );
});

it("settling every conflict makes a merge clean within a few rounds, and the result stays a tree", () => {
  const choiceOf = (conflict: Conflict, number: number): Choice =>
    conflict.kind === "document" && number % 3 === 2 ? { text: "mine\n" } : number % 2 ? "theirs" : "ours";
  let most = 0;
  fc.assert(
    fc.property(randomTrees, fc.infiniteStream(fc.nat(5)), (given, numbers) => {
      const choices = new Map<string, Choice>();
      let merged = merge(given);
      let rounds = 0;
      for (; merged.conflicts.length > 0; rounds++) {
        expect(rounds).toBeLessThan(10);
        for (const conflict of merged.conflicts) {
          // A choice that contradicts another one leaves its conflict open; then the person takes the other side.
          const before = choices.get(conflict.id);
          const choice = choiceOf(conflict, numbers.next().value ?? 0);
          choices.set(conflict.id, before === undefined ? choice : before === "ours" ? "theirs" : "ours");
        }
        merged = merge(given, choices);
        outlineOf(merged.pages);
      }
      most = Math.max(most, rounds);
    }),
    options,
  );
  expect(most).toBeGreaterThan(0);
});

it("settling every conflict for ours makes a merge clean, with every page that ours created", () => {
  fc.assert(
    fc.property(randomTrees, (given) => {
      const choices = new Map<string, Choice>();
      let merged = merge(given);
      for (let round = 0; merged.conflicts.length > 0 && round < 10; round++) {
        for (const { id } of merged.conflicts) choices.set(id, "ours");
        merged = merge(given, choices);
      }
      expect(merged.conflicts).toEqual([]);
      for (const id of given.ours.keys()) if (!given.base.has(id)) expect(merged.pages.has(id)).toBe(true);
    }),
    options,
  );
});
