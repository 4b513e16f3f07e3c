// Who may do what with invite links: organization admins make, see and delete them; everybody who has one may use it.
import type { Action } from "#src/domain/change.ts";
import { onlyAnAdmin, organizationGuard } from "#src/features/organizations/access.ts";

export const mayListInviteLinks = organizationGuard(
  "admin",
  "Only an admin of the organization may see its invite links.",
);

/** No role is above that of an admin, so they may give every role. */
export const mayCreateInviteLink = onlyAnAdmin("inviteLink.create", "create invite links");
export const mayUpdateInviteLink = onlyAnAdmin("inviteLink.update", "change invite links");
export const mayDeleteInviteLink = onlyAnAdmin("inviteLink.delete", "delete invite links");

/** The subject is the membership that the viewer has already, if any. */
export const mayUseInviteLink: Action<{ disabled: boolean } | null> = {
  name: "inviteLink.use",
  isAllowed: (_context, membership) => !membership?.disabled,
  refusal: "Your membership of this organization is switched off.",
};
