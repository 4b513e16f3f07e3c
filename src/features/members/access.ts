// Permissions to list, invite, change and remove the members of an organization.
import { isMember, type Viewer } from "#src/access/viewer.ts";
import type { ListPolicy } from "#src/db/reading/page-list.ts";
import type { Action } from "#src/domain/change.ts";
import { type InOrganization, onlyAdmins, organizationGuard } from "#src/features/organizations/access.ts";

export const mayListMembers = organizationGuard("listMembers", "Guests may not see the members of an organization.");

export type SpaceOfMembers = { readonly id: string; readonly organizationId: string };

/** Viewers who may see the members of the organization may see which of them have access to a space. */
export const mayListSpaceMembers: ListPolicy<SpaceOfMembers, Viewer> = {
  columns: ["organizationId"],
  admits: ({ organizationId }, viewer) => isMember(viewer, organizationId),
  refusal: "Only members of the organization may see who has access to a space; guests may not.",
};

// Only admins give roles, and they have the highest role, so a given role never exceeds the viewer's own.

export const mayInviteMember = onlyAdmins("member.invite", "invite others to it");
export const mayUpdateMember = onlyAdmins("member.update", "change the roles of its members");
export const maySetMemberSso = onlyAdmins("memberSso.set", "set how its members sign in");
const mayRemoveOthers = onlyAdmins("member.remove", "remove others from it");

/** All users may remove themselves to leave; a token requires the scope `admin`, as for account changes. */
export const mayRemoveMember: Action<InOrganization & { readonly userId: string }> = {
  ...mayRemoveOthers,
  isAllowed: (context, member) =>
    (context.viewer.userId === member.userId && context.viewer.scope === "admin") ||
    mayRemoveOthers.isAllowed(context, member),
};
