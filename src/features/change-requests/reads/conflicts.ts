// Reads of the conflicts between a change request and the main content, computed by a merge that is not stored.
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import type { ChangeRequestRow } from "#src/features/change-requests/reads/change-requests.ts";
import type { Conflict } from "#src/features/content/model/merge/merging.ts";
import type { Sides } from "#src/features/content/model/merge/sides.ts";
import { type ContentMerge, mergeContents, type MergeSource } from "#src/features/content/model/merge/content.ts";
import { comparerOf } from "#src/features/content/reads/comparer.ts";
import { readText } from "#src/features/content/reads/page-texts.ts";
import {
  pageIn,
  type PageInRevision,
  pagesOf,
  type PagesRevision,
  pagesRevisionColumns,
} from "#src/features/content/reads/pages.ts";
import { contentColumns } from "#src/features/content/model/content-state.ts";
import { revisions } from "#src/features/content/reads/revisions.ts";
import { spaces } from "#src/features/spaces/reads.ts";

/** A conflict with its merge and the merged revisions. Ours is the change request, theirs the main content. */
export interface ConflictInMerge<Of extends Conflict = Conflict> {
  readonly conflict: Of;
  readonly merge: ContentMerge;
  readonly revisions: Sides<PagesRevision>;
}

export const conflictColumns = [
  "spaceId",
  "status",
  "revisionId",
  "revisionInitialId",
  "revisionMergedAncestorId",
] as const satisfies (keyof ChangeRequestRow)[];

const revisionColumns = project([...contentColumns, ...pagesRevisionColumns]);

/** Empty once it is merged. Batches into one statement each for spaces, revisions, trees and texts. */
export async function conflictsOf(
  context: Context,
  { spaceId, status, ...of }: Pick<ChangeRequestRow, (typeof conflictColumns)[number]>,
): Promise<readonly ConflictInMerge[]> {
  const baseId = of.revisionMergedAncestorId ?? of.revisionInitialId;
  const space = await context.reader.row(spaces, spaceId, project(["revisionId"]));
  if (!space || status === "merged" || space.revisionId === baseId) return [];
  const ids = [baseId, of.revisionId, space.revisionId];
  const [base, ours, theirs] = await Promise.all(ids.map((id) => context.reader.row(revisions, id, revisionColumns)));
  if (!base || !ours || !theirs) throw new Error(`${spaceId} misses a revision`); // foreign keys prevent it
  const sides = { base, ours, theirs };
  const merge = await mergeContents(sides, sourceOf(context));
  context.reader.takeRows(merge.conflicts.length);
  return merge.conflicts.map((conflict) => ({ conflict, merge, revisions: sides }));
}

function sourceOf(context: Context): MergeSource {
  return {
    trees: (hashes) => Promise.all(hashes.map((treeHash) => pagesOf(context, { treeHash }))),
    texts: (hashes) => Promise.all(hashes.map((hash) => readText(context, hash))),
    comparing: comparerOf(context),
  };
}

const allSides = ["ours", "theirs", "base"] as const;

/** The page of this id on the first of these sides that has it. Every page of a conflict is on at least one side. */
export function pageOnSide(
  { merge, revisions }: Omit<ConflictInMerge, "conflict">,
  pageId: string,
  sides: readonly (keyof Sides<unknown>)[] = allSides,
): PageInRevision {
  for (const side of sides) {
    const page = merge.pages?.trees[side].byId.get(pageId);
    if (page) return pageIn(revisions[side], page);
  }
  throw new Error(`No side has the page ${pageId}`);
}
