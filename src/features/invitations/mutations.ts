// Mutations on invitations.
import { answersWith } from "#src/domain/idempotency.ts";
import {
  acceptInvitation,
  createInvitation,
  declineInvitation,
  withdrawInvitation,
} from "#src/features/invitations/commands.ts";
import { invitationsOfOrganization } from "#src/features/invitations/reads.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { createdPayload, defineMutation, deletedPayload } from "#src/graph/schema/mutations.ts";

defineMutation({
  name: "createInvitation",
  description:
    "Invites whoever has an e-mail address to an organization, and tells them by e-mail where the gateway can send that. They are in it when they have accepted: the answer is the same whether they are known or not. The same again answers the open invitation. For admins of the organization. CONFLICT for those who are in it, and where an open invitation gives another role.",
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    email: t.string({ required: true, description: "E-mail address, in any letter case." }),
    role: t.field({
      type: Role,
      description: "The role in the organization, null for a guest; its `defaultRole` when left out.",
    }),
    expiresAt: t.field({
      type: "DateTime",
      description: "Until when it can be accepted; for two weeks when null or left out.",
    }),
  }),
  run: (input, context) => createInvitation(context, input),
  payload: createdPayload("invitation", invitationsOfOrganization, {
    description: "The invitation.",
    in: "Organization.invitations",
  }),
});

defineMutation({
  name: "withdrawInvitation",
  description:
    "Withdraws an invitation, so that it cannot be accepted; who has accepted stays. For admins of the organization.",
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    invitationId: t.id({ required: true, description: "Id of the invitation." }),
  }),
  run: (input, context) =>
    answersWith(context, { organizationId: input.organizationId }, () => withdrawInvitation(context, input)),
  payload: (t) => ({ ...deletedPayload(t), organization: t.row(organizations, "organizationId", "The organization.") }),
});

defineMutation({
  name: "acceptInvitation",
  reach: "account",
  description:
    "Makes the viewer a member of the organization that has invited their e-mail address. For those who are in it already nothing changes. NOT_FOUND for an invitation that is not theirs, was withdrawn or has expired.",
  input: (t) => ({ invitationId: t.id({ required: true, description: "Id of the invitation." }) }),
  run: ({ invitationId }, context) => acceptInvitation(context, invitationId),
  payload: (t) => ({
    organization: t.rowOrNull(
      organizations,
      "organizationId",
      "The organization that the viewer is in now; null where it opens by single sign-on alone, which is the next step then.",
    ),
  }),
});

defineMutation({
  name: "declineInvitation",
  reach: "account",
  description:
    "Declines an invitation to the viewer's e-mail address, which is gone then. Its admins hear that it was declined, and nothing of the viewer.",
  input: (t) => ({ invitationId: t.id({ required: true, description: "Id of the invitation." }) }),
  run: ({ invitationId }, context) => declineInvitation(context, invitationId),
  payload: (t) => ({ ...deletedPayload(t), viewer: t.rowOrNull(namedUsers, "userId", "The viewer.") }),
});
