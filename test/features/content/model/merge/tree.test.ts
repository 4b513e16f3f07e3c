// Three-way merge of page trees: merged cases, conflicts, and the result of each choice.
import { describe, expect, it } from "vitest";
import type { PagesById } from "#src/features/content/model/merge/merging.ts";
import type { Choice } from "#src/features/content/model/merge/sides.ts";
import { mergeTrees, outline, outlineOf } from "#test/features/content/model/merge/trees.ts";

interface Case {
  readonly base: PagesById;
  readonly ours: PagesById;
  readonly theirs: PagesById;
}

/** The merged outline of a case without conflict, the same in both directions. */
function clean(trees: Case): string[] {
  const merge = mergeTrees(trees);
  expect(merge.conflicts).toEqual([]);
  expect(mergeTrees({ ...trees, ours: trees.theirs, theirs: trees.ours }).conflicts).toEqual([]);
  return outlineOf(merge.pages);
}

/** The only conflict of a case, and the result of each choice. */
function conflictOf(trees: Case, ...choices: Choice[]) {
  const { conflicts } = mergeTrees(trees);
  expect(conflicts).toHaveLength(1);
  expect(mergeTrees({ ...trees, ours: trees.theirs, theirs: trees.ours }).conflicts).toHaveLength(1);
  const [{ id, ...conflict } = { id: "" }] = conflicts;
  const settled = (choice: Choice) => {
    const merge = mergeTrees(trees, new Map([[id, choice]]));
    expect(merge).toMatchObject({ conflicts: [], unknown: [] });
    return outlineOf(merge.pages);
  };
  return { conflict, ours: settled("ours"), theirs: settled("theirs"), others: choices.map(settled) };
}

