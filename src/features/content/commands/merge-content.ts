// Merges of contents inside a transaction: reads the input of the merge, and stores its result.
import { DomainError } from "#src/base/errors.ts";
import { sql } from "#src/db/connection/database.ts";
import type { Transaction } from "#src/domain/change.ts";
import { filesLimit, storeFileList } from "#src/features/content/commands/files.ts";
import { storeContent } from "#src/features/content/commands/write-content.ts";
import { isTooLong, variableLimit } from "#src/features/content/model/checks.ts";
import { type ContentState, hashText } from "#src/features/content/model/content-state.ts";
import { reusableContentLimit } from "#src/features/content/model/includes.ts";
import { beyond, buildPages } from "#src/features/content/model/merge/build.ts";
import {
  type Comparing,
  type ContentMerge,
  mergeContents,
  type MergeSource,
} from "#src/features/content/model/merge/content.ts";
import { type Choices, mapSides, mergeKeys, type Sides, unmerged } from "#src/features/content/model/merge/sides.ts";
import { readTexts } from "#src/features/content/reads/page-texts.ts";
import { type Query, readTrees } from "#src/features/content/reads/trees.ts";

/** One statement for all uncached trees, and one for all texts. Throws TOO_LARGE above 64 MB of text. */
function sourceIn(transaction: Transaction, comparing: Comparing): MergeSource {
  const query: Query = (statement) => transaction.$queryRaw(statement);
  return {
    comparing,
    trees: (hashes) => readTrees(query, hashes),
    async texts(hashes) {
      const texts = (await readTexts(query, hashes)).filter((text) => text !== null);
      if (texts.length === hashes.length) return texts;
      throw new DomainError(
        "TOO_LARGE",
        "This merge would read more than 64 MB of text. Merge smaller change requests.",
      );
    },
  };
}

export function mergeInside(
  transaction: Transaction,
  states: Sides<ContentState>,
  { comparing, choices }: { comparing: Comparing; choices?: Choices },
): Promise<ContentMerge> {
  return mergeContents(states, sourceIn(transaction, comparing), choices);
}

/** Stores a merge without conflicts. CONFLICT if both sides together exceed a limit of content. */
export async function storeMerge(
  transaction: Transaction,
  states: Sides<ContentState>,
  merge: ContentMerge,
  { spaceId, now }: { spaceId: string; now: Date },
): Promise<ContentState> {
  checkLimits(merge);
  const built = merge.pages && buildPages(merge.pages, now);
  const reusableContents = { ...merge.reusableContents };
  const texts = new Map<string, string>();
  for (const [id, text] of merge.reusableTexts) {
    const reusable = reusableContents[id];
    if (reusable) reusableContents[id] = { ...reusable, documentHash: text === "" ? null : hashText(text) };
    if (text !== "") texts.set(hashText(text), text);
  }
  const none = new Map<string, never>();
  const { treeHash: sameTree, filesHash: lists } = sidesOf(states);
  const { documents = none, pages = none, trees = none, treeHash = unmerged(sameTree) } = built ?? {};
  const stored = { treeHash, documents: new Map([...documents, ...texts]), pages, trees };
  await storeContent(transaction, stored, spaceId);
  const filesHash = await mergeFiles(transaction, lists);
  return { treeHash, filesHash, variables: merge.variables, reusableContents };
}

const sidesOf = (states: Sides<ContentState>) => ({
  treeHash: mapSides(states, ({ treeHash }) => treeHash),
  filesHash: mapSides(states, ({ filesHash }) => filesHash),
});

function checkLimits({ variables, reusableContents, reusableTexts }: ContentMerge): void {
  if (Object.keys(variables).length > variableLimit)
    throw beyond(`a content may have at most ${variableLimit} variables`);
  if (Object.keys(reusableContents).length > reusableContentLimit)
    throw beyond(`a content may have at most ${reusableContentLimit} reusable contents`);
  for (const [id, text] of reusableTexts)
    if (isTooLong(text)) throw beyond(`the text of the reusable content ${reusableContents[id]?.title} is too long`);
}

/** Stores the merged list of files, with the additions and without the deletions of both sides. Returns its hash. */
async function mergeFiles(transaction: Transaction, hashes: Sides<string | null>): Promise<string | null> {
  if (new Set([hashes.base, hashes.ours, hashes.theirs]).size < 3) return unmerged(hashes);
  const lists = await readLists(transaction, hashes);
  const merged = mergeKeys(lists, (_fileId, { ours, theirs }) => theirs ?? ours);
  const files = Object.entries(merged).map(([fileId, hash]) => ({ fileId, hash }));
  if (files.length > filesLimit) throw beyond(`a content may have at most ${filesLimit} files`);
  return storeFileList(transaction, files);
}

type Files = Readonly<Record<string, string>>;

async function readLists(transaction: Transaction, hashes: Sides<string | null>): Promise<Sides<Files>> {
  const { base, ours, theirs } = hashes;
  const rows = await transaction.$queryRaw<{ list: string; fileId: string; hash: string }[]>(
    sql`select l.hash as list, f."fileId", f.hash from "ContentFileList" l cross join unnest(l.files) u(hash)
      join "ContentFile" f on f.hash = u.hash where l.hash = any(${[base, ours, theirs]}::text[])`,
  );
  const filesOf = (list: string | null): Files =>
    Object.fromEntries(rows.filter((row) => row.list === list).map(({ fileId, hash }) => [fileId, hash]));
  return mapSides(hashes, filesOf);
}
