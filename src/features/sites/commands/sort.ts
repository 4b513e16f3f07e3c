// Sorting all that stands on a site at once.
import { DomainError } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import type { Optional } from "#src/domain/input.ts";
import { maySortSiteStructure } from "#src/features/sites/access.ts";
import { siteInHand, type Within } from "#src/features/sites/commands/in-hand.ts";
import { onSite, rearrange } from "#src/features/sites/commands/rearrange.ts";
import { siteEvents } from "#src/features/sites/events.ts";
import { sortStructure, type WishedEntry } from "#src/features/sites/model/sort.ts";

/**
 * Sorts groups, sections and site spaces. CONFLICT when the structure has another version than `expectedVersion`, and,
 * in details, for what the order misses or adds; INVALID_INPUT for what is named twice. Needs `admin`.
 */
export async function sortSiteStructure(
  context: Context,
  input: Within & { siteId: string; structure: readonly WishedEntry[] } & Optional<{ expectedVersion: number }>,
): Promise<{ id: string }> {
  const { structure: wished, expectedVersion } = input;
  const site = await siteInHand(context, input.siteId, input);
  return rearrange(context, onSite(maySortSiteStructure, site), ({ structure, version }) => {
    sortStructure(structure, wished);
    if (expectedVersion != null && expectedVersion !== version)
      throw new DomainError(
        "CONFLICT",
        `The structure has version ${version}, not ${expectedVersion}: somebody has changed it. Read it again.`,
        [{ path: "expectedVersion", message: `is not ${version}.` }],
      );
    return {
      result: { id: site.id },
      event: { type: siteEvents.sorted, subjectId: site.id, payload: { version: version + 1 } },
    };
  });
}
