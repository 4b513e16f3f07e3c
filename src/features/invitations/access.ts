// Permissions on invitations: admins of the organization manage them; the user with the e-mail address accepts or
// declines.
import type { Action } from "#src/domain/change.ts";
import { onlyAdmins, organizationGuard } from "#src/features/organizations/access.ts";

export const mayListInvitations = organizationGuard(
  "admin",
  "Only admins of the organization may see its invitations.",
);

/** Admins have the highest role, so they may give any role. */
export const mayCreateInvitation = onlyAdmins("invitation.create", "invite others to it");
export const mayWithdrawInvitation = onlyAdmins("invitation.withdraw", "withdraw its invitations");

/** An invitation found for its recipient, with their existing membership, if any. */
type Answered = { readonly membership: { readonly disabled: boolean } | null };

export const mayAcceptInvitation: Action<Answered> = {
  name: "invitation.accept",
  isAllowed: (_context, { membership }) => !membership?.disabled,
  refusal: "Your membership of this organization is disabled. Ask an organization admin to enable it.",
};

export const mayDeclineInvitation: Action<Answered> = {
  name: "invitation.decline",
  isAllowed: () => true, // the query finds it only for its recipient
  refusal: "You may not decline this invitation.",
};