describe("merging pages", () => {
  const base = outline("a", "  b", "  c", "d");

  it("combines pages that either side created, deleted, renamed and moved", () => {
    const ours = outline("a title:A", "  b", "  n", "  c", "d");
    const theirs = outline("a", "d", "  b title:B", "  t");
    expect(clean({ base, ours, theirs })).toEqual(["a title:A", "  n", "d", "  b title:B", "  t"]);
  });

  it("does not conflict if both sides made the same change", () => {
    const both = outline("a", "  n", "  b slug:x =h", "d");
    expect(clean({ base, ours: both, theirs: new Map(both) })).toEqual(outlineOf(both));
  });

  it("keeps both a move by one side and an edit by the other", () => {
    expect(clean({ base, ours: outline("b", "a", "  c", "d"), theirs: outline("a", "  b =h", "  c", "d") })).toEqual([
      "b =h",
      "a",
      "  c",
      "d",
    ]);
  });

  it("deletes a page that one side deleted and the other only reordered", () => {
    expect(clean({ base, ours: outline("a", "  b", "d"), theirs: outline("a", "  c", "  b", "d") })).toEqual([
      "a",
      "  b",
      "d",
    ]);
  });

  it("conflicts on a page that one side deleted and the other edited, which returns with its descendants", () => {
    const trees = { base, ours: outline("d"), theirs: outline("a title:A", "  b", "  c", "d") };
    expect(conflictOf(trees)).toEqual({
      conflict: { kind: "deleted-edited", page: "a", deletedBy: "ours" },
      ours: ["d"],
      theirs: ["a title:A", "  b", "  c", "d"],
      others: [],
    });
  });

  it("restores the deleted ancestors of an edited page", () => {
    const trees = { base, ours: outline("a", "  b =new", "  c", "d"), theirs: outline("d") };
    expect(conflictOf(trees)).toMatchObject({
      conflict: { kind: "deleted-edited", page: "b", deletedBy: "theirs" },
      ours: ["a", "  b =new", "d"],
      theirs: ["d"],
    });
  });

  it("conflicts on a page moved to different parents", () => {
    const trees = { base, ours: outline("a", "  c", "b", "d"), theirs: outline("a", "  c", "d", "  b") };
    expect(conflictOf(trees)).toEqual({
      conflict: { kind: "both-moved", page: "b", base: "a", ours: null, theirs: "d" },
      ours: ["a", "  c", "b", "d"],
      theirs: ["a", "  c", "d", "  b"],
      others: [],
    });
  });

  it("conflicts on a page created below a deleted one: dropped with descendants, or kept with its ancestors", () => {
    const trees = { base, ours: outline("a", "  b", "  c"), theirs: outline("a", "  c", "d", "  n", "    m", "    b") };
    expect(conflictOf(trees)).toMatchObject({
      conflict: { kind: "into-deleted", page: "n", parent: "d", deletedBy: "ours" },
      ours: ["a", "  b", "  c"],
      theirs: ["a", "  c", "d", "  n", "    m", "    b"],
    });
  });

  it("conflicts on a page moved below a deleted one: it stays at its old parent, or moves with the ancestors restored", () => {
    const trees = { base, ours: outline("a", "  b", "d", "  c"), theirs: outline("a", "  b", "  c") };
    expect(conflictOf(trees)).toMatchObject({
      conflict: { kind: "into-deleted", page: "c", parent: "d", deletedBy: "theirs" },
      ours: ["a", "  b", "d", "  c"],
      theirs: ["a", "  b", "  c"],
    });
  });

  it("reports one conflict for each page created below a deleted one; nested ones follow the outermost", () => {
    const trees = {
      base,
      ours: outline("a", "  b", "  c"),
      theirs: outline("a", "  b", "  c", "d", "  m", "  n", "    o"),
    };
    const { conflicts } = mergeTrees(trees);
    expect(conflicts).toMatchObject([
      { kind: "into-deleted", page: "m", parent: "d" },
      { kind: "into-deleted", page: "n", parent: "d" },
    ]);
    const choices = new Map<string, Choice>(conflicts.map(({ id }, index) => [id, index === 0 ? "theirs" : "ours"]));
    const { pages, conflicts: left } = mergeTrees(trees, choices);
    expect(left).toEqual([]);
    expect(outlineOf(pages)).toEqual(["a", "  b", "  c", "d", "  m"]);
  });

  it("conflicts on two pages moved below each other", () => {
    const trees = { base, ours: outline("d", "  a", "    b", "    c"), theirs: outline("a", "  b", "    d", "  c") };
    expect(conflictOf(trees)).toEqual({
      conflict: { kind: "cycle", page: "a", pages: ["a", "b", "d"] },
      ours: ["d", "  a", "    b", "    c"],
      theirs: ["a", "  b", "    d", "  c"],
      others: [],
    });
  });

  it("conflicts on equal slugs under one parent, resolved by a numbered or a given slug", () => {
    const trees = {
      base,
      ours: outline("a", "  b", "  c", "  o slug:x", "d"),
      theirs: outline("a", "  b slug:x", "  c", "d"),
    };
    expect(conflictOf(trees, { text: "y" })).toEqual({
      conflict: { kind: "slug", page: "o", parent: "a", slug: "x", ours: "o", theirs: "b" },
      ours: ["a", "  b slug:x-2", "  c", "  o slug:x", "d"],
      theirs: ["a", "  b slug:x", "  c", "  o slug:x-2", "d"],
      others: [["a", "  b slug:x", "  c", "  o slug:y", "d"]],
    });
    const [conflict] = mergeTrees(trees).conflicts;
    const taken = mergeTrees(trees, new Map([[conflict?.id ?? "", { text: "c" }]]));
    expect(taken.conflicts).toEqual([conflict]);
  });

  it("lets a page take a slug that a sibling gave up", () => {
    const trees = {
      base,
      ours: outline("a", "  b slug:z", "  c", "d"),
      theirs: outline("a", "  b", "  c", "  n slug:b", "d"),
    };
    expect(mergeTrees(trees)).toMatchObject({ conflicts: [] });
  });
});

describe("merging page fields", () => {
  const page = (fields: object, document: string | null = null) =>
    new Map([["p", { parent: null, position: 0, fields: { ...fields }, document }]]);

  it("merges field by field, and objects key by key", () => {
    const trees = {
      base: page({ title: "T", emoji: "1", layout: { cover: true, outline: true } }),
      ours: page({ title: "Ours", emoji: "1", layout: { cover: false, outline: true } }),
      theirs: page({ title: "T", layout: { cover: true, outline: true, width: "wide" }, hidden: true }),
    };
    expect(mergeTrees(trees).pages.get("p")?.fields).toEqual({
      title: "Ours",
      layout: { cover: false, outline: true, width: "wide" },
      hidden: true,
    });
  });

  it("conflicts per field set to different values; text settles only text fields", () => {
    const trees = {
      base: page({ title: "T", layout: { cover: true }, hidden: false }),
      ours: page({ title: "O", layout: { cover: false }, hidden: true }),
      theirs: page({ title: "U", layout: {} }),
    };
    const { conflicts } = mergeTrees(trees);
    expect(conflicts).toMatchObject([
      { kind: "field", page: "p", field: "title", base: "T", ours: "O", theirs: "U" },
      { field: "layout.cover", base: true, ours: false, theirs: undefined },
      { field: "hidden", base: false, ours: true, theirs: undefined },
    ]);
    const all = (choice: Choice) => mergeTrees(trees, new Map(conflicts.map(({ id }) => [id, choice])));
    expect(all("theirs").pages.get("p")?.fields).toEqual({ title: "U", layout: {} });
    expect(all({ text: "New" }).conflicts).toEqual(conflicts.slice(1));
    expect(all({ text: "New" }).pages.get("p")?.fields).toMatchObject({ title: "New" });
  });
});

