// The GraphQL type Invitation.
import { invitations } from "#src/features/invitations/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";

export const Invitation = defineNode("Invitation", invitations, {
  description:
    "An invitation of an organization to whoever has an e-mail address. Admins of the organization see it, and who it is for.",
  fields: (t) => ({
    organizationId: t.exposeID("organizationId", { description: "Id of the organization." }),
    email: t.exposeString("email", {
      description: "The e-mail address that is invited, in lower case. Nothing tells whether somebody is known by it.",
    }),
    role: t.expose("role", {
      type: Role,
      nullable: true,
      description: "The role of who accepts it; null makes them a guest.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "When it was made." }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "Until when it can be accepted." }),
  }),
});
