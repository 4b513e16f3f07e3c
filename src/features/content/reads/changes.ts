// Comparisons of two revisions for diffs: changed parts, and numbers of lines.
import { isDeepStrictEqual } from "node:util";
import { cacheOf } from "#src/runtime/cache-budget.ts";
import { found } from "#src/base/errors.ts";
import { type DiffHunk, hunksOf } from "#src/base/text/diff.ts";
import type { Change } from "#src/base/text/lines.ts";
import { project } from "#src/db/reading/entity.ts";
import type { Context } from "#src/domain/context.ts";
import { type PageChange, pageChanges } from "#src/features/content/model/changes.ts";
import { asWritten } from "#src/features/content/model/computed.ts";
import { contentColumns, type ContentState, type ReusableContent } from "#src/features/content/model/content-state.ts";
import { comparerOf } from "#src/features/content/reads/comparer.ts";
import { readText } from "#src/features/content/reads/page-texts.ts";
import { pagesOf, type PagesRevision, pagesRevisionColumns } from "#src/features/content/reads/pages.ts";
import { type RevisionRow, revisions } from "#src/features/content/reads/revisions.ts";

type ComparedRevision = ContentState & PagesRevision;

export const comparedRevisionColumns = [...pagesRevisionColumns, ...contentColumns] as const;

export interface PageChangeInRevisions extends PageChange, InRevisions {}

interface InRevisions {
  readonly between: { readonly before: ComparedRevision | null; readonly after: ComparedRevision };
}

