// The diff against a plain model: for any edits, the reported changes applied to the earlier state give the later
// state, with no more moves than were made.
import fc from "fast-check";
import { expect, test } from "vitest";
import { DomainError } from "#src/base/errors.ts";
import { Draft, type NewContent } from "#src/features/content/model/draft.ts";
import { type PageChange, pageChanges, staysInOrder } from "#src/features/content/model/changes.ts";
import { emptyTree, type PageRow, type PageState, type PageTree } from "#src/features/content/model/page.ts";
import { nextInstant } from "#test/support/rows.ts";

/** The drafts' stored rows, as the database keeps them. */
class Store {
  readonly #pages = new Map<string, PageState & { readonly childrenHash: string | null }>();
  readonly #trees = new Map<string, readonly string[]>();

  keep({ treeHash, pages, trees }: NewContent): PageTree {
    for (const [hash, page] of pages) this.#pages.set(hash, page);
    for (const [hash, tree] of trees) this.#trees.set(hash, tree);
    const byId = new Map<string, PageRow>();
    const level = (hash: string | null, parentId: string | null, above: string): PageRow[] =>
      (hash === null ? [] : (this.#trees.get(hash) ?? [])).map((pageHash) => {
        const page = this.#pages.get(pageHash);
        if (!page) throw new Error("not stored");
        const path = `${above}${page.slug}`;
        const pagesBelow = level(page.childrenHash, page.pageId, `${path}/`);
        const row = { ...page, hash: pageHash, parentId, path, pages: pagesBelow };
        byId.set(row.pageId, row);
        return row;
      });
    return { pages: level(treeHash, null, ""), byId };
  }
}

interface Step {
  readonly kind: "create" | "update" | "move" | "delete";
  readonly page: number;
  readonly parent: number;
  readonly beside: number;
  readonly text: string;
}

const steps = (maxLength: number) =>
  fc.array(
    fc.record<Step>({
      kind: fc.constantFrom("create", "create", "update", "move", "move", "delete"),
      page: fc.nat(100),
      parent: fc.nat(100),
      beside: fc.nat(100),
      text: fc.constantFrom("a", "b", "c", "d"),
    }),
    { maxLength },
  );

/** Applies the steps that are possible. */
function applySteps(store: Store, tree: PageTree, taken: readonly Step[]): PageTree {
  const draft = new Draft(tree, nextInstant());
  const known = [...tree.byId.keys()];
  for (const { kind, page, parent, beside, text } of taken) {
    const pageId = known[page % known.length] ?? "";
    const parentId = parent % 3 === 0 ? null : (known[parent % known.length] ?? null);
    const position = beside % 2 === 0 ? {} : { before: known[beside % known.length] ?? null };
    const fields = parent % 2 === 0 ? { variables: { [text]: text, fixed: "1" } } : { emoji: text };
    try {
      if (kind === "create")
        known.push(draft.create({ type: "document", title: text, fields, text }, { parentId, position }));
      if (kind === "update") draft.update(pageId, beside % 3 === 0 ? { slug: text, title: text } : { text, fields });
      if (kind === "move") draft.move(pageId, beside % 3 === 0 ? { position } : { parentId, position });
      if (kind === "delete") draft.delete(pageId);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  }
  return store.keep(draft.finish());
}

/** A tree without the consequences of edits: times, paths and hashes. */
interface Plain {
  readonly pageId: string;
  values: Record<string, unknown>;
  document: string | null;
  readonly pages: Plain[];
}

const plain = (pages: readonly PageRow[]): Plain[] =>
  pages.map(({ pageId, type, title, slug, fields, documentHash, pages: below }) => ({
    pageId,
    values: { ...flat(fields), type, title, slug },
    document: documentHash,
    pages: plain(below),
  }));

const flat = ({ variables, ...fields }: PageState["fields"]) => ({
  ...fields,
  ...Object.fromEntries(Object.entries(variables ?? {}).map(([name, value]) => [`variables.${name}`, value])),
});

/** Applies the changes to the earlier pages. */
function applyChanges(before: PageTree, changes: readonly PageChange[]): Plain[] {
  const top = plain(before.pages);
  const byId = new Map<string, Plain>();
  const know = (pages: readonly Plain[]) => {
    for (const page of pages) {
      byId.set(page.pageId, page);
      know(page.pages);
    }
  };
  know(top);
  const levelOf = ({ parentId }: PageRow) => (parentId === null ? top : (byId.get(parentId)?.pages ?? []));
  for (const { pageId, before: was, after, move } of changes) {
    if (!was || (after && !move)) continue;
    const level = levelOf(was.page);
    level.splice(level.indexOf(byId.get(pageId) as Plain), 1); // it was there
  }
  for (const { pageId, before: was, after, fields, move } of changes) {
    if (!after) continue;
    const page = was ? byId.get(pageId) : { ...plain([after.page])[0], pageId, values: {}, document: null, pages: [] };
    if (!page) throw new Error("an unknown page is changed");
    byId.set(pageId, page);
    if (!was) page.values = { ...plain([after.page])[0]?.values };
    for (const { field, after: value } of fields)
      if (value === undefined) delete page.values[field];
      else page.values[field] = value;
    page.document = after.page.documentHash;
    if (!was || move) levelOf(after.page).splice(after.index, 0, page);
  }
  return top;
}

test("the changes of a diff lead from the earlier state to the later state", () => {
  fc.assert(
    fc.property(steps(25), steps(12), (first, second) => {
      const store = new Store();
      const before = applySteps(store, emptyTree, first);
      const after = applySteps(store, before, second);
      const changes = pageChanges(before, after);
      expect(applyChanges(before, changes)).toEqual(plain(after.pages));
      expect(new Set(changes.map(({ pageId }) => pageId)).size).toBe(changes.length);
      const moves = second.filter(({ kind }) => kind === "move").length;
      expect(changes.filter(({ move }) => move !== null).length).toBeLessThanOrEqual(moves);
    }),
    { numRuns: 1_000, seed: 11 },
  );
});

test("a diff is in the order of the later tree, with deleted pages after their former predecessors", () => {
  fc.assert(
    fc.property(steps(25), steps(12), (first, second) => {
      const store = new Store();
      const before = applySteps(store, emptyTree, first);
      const after = applySteps(store, before, second);
      const changes = pageChanges(before, after);
      const order = (pages: readonly PageRow[]): string[] =>
        pages.flatMap(({ pageId, pages: below }) => [pageId, ...order(below)]);
      const changed = new Set(changes.map(({ pageId }) => pageId));
      const present = changes.filter((change) => change.after).map(({ pageId }) => pageId);
      expect(present).toEqual(order(after.pages).filter((pageId) => changed.has(pageId)));
      const gone = changes.filter((change) => !change.after).map(({ pageId }) => pageId);
      expect(gone.toSorted()).toEqual([...before.byId.keys()].filter((pageId) => !after.byId.has(pageId)).toSorted());
    }),
    { numRuns: 500, seed: 12 },
  );
});

test("a diff keeps as many pages as possible in order", () => {
  const longest = (places: readonly number[]): number => {
    const lengths: number[] = [];
    for (const [at, place] of places.entries())
      lengths.push(1 + Math.max(0, ...lengths.filter((_, before) => before < at && (places[before] ?? 0) < place)));
    return Math.max(0, ...lengths);
  };
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(50), { maxLength: 20 }), (places) => {
      const stays = staysInOrder(places);
      const kept = places.filter((_, index) => stays[index]);
      expect(kept).toEqual(kept.toSorted((one, other) => one - other));
      expect(kept).toHaveLength(longest(places));
    }),
  );
});
