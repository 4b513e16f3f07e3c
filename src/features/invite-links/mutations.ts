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
    "Creates a link by which people join an organization. For its admins; CONFLICT where links are turned off.",
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    role: t.field({ type: Role, description: "The role of those who join by it; guests when null or left out." }),
    expiresAt: t.field({
      type: "DateTime",
      description: "When it expires; never when null or left out. Required for the role ADMIN.",
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
    "Changes an invite link: the fields that are given. Those who have joined by it keep their role. For admins of the organization.",
  input: (t) => ({
    inviteLinkId: t.id({ required: true, description: "Id of the link." }),
    role: t.field({ type: Role, description: "The role of those who join by it; guests when null." }),
    expiresAt: t.field({
      type: "DateTime",
      description: "When it expires; never when null, which is refused for the role ADMIN.",
    }),
  }),
  run: (input, context) => updateInviteLink(context, input),
  payload: rowPayload("inviteLink", inviteLinks, "The link."),
});

defineMutation({
  name: "useInviteLink",
  reach: "account",
  description:
    "Lets the viewer join an organization by a link. For those who are in it already nothing changes. NOT_FOUND for a link that is unknown, expired or turned off.",
  input: (t) => ({ key: t.string({ required: true, description: "The `key` of the link." }) }),
  run: ({ key }, context) => useInviteLink(context, key),
  payload: (t) => ({
    organization: t.row(organizations, "organizationId", "The organization that the viewer is in now."),
  }),
});

defineMutation({
  name: "deleteInviteLink",
  description: "Deletes an invite link; those who have joined by it stay. For admins of the organization.",
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    inviteLinkId: t.id({ required: true, description: "Id of the link." }),
  }),
  run: (input, context) =>
    answersWith(context, { organizationId: input.organizationId }, () => deleteInviteLink(context, input)),
  payload: (t) => ({ ...deletedPayload(t), organization: t.row(organizations, "organizationId", "The organization.") }),
});
