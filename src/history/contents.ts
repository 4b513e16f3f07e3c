// The pages and texts of many revisions, built in memory without a database and then written to it all at once.
import type { Transaction } from "#src/domain/change.ts";
import { storeContent } from "#src/features/content/commands/write-content.ts";
import type { ContentDraft } from "#src/features/content/model/apply-edits.ts";
import type { ContentState } from "#src/features/content/model/content-state.ts";
import { Draft, type NewContent } from "#src/features/content/model/draft.ts";
import { IncludesDraft } from "#src/features/content/model/includes.ts";
import { buildPages } from "#src/features/content/model/merge/build.ts";
import { Comparer } from "#src/features/content/reads/comparer.ts";
import { mergeContents } from "#src/features/content/model/merge/content.ts";
import { mapSides, type Sides, unmerged } from "#src/features/content/model/merge/sides.ts";
import type { PageRow, PageTree } from "#src/features/content/model/page.ts";

type StoredPage = NewContent["pages"] extends ReadonlyMap<string, infer Page> ? Page : never;

/** How many characters of texts go into one statement (approximate). */
const batchSize = 8 * 1024 * 1024;

export class Contents {
  readonly #documents = new Map<string, string>();
  readonly #pages = new Map<string, StoredPage>();
  readonly #trees = new Map<string, readonly string[]>();

  tree(treeHash: string | null): PageTree {
    const byId = new Map<string, PageRow>();
    const level = (hash: string | null, parentId: string | null, above: string): PageRow[] =>
      (hash === null ? [] : known(this.#trees, hash)).map((pageHash) => {
        const { childrenHash, ...state } = known(this.#pages, pageHash);
        const path = `${above}${state.slug}`;
        const pages = level(childrenHash, state.pageId, `${path}/`);
        const page = { ...state, hash: pageHash, parentId, path, pages };
        byId.set(state.pageId, page);
        return page;
      });
    return { pages: level(treeHash, null, ""), byId };
  }

  text(documentHash: string | null): string {
    return documentHash === null ? "" : known(this.#documents, documentHash);
  }

  /** Applies `edit` to the pages of a tree hash, and returns the hash of the result. */
  editPages(treeHash: string | null, now: Date, edit: (draft: Draft) => void): string | null {
    const draft = new Draft(this.tree(treeHash), now);
    edit(draft);
    return this.#keep(draft.finish());
  }

  /** Applies `change` to a content, and returns the result. */
  edit(state: ContentState, now: Date, change: (draft: ContentDraft) => void): ContentState {
    const includes = new IncludesDraft(state);
    const treeHash = this.editPages(state.treeHash, now, (pages) => change({ pages, includes }));
    const { documents, ...made } = includes.finish();
    for (const [hash, text] of documents) this.#documents.set(hash, text);
    return { ...state, ...made, treeHash };
  }

  /** Merges the two sides. Throws when they conflict. */
  async merge(sides: Sides<ContentState>, now: Date): Promise<ContentState> {
    const merged = await mergeContents(sides, {
      comparing: new Comparer(),
      trees: async (hashes) => hashes.map((hash) => this.tree(hash)),
      texts: async (hashes) => hashes.map((hash) => this.text(hash)),
    });
    if (merged.conflicts.length > 0) throw new Error(`The merge has conflicts: ${JSON.stringify(merged.conflicts)}`);
    const treeHash = merged.pages
      ? this.#keep(buildPages(merged.pages, now))
      : unmerged(mapSides(sides, ({ treeHash }) => treeHash));
    return { ...sides.theirs, treeHash, variables: merged.variables, reusableContents: merged.reusableContents };
  }

  #keep({ treeHash, documents, pages, trees }: NewContent): string | null {
    for (const [hash, text] of documents) this.#documents.set(hash, text);
    for (const [hash, page] of pages) this.#pages.set(hash, page);
    for (const [hash, list] of trees) this.#trees.set(hash, list);
    return treeHash;
  }

  /** Writes everything, the texts in batches; `onProgress` gets the number of rows after each batch. */
  async store(transaction: Transaction, onProgress?: (rows: number) => void): Promise<void> {
    for (const documents of this.#batches()) {
      await storeContent(transaction, { treeHash: null, documents, pages: new Map(), trees: new Map() });
      onProgress?.(documents.size);
    }
    const [pages, trees] = [this.#pages, this.#trees];
    await storeContent(transaction, { treeHash: null, documents: new Map(), pages, trees });
    onProgress?.(pages.size + trees.size);
  }

  *#batches(): Generator<Map<string, string>> {
    let batch = new Map<string, string>();
    let size = 0;
    for (const [hash, text] of this.#documents) {
      batch.set(hash, text);
      size += text.length;
      if (size < batchSize) continue;
      yield batch;
      batch = new Map();
      size = 0;
    }
    if (batch.size > 0) yield batch;
  }

  get size(): number {
    return this.#documents.size + this.#pages.size + this.#trees.size;
  }
}

function known<Value>(values: ReadonlyMap<string, Value>, hash: string): Value {
  const value = values.get(hash);
  if (value === undefined) throw new Error(`No content is stored under the hash ${hash}`);
  return value;
}
