// Whether all who see one space may see another one, by the visibility of both.
import type { SpaceRow } from "#src/features/spaces/reads.ts";

type Audience = Pick<SpaceRow, "organizationId" | "visibility" | "isClosed" | "inheritedLevel">;

const isOpen = ({ visibility }: Pick<Audience, "visibility">): boolean =>
  visibility === "public" || visibility === "unlisted";

/** Whether those see it who have a link to it, or a token of a site, and are in no organization. */
const isForVisitors = ({ visibility }: Pick<Audience, "visibility">): boolean =>
  isOpen({ visibility }) || visibility === "share_link" || visibility === "visitor_auth";

/** Whether members of its organization who are no guests see it without a grant. */
const isForMembers = ({ isClosed, inheritedLevel }: Audience): boolean => !isClosed || inheritedLevel !== null;

/** Whether all who see `other` may see `space`: by visibility, not by grants; closed ones count as seen by the same. */
export function isForAllOf(space: Audience, other: Audience): boolean {
  if (isOpen(space)) return true;
  if (isForVisitors(other) || space.organizationId !== other.organizationId) return false;
  return isForMembers(space) || !isForMembers(other);
}
