// Three-way merge of the order of siblings, pair by pair, so that each side's rearrangement is kept.

export interface Orders {
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/**
 * Merges the orders of `kept`, the siblings that remain. The rule: of each two siblings that all sides have, the side that turned them round
 * prevails; so a page moved to the end by one side and two others swapped by the other are both as wished. Where no order can follow
 * all pairs (one side puts a page first that the other puts last) the orders contradict each other: `onConflict` says whose order to take.
 * A page that came here follows the sibling that it follows on the side that brought it: where both did, that of theirs. Where both sides
 * brought pages to one place, those of theirs come first: they are there already when ours come.
 */
export function mergeOrder(orders: Orders, kept: ReadonlySet<string>, onConflict: () => "ours" | "theirs"): string[] {
  const [inBase, inOurs, inTheirs] = [new Set(orders.base), new Set(orders.ours), new Set(orders.theirs)];
  const stays = (page: string) => kept.has(page) && inBase.has(page) && inOurs.has(page) && inTheirs.has(page);
  const [base, ours, theirs] = [orders.base.filter(stays), orders.ours.filter(stays), orders.theirs.filter(stays)];
  const merged = mergeStaying(base, ours, theirs) ?? (onConflict() === "ours" ? ours : theirs);
  const isHere = (page: string) => kept.has(page);
  const withTheirs = withFollowers(merged, orders.theirs.filter(isHere), new Set(merged));
  return withFollowers(withTheirs, orders.ours.filter(isHere), new Set(withTheirs.filter((page) => inOurs.has(page))));
}

/** The order that agrees with every pair; undefined when there is none. All three hold the same pages. */
function mergeStaying(base: readonly string[], ours: readonly string[], theirs: readonly string[]) {
  if (isSame(ours, theirs) || isSame(theirs, base)) return [...ours];
  if (isSame(ours, base)) return [...theirs];
  const [ourPlace, theirPlace] = [placesIn(ours), placesIn(theirs)];
  const ourPlaces = base.map((page) => ourPlace.get(page) ?? 0);
  const theirPlaces = base.map((page) => theirPlace.get(page) ?? 0);
  const before = new Uint32Array(base.length);
  for (let one = 0; one < base.length; one++)
    for (let other = one + 1; other < base.length; other++) {
      const isTurned =
        (ourPlaces[one] ?? 0) > (ourPlaces[other] ?? 0) || (theirPlaces[one] ?? 0) > (theirPlaces[other] ?? 0);
      const later = isTurned ? one : other;
      before[later] = (before[later] ?? 0) + 1;
    }
  // The pairs agree with one order exactly when each page has another number of pages before it.
  const merged: (string | undefined)[] = Array.from({ length: base.length });
  for (const [index, page] of base.entries()) merged[before[index] ?? 0] = page;
  return merged.every((page) => page !== undefined) ? merged : undefined;
}

const isSame = (one: readonly string[], other: readonly string[]) => one.every((page, index) => page === other[index]);
const placesIn = (order: readonly string[]) => new Map(order.map((page, index) => [page, index]));

/** Puts the pages of `source` that are no `anchors` behind the anchor that they follow there, after what stands there already. */
function withFollowers(order: readonly string[], source: readonly string[], anchors: ReadonlySet<string>): string[] {
  const followers = new Map<string | undefined, string[]>();
  let anchor: string | undefined;
  for (const page of source) {
    const behind = followers.get(anchor);
    if (anchors.has(page)) anchor = page;
    else if (behind) behind.push(page);
    else followers.set(anchor, [page]);
  }
  const merged: string[] = [];
  anchor = undefined;
  for (const page of order) {
    if (anchors.has(page)) {
      merged.push(...(followers.get(anchor) ?? []));
      anchor = page;
    }
    merged.push(page);
  }
  return [...merged, ...(followers.get(anchor) ?? [])];
}
