// What the visibility of a space needs: a collection around it, or the secret key of its link.
import { randomBytes } from "node:crypto";
import { invalidInput } from "#src/base/errors.ts";
import type { SpaceVisibility } from "#src/generated/prisma/enums.ts";

/**
 * The columns of a visibility. A share link gets a new secret each time. INVALID_INPUT for `in_collection` at the top
 * of an organization.
 */
export function asVisible(
  visibility: SpaceVisibility,
  parentId: string | null,
): { visibility: SpaceVisibility; shareKey: string | null } {
  if (visibility === "in_collection" && parentId === null) {
    throw invalidInput("visibility", "must not be in-collection for a space that is in no collection.");
  }
  return { visibility, shareKey: visibility === "share_link" ? randomBytes(24).toString("base64url") : null };
}

/**
 * The visibility that a space keeps in a new place: at the top of an organization, what was visible with its collection
 * becomes private.
 */
export function keepVisible(visibility: SpaceVisibility, parentId: string | null): SpaceVisibility {
  return visibility === "in_collection" && parentId === null ? "private" : visibility;
}
