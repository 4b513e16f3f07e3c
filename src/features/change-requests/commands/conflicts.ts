// Descriptions of merge conflicts, the errors that list them, and the parsed choices that resolve them.
import { holds } from "#src/base/lookup.ts";
import { DomainError, type ErrorDetail, invalidInput } from "#src/base/errors.ts";
import { oneOf, type Optional } from "#src/domain/input.ts";
import type { Conflict } from "#src/features/content/model/merge/merging.ts";
import type { ContentMerge } from "#src/features/content/model/merge/content.ts";
import type { Choice, Choices, Side } from "#src/features/content/model/merge/sides.ts";

/** Names of the sides. Everywhere: ours is the change request, theirs the main content. */
const sideNames: Readonly<Record<Side, string>> = { ours: "the change request", theirs: "the main content" };

export function describeConflict(conflict: Conflict, merge: Pick<ContentMerge, "pages" | "reusableContents">): string {
  const page = (id: string | null) => (id === null ? "the top" : `the page ${pathOf(id, merge)}`);
  const reusable = (id: string) => `the reusable content ${merge.reusableContents[id]?.title ?? id}`;
  switch (conflict.kind) {
    case "field":
      return `Both changed the ${conflict.field} of ${page(conflict.page)}.`;
    case "document":
      return `Both changed the text of ${page(conflict.page)}, ${linesOf(conflict)}.`;
    case "deleted-edited":
      return `${start(sideNames[conflict.deletedBy])} deleted ${page(conflict.page)}, which the other changed.`;
    case "both-moved":
      return `Both moved ${page(conflict.page)}: the change request to ${page(conflict.ours)}, the main content to ${page(conflict.theirs)}.`;
    case "into-deleted":
      return `${start(sideNames[conflict.deletedBy])} deleted ${page(conflict.parent)}, under which the other put ${page(conflict.page)}.`;
    case "cycle":
      return `Together, the moves of both sides form a cycle: ${conflict.pages.map(page).join(", ")}.`;
    case "slug":
      return `Both have a page with the slug ${conflict.slug} under ${page(conflict.parent)}.`;
    case "order":
      return `Both changed the order of the pages under ${page(conflict.page)}.`;
    case "variable":
      return `Both changed the variable ${conflict.name}.`;
    case "reusable-title":
      return `Both changed the title of ${reusable(conflict.reusableContent)}.`;
    case "reusable-document":
      return `Both changed the text of ${reusable(conflict.reusableContent)}, ${linesOf(conflict)}.`;
    case "reusable-deleted-edited":
      return `${start(sideNames[conflict.deletedBy])} deleted ${reusable(conflict.reusableContent)}, which the other changed.`;
  }
}

function pathOf(pageId: string, { pages }: Pick<ContentMerge, "pages">): string {
  const { theirs, ours, base } = pages?.trees ?? {};
  const tree = [theirs, ours, base].find((each) => each?.byId.has(pageId));
  return tree?.byId.get(pageId)?.path ?? pageId;
}

const linesOf = ({ oursLine, theirsLine }: { oursLine: number; theirsLine: number }): string =>
  `from line ${oursLine} in the change request and line ${theirsLine} in the main content`;

const start = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function conflictDetails(merge: ContentMerge): ErrorDetail[] {
  return merge.conflicts.map((conflict) => ({
    path: `conflicts/${conflict.id}`,
    message: describeConflict(conflict, merge),
  }));
}

export function conflictsError(merge: ContentMerge): DomainError {
  const { length } = merge.conflicts;
  const what = length === 1 ? "in one place" : `in ${length} places`;
  return new DomainError(
    "CONFLICT",
    `The change request and the main content conflict ${what}. Resolve the conflicts with the GraphQL mutation resolveConflicts, or edit the change request.`,
    conflictDetails(merge),
  );
}

export interface Resolution {
  readonly conflictId: string;
  readonly settlement: Optional<{ choice: Side; text: string }>;
}

const resolutionLimit = 10_000;

/** The choices by conflict id. INVALID_INPUT for too many, two of one conflict, or not exactly one field set. */
export function choicesOf(resolutions: readonly Resolution[]): Choices {
  if (resolutions.length > resolutionLimit)
    throw invalidInput("resolutions", `must have at most ${resolutionLimit} entries, and has ${resolutions.length}.`);
  const choices = new Map<string, Choice>();
  for (const [index, { conflictId, settlement }] of resolutions.entries()) {
    const at = `resolutions/${index}`;
    if (choices.has(conflictId)) throw invalidInput(`${at}/conflictId`, "must not be given twice.");
    const [name, value] = oneOf(`${at}/settlement`, { choice: settlement.choice, text: settlement.text });
    choices.set(conflictId, name === "choice" ? value : { text: value, at: `${at}/settlement/text` });
  }
  return choices;
}

/** CONFLICT with a detail for each choice of an unknown conflict, and for each conflict that stays open. */
export function checkSettled(merge: ContentMerge, resolutions: readonly Resolution[]): void {
  const unknown = new Set(merge.unknown);
  const message = "is not the id of an open conflict. Read the conflicts again.";
  const stale = [...resolutions.entries()]
    .filter(([, { conflictId }]) => unknown.has(conflictId))
    .map(([index]): ErrorDetail => ({ path: `resolutions/${index}/conflictId`, message }));
  const chosen = new Set(resolutions.map(({ conflictId }) => conflictId));
  const open = conflictDetails(merge).map((detail, index) =>
    holds(chosen, merge.conflicts[index]?.id)
      ? { ...detail, message: `${detail.message} Your choice does not resolve it. Make another choice.` }
      : detail,
  );
  if (stale.length + open.length === 0) return;
  throw new DomainError(
    "CONFLICT",
    `Nothing was changed: ${open.length} conflicts are still open, and ${stale.length} choices name conflicts that do not exist. Read the conflicts again.`,
    [...stale, ...open],
  );
}
