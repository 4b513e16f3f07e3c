// A draft: the pages of a revision in memory, changed page by page and then stored.
import { DomainError, invalidInput, notFound } from "#src/base/errors.ts";
import { lastingId, newId } from "#src/base/ids.ts";
import type { Optional } from "#src/domain/input.ts";
import { isMadeBelow, isSameSource, type MadeContent, unmade } from "#src/features/content/model/computed.ts";
import { changeOfLevel, type DraftPage, DraftPages, type LevelStep } from "#src/features/content/model/draft-pages.ts";
import { hashPage, hashText, hashTree, sorted } from "#src/features/content/model/content-state.ts";
import type { NewPage, PageFields, PageState, PageTree } from "#src/features/content/model/page.ts";
import { SiblingSlugs, slugOf } from "#src/base/text/slugs.ts";

export const contentLimit = { pages: 20_000, levels: 20 } as const;

/** The position of a page among its siblings, by an index or beside another page; last by default. */
export type PagePosition = Optional<{ before: string; after: string; index: number }>;

export interface NewContent {
  readonly treeHash: string | null;
  readonly documents: ReadonlyMap<string, string>;
  readonly pages: ReadonlyMap<string, PageState & { readonly childrenHash: string | null }>;
  readonly trees: ReadonlyMap<string, readonly string[]>;
  readonly steps?: ReadonlyMap<string, LevelStep>;
}

/** The pages of a revision during an edit. Only changed pages and their ancestors get new hashes. */
export class Draft {
  readonly #now: string;
  readonly #pages: DraftPages;
  readonly #texts = new Map<string, string>();

  constructor(tree: PageTree, now: Date) {
    this.#now = now.toISOString();
    this.#pages = new DraftPages(tree);
  }

  find(pageId: string): PageState {
    return this.#find(pageId).state;
  }

  has(pageId: string): boolean {
    return this.#pages.has(pageId);
  }

