// Three-way merge of contents: pages, variables and reusable contents.
import type { ContentState, ReusableContent } from "#src/features/content/model/content-state.ts";
import {
  type Conflict,
  type PageNode,
  type PagesById,
  type Settlement,
  settlementWith,
  type Trees,
} from "#src/features/content/model/merge/merging.ts";
import {
  type DocumentPlace,
  type DocumentSides,
  settleDocument,
  type TextMerge,
} from "#src/features/content/model/merge/text.ts";
import {
  type Choice,
  type Choices,
  chosen,
  type Fields,
  mapSides,
  mergeKeys,
  otherSide,
  type Sides,
  threeWay,
} from "#src/features/content/model/merge/sides.ts";
import type { MergedTree } from "#src/features/content/model/merge/tree.ts";
import { asWritten } from "#src/features/content/model/computed.ts";
import { emptyTree, type PageRow, type PageTree } from "#src/features/content/model/page.ts";

export interface MergeSource {
  readonly comparing: Comparing;
  readonly trees: (hashes: readonly string[]) => Promise<readonly PageTree[]>;
  readonly texts: (hashes: readonly string[]) => Promise<readonly string[]>;
}

/** Operations that may take long, and are queued. */
export interface Comparing {
  readonly mergeTrees: (trees: Trees, choices: Choices) => Promise<MergedTree>;
  readonly mergeTexts: (texts: Sides<string>) => Promise<TextMerge>;
}

export interface MergedPages {
  readonly trees: Sides<PageTree>;
  readonly differing: Trees;
  readonly merged: PagesById;
  readonly texts: ReadonlyMap<string, string>;
}

/** A merge. Without open conflicts it can be stored (`storeMerge`), which merges files: they never conflict. */
export interface ContentMerge {
  /** Null if only one side changed, or both made the same changes. */
  readonly pages: MergedPages | null;
  readonly variables: ContentState["variables"];
  readonly reusableContents: ContentState["reusableContents"];
  readonly reusableTexts: ReadonlyMap<string, string>;
  readonly conflicts: readonly Conflict[];
  /** Ids of choices that match no conflict. */
  readonly unknown: readonly string[];
}

/** Reads the trees and then the texts that both sides changed. INVALID_INPUT for chosen texts that are not allowed. */
export async function mergeContents(
  states: Sides<ContentState>,
  source: MergeSource,
  choices: Choices = new Map(),
): Promise<ContentMerge> {
  const trees = await readTrees(
    mapSides(states, ({ treeHash }) => treeHash),
    source,
  );
  const differing = trees && differingPages(mapSides(trees, asWritten)); // computed parts are not merged
  const merging = differing && (await source.comparing.mergeTrees(differing, choices));
  const settlement = settlementWith(choices, merging?.settlement);
  const variables = mergeVariables(
    mapSides(states, ({ variables }) => variables),
    settlement,
  );
  const reusable = mergeReusableContents(
    mapSides(states, ({ reusableContents }) => reusableContents),
    settlement,
  );
  const { comparing } = source;
  const documents: Documents = merging?.documents ?? new Map();
  const textOf = await readTexts([...documents.values(), ...reusable.documents.values()], source);
  const texts = await mergeDocuments(documents, { comparing, textOf }, (page, place) =>
    settlement.settle({ kind: "document", page, ...place }),
  );
  const reusableTexts = await mergeDocuments(reusable.documents, { comparing, textOf }, (reusableContent, place) =>
    settlement.settle({ kind: "reusable-document", reusableContent, ...place }),
  );
  return {
    pages: merging ? { trees, differing, merged: merging.pages, texts } : null,
    variables,
    reusableContents: reusable.contents,
    reusableTexts,
    conflicts: settlement.open(),
    unknown: settlement.unknown(),
  };
}

type Documents = ReadonlyMap<string, DocumentSides>;

