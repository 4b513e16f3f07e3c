// Comparing what two revisions hold: a change request with the main content, or any two revisions of a space.
import { isDeepStrictEqual } from "node:util";
import { found } from "#src/base/errors.ts";
import { want } from "#src/db/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { type PageChange, pageChanges } from "#src/features/content/model/changes/pages.ts";
import { contentColumns, type ContentState, type ReusableContent } from "#src/features/content/model/content-state.ts";
import { countLines, type LineCounts, type TextPair } from "#src/features/content/reads/changes/lines.ts";
import { emptyTree } from "#src/features/content/model/page.ts";
import { pagesOf } from "#src/features/content/reads/page-trees.ts";
import { type PagesRevision, pagesRevisionColumns } from "#src/features/content/reads/pages-in-revision.ts";
import { revisions, type RevisionRow } from "#src/features/content/reads/revisions.ts";

/** A revision with the content that it holds. */
export type ComparedRevision = ContentState & PagesRevision;

/** The columns that make a {@link ComparedRevision}. */
export const comparedRevisionColumns = [...pagesRevisionColumns, ...contentColumns] as const;

/** A page that is not the same, in the revisions where it is. */
export interface PageChangeInRevisions extends PageChange {
  readonly between: { readonly before: ComparedRevision | null; readonly after: ComparedRevision };
}

/** A variable that is not the same; null where it is missing. */
interface VariableChange {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A reusable content that is not the same; null where it is missing. */
export interface ReusableContentChange {
  readonly reusableContentId: string;
  readonly before: ReusableContent | null;
  readonly after: ReusableContent | null;
}

/** What differs between two revisions. What needs a statement is a function, and is read once, on the first call. */
export interface ContentChanges {
  /** Null where the content begins with `after`. */
  readonly before: ComparedRevision | null;
  readonly after: ComparedRevision;
  readonly variables: readonly VariableChange[];
  readonly reusableContents: readonly ReusableContentChange[];
  /** Throws INVALID_INPUT beyond `rowLimit`, of changes as of pages. */
  pages(): Promise<readonly PageChangeInRevisions[]>;
}

/** The changes from one revision to another. */
function compareRevisions(context: Context, before: ComparedRevision | null, after: ComparedRevision): ContentChanges {
  let pages: Promise<readonly PageChangeInRevisions[]> | undefined;
  return {
    before,
    after,
    variables: differing(before?.variables, after.variables).map(([name, change]) => ({ name, ...change })),
    reusableContents: differing(before?.reusableContents, after.reusableContents).map(([id, change]) => ({
      reusableContentId: id,
      ...change,
    })),
    pages: () => (pages ??= comparePages(context, before, after)),
  };
}

async function compareTrees(
  context: Context,
  before: string | null,
  after: string | null,
): Promise<readonly PageChange[]> {
  const [old, young] = await Promise.all([before, after].map((treeHash) => pagesOf(context, { treeHash })));
  return pageChanges(old ?? emptyTree, young ?? emptyTree);
}

async function comparePages(
  context: Context,
  before: ComparedRevision | null,
  after: ComparedRevision,
): Promise<readonly PageChangeInRevisions[]> {
  const [oldHash, hash] = [before?.treeHash ?? null, after.treeHash];
  if (oldHash === hash) return [];
  // A document may ask for the same many times.
  const changes = await context.reader.once(compareTrees, `${oldHash} ${hash}`, () =>
    compareTrees(context, oldHash, hash),
  );
  context.reader.takeRows(changes.length);
  const between = { before, after };
  return changes.map((change) => ({ ...change, between }));
}

/** What differs between two maps, in the order of the names. */
function differing<Value>(
  before: Readonly<Record<string, Value>> = {},
  after: Readonly<Record<string, Value>>,
): [string, { before: Value | null; after: Value | null }][] {
  const [old, young] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = [...new Set([...old.keys(), ...young.keys()])].toSorted();
  return names
    .filter((name) => !isDeepStrictEqual(old.get(name), young.get(name)))
    .map((name) => [name, { before: old.get(name) ?? null, after: young.get(name) ?? null }]);
}

/**
 * The changes to a revision from the one with the id `since`, or else from its first parent, or from nothing when it
 * has no parent. Null when the viewer does not see the parent; NOT_FOUND when they do not see `since`, or when it is of
 * another space.
 */
export async function changesSince(
  context: Context,
  revision: ComparedRevision & Pick<RevisionRow, "parents">,
  since: string | null,
): Promise<ContentChanges | null> {
  const id = since ?? revision.parents[0];
  if (id === undefined) return compareRevisions(context, null, revision);
  const base = await context.reader.row(revisions, id, want(comparedRevisionColumns));
  if (base?.spaceId === revision.spaceId) return compareRevisions(context, base, revision);
  return since === null ? null : found(null, "revision");
}

/** The changes between the revisions with these ids. NOT_FOUND when the viewer does not see one of them. */
export async function changesBetween(context: Context, beforeId: string, afterId: string): Promise<ContentChanges> {
  const wanted = want(comparedRevisionColumns);
  const [before, after] = await Promise.all([beforeId, afterId].map((id) => context.reader.row(revisions, id, wanted)));
  return compareRevisions(context, found(before ?? null, "revision"), found(after ?? null, "revision"));
}

type WithText = { readonly documentHash: string | null } | null | undefined;

/** The text of something before and after; null when it is the same. */
export function textChange(before: WithText, after: WithText): TextPair | null {
  const pair = { before: before?.documentHash ?? null, after: after?.documentHash ?? null };
  return pair.before === pair.after ? null : pair;
}

/** How many lines all texts together gained and lost. Throws INVALID_INPUT beyond 64 MB of text. */
export async function countChangedLines(context: Context, changes: ContentChanges): Promise<LineCounts> {
  const inPages = (await changes.pages()).map(({ before, after }) => textChange(before?.page, after?.page));
  const reusable = changes.reusableContents.map(({ before, after }) => textChange(before, after));
  return countLines(
    context,
    [...inPages, ...reusable].filter((pair) => pair !== null),
  );
}