  #find(pageId: string): DraftPage {
    const page = this.#pages.get(lastingId("Page", pageId));
    if (!page) throw notFound("page");
    return page;
  }

  /** A page to be changed. INVALID_INPUT for one that is generated below a computed page. */
  #findWritten(pageId: string): DraftPage {
    const page = this.#find(pageId);
    if (isMade(page))
      throw new DomainError("INVALID_INPUT", `The page ${page.state.title} is computed and cannot be edited.`);
    return page;
  }

  /** A parent of pages. INVALID_INPUT for a computed one. */
  #findParent(pageId: string): DraftPage {
    const page = this.#find(pageId);
    if (page.state.type === "computed")
      throw new DomainError(
        "INVALID_INPUT",
        `The page ${page.state.title} is computed and cannot have other subpages.`,
      );
    return page;
  }

  #siblings(parent: DraftPage | null): DraftPage[] {
    return parent?.pages ?? this.#pages.top;
  }

  #touch(page: DraftPage | null): void {
    for (let around = page; around; around = around.parent) around.hash = null;
  }

  /** A taken slug gets a number. NOT_FOUND for the parent or sibling, INVALID_INPUT above {@link contentLimit}. */
  create(of: NewPage, where: { parentId: string | null; position: PagePosition }): string {
    const { pageId = newId("Page") } = of;
    this.#createAll([{ ...of, pageId }], where);
    return pageId;
  }

  createAll(pages: readonly NewPage[], parentId: string | null): void {
    this.#createAll(pages, { parentId, position: {} });
  }

  #createAll(
    pages: readonly NewPage[],
    { parentId, position }: { parentId: string | null; position: PagePosition },
  ): DraftPage[] {
    const parent = parentId === null ? null : this.#findParent(parentId);
    const siblings = this.#siblings(parent);
    const place = this.#placeIn(siblings, position);
    const made = this.#make(pages, parent);
    for (const page of made) this.#checkLevels(page);
    siblings.splice(place, 0, ...made);
    this.#touch(parent);
    return made;
  }

  /** Unchanged pages with known ids keep their times. INVALID_INPUT above {@link contentLimit}. */
  replaceAll(pages: readonly NewPage[]): void {
    const before = this.#pages.clear();
    for (const page of this.#createAll(pages, { parentId: null, position: {} })) this.#keepTimes(page, before);
  }

  #keepTimes(page: DraftPage, before: ReadonlyMap<string, PageState>): void {
    const was = before.get(page.state.pageId);
    if (was) {
      const { createdAt, updatedAt } = was;
      const unchanged = { ...page.state, createdAt, updatedAt };
      page.state = isSame(unchanged, was) ? unchanged : { ...page.state, createdAt };
    }
    for (const child of page.pages) this.#keepTimes(child, before);
  }

  #make(pages: readonly NewPage[], parent: DraftPage | null): DraftPage[] {
    const slugs = new SiblingSlugs(this.#siblings(parent).map(({ state }) => state.slug));
    return pages.map((of) => {
      const { pageId = newId("Page"), type, title, fields, text = "" } = of;
      if (this.#pages.size >= contentLimit.pages)
        throw new DomainError("INVALID_INPUT", `A content may have at most ${contentLimit.pages} pages.`);
      const slug = slugs.take(of.slug ?? slugOf(title));
      const times = { createdAt: this.#now, updatedAt: this.#now };
      const state = { pageId, type, title, slug, fields, documentHash: this.#keepText(text), ...times };
      const page: DraftPage = { state, parent, pages: [], hash: null };
      this.#pages.add(page);
      page.pages = this.#make(of.pages ?? [], page);
      return page;
    });
  }

  /** Changes the fields of a page, unless they are the same. CONFLICT if a sibling has the slug. */
  update(
    pageId: string,
    { title, slug, fields, text }: { title?: string; slug?: string; fields?: PageFields; text?: string },
  ): void {
    const page = this.#findWritten(pageId);
    if (slug !== undefined) this.#checkSlug(slug, page, page.parent);
    const { state } = page;
    const isOther = fields !== undefined && !isSameSource(fields.computed, state.fields.computed);
    const next: PageState = {
      ...state,
      title: title ?? state.title,
      slug: slug ?? state.slug,
      fields: fields ?? state.fields,
      documentHash: isOther ? null : text === undefined ? state.documentHash : this.#keepText(text),
    };
    if (isSame(next, state)) return;
    if (isOther) this.#replaceMade(page, []);
    page.state = { ...next, updatedAt: this.#now };
    this.#touch(page);
  }

  roomBelow(pageId: string): { pages: number; levels: number } {
    const page = this.#find(pageId);
    const made = page.pages.filter(isMade).reduce((sum, below) => sum + countOf(below), 0);
    let level = 1;
    for (let around = page.parent; around; around = around.parent) level++;
    return { pages: contentLimit.pages - this.#pages.size + made, levels: contentLimit.levels - level };
  }

  /** Stores the result of a computed page. Unchanged pages keep their times, as in {@link replaceAll}. */
  compute(pageId: string, { made, text, pages }: MadeContent): void {
    const page = this.#find(pageId);
    const { state } = page;
    const { fields } = unmade(state);
    const computed = fields.computed && { ...fields.computed, ...(made !== null && { made }) };
    const documentHash = this.#keepText(text);
    const updatedAt = documentHash === state.documentHash ? state.updatedAt : this.#now;
    page.state = { ...state, fields: { ...fields, ...(computed && { computed }) }, documentHash, updatedAt };
    this.#replaceMade(page, pages);
    this.#touch(page);
  }

  /** Omits pages whose ids other pages have. */
  #replaceMade(page: DraftPage, pages: readonly NewPage[]): void {
    const before = new Map<string, PageState>();
    const remember = ({ state, pages: below }: DraftPage) => {
      before.set(state.pageId, state);
      below.forEach(remember);
    };
    const [made, written] = [page.pages.filter(isMade), page.pages.filter((below) => !isMade(below))];
    for (const below of made) {
      remember(below);
      this.#pages.delete(below);
    }
    const free = (some: readonly NewPage[]): NewPage[] =>
      some
        .filter(({ pageId }) => pageId === undefined || !this.#pages.has(pageId))
        .map((one) => ({ ...one, pages: free(one.pages ?? []) }));
    page.pages = written;
    const fresh = this.#make(free(pages), page);
    page.pages = [...fresh, ...written];
    for (const below of fresh) this.#keepTimes(below, before);
  }

  /** INVALID_INPUT into itself or above {@link contentLimit}, CONFLICT for a taken slug, NOT_FOUND for any id. */
  move(pageId: string, { parentId, position }: Optional<{ parentId: string }> & { position: PagePosition }): void {
    const page = this.#findWritten(pageId);
    const from = page.parent;
    const to = parentId === undefined ? from : parentId === null ? null : this.#findParent(parentId);
    for (let around = to; around; around = around.parent)
      if (around === page) throw invalidInput("parentId", "must not be the page itself or one of its subpages.");
    this.#checkSlug(page.state.slug, page, to);
    const place = this.#siblings(from).indexOf(page);
    this.#siblings(from).splice(place, 1);
    const siblings = this.#siblings(to);
    const target = this.#placeIn(siblings, position);
    siblings.splice(target, 0, page);
    page.parent = to;
    this.#checkLevels(page);
    if (from === to && place === target) return;
    this.#touch(from);
    this.#touch(to);
  }

  /** Removes a page with its subpages; does nothing if it does not exist. */
  delete(pageId: string): void {
    if (!this.has(lastingId("Page", pageId))) return;
    const page = this.#findWritten(pageId);
    const siblings = this.#siblings(page.parent);
    siblings.splice(siblings.indexOf(page), 1);
    this.#touch(page.parent);
    this.#pages.delete(page);
  }

  #keepText(text: string): string | null {
    if (text === "") return null;
    const hash = hashText(text);
    this.#texts.set(hash, text);
    return hash;
  }

  #checkSlug(slug: string, page: DraftPage, parent: DraftPage | null): void {
    const other = this.#siblings(parent).find((sibling) => sibling !== page && sibling.state.slug === slug);
    if (other) throw new DomainError("CONFLICT", `A sibling page already has the slug ${slug}. Choose another slug.`);
  }

  #checkLevels(page: DraftPage): void {
    let above = 0;
    for (let around = page.parent; around; around = around.parent) above++;
    if (above + levelsOf(page) > contentLimit.levels)
      throw invalidInput(
        "parentId",
        `must be on a higher level: pages may have at most ${contentLimit.levels} levels.`,
      );
  }

  #placeIn(siblings: readonly DraftPage[], { before, after, index }: PagePosition): number {
    if (index != null) return Math.min(index, siblings.length);
    const beside = before ?? after;
    if (beside == null) return siblings.length;
    const place = siblings.findIndex(({ state }) => state.pageId === lastingId("Page", beside));
    if (place === -1) throw notFound("page");
    return before == null ? place + 1 : place;
  }

  /** The new parts to store. If nothing has changed, `treeHash` is the same as before. */
  finish(): NewContent {
    const documents = new Map<string, string>();
    const pages = new Map<string, PageState & { childrenHash: string | null }>();
    const trees = new Map<string, readonly string[]>();
    const steps = new Map<string, LevelStep>();

    const finishLevel = (parent: DraftPage | null): string | null => {
      const level = this.#pages.finished(parent);
      const hashes = level.pages.map((page) => ("state" in page ? (page.hash ?? finishPage(page)) : page.hash));
      const { from } = level;
      const change = from && changeOfLevel(from.rows, hashes);
      if (from && !change) return from.hash;
      const hash = hashTree(hashes);
      if (hash === null) return null;
      trees.set(hash, hashes);
      if (change && from?.hash != null) steps.set(hash, { from: from.hash, ...change });
      return hash;
    };
    const finishPage = (page: DraftPage): string => {
      const childrenHash = finishLevel(page);
      const hash = hashPage(page.state, childrenHash);
      pages.set(hash, { ...page.state, childrenHash });
      const { documentHash } = page.state;
      const text = documentHash === null ? undefined : this.#texts.get(documentHash);
      if (documentHash !== null && text !== undefined) documents.set(documentHash, text);
      return hash;
    };
    return { treeHash: finishLevel(null), documents, pages, trees, steps };
  }
}

const isMade = ({ state, parent }: DraftPage): boolean => isMadeBelow(state, parent?.state);

const countOf = ({ pages }: DraftPage): number => pages.reduce((sum, below) => sum + countOf(below), 1);

const isSame = (one: PageState, other: PageState): boolean =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));

interface Nested {
  readonly pages: readonly Nested[];
}

export function levelsOf(page: Nested): number {
  return page.pages.reduce((most, below) => Math.max(most, 1 + levelsOf(below)), 1);
}