/** The trees of pages; null if they are not needed, since only one side changed, or both made the same changes. */
async function readTrees(hashes: Sides<string | null>, source: MergeSource): Promise<Sides<PageTree> | null> {
  const { base, ours, theirs } = hashes;
  if (new Set([base, ours, theirs]).size < 3) return null;
  const hashesToRead = [base, ours, theirs].filter((hash) => hash !== null);
  const trees = new Map((await source.trees(hashesToRead)).map((tree, index) => [hashesToRead[index], tree]));
  return mapSides(hashes, (hash) => (hash === null ? emptyTree : (trees.get(hash) ?? emptyTree)));
}

type TextOf = (hash: string | null) => string;

async function readTexts(documents: readonly DocumentSides[], source: MergeSource): Promise<TextOf> {
  const named = documents.flatMap(({ base, ours, theirs }) => [base, ours, theirs]).filter((hash) => hash !== null);
  const hashes = [...new Set(named)];
  const texts = hashes.length === 0 ? [] : await source.texts(hashes);
  const byHash = new Map(hashes.map((hash, index) => [hash, texts[index] ?? ""]));
  return (hash) => (hash === null ? "" : (byHash.get(hash) ?? ""));
}

async function mergeDocuments(
  documents: Documents,
  { comparing, textOf }: { comparing: Comparing; textOf: TextOf },
  settle: (owner: string, place: DocumentPlace) => Choice | undefined,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const [owner, sides] of documents) {
    const merge = await comparing.mergeTexts(mapSides(sides, textOf));
    texts.set(
      owner,
      settleDocument(merge, (place) => settle(owner, place)),
    );
  }
  return texts;
}

/** The pages of all sides, without those below a page that is equal on all. Omits times, which follow from edits. */
export function differingPages(trees: Sides<PageTree>): Trees {
  const { base, ours, theirs } = trees;
  const isEqual = ({ pageId, hash }: PageRow) =>
    [base, ours, theirs].every(({ byId }) => byId.get(pageId)?.hash === hash);
  return { base: walked(base, isEqual), ours: walked(ours, isEqual), theirs: walked(theirs, isEqual) };
}

function walked(tree: PageTree, isEqual: (row: PageRow) => boolean): PagesById {
  const pages = new Map<string, PageNode>();
  const add = (rows: readonly PageRow[], parent: string | null) => {
    for (const [position, row] of rows.entries()) {
      pages.set(row.pageId, nodeOf(row, parent, position));
      if (!isEqual(row)) add(row.pages, row.pageId);
    }
  };
  add(tree.pages, null);
  return pages;
}

function nodeOf({ type, title, slug, fields, documentHash, hash }: PageRow, parent: string | null, position: number) {
  // The fields come from JSON: properties whose type allows undefined are absent.
  const plain = fields as unknown as Fields;
  return { parent, position, fields: { ...plain, type, title, slug }, document: documentHash, subtree: hash };
}

type Variables = ContentState["variables"];
type ReusableContents = ContentState["reusableContents"];

const mergeVariables = (sides: Sides<Variables>, settlement: Settlement): Variables =>
  mergeKeys(sides, (name, values) => chosen(settlement.settle({ kind: "variable", name, ...values }), values));

/** The merged reusable contents. Those whose texts both sides changed are in `documents`, and have our text. */
function mergeReusableContents(sides: Sides<ReusableContents>, settlement: Settlement) {
  const documents = new Map<string, DocumentSides>();
  const contents = mergeKeys(sides, (reusableContent, { base, ours, theirs }) => {
    const left = ours ?? theirs;
    if (!ours || !theirs) {
      const deletedBy = otherSide(ours ? "ours" : "theirs");
      const choice = settlement.settle({ kind: "reusable-deleted-edited", reusableContent, deletedBy });
      return choice === deletedBy ? undefined : left;
    }
    const titles = { base: base?.title, ours: ours.title, theirs: theirs.title };
    const title = threeWay<string | undefined>(titles, () =>
      chosen(settlement.settle({ kind: "reusable-title", reusableContent, ...titles }), titles),
    );
    const hashes = mapSides<ReusableContent | undefined, string | null>(
      { base, ours, theirs },
      (content) => content?.documentHash ?? null,
    );
    const documentHash = threeWay(hashes, () => {
      documents.set(reusableContent, hashes);
      return hashes.ours;
    });
    return { title: title ?? ours.title, documentHash };
  });
  return { contents, documents };
}
