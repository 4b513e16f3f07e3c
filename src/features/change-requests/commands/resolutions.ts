// The choices that settle conflicts, as an input brings them, and whether they do.
import { DomainError, type ErrorDetail, invalidInput } from "#src/base/errors.ts";
import { oneOf } from "#src/domain/input.ts";
import { conflictDetails } from "#src/features/change-requests/commands/describe-conflict.ts";
import type { Choice, Choices, Side } from "#src/features/content/model/merge/sides.ts";
import type { ContentMerge } from "#src/features/content/model/merge/content.ts";

/** How one conflict is settled: by a side, or by a text. Exactly one of the two. */
export interface Resolution {
  readonly conflictId: string;
  readonly choice?: Side | null | undefined;
  readonly text?: string | null | undefined;
}

/** The most resolutions at a time. */
const resolutionLimit = 10_000;

/**
 * The choices by the ids of their conflicts. INVALID_INPUT for too many, for two on one conflict, and for none or two
 * ways to settle one.
 */
export function choicesOf(resolutions: readonly Resolution[]): Choices {
  if (resolutions.length > resolutionLimit)
    throw invalidInput("resolutions", `must have at most ${resolutionLimit} entries, and has ${resolutions.length}.`);
  const choices = new Map<string, Choice>();
  for (const [index, { conflictId, choice, text }] of resolutions.entries()) {
    const at = `resolutions/${index}`;
    if (choices.has(conflictId)) throw invalidInput(`${at}/conflictId`, "must not be given twice.");
    const [name, value] = oneOf(`${at}/choice`, { choice, text });
    choices.set(conflictId, name === "choice" ? value : { text: value, at: `${at}/text` });
  }
  return choices;
}

/** CONFLICT with a detail for each choice that is of no conflict, and for each conflict that is left open. */
export function checkSettled(merge: ContentMerge, resolutions: readonly Resolution[]): void {
  const unknown = new Set(merge.unknown);
  const stale = [...resolutions.entries()].flatMap(([index, { conflictId }]): ErrorDetail[] =>
    unknown.has(conflictId)
      ? [
          {
            path: `resolutions/${index}/conflictId`,
            message: "is not the id of an open conflict: read the conflicts again.",
          },
        ]
      : [],
  );
  const chosen = new Set(resolutions.map(({ conflictId }) => conflictId));
  const open = conflictDetails(merge).map((detail, index) =>
    chosen.has(merge.conflicts[index]?.id ?? "")
      ? { ...detail, message: `${detail.message} The choice given does not settle it: choose another.` }
      : detail,
  );
  if (stale.length + open.length === 0) return;
  throw new DomainError(
    "CONFLICT",
    `Nothing was changed: ${open.length} conflicts are left open, and ${stale.length} choices are for conflicts that do not exist. Read the conflicts again.`,
    [...stale, ...open],
  );
}
