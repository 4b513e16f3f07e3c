// What a viewer may do with an organization (the flags of `permissions`; design: who may do what).
import { isAtLeast } from "#src/access/roles.ts";
import { isMember, type Viewer } from "#src/access/viewer.ts";
import type { Action } from "#src/domain/change.ts";

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
    ownTeam: member && organization.ownsTeam, // a guest may own a team, but sees none
    createContent: isAtLeast(role, "create"),
    createOpenAPISpec: isAtLeast(role, "create"),
    ingestConversations: isAtLeast(role, "edit"),
    viewBilling: isAtLeast(role, "admin"),
    listMembers: member,
    listTeams: member,
    listIntegrations: member,
  };
}

/** Whether the viewer is an admin of the organization: just when its flag `admin` is true. */
export function isOrganizationAdmin(viewer: Viewer, organizationId: string): boolean {
  return organizationPermissions(viewer, { id: organizationId, ownsTeam: false }).admin;
}

interface Organization {
  readonly id: string;
}

export const mayCreateOrganization: Action<null> = {
  name: "organization.create",
  isAllowed: () => true, // everybody who is signed in
  refusal: "You may not create organizations.",
};

export const mayUpdateOrganization: Action<Organization> = {
  name: "organization.update",
  isAllowed: ({ viewer }, { id }) => isOrganizationAdmin(viewer, id),
  refusal: "Only an admin of the organization may change its settings.",
};

export const mayRotateVisitorKey: Action<Organization> = {
  name: "organization.rotateVisitorKey",
  isAllowed: ({ viewer }, { id }) => isOrganizationAdmin(viewer, id),
  refusal: "Only an admin of the organization may change its visitor key.",
};

export const mayPingOrganization: Action<Organization> = {
  name: "organization.ping",
  isAllowed: ({ viewer }, { id }) => organizationPermissions(viewer, { id, ownsTeam: false }).view,
  refusal: "Only those who are in the organization may report their presence.",
};
