// Derives the tree of a finished draft from the previous tree without a query: the cost grows with the number of
// changed pages, not with the size of the tree.
import type { NewContent } from "#src/features/content/model/draft.ts";
import { addAll, type PageRow, type PageTree, placedAt } from "#src/features/content/model/page.ts";

/** Null if the draft lacks parts of the tree. `isReplaced` if it has the same pages on the same levels. */
export function treeAfter(before: PageTree, content: NewContent): { tree: PageTree; isReplaced: boolean } | null {
  const { treeHash: hash } = content;
  const made = new Making(before, content);
  const pages = made.level(hash ?? "", { id: null, path: "" }, { pages: before.pages, isHere: true });
  if (!made.isWhole) return null;
  const byId = made.hasSamePages ? withReplaced(before.byId, made.changed) : idsOf(pages);
  return { tree: { pages, byId, hash }, isReplaced: made.hasSamePages };
}

interface Around {
  readonly id: string | null;
  readonly path: string;
}

interface Before {
  readonly pages: readonly PageRow[];
  readonly isHere: boolean;
}

class Making {
  /** The changed pages; complete only if the tree has the same pages on the same levels. */
  readonly changed = new Map<string, PageRow>();
  hasSamePages = true;
  isWhole = true;
  readonly #before: PageTree;
  readonly #content: NewContent;
  #unchanged: ReadonlyMap<string, PageRow> | undefined;

  constructor(before: PageTree, content: NewContent) {
    this.#before = before;
    this.#content = content;
  }

  level(hash: string, around: Around, before: Before): PageRow[] {
    const step = before.isHere ? this.#content.steps?.get(hash) : undefined;
    const [from, behind] = step ? [step.kept, step.kept + step.was.length] : [0, before.pages.length];
    const were = before.pages.slice(from, behind);
    const known = byHash(were);
    const pages = (step?.is ?? this.#content.trees.get(hash) ?? []).flatMap((one) => {
      const page = this.#changedPage(one, around) ?? this.#unchangedPage(one, around, known);
      this.isWhole &&= page !== undefined;
      return page ?? [];
    });
    const ids = new Set(were.map(({ pageId }) => pageId));
    this.hasSamePages &&= pages.length === were.length && pages.every(({ pageId }) => ids.has(pageId));
    return before.pages.slice(0, from).concat(pages, before.pages.slice(behind));
  }

  #unchangedPage(hash: string, around: Around, known: ReadonlyMap<string, PageRow>): PageRow | undefined {
    const anywhere = () => (this.#unchanged ??= byHash(this.#before.byId.values())).get(hash);
    const found = known.get(hash) ?? anywhere();
    return found && this.#placed(found, around);
  }

  #placed(found: PageRow, around: Around): PageRow {
    const page = placedAt(found, around.id, around.path + found.slug);
    if (page !== found) addAll(this.changed, page);
    return page;
  }

  #changedPage(hash: string, around: Around): PageRow | undefined {
    const of = this.#content.pages.get(hash);
    if (!of) return undefined;
    const path = around.path + of.slug;
    const was = this.#before.byId.get(of.pageId);
    const before = { pages: was?.pages ?? [], isHere: was?.path === path && was.parentId === around.id };
    const pages = this.#below(of.childrenHash, { id: of.pageId, path: `${path}/` }, before, was?.childrenHash);
    const page = { ...of, hash, parentId: around.id, path, pages };
    this.changed.set(page.pageId, page);
    return page;
  }

  #below(
    hash: string | null,
    around: Around,
    before: Before,
    hashBefore: string | null | undefined,
  ): readonly PageRow[] {
    if (hash !== null && this.#content.trees.has(hash)) return this.level(hash, around, before);
    if (hash !== null && hash === hashBefore)
      return before.isHere ? before.pages : before.pages.map((page) => this.#placed(page, around));
    this.isWhole &&= hash === null;
    this.hasSamePages &&= before.pages.length === 0;
    return [];
  }
}

const byHash = (pages: Iterable<PageRow>): ReadonlyMap<string, PageRow> =>
  new Map(Array.from(pages, (page) => [page.hash, page]));

function idsOf(pages: readonly PageRow[]): Map<string, PageRow> {
  const byId = new Map<string, PageRow>();
  for (const page of pages) addAll(byId, page);
  return byId;
}

/** Minimum ratio of all to replaced entries; below it, the map is copied. */
const leastShared = 16;

class ReplacedMap<Key, Value> implements ReadonlyMap<Key, Value> {
  readonly base: ReadonlyMap<Key, Value>;
  readonly replaced: ReadonlyMap<Key, Value>;

  constructor(base: ReadonlyMap<Key, Value>, replaced: ReadonlyMap<Key, Value>) {
    this.base = base;
    this.replaced = replaced;
  }

  get size(): number {
    return this.base.size;
  }

  has(key: Key): boolean {
    return this.base.has(key);
  }

  get(key: Key): Value | undefined {
    return this.replaced.has(key) ? this.replaced.get(key) : this.base.get(key);
  }

  keys(): MapIterator<Key> {
    return this.base.keys();
  }

  *entries(): Generator<[Key, Value], undefined> {
    const { replaced } = this;
    for (const [key, value] of this.base) yield [key, replaced.has(key) ? (replaced.get(key) as Value) : value];
    return undefined;
  }

  *values(): Generator<Value, undefined> {
    for (const [, value] of this.entries()) yield value;
    return undefined;
  }

  [Symbol.iterator](): Generator<[Key, Value], undefined> {
    return this.entries();
  }

  forEach(callback: (value: Value, key: Key, map: ReadonlyMap<Key, Value>) => void): void {
    for (const [key, value] of this.entries()) callback(value, key, this);
  }
}

function withReplaced<Key, Value>(map: ReadonlyMap<Key, Value>, by: ReadonlyMap<Key, Value>): ReadonlyMap<Key, Value> {
  const [base, replaced] = map instanceof ReplacedMap ? [map.base, new Map([...map.replaced, ...by])] : [map, by];
  return replaced.size * leastShared > base.size ? new Map([...map, ...by]) : new ReplacedMap(base, replaced);
}
