// Merging contents inside a transaction: what the merge needs is read there, and what it made is stored.
import { DomainError } from "#src/base/errors.ts";
import type { Transaction } from "#src/domain/change.ts";
import { hashText } from "#src/features/content/commands/hash.ts";
import { reusableContentLimit } from "#src/features/content/commands/includes.ts";
import { beyond, buildPages } from "#src/features/content/commands/merge/build.ts";
import type { Choices } from "#src/features/content/commands/merge/conflicts.ts";
import { type ContentMerge, mergeContents, type MergeSource } from "#src/features/content/commands/merge/content.ts";
import { unmerged } from "#src/features/content/commands/merge/fields.ts";
import { eachOf, type Sides } from "#src/features/content/commands/merge/merging.ts";
import { mergeFiles } from "#src/features/content/commands/merge-files.ts";
import { storeContent } from "#src/features/content/commands/store.ts";
import { isTooLong } from "#src/features/content/commands/text.ts";
import { variableLimit } from "#src/features/content/commands/variables.ts";
import { type Query, readTexts, readTrees } from "#src/features/content/reads/pages.ts";
import type { ContentState } from "#src/features/content/reads/revisions.ts";

/** One statement for all trees that are not in memory, and one for all texts. Throws TOO_LARGE for more than 64 MB of text. */
function sourceIn(transaction: Transaction): MergeSource {
  const query: Query = (statement) => transaction.$queryRaw(statement);
  return {
    trees: (hashes) => readTrees(query, hashes),
    async texts(hashes) {
      const texts = (await readTexts(query, hashes)).filter((text) => text !== null);
      if (texts.length === hashes.length) return texts;
      throw new DomainError("TOO_LARGE", "This is a merge of more than 64 MB of text.");
    },
  };
}

/** Merges as `mergeContents` does, by what the transaction sees. */
export function mergeInside(
  transaction: Transaction,
  states: Sides<ContentState>,
  choices?: Choices,
): Promise<ContentMerge> {
  return mergeContents(states, sourceIn(transaction), choices);
}

/** Stores what a merge without conflicts made, and answers it. Throws CONFLICT where both sides together go beyond a limit of content. */
export async function storeMerge(
  transaction: Transaction,
  states: Sides<ContentState>,
  merge: ContentMerge,
  now: Date,
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
  const { documents = none, pages = none, trees = none, treeHash = unmerged(eachOf(states, "treeHash")) } = built ?? {};
  await storeContent(transaction, { treeHash, documents: new Map([...documents, ...texts]), pages, trees });
  const filesHash = await mergeFiles(transaction, eachOf(states, "filesHash"));
  return { treeHash, filesHash, variables: merge.variables, reusableContents };
}

function checkLimits({ variables, reusableContents, reusableTexts }: ContentMerge): void {
  if (Object.keys(variables).length > variableLimit) throw beyond(`content has at most ${variableLimit} variables`);
  if (Object.keys(reusableContents).length > reusableContentLimit)
    throw beyond(`content has at most ${reusableContentLimit} reusable contents`);
  for (const [id, text] of reusableTexts)
    if (isTooLong(text)) throw beyond(`the text of the reusable content ${reusableContents[id]?.title} is too long`);
}
