// The positions of merged pages: each page under an existing parent, without cycles and duplicate slugs of siblings.
import type { Disagreement, Merging, Settlement } from "#src/features/content/model/merge/merging.ts";
import { otherSide, type Side } from "#src/features/content/model/merge/sides.ts";
import { freeSlug } from "#src/base/text/slugs.ts";

/** Resolves orphaned pages and cycles. Without a choice, parents are restored, and cycles use our parents. */
export function settlePositions(merging: Merging): void {
  const dropped = new Map<string, Side>();
  const usedChoices = new Set<string>();
  for (let cycles: string[][] | null = null; cycles === null || cycles.length > 0;) {
    for (const cycle of cycles ?? []) breakCycle(merging, cycle, usedChoices);
    let orphans: string[];
    do {
      orphans = [...merging.changed].filter((page) => isOrphan(merging, page));
      for (const page of orphans) adopt(merging, page, dropped, usedChoices);
    } while (orphans.length > 0);
    cycles = findCycles(merging);
  }
}

function isOrphan({ pages }: Merging, page: string): boolean {
  const parent = pages.get(page)?.parent ?? null;
  return parent !== null && !pages.has(parent);
}

/**
 * Each orphan is resolved separately. `dropped`: new pages that a choice dropped, with the side. `usedChoices`:
 * conflicts whose choice was used; if they recur they stay open, so that choices cannot undo each other forever.
 */
function adopt(merging: Merging, page: string, dropped: Map<string, Side>, usedChoices: Set<string>): void {
  const { pages, saved, settlement } = merging;
  const node = pages.get(page);
  const parent = node?.parent ?? null;
  if (!node || parent === null) return;
  const presentOn = merging.ours.has(parent) ? "ours" : "theirs";
  const deletedBy = otherSide(presentOn);
  const decided = saved.has(page) ? presentOn : dropped.get(parent);
  const conflict = { kind: "into-deleted", page, parent, deletedBy } as const;
  const chosen = decided ?? settleOnce(settlement, conflict, usedChoices) ?? presentOn;
  if (chosen === presentOn) bringBack(merging, parent, presentOn);
  else {
    const there = merging[deletedBy].get(page);
    if (there) pages.set(page, { ...node, parent: there.parent });
    else {
      pages.delete(page);
      dropped.set(page, deletedBy);
    }
  }
}

function bringBack({ pages, saved, changed, ...trees }: Merging, page: string, presentOn: Side): void {
  const node = trees[presentOn].get(page);
  if (!node) return;
  pages.set(page, node);
  changed.add(page);
  saved.set(page, presentOn);
}

/** Cycles of pages, each sorted by id. Only changed pages can be in one. */
function findCycles({ pages, changed }: Merging): string[][] {
  const cycles: string[][] = [];
  const isClear = new Set<string>();
  for (const start of changed) {
    const way = new Set<string>();
    let page: string | null = pages.has(start) ? start : null;
    while (page !== null && !isClear.has(page) && !way.has(page)) {
      way.add(page);
      page = pages.get(page)?.parent ?? null;
    }
    if (page !== null && way.has(page)) cycles.push([...way].slice([...way].indexOf(page)).toSorted());
    for (const passed of way) isClear.add(passed);
  }
  return cycles;
}

function settleOnce(settlement: Settlement, conflict: Disagreement, usedChoices: Set<string>): Side | undefined {
  const key = JSON.stringify(conflict);
  if (usedChoices.has(key)) {
    settlement.keepOpen(conflict);
    return undefined;
  }
  usedChoices.add(key);
  const choice = settlement.settle(conflict);
  return typeof choice === "string" ? choice : undefined;
}

function breakCycle(
  { pages, settlement, ...trees }: Merging,
  cycle: readonly string[],
  usedChoices: Set<string>,
): void {
  const side = settleOnce(settlement, { kind: "cycle", page: cycle[0] ?? "", pages: cycle }, usedChoices) ?? "ours";
  for (const page of cycle) {
    const node = pages.get(page);
    const there = trees[side].get(page);
    if (node && there) pages.set(page, { ...node, parent: there.parent });
  }
}

export function settleSlugs(merging: Merging): void {
  const { pages, changed } = merging;
  const parents = new Set([...changed].flatMap((page) => pages.get(page)?.parent ?? (pages.has(page) ? [null] : [])));
  const siblings = new Map([...parents].map((parent) => [parent, new Map<string, string>()]));
  const placed = [...pages].flatMap(([page, { parent, fields }]) => {
    const [taken, slug] = [siblings.get(parent), fields["slug"]];
    return taken && typeof slug === "string" ? [{ page, parent, slug, taken }] : [];
  });
  for (const { page, slug, taken } of placed) if (!taken.has(slug)) taken.set(slug, page);
  for (const { page, parent, slug, taken } of placed) {
    const first = taken.get(slug) ?? page;
    if (first !== page) settleSlug(merging, { parent, slug, first, second: page }, taken);
  }
}

interface Clash {
  readonly parent: string | null;
  readonly slug: string;
  readonly first: string;
  readonly second: string;
}

function settleSlug(merging: Merging, { parent, slug, first, second }: Clash, taken: Map<string, string>): void {
  const isOfOurs = (page: string) => {
    const there = merging.ours.get(page);
    return there?.parent === parent && there.fields["slug"] === slug;
  };
  const [ours, theirs] = !isOfOurs(first) && isOfOurs(second) ? [second, first] : [first, second];
  const conflict = { kind: "slug", page: ours, parent, slug, ours, theirs } as const;
  const choice = merging.settlement.settle(conflict);
  if (choice === undefined) return;
  const [keeps, yields] = choice === "ours" ? [ours, theirs] : [theirs, ours];
  const given = typeof choice === "string" ? freeSlug(slug, (name) => taken.has(name)) : choice.text;
  if (taken.has(given)) {
    merging.settlement.keepOpen(conflict);
    return;
  }
  taken.set(slug, keeps);
  taken.set(given, yields);
  const node = merging.pages.get(yields);
  if (node) merging.pages.set(yields, { ...node, fields: { ...node.fields, slug: given } });
}
