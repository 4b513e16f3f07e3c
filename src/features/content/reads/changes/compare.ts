// Comparing what two revisions hold: the ground of the diff of a change request, and of any two revisions of a space.
import { isDeepStrictEqual } from "node:util";
import { found } from "#src/base/errors.ts";
import { want } from "#src/db/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { countLines, type LineCounts, type TextPair } from "#src/features/content/reads/changes/lines.ts";
import { type PageChange, pageChanges } from "#src/features/content/reads/changes/pages.ts";
import { type PagesRevision, pagesRevisionColumns } from "#src/features/content/reads/pages-in-revision.ts";
import { pagesOf } from "#src/features/content/reads/pages.ts";
import {
  contentColumns,
  type ContentState,
  findRevision,
  type ReusableContent,
  type RevisionRow,
} from "#src/features/content/reads/revisions.ts";

/** A revision in hand with what it holds. */
export type ComparedRevision = ContentState & PagesRevision;

/** The columns that make a {@link ComparedRevision}. */
export const comparedRevisionColumns = [...pagesRevisionColumns, ...contentColumns] as const;

/** A page that is not the same, in the revisions where it is. */
export interface PageChangeInRevisions extends PageChange {
  readonly between: { readonly before: ComparedRevision | null; readonly after: ComparedRevision };
}

/** A value by its name that is not the same; null where there is none. */
export interface VariableChange {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A text that pages share and that is not the same; null where there is none. */
export interface ReusableContentChange {
  readonly reusableContentId: string;
  readonly before: ReusableContent | null;
  readonly after: ReusableContent | null;
}

/** What differs between two revisions. What costs a statement is a function, and is found once, when it is first called. */
export interface ContentChanges {
  /** Null where the content begins with `after`. */
  readonly before: ComparedRevision | null;
  readonly after: ComparedRevision;
  readonly variables: readonly VariableChange[];
  readonly reusableContents: readonly ReusableContentChange[];
  /** Throws INVALID_INPUT beyond `rowLimit`, of changes as of pages. */
  pages(): Promise<readonly PageChangeInRevisions[]>;
}

/** The changes from one revision in hand to another. */
export function compareRevisions(
  context: Context,
  before: ComparedRevision | null,
  after: ComparedRevision,
): ContentChanges {
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

/** What an operation has compared already, by the hashes of two trees: documents may ask for the same many times. */
const compared = new WeakMap<Context["reader"], Map<string, Promise<readonly PageChange[]>>>();

async function compareTrees(
  context: Context,
  before: string | null,
  after: string | null,
): Promise<readonly PageChange[]> {
  return pageChanges(
    ...(await Promise.all([pagesOf(context, { treeHash: before }), pagesOf(context, { treeHash: after })])),
  );
}

async function comparePages(
  context: Context,
  before: ComparedRevision | null,
  after: ComparedRevision,
): Promise<readonly PageChangeInRevisions[]> {
  const [oldHash, hash] = [before?.treeHash ?? null, after.treeHash];
  if (oldHash === hash) return [];
  const known = compared.get(context.reader) ?? new Map<string, Promise<readonly PageChange[]>>();
  compared.set(context.reader, known);
  const key = `${oldHash} ${hash}`;
  const comparison = known.get(key) ?? compareTrees(context, oldHash, hash);
  known.set(key, comparison);
  const changes = await comparison;
  context.reader.takeRows(changes.length);
  const between = { before, after };
  return changes.map((change) => ({ ...change, between }));
}

/** What differs between two maps, by the order of the names. */
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
 * The changes from the revision of id `since`, or from the first parent, to a revision in hand; from nothing where that has no parent. Null when the
 * viewer does not see the parent; NOT_FOUND when they do not see `since`, or when it is of another space.
 */
export async function changesSince(
  context: Context,
  revision: ComparedRevision & Pick<RevisionRow, "parents">,
  since: string | null,
): Promise<ContentChanges | null> {
  const id = since ?? revision.parents[0];
  if (id === undefined) return compareRevisions(context, null, revision);
  const base = await findRevision(context, id, want(comparedRevisionColumns));
  if (base?.spaceId === revision.spaceId) return compareRevisions(context, base, revision);
  return since === null ? null : found(null, "revision");
}

/** The changes between two revisions of ids. NOT_FOUND when the viewer does not see one of them. */
export async function changesBetween(context: Context, beforeId: string, afterId: string): Promise<ContentChanges> {
  const wanted = want(comparedRevisionColumns);
  const [before, after] = await Promise.all([beforeId, afterId].map((id) => findRevision(context, id, wanted)));
  return compareRevisions(context, found(before ?? null, "revision"), found(after ?? null, "revision"));
}

type WithText = { readonly documentHash: string | null } | null | undefined;

/** The text of something before and after; null when it is the same. */
export function textChange(before: WithText, after: WithText): TextPair | null {
  const pair = { before: before?.documentHash ?? null, after: after?.documentHash ?? null };
  return pair.before === pair.after ? null : pair;
}

/** How many lines the texts of pages and reusable contents gained and lost in all. Throws INVALID_INPUT beyond 64 MB of text. */
export async function countChangedLines(context: Context, changes: ContentChanges): Promise<LineCounts> {
  const inPages = (await changes.pages()).map(({ before, after }) => textChange(before?.page, after?.page));
  const reusable = changes.reusableContents.map(({ before, after }) => textChange(before, after));
  return countLines(
    context,
    [...inPages, ...reusable].filter((pair) => pair !== null),
  );
}
