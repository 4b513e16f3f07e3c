// What a viewer may do with an organization (the flags of `permissions`; design: who may do what).
import { isAtLeast } from "#src/access/roles.ts";
import { isMember, type Viewer } from "#src/access/viewer.ts";

export interface OrganizationPermissions {
  view: boolean;
  admin: boolean;
  ownTeam: boolean;
  createContent: boolean;
  createOpenAPISpec: boolean;
  ingestConversations: boolean;
  viewBilling: boolean;
  listMembers: boolean;
  listTeams: boolean;
  listIntegrations: boolean;
}

export function organizationPermissions(
  viewer: Viewer,
  organization: { id: string; ownsTeam: boolean },
): OrganizationPermissions {
  const role = viewer.memberships.get(organization.id) ?? null;
  const member = isMember(viewer, organization.id);
  return {
    view: viewer.memberships.has(organization.id),
    admin: isAtLeast(role, "admin"),
    ownTeam: viewer.memberships.has(organization.id) && organization.ownsTeam,
    createContent: isAtLeast(role, "create"),
    createOpenAPISpec: isAtLeast(role, "create"),
    ingestConversations: isAtLeast(role, "edit"),
    viewBilling: isAtLeast(role, "admin"),
    listMembers: member,
    listTeams: member,
    listIntegrations: member,
  };
}
