// The rights of a viewer in an organization, which are the flags of `permissions`.
import { isAtLeast } from "#src/access/roles.ts";
import { isMember, type Viewer } from "#src/access/viewer.ts";
import type { ListPolicy } from "#src/db/reading/page-list.ts";
import { type Action, actionsOn } from "#src/domain/change.ts";

export function organizationPermissions(viewer: Viewer, id: string, ownsTeam = false) {
  const role = viewer.memberships.get(id) ?? null;
  const member = isMember(viewer, id);
  return {
    view: viewer.memberships.has(id),
    admin: isAtLeast(role, "admin"),
    ownTeam: member && ownsTeam, // a guest may own a team, but sees none
    createContent: isAtLeast(role, "create"),
    createOpenAPISpec: isAtLeast(role, "create"),
    ingestConversations: isAtLeast(role, "edit"),
    viewBilling: isAtLeast(role, "admin"),
    listMembers: member,
    listTeams: member,
    listIntegrations: member,
  };
}

export function organizationGuard(
  flag: keyof ReturnType<typeof organizationPermissions>,
  refusal: string,
): ListPolicy<{ id: string }, Viewer> {
  return { columns: ["id"], admits: ({ id }, viewer) => organizationPermissions(viewer, id)[flag], refusal };
}

export type InOrganization = { readonly organizationId: string };

export const onOrganization = actionsOn((viewer, { organizationId }: InOrganization) =>
  organizationPermissions(viewer, organizationId),
);

const forAdmins = (who: "admins" | "an admin") => (name: Action<InOrganization>["name"], what: string) =>
  onOrganization("admin", name, `Only ${who} of the organization may ${what}.`);

/** Makes actions of admins; `what` they may do is part of the refusal. */
export const onlyAdmins = forAdmins("admins");
export const onlyAnAdmin = forAdmins("an admin");

export const mayCreateOrganization: Action<null> = {
  name: "organization.create",
  isAllowed: () => true, // all signed-in users
  refusal: "You may not create organizations.",
};

export const mayUpdateOrganization = onlyAnAdmin("organization.update", "change its settings");
export const mayRotateVisitorKey = onlyAnAdmin("organization.rotateVisitorKey", "change its visitor key");

export const mayPingOrganization = onOrganization(
  "view",
  "organization.ping",
  "Only members and guests of the organization may report their presence.",
);