describe("merging documents of pages", () => {
  const texts = new Map(
    Object.entries({ base: "a\nb\nc\n", ours: "A\nb\nc\n", theirs: "a\nb\nC\n", other: "X\nb\nc\n" }),
  );
  const textOf = (hash: string) => texts.get(hash) ?? "";
  const trees = (ours: string, theirs: string) => ({
    base: outline("p =base"),
    ours: outline(`p =${ours}`),
    theirs: outline(`p =${theirs}`),
  });

  it("merges texts that both sides changed, and takes those that one side changed", () => {
    expect(mergeTrees(trees("ours", "theirs"), new Map(), textOf)).toMatchObject({
      conflicts: [],
      texts: new Map([["p", "A\nb\nC\n"]]),
    });
    expect(clean(trees("base", "theirs"))).toEqual(["p =theirs"]);
    expect(mergeTrees(trees("ours", "theirs")).documents).toEqual(
      new Map([["p", { base: "base", ours: "ours", theirs: "theirs" }]]),
    );
  });

  it("settles conflicts per passage, and reports a choice for a passage that no longer conflicts", () => {
    const { conflicts } = mergeTrees(trees("ours", "other"), new Map(), textOf);
    expect(conflicts).toMatchObject([
      { kind: "document", page: "p", base: "a\n", ours: "A\n", theirs: "X\n", oursLine: 1 },
    ]);
    const settled = (choice: Choice) =>
      mergeTrees(trees("ours", "other"), new Map([[conflicts[0]?.id ?? "", choice]]), textOf);
    expect(settled("theirs").texts.get("p")).toBe("X\nb\nc\n");
    expect(settled({ text: "both\n" })).toMatchObject({
      conflicts: [],
      unknown: [],
      texts: new Map([["p", "both\nb\nc\n"]]),
    });
    const stale = mergeTrees(trees("ours", "theirs"), new Map([[conflicts[0]?.id ?? "", "ours"]]), textOf);
    expect(stale.unknown).toEqual([conflicts[0]?.id]);
  });
});

describe("merging the order of siblings", () => {
  const letters = (word: string) => Array.from(word);
  const merged = (base: string, ours: string, theirs: string) =>
    clean({
      base: outline(...letters(base)),
      ours: outline(...letters(ours)),
      theirs: outline(...letters(theirs)),
    }).join("");

  it("keeps both sides' reordering", () => {
    expect(merged("abcd", "bcda", "acbd")).toBe("cbda");
    expect(merged("abcd", "dabc", "abcd")).toBe("dabc");
    expect(merged("abc", "cab", "cab")).toBe("cab");
  });

  it("puts new pages after their predecessors, theirs first", () => {
    expect(merged("abc", "aoxbc", "atbcz")).toBe("atoxbcz");
    expect(merged("abc", "oabc", "cbta")).toBe("ocbta");
    expect(merged("", "o", "t")).toBe("to");
    const base = outline("a", "b", "x", "  c");
    const [ours, theirs] = [outline("c", "a", "b", "x"), outline("a", "b", "x", "c")];
    expect(clean({ base, ours, theirs })).toEqual(["a", "b", "x", "c"]);
  });

  it("conflicts if the sides contradict each other", () => {
    const trees = {
      base: outline(...letters("abc")),
      ours: outline(...letters("bac")),
      theirs: outline(...letters("acnb")),
    };
    expect(conflictOf(trees)).toEqual({
      conflict: {
        kind: "order",
        page: null,
        base: ["a", "b", "c"],
        ours: ["b", "a", "c"],
        theirs: ["a", "c", "n", "b"],
      },
      ours: ["b", "a", "c", "n"],
      theirs: ["a", "c", "n", "b"],
      others: [],
    });
  });
});

it("a merge does not read pages whose subtree is equal on all sides, so their descendants may be omitted", () => {
  const page = (title: string, subtree: string, position = 0) => ({
    parent: null,
    position,
    fields: { title },
    document: null,
    subtree,
  });
  const side = (unread: string, title: string) =>
    new Map([
      ["a", page(unread, "same")],
      ["b", page(title, title, 1)],
    ]);
  const { pages, conflicts } = mergeTrees({ base: side("1", "B"), ours: side("2", "B"), theirs: side("3", "T") });
  expect(conflicts).toEqual([]);
  expect([...pages].map(([id, { fields }]) => [id, fields["title"]])).toEqual([
    ["a", "2"],
    ["b", "T"],
  ]);
});
