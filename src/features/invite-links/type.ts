// The GraphQL type InviteLink, and the field `inviteLinks` of organizations.
import { inviteLinks, inviteLinksOfOrganization } from "#src/features/invite-links/reads.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";

const InviteLink = defineNode("InviteLink", inviteLinks, {
  description: "A link with which any signed-in user can join an organization. Visible only to its admins.",
  fields: (t) => ({
    organizationId: t.exposeID("organizationId", { description: "Id of the organization." }),
    role: t.expose("role", {
      type: Role,
      nullable: true,
      description: "Role of users who join with the link; null makes them guests.",
    }),
    key: t.exposeString("key", { description: "Secret key for `useInviteLink`." }),
    url: t.value("String", "URL to share.", ["key"], ({ id, key }, { links }) => links.app(`invites/${key}`, id)),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Time of creation." }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      nullable: true,
      description: "Time of expiry; null means never.",
    }),
  }),
});

builder.prismaObjectFields(Organization, (t) => ({
  inviteLink: t.pick(
    inviteLinksOfOrganization,
    "An invite link by its id. NOT_FOUND if it does not exist. FORBIDDEN unless you are an admin of the organization.",
  ),
  inviteLinks: t.list(
    inviteLinksOfOrganization,
    "Invite links of the organization, including expired ones, newest first. FORBIDDEN unless you are an admin of it.",
  ),
}));

builder.prismaObjectFields(InviteLink, (t) => ({
  organization: t.row(organizations, "organizationId", "The organization."),
  createdBy: t.rowOrNull(namedUsers, "createdById", "User who created it; null if deleted."),
}));
