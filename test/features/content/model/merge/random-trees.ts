// Random page trees with random edits on both sides, for the properties of merges.
import fc from "fast-check";
import type { PageNode, PagesById, Trees } from "#src/features/content/model/merge/merging.ts";

type Edit =
  | readonly [verb: "create" | "move" | "reorder", page: number, target: number]
  | readonly [verb: "delete" | "title" | "slug" | "write", page: number, value: number];

const verbs = ["create", "move", "move", "reorder", "delete", "title", "slug", "write"] as const;
const edits: fc.Arbitrary<readonly Edit[]> = fc.array(fc.tuple(fc.constantFrom(...verbs), fc.nat(50), fc.nat(50)), {
  maxLength: 6,
});

/** The tree after the edits, without those that are impossible there. Ids of new pages begin with the side's name. */
function applyEdits(tree: PagesById, changes: readonly Edit[], side: string): Map<string, PageNode> {
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

/** Three trees: a base and its two edited sides. */
export const randomTrees: fc.Arbitrary<Trees> = fc
  .tuple(fc.array(fc.nat(50), { maxLength: 9 }), edits, edits)
  .map(([parents, ours, theirs]) => {
    const base = new Map<string, PageNode>();
    for (const [index, number] of parents.entries()) {
      const parent = [null, ...base.keys()][number % (base.size + 1)] ?? null;
      const document = documents[number % 2] ?? null;
      base.set(`p${index}`, { parent, position: index, fields: { slug: `p${index}`, title: "T" }, document });
    }
    return { base, ours: applyEdits(base, ours, "o"), theirs: applyEdits(base, theirs, "t") };
  });
