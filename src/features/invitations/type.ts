// The GraphQL type Invitation.
import { invitations } from "#src/features/invitations/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { defineNode } from "#src/graph/schema/nodes.ts";

export const Invitation = defineNode("Invitation", invitations, {
  description:
    "An invitation of an e-mail address to an organization. Visible to admins of the organization and to the invited user.",
  fields: (t) => ({
    organizationId: t.exposeID("organizationId", { description: "Id of the organization." }),
    email: t.exposeString("email", {
      description: "Invited e-mail address, in lower case. It may or may not have an account.",
    }),
    role: t.expose("role", {
      type: Role,
      nullable: true,
      description: "Role of the user after acceptance; null for a guest.",
    }),
    createdAt: t.expose("createdAt", { type: "DateTime", description: "Time of creation." }),
    expiresAt: t.expose("expiresAt", { type: "DateTime", description: "Time of expiry." }),
  }),
});
