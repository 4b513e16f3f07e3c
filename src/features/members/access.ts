// Who may list, invite, change and remove the members of an organization (design: who may do what).
import { isMember, type Viewer } from "#src/access/viewer.ts";
import type { ListPolicy } from "#src/db/reading/page-list.ts";
import type { Action } from "#src/domain/change.ts";
import { type InOrganization, onlyAdmins, organizationGuard } from "#src/features/organizations/access.ts";

export const mayListMembers = organizationGuard("listMembers", "Guests may not see the members of an organization.");

export type SpaceOfMembers = { readonly id: string; readonly organizationId: string };

/** Who may see the members of the organization sees who of them has access to a space. */
export const mayListSpaceMembers: ListPolicy<SpaceOfMembers, Viewer> = {
  columns: ["organizationId"],
  admits: ({ organizationId }, viewer) => isMember(viewer, organizationId),
  refusal: "Only members of its organization who are not guests may see who has access to a space.",
};

// Those who give roles are admins, and no role is above that: so nobody gives one above their own.

export const mayInviteMember = onlyAdmins("member.invite", "invite others to it");
export const mayUpdateMember = onlyAdmins("member.update", "change the roles of its members");
export const maySetMemberSso = onlyAdmins("memberSso.set", "say how its members sign in");
const mayRemoveOthers = onlyAdmins("member.remove", "remove others from it");

/** Everybody may remove themselves, which is how they leave; a token needs the scope `admin`, as for the account. */
export const mayRemoveMember: Action<InOrganization & { readonly userId: string }> = {
  ...mayRemoveOthers,
  isAllowed: (context, member) =>
    (context.viewer.userId === member.userId && context.viewer.scope === "admin") ||
    mayRemoveOthers.isAllowed(context, member),
};
