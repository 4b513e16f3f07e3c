// What holds for every merge of page trees, whatever both sides did: tried on random trees with random edits.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Choice, Conflict } from "#src/features/content/commands/merge/conflicts.ts";
import type { PageNode, PagesById, Trees } from "#src/features/content/commands/merge/merging.ts";
import { mergeContent, mergeTrees } from "#src/features/content/commands/merge/tree.ts";
import { outlineOf } from "#test/features/content/merge/trees.ts";

type Edit =
  | readonly [verb: "create" | "move" | "reorder", page: number, target: number]
  | readonly [verb: "delete" | "title" | "slug" | "write", page: number, value: number];

const verbs = ["create", "move", "move", "reorder", "delete", "title", "slug", "write"] as const;
const edits: fc.Arbitrary<readonly Edit[]> = fc.array(fc.tuple(fc.constantFrom(...verbs), fc.nat(50), fc.nat(50)), {
  maxLength: 6,
});

/** The tree after the edits; those that make no sense there are passed over. New pages have ids of the side's name. */
function edited(tree: PagesById, changes: readonly Edit[], side: string): Map<string, PageNode> {
  const pages = new Map(tree);
  for (const [index, [verb, number, value]] of changes.entries()) {
    const ids = [...pages.keys()];
    const id = ids[number % Math.max(1, ids.length)];
    const node = id === undefined ? undefined : pages.get(id);
    const target = [null, ...ids][value % (ids.length + 1)] ?? null;
    const put = (page: string, change: Partial<PageNode>, to: PageNode) => {
      const after = { ...to, ...change };
      const clash = [...pages].some(
        ([other, { parent, fields }]) =>
          other !== page && parent === after.parent && fields["slug"] === after.fields["slug"],
      );
      if (!clash) pages.set(page, after);
    };
    if (verb === "create") {
      const slug = ["x", "y", `${side}${index}`][number % 3] ?? "";
      put(
        `${side}${index}`,
        {},
        { parent: target, position: number / 10, fields: { slug, title: "new" }, document: null },
      );
    } else if (id === undefined || !node) continue;
    else if (verb === "delete") for (const page of below(pages, id)) pages.delete(page);
    else if (verb === "reorder") put(id, { position: value / 10 }, node);
    else if (verb === "title") put(id, { fields: { ...node.fields, title: `title ${value % 3}` } }, node);
    else if (verb === "slug") put(id, { fields: { ...node.fields, slug: ["x", "y", "z"][value % 3] ?? "" } }, node);
    else if (verb === "write") put(id, { document: documents[value % documents.length] ?? null }, node);
    else if (target === null || !below(pages, id).includes(target))
      put(id, { parent: target, position: value / 10 }, node);
  }
  return pages;
}

const documents = ["a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "X\nb\nX\n"];

function below(pages: PagesById, id: string): string[] {
  const found = [id];
  for (const page of found) for (const [child, { parent }] of pages) if (parent === page) found.push(child);
  return found;
}

const trees: fc.Arbitrary<Trees> = fc
  .tuple(fc.array(fc.nat(50), { maxLength: 9 }), edits, edits)
  .map(([parents, ours, theirs]) => {
    const base = new Map<string, PageNode>();
    for (const [index, number] of parents.entries()) {
      const parent = [null, ...base.keys()][number % (base.size + 1)] ?? null;
      const document = documents[number % 2] ?? null;
      base.set(`p${index}`, { parent, position: index, fields: { slug: `p${index}`, title: "T" }, document });
    }
    return { base, ours: edited(base, ours, "o"), theirs: edited(base, theirs, "t") };
  });

const runs = { numRuns: 2_000, seed: 7 };
const merge = (given: Trees, choices?: ReadonlyMap<string, Choice>) => mergeContent(given, (hash) => hash, choices);

it("with a side that changed nothing gives the other", () => {
  fc.assert(
    fc.property(trees, ({ base, theirs }) => {
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
    runs,
  );
});

it("is clean either way round or neither, and then has the same pages", () => {
  fc.assert(
    fc.property(trees, ({ base, ours, theirs }) => {
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
    runs,
  );
});

it("is a tree, also as a draft, and loses no page that only one side created", () => {
  fc.assert(
    fc.property(trees, ({ base, ours, theirs }) => {
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
    runs,
  );
});

it("comes clean when every conflict is settled, in a few rounds, and stays a tree", () => {
  const choiceOf = (conflict: Conflict, number: number): Choice =>
    conflict.kind === "document" && number % 3 === 2 ? { text: "mine\n" } : number % 2 ? "theirs" : "ours";
  let most = 0;
  fc.assert(
    fc.property(trees, fc.infiniteStream(fc.nat(5)), (given, numbers) => {
      const choices = new Map<string, Choice>();
      let merged = merge(given);
      let rounds = 0;
      for (; merged.conflicts.length > 0; rounds++) {
        expect(rounds).toBeLessThan(10);
        for (const conflict of merged.conflicts) {
          // A choice that contradicts another one leaves its conflict open: then the person takes the other side.
          const before = choices.get(conflict.id);
          const choice = choiceOf(conflict, numbers.next().value ?? 0);
          choices.set(conflict.id, before === undefined ? choice : before === "ours" ? "theirs" : "ours");
        }
        merged = merge(given, choices);
        outlineOf(merged.pages);
      }
      most = Math.max(most, rounds);
    }),
    runs,
  );
  expect(most).toBeGreaterThan(0);
});

it("settled for ours throughout comes clean, with every page that ours created", () => {
  fc.assert(
    fc.property(trees, (given) => {
      const choices = new Map<string, Choice>();
      let merged = merge(given);
      for (let round = 0; merged.conflicts.length > 0 && round < 10; round++) {
        for (const { id } of merged.conflicts) choices.set(id, "ours");
        merged = merge(given, choices);
      }
      expect(merged.conflicts).toEqual([]);
      for (const id of given.ours.keys()) if (!given.base.has(id)) expect(merged.pages.has(id)).toBe(true);
    }),
    runs,
  );
});