interface VariableChange {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface ReusableContentChange extends InRevisions {
  readonly reusableContentId: string;
  readonly before: ReusableContent | null;
  readonly after: ReusableContent | null;
}

/** The differences between two revisions. Parts that need a query are functions, which load once, on the first call. */
export interface ContentChanges {
  /** Null if `after` is the first revision. */
  readonly before: ComparedRevision | null;
  readonly after: ComparedRevision;
  readonly variables: readonly VariableChange[];
  readonly reusableContents: readonly ReusableContentChange[];
  /** Throws INVALID_INPUT if pages or changes exceed `rowLimit`. */
  pages(): Promise<readonly PageChangeInRevisions[]>;
}

function compareRevisions(context: Context, before: ComparedRevision | null, after: ComparedRevision): ContentChanges {
  let pages: Promise<readonly PageChangeInRevisions[]> | undefined;
  return {
    before,
    after,
    variables: differing(before?.variables, after.variables).map(([name, change]) => ({ name, ...change })),
    reusableContents: differing(before?.reusableContents, after.reusableContents).map(([id, change]) => ({
      reusableContentId: id,
      ...change,
      between: { before, after },
    })),
    pages: () => (pages ??= comparePages(context, before, after)),
  };
}

async function compareTrees(context: Context, before: string | null, after: string | null, isDraft: boolean) {
  const read = (treeHash: string | null) => pagesOf(context, { treeHash });
  const [old, young] = await Promise.all([read(before), read(after)]);
  return isDraft ? pageChanges(asWritten(old), asWritten(young)) : pageChanges(old, young);
}

async function comparePages(context: Context, before: ComparedRevision | null, after: ComparedRevision) {
  const [oldHash, hash] = [before?.treeHash ?? null, after.treeHash];
  if (oldHash === hash) return [];
  // Computed parts follow their specification, not the change request.
  const isDraft = after.changeRequestId !== null || before?.changeRequestId != null;
  // An operation may request the same comparison many times.
  const changes = await context.reader.once(compareTrees, `${oldHash} ${hash} ${isDraft}`, () =>
    compareTrees(context, oldHash, hash, isDraft),
  );
  context.reader.takeRows(changes.length);
  const between = { before, after };
  return changes.map((change) => ({ ...change, between }));
}

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

/** The changes since `since` or the first parent. Null if the viewer does not see the parent; NOT_FOUND for `since`. */
export async function changesSince(
  context: Context,
  revision: ComparedRevision & Pick<RevisionRow, "parents">,
  since: string | null,
): Promise<ContentChanges | null> {
  const id = since ?? revision.parents[0];
  if (id === undefined) return compareRevisions(context, null, revision);
  const base = await context.reader.row(revisions, id, project(comparedRevisionColumns));
  if (base?.spaceId === revision.spaceId) return compareRevisions(context, base, revision);
  return since === null ? null : found(null, "revision");
}

/** The changes between the revisions with these ids. NOT_FOUND unless the viewer sees both. */
export async function changesBetween(context: Context, beforeId: string, afterId: string): Promise<ContentChanges> {
  const read = (id: string) => context.reader.row(revisions, id, project(comparedRevisionColumns));
  const [before, after] = await Promise.all([read(beforeId), read(afterId)]);
  return compareRevisions(context, found(before, "revision"), found(after, "revision"));
}

type WithText = { readonly documentHash: string | null; readonly path?: string } | null | undefined;

function textPair(before: WithText, after: WithText): TextPair | null {
  const pair = { before: before?.documentHash ?? null, after: after?.documentHash ?? null };
  return pair.before === pair.after ? null : pair;
}

/** The change of a text of a page, or of a reusable content, which is at the top level. */
export function textChange(before: WithText, after: WithText, { between }: InRevisions): ChangedText | null {
  const pair = textPair(before, after);
  const place = (text: WithText, revision: ComparedRevision | null) =>
    text && revision && { revision, path: text.path ?? "" };
  return pair && { ...pair, places: [place(before, between.before) ?? null, place(after, between.after) ?? null] };
}

/** Numbers of lines added to and removed from all texts. Throws INVALID_INPUT above 64 MB of text. */
export async function countChangedLines(context: Context, changes: ContentChanges): Promise<LineCounts> {
  const inPages = (await changes.pages()).map(({ before, after }) => textPair(before?.page, after?.page));
  const reusable = changes.reusableContents.map(({ before, after }) => textPair(before, after));
  const pairs = [...inPages, ...reusable].filter((pair) => pair !== null);
  return countLines(context, pairs);
}

/** Two different states of a text, by hash; null if empty. */
export interface TextPair {
  readonly before: string | null;
  readonly after: string | null;
}

/** Where a text is, which its links depend on; reusable contents have an empty path. */
export interface PlaceOfText {
  readonly revision: PagesRevision;
  readonly path: string;
}

export interface ChangedText extends TextPair {
  /** Of the earlier and the later text; null if it does not exist there. */
  readonly places: readonly [before: PlaceOfText | null, after: PlaceOfText | null];
}

export interface PlacedHunk extends DiffHunk {
  readonly before: PlaceOfText | null;
  readonly after: PlaceOfText | null;
}

const remembered = cacheOf<string, readonly Change[]>("comparisons", 16, (changes) => 200 + 64 * changes.length);

/** The changes between two texts. INVALID_INPUT if the operation compares too much text, or takes too long. */
async function lineChanges(context: Context, { before, after }: TextPair): Promise<readonly Change[]> {
  const key = `${before} ${after}`;
  const known = remembered.get(key);
  if (known) return known;
  const [was, is] = await Promise.all([readText(context, before), readText(context, after)]);
  // An operation may request the same comparison many times.
  return context.reader.once(lineChanges, key, async () => {
    const changes = await comparerOf(context).lines(was, is);
    remembered.keep(key, changes);
    return changes;
  });
}

interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** Total numbers of added and removed lines of all pairs. Throws INVALID_INPUT above 64 MB of text. */
export async function countLines(context: Context, pairs: readonly TextPair[]): Promise<LineCounts> {
  const changes = await Promise.all(pairs.map((pair) => lineChanges(context, pair)));
  let [added, removed] = [0, 0];
  for (const { from, to, otherFrom, otherTo } of changes.flat()) {
    added += otherTo - otherFrom;
    removed += to - from;
  }
  return { added, removed };
}

export const hunkLineLimit = 20_000;

/** Null above {@link hunkLineLimit} lines. INVALID_INPUT above 64 MB of text; lines count against the row limit. */
export async function readHunks(context: Context, pair: ChangedText, around: number): Promise<PlacedHunk[] | null> {
  const [before, after] = await Promise.all([readText(context, pair.before), readText(context, pair.after)]);
  const hunks = hunksOf(before, after, await lineChanges(context, pair), around);
  const count = hunks.reduce((sum, { lines }) => sum + lines.length, 0);
  if (count > hunkLineLimit) return null;
  context.reader.takeRows(count);
  for (const { lines } of hunks) for (const { text } of lines) context.reader.handOut(text);
  const [earlier, later] = pair.places;
  return hunks.map((hunk) => ({ ...hunk, before: earlier, after: later }));
}
