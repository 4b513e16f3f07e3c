// Mutations on invite links.
import { answersWith } from "#src/domain/idempotency.ts";
import {
  createInviteLink,
  deleteInviteLink,
  updateInviteLink,
  useInviteLink,
} from "#src/features/invite-links/commands.ts";
import { inviteLinks, inviteLinksOfOrganization } from "#src/features/invite-links/reads.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { createdPayload, defineMutation, deletedPayload, rowPayload } from "#src/graph/schema/mutations.ts";

defineMutation({
  name: "createInviteLink",
  description:
    "Creates a link with which users join an organization. Only for its admins. CONFLICT if invite links are turned off.",
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    role: t.field({
      type: Role,
      description: "Role of users who join with the link; null or omitted makes them guests.",
    }),
    expiresAt: t.field({
      type: "DateTime",
      description: "Time of expiry; null or omitted means never. Required for the role ADMIN.",
    }),
  }),
  run: (input, context) => createInviteLink(context, input),
  payload: createdPayload("inviteLink", inviteLinksOfOrganization, {
    description: "The new link.",
    in: "Organization.inviteLinks",
  }),
});

defineMutation({
  name: "updateInviteLink",
  description:
    "Changes an invite link; omitted fields stay unchanged. Users who joined with it keep their role. Only for admins of the organization.",
  input: (t) => ({
    inviteLinkId: t.id({ required: true, description: "Id of the link." }),
    role: t.field({ type: Role, description: "Role of users who join with the link; null makes them guests." }),
    expiresAt: t.field({
      type: "DateTime",
      description: "Time of expiry; null means never, which is INVALID_INPUT for the role ADMIN.",
    }),
  }),
  run: (input, context) => updateInviteLink(context, input),
  payload: rowPayload("inviteLink", inviteLinks, "The link."),
});

defineMutation({
  name: "useInviteLink",
  reach: "account",
  description:
    "Joins an organization with an invite link. Has no effect for existing members and guests. NOT_FOUND if the link does not exist, has expired or is turned off.",
  input: (t) => ({ key: t.string({ required: true, description: "The `key` of the link." }) }),
  run: ({ key }, context) => useInviteLink(context, key),
  payload: (t) => ({
    organization: t.row(organizations, "organizationId", "The organization that the viewer joined."),
  }),
});

defineMutation({
  name: "deleteInviteLink",
  description: "Deletes an invite link; users who joined with it stay. Only for admins of the organization.",
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    inviteLinkId: t.id({ required: true, description: "Id of the link." }),
  }),
  run: (input, context) =>
    answersWith(context, { organizationId: input.organizationId }, () => deleteInviteLink(context, input)),
  payload: (t) => ({ ...deletedPayload(t), organization: t.row(organizations, "organizationId", "The organization.") }),
});
