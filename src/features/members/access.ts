// Who may list, invite, change and remove the members of an organization (design: who may do what).
import type { Viewer } from "#src/access/viewer.ts";
import { DomainError } from "#src/base/errors.ts";
import type { Guard } from "#src/db/page-list.ts";
import type { Action } from "#src/domain/change.ts";
import { organizationPermissions } from "#src/features/organizations/access.ts";

/** The members of an organization: FORBIDDEN exactly where its flag `listMembers` is false. */
export const mayListMembers: Guard<{ id: string }, Viewer> = {
  columns: ["id"],
  admits({ id }, viewer) {
    if (organizationPermissions(viewer, { id, ownsTeam: false }).listMembers) return true;
    throw new DomainError("FORBIDDEN", "Guests may not see the members of an organization.");
  },
};

interface InOrganization {
  readonly organizationId: string;
}

/** Those who give roles are admins, and no role is above that: so nobody gives one above their own. */
const isOrganizationAdmin: Action<InOrganization>["isAllowed"] = ({ viewer }, { organizationId: id }) =>
  organizationPermissions(viewer, { id, ownsTeam: false }).admin;

/** Stands on the flag `admin` of the organization. */
export const mayInviteMember: Action<InOrganization> = {
  name: "member.invite",
  isAllowed: isOrganizationAdmin,
  refusal: "Only admins of the organization may invite others to it.",
};

/** Stands on the flag `admin` of the organization. */
export const mayUpdateMember: Action<InOrganization> = {
  name: "member.update",
  isAllowed: isOrganizationAdmin,
  refusal: "Only admins of the organization may change the roles of its members.",
};

/** Stands on the flag `admin` of the organization. */
export const maySetMemberSso: Action<InOrganization> = {
  name: "memberSso.set",
  isAllowed: isOrganizationAdmin,
  refusal: "Only admins of the organization may say how its members sign in.",
};

/** Stands on the flag `admin` of the organization; everybody may remove themself, which is to leave. */
export const mayRemoveMember: Action<InOrganization & { readonly userId: string }> = {
  name: "member.remove",
  isAllowed: (context, member) => context.viewer.userId === member.userId || isOrganizationAdmin(context, member),
  refusal: "Only admins of the organization may remove others from it.",
};
