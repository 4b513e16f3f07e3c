// Builds content to store from merged pages. Only pages that the merge changed, and their ancestors, get new hashes.
import { isDeepStrictEqual } from "node:util";
import { DomainError } from "#src/base/errors.ts";
import { isMadeBelow, isSameSource } from "#src/features/content/model/computed.ts";
import { contentLimit, levelsOf, type NewContent } from "#src/features/content/model/draft.ts";
import { hashPage, hashText, hashTree } from "#src/features/content/model/content-state.ts";
import type { MergedPages } from "#src/features/content/model/merge/content.ts";
import type { PageNode } from "#src/features/content/model/merge/merging.ts";
import type { Fields, Json } from "#src/features/content/model/merge/sides.ts";
import type { PageRow, PageState } from "#src/features/content/model/page.ts";
import { isTooLong, variableLimit } from "#src/features/content/model/checks.ts";

/**
 * A page equal to one side keeps its times (theirs if both), so equal subtrees keep their hashes; a combined page gets
 * the time `now`. CONFLICT if the result exceeds the limits of content, although each side is within them.
 */
export function buildPages({ trees, differing, merged, texts }: MergedPages, now: Date): NewContent {
  const sides = [trees.theirs, trees.ours, trees.base];
  const levels = Map.groupBy(merged, ([, { parent }]) => parent);
  const documents = new Map<string, string>();
  const pages = new Map<string, PageState & { childrenHash: string | null }>();
  const lists = new Map<string, readonly string[]>();
  checkCount(trees.theirs.byId.size - differing.theirs.size + merged.size);

  /** The hash of the children of a page; `level` is their depth. Generated pages (`made`) come first. */
  function finishLevel(parent: string | null, level: number, made: readonly PageRow[] = []): string | null {
    const inOrder = (levels.get(parent) ?? []).toSorted(([, one], [, other]) => one.position - other.position);
    const hashes = [...hashesOf(made), ...inOrder.map(([pageId, node]) => finishPage(pageId, node, level))];
    const hash = hashTree(hashes);
    const known = sides.map((tree) => (parent === null ? tree.pages : (tree.byId.get(parent)?.pages ?? [])));
    const isKnown = known.some((rows) => isDeepStrictEqual(hashesOf(rows), hashes));
    if (hash !== null && !isKnown) lists.set(hash, hashes);
    return hash;
  }

  function finishPage(pageId: string, node: PageNode, level: number): string {
    const rows = sides.flatMap((tree) => tree.byId.get(pageId) ?? []);
    const [row = null] = rows;
    const whole = rows.length === sides.length && rows.every(({ hash }) => hash === row?.hash) ? row : null;
    checkLevels(level, rows, whole);
    const text = texts.get(pageId);
    const { made, ...state } = stateOf(pageId, node, { rows, text, now });
    if (whole && isSame(whole, state)) return whole.hash;
    const childrenHash = whole ? hashTree(hashesOf(whole.pages)) : finishLevel(pageId, level + 1, made);
    const hash = hashPage(state, childrenHash);
    if (rows.some((row) => row.hash === hash)) return hash;
    pages.set(hash, { ...state, childrenHash });
    if (text !== undefined && state.documentHash !== null) documents.set(state.documentHash, text);
    return hash;
  }

  return { treeHash: finishLevel(null, 1), documents, pages, trees: lists };
}

const hashesOf = (rows: readonly PageRow[]): string[] => rows.map(({ hash }) => hash);

type State = Omit<PageState, "createdAt" | "updatedAt">;

function stateOf(
  pageId: string,
  node: PageNode,
  { rows, text, now }: { rows: readonly PageRow[]; text: string | undefined; now: Date },
): PageState & { readonly made: readonly PageRow[] } {
  const { type, title, slug, ...fields } = node.fields;
  const documentHash = text === undefined ? node.document : text === "" ? null : hashText(text);
  // `differingPages` created them from the fields of a page; values from choices are checked like edits.
  const written = { pageId, type, title, slug, fields: withoutEmpty(fields), documentHash } as State;
  checkSize(written, text);
  const { made, ...state } = withMade(written, rows);
  const same = rows.find((row) => isSame(row, state));
  const instant = now.toISOString();
  const { createdAt = instant } = same ?? rows[0] ?? {};
  return { ...state, made, createdAt, updatedAt: same?.updatedAt ?? instant };
}

/** A computed page with the result of a side with the same source, and the pages generated below it. */
function withMade(state: State, rows: readonly PageRow[]): State & { readonly made: readonly PageRow[] } {
  const { computed } = state.fields;
  const row = computed && rows.find(({ fields }) => isSameSource(fields.computed, computed));
  if (!row?.fields.computed) return { ...state, made: [] };
  const fields = { ...state.fields, computed: row.fields.computed };
  const made = row.pages.filter((below) => isMadeBelow(below, row));
  return { ...state, fields, documentHash: row.documentHash, made };
}

function isSame(one: State, other: State): boolean {
  return (
    one.title === other.title &&
    one.slug === other.slug &&
    one.type === other.type &&
    one.documentHash === other.documentHash &&
    isDeepStrictEqual(one.fields, other.fields)
  );
}

/** Omits empty fields, like edits. */
function withoutEmpty(fields: Fields): Fields {
  const isEmpty = (value: Json) =>
    value === "" || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

/** CONFLICT for two sides that exceed a limit only together. */
export function beyond(limit: string): DomainError {
  return new DomainError(
    "CONFLICT",
    `Both sides together exceed a limit of content, although each side alone does not: ${limit}.`,
  );
}

function checkCount(pages: number): void {
  if (pages > contentLimit.pages) throw beyond(`a content may have at most ${contentLimit.pages} pages`);
}

/** The subpages of `whole` are not visited: they matter only if it is deeper now than on any side. */
function checkLevels(level: number, rows: readonly PageRow[], whole: PageRow | null): void {
  const isDeeper = rows.every(({ path }) => path.split("/").length < level);
  if (isDeeper && level + (whole ? levelsOf(whole) : 1) - 1 > contentLimit.levels)
    throw beyond(`pages may have at most ${contentLimit.levels} levels`);
}

function checkSize({ title, fields }: State, text: string | undefined): void {
  if (text !== undefined && isTooLong(text)) throw beyond(`the text of the page ${title} is too long`);
  if (Object.keys(fields.variables ?? {}).length > variableLimit)
    throw beyond(`the page ${title} has more than ${variableLimit} variables`);
}
