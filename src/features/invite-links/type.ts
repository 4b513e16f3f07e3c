// The GraphQL type InviteLink, and where links are asked for.
import { inviteLinks, inviteLinksOfOrganization } from "#src/features/invite-links/reads.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { Organization } from "#src/features/organizations/type/organization.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";

const InviteLink = defineNode("InviteLink", inviteLinks, {
  description: "A link by which anyone signed in joins an organization. Only its admins see it.",
  fields: (t) => ({
    organizationId: t.exposeID("organizationId", { description: "Id of the organization." }),
    role: t.expose("role", {
      type: Role,
      nullable: true,
      description: "The role of those who join by it; null makes them guests.",
    }),
    key: t.exposeString("key", { description: "Its secret part, which `useInviteLink` takes." }),
    url: t.value("String", "The link to pass on.", ["key"], ({ id, key }, { links }) =>
      links.app(`invites/${key}`, id),
    ),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was created." }),
    expiresAt: t.expose("expiresAt", {
      type: "DateTime",
      nullable: true,
      description: "When it expires; null when never.",
    }),
  }),
});

builder.prismaObjectField(Organization, "inviteLinks", (t) =>
  t.list(
    inviteLinksOfOrganization,
    "Its invite links, newest first, expired ones too. FORBIDDEN for all but its admins.",
  ),
);

builder.prismaObjectFields(InviteLink, (t) => ({
  organization: t.row(organizations, "organizationId", "The organization."),
  createdBy: t.rowOrNull(namedUsers, "createdById", "Who made it; null when the user is gone."),
}));
