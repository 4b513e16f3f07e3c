// Who may do what with invitations: admins of the organization make, see and withdraw them; who has the e-mail address
// accepts or declines.
import type { Action } from "#src/domain/change.ts";
import { onlyAdmins, organizationGuard } from "#src/features/organizations/access.ts";

export const mayListInvitations = organizationGuard(
  "admin",
  "Only an admin of the organization may see its invitations.",
);

/** No role is above that of an admin, so they may give every role. */
export const mayCreateInvitation = onlyAdmins("invitation.create", "invite others to it");
export const mayWithdrawInvitation = onlyAdmins("invitation.withdraw", "withdraw its invitations");

/** An invitation that was found for who it is for, with the membership that they have already, if any. */
type Answered = { readonly membership: { readonly disabled: boolean } | null };

export const mayAcceptInvitation: Action<Answered> = {
  name: "invitation.accept",
  isAllowed: (_context, { membership }) => !membership?.disabled,
  refusal: "Your membership of this organization is switched off.",
};

export const mayDeclineInvitation: Action<Answered> = {
  name: "invitation.decline",
  isAllowed: () => true, // it was found for who it is for
  refusal: "You may not decline this invitation.",
};
