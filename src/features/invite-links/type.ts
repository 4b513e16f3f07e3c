// The GraphQL type InviteLink.
import { inviteLinks } from "#src/features/invite-links/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";

export const InviteLink = defineNode("InviteLink", inviteLinks, {
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
