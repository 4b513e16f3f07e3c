// Who may do what with invite links: organization admins make, see and delete them; whoever has one may use it.
import { DomainError } from "#src/base/errors.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { Action } from "#src/domain/change.ts";
import { isOrganizationAdmin } from "#src/features/organizations/access.ts";

interface Organization {
  readonly id: string;
}

/** Throws FORBIDDEN for those who may not see the invite links of the organization: just when its flag `admin` is false. */
export function requireListInviteLinks(viewer: Viewer, { id }: Organization): void {
  if (isOrganizationAdmin(viewer, id)) return;
  throw new DomainError("FORBIDDEN", "Only an admin of the organization may see its invite links.");
}

/** Of an admin no role is above their own, so that every role may be given. */
export const creation: Action<Organization> = {
  name: "inviteLink.create",
  isAllowed: ({ viewer }, { id }) => isOrganizationAdmin(viewer, id),
  refusal: "Only an admin of the organization may create invite links.",
};

export const deletion: Action<Organization> = {
  name: "inviteLink.delete",
  isAllowed: ({ viewer }, { id }) => isOrganizationAdmin(viewer, id),
  refusal: "Only an admin of the organization may delete invite links.",
};

/** The subject is the membership that the viewer has already, if any. */
export const use: Action<{ disabled: boolean } | null> = {
  name: "inviteLink.use",
  isAllowed: (_context, membership) => !membership?.disabled,
  refusal: "Your membership of this organization is switched off.",
};
