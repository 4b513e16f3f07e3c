// Mutations on invitations.
import { answersWith } from "#src/domain/idempotency.ts";
import {
  acceptInvitation,
  createInvitation,
  createInvitations,
  declineInvitation,
  inviteeLimit,
  withdrawInvitation,
} from "#src/features/invitations/commands.ts";
import { invitationsOfOrganization } from "#src/features/invitations/reads.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { namedUsers } from "#src/features/users/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { createdPayload, defineMutation, deletedPayload } from "#src/graph/schema/mutations.ts";

defineMutation({
  name: "createInvitation",
  description:
    "Invites an e-mail address to an organization, and notifies it by e-mail if the gateway can send e-mail. The user joins on acceptance; the result does not reveal whether the address has an account. A repeated call returns the open invitation. Only for admins of the organization. CONFLICT if the user already belongs to the organization, or if an open invitation has another role.",
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    email: t.string({ required: true, description: "E-mail address; case does not matter." }),
    role: t.field({
      type: Role,
      description: "Role in the organization, null for a guest; by default the `defaultRole` of the organization.",
    }),
    expiresAt: t.field({
      type: "DateTime",
      description: "Time of expiry; two weeks from now if null or omitted.",
    }),
  }),
  run: (input, context) => createInvitation(context, input),
  payload: createdPayload("invitation", invitationsOfOrganization, {
    description: "The invitation.",
    in: "Organization.invitations",
  }),
});

const InviteeInput = builder.inputType("InviteeInput", {
  description: "An e-mail address to invite.",
  fields: (t) => ({
    email: t.string({ required: true, description: "E-mail address; case does not matter." }),
    role: t.field({ type: Role, description: "Role in the organization, null for a guest; that of all by default." }),
  }),
});

defineMutation({
  name: "createInvitations",
  description:
    "Invites several e-mail addresses to an organization, as `createInvitation` does: all of them, or none if one is refused. Only for admins of the organization.",
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    people: t.field({
      type: [InviteeInput],
      required: true,
      description: `Addresses to invite: 1 to ${inviteeLimit}; a repeated one counts once.`,
    }),
    role: t.field({
      type: Role,
      description:
        "Role of the people without a role of their own, null for guests; by default the `defaultRole` of the organization.",
    }),
  }),
  run: (input, context) =>
    answersWith(context, { organizationId: input.organizationId }, () => createInvitations(context, input)),
  payload: (t) => ({
    invitedCount: t.exposeInt("invitedCount", {
      description: "Number of invited addresses, with those that had the same open invitation already.",
    }),
    organization: t.row(organizations, "organizationId", "The organization."),
  }),
});

defineMutation({
  name: "withdrawInvitation",
  description: "Withdraws an invitation that was not accepted. Only for admins of the organization.",
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
    "Accepts an invitation to the viewer's e-mail address: the viewer joins the organization. Has no effect for existing members and guests. NOT_FOUND if the invitation is not for the viewer, was withdrawn or has expired.",
  input: (t) => ({ invitationId: t.id({ required: true, description: "Id of the invitation." }) }),
  run: ({ invitationId }, context) => acceptInvitation(context, invitationId),
  payload: (t) => ({
    organization: t.rowOrNull(
      organizations,
      "organizationId",
      "The organization that the viewer joined; null if it requires single sign-on, which is the next step.",
    ),
  }),
});

defineMutation({
  name: "declineInvitation",
  reach: "account",
  description:
    "Declines and deletes an invitation to the viewer's e-mail address. Admins of the organization are notified without the identity of the viewer.",
  input: (t) => ({ invitationId: t.id({ required: true, description: "Id of the invitation." }) }),
  run: ({ invitationId }, context) => declineInvitation(context, invitationId),
  payload: (t) => ({ ...deletedPayload(t), viewer: t.rowOrNull(namedUsers, "userId", "The viewer.") }),
});
