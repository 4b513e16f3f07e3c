// Trees of pages kept in memory, those used last: what stands under a hash is the same at any time, in any database and for everybody.
import type { PageRow, PageTree } from "#src/features/content/reads/pages.ts";

/** Bytes kept, more or less: some hundred contents of a hundred pages, or a few of ten thousand. */
const memoryLimit = 64 * 1024 * 1024;

/** A page without its texts: the object, its hashes, ids and times. */
const pageWeight = 800;

const weights = new Map<string, { tree: PageTree; weight: number }>();
let total = 0;

const weightOf = ({ title, path, fields }: PageRow): number =>
  pageWeight + 2 * (title.length + path.length + JSON.stringify(fields).length);

/** The tree of this hash, when it is in memory. Ask only for hashes that a visible revision named. */
export function rememberedTree(hash: string): PageTree | undefined {
  const known = weights.get(hash);
  if (!known) return undefined;
  weights.delete(hash); // the last in the map is the one used last
  weights.set(hash, known);
  return known.tree;
}

/** Keeps a tree, and drops those that were used longest ago. One that takes more than a quarter of the room is not kept. */
export function rememberTree(hash: string, tree: PageTree): void {
  if (weights.has(hash)) return;
  let weight = 0;
  for (const page of tree.byId.values()) weight += weightOf(page);
  if (weight > memoryLimit / 4) return;
  weights.set(hash, { tree, weight });
  total += weight;
  for (const [oldest, { weight: freed }] of weights) {
    if (total <= memoryLimit) break;
    weights.delete(oldest);
    total -= freed;
  }
}
