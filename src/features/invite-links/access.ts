// Who may do what with invite links: organization admins make, see and delete them; whoever has one may use it.
import { DomainError } from "#src/base/errors.ts";
import type { Viewer } from "#src/access/viewer.ts";
import type { Guard } from "#src/db/page-list.ts";
import type { Action } from "#src/domain/change.ts";
import { isOrganizationAdmin } from "#src/features/organizations/access.ts";

interface Organization {
  readonly id: string;
}

/** The invite links of an organization: FORBIDDEN exactly where its flag `admin` is false. */
export const mayListInviteLinks: Guard<Organization, Viewer> = {
  columns: ["id"],
  admits({ id }, viewer) {
    if (isOrganizationAdmin(viewer, id)) return true;
    throw new DomainError("FORBIDDEN", "Only an admin of the organization may see its invite links.");
  },
};

/** Of an admin no role is above their own, so that every role may be given. */
export const mayCreateInviteLink: Action<Organization> = {
  name: "inviteLink.create",
  isAllowed: ({ viewer }, { id }) => isOrganizationAdmin(viewer, id),
  refusal: "Only an admin of the organization may create invite links.",
};

export const mayDeleteInviteLink: Action<Organization> = {
  name: "inviteLink.delete",
  isAllowed: ({ viewer }, { id }) => isOrganizationAdmin(viewer, id),
  refusal: "Only an admin of the organization may delete invite links.",
};

/** The subject is the membership that the viewer has already, if any. */
export const mayUseInviteLink: Action<{ disabled: boolean } | null> = {
  name: "inviteLink.use",
  isAllowed: (_context, membership) => !membership?.disabled,
  refusal: "Your membership of this organization is switched off.",
};
