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
 * Gives the structure of a site the order that is wished: of groups, sections and site spaces, in groups and sections.
 * Needs `admin` on the site.
 *
 * Throws NOT_FOUND for a site that the viewer may not see, CONFLICT when the structure has another version than
 * `expectedVersion`, and when the order misses something on the site or names something that is not, each in a detail;
 * INVALID_INPUT for what is named twice, and for site spaces at the root beside sections. Nothing is changed then.
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
