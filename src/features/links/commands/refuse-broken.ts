// The hook that rejects merges that break links: compares the links before and after in the transaction of the merge.
import { DomainError } from "#src/base/errors.ts";
import { type BreakingMerge, beforeMergeWithLinkCheck } from "#src/features/change-requests/commands/merge.ts";
import { emptyTree } from "#src/features/content/model/page.ts";
import { type Query, readTrees } from "#src/features/content/reads/trees.ts";
import { linksWithin, newlyBroken } from "#src/features/links/reads/content-links.ts";
import { lookupsFor } from "#src/features/links/reads/lookups.ts";
import type { LinkedContent } from "#src/features/links/reads/linked-content.ts";

const namedLimit = 100;

export const refuseBrokenLinks = beforeMergeWithLinkCheck.join(
  async (transaction, { context, spaceId, before, after }) => {
    const query: Query = (statement) => transaction.$queryRaw(statement);
    const lookups = lookupsFor(context, query);
    const linksOf = async (state: BreakingMerge["after"]) => {
      const [tree = emptyTree] = state.treeHash === null ? [] : await readTrees(query, [state.treeHash]);
      const content: LinkedContent = { ...state, id: state.revisionId, spaceId, changeRequestId: null };
      return linksWithin(context, { content, tree, lookups });
    };
    const broken = newlyBroken(await linksOf(after), await linksOf(before));
    if (broken.length === 0) return;
    throw new DomainError(
      "CONFLICT",
      `The merge would break ${broken.length} ${broken.length === 1 ? "link" : "links"}. The field brokenLinks of the change request lists them.`,
      broken.slice(0, namedLimit).map(({ page, address }) => ({
        path: page.path,
        message: `The target of the link ${address} would not exist.`,
      })),
    );
  },
);
