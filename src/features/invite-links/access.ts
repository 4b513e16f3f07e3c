// Permissions on invite links: only admins of the organization manage them; every user with the key may use one.
import type { Action } from "#src/domain/change.ts";
import { onlyAnAdmin, organizationGuard } from "#src/features/organizations/access.ts";

export const mayListInviteLinks = organizationGuard(
  "admin",
  "Only admins of the organization may see its invite links.",
);

/** Admins have the highest role, so they may give any role. */
export const mayCreateInviteLink = onlyAnAdmin("inviteLink.create", "create invite links");
export const mayUpdateInviteLink = onlyAnAdmin("inviteLink.update", "change invite links");
export const mayDeleteInviteLink = onlyAnAdmin("inviteLink.delete", "delete invite links");

/** The subject is the existing membership of the viewer, if any. */
export const mayUseInviteLink: Action<{ disabled: boolean } | null> = {
  name: "inviteLink.use",
  isAllowed: (_context, membership) => !membership?.disabled,
  refusal: "Your membership of this organization is disabled. Ask an organization admin to enable it.",
};
