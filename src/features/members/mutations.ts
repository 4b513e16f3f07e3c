// Mutations on the members of an organization.
import { answersWith } from "#src/domain/idempotency.ts";
import { removeMember, setMemberSso, updateMember } from "#src/features/members/commands.ts";
import { members } from "#src/features/members/reads.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { defineMutation, deletedPayload, rowPayload } from "#src/graph/schema/mutations.ts";

const organizationId = { required: true, description: "Id of the organization." } as const;
const userId = { required: true, description: "Id of the user." } as const;

defineMutation({
  name: "updateMember",
  description:
    "Changes a member; omitted fields stay unchanged. Only for admins of the organization. CONFLICT if no active admin would remain.",
  input: (t) => ({
    organizationId: t.id(organizationId),
    userId: t.id(userId),
    role: t.field({
      type: Role,
      description: "Role in the organization; null makes them a guest.",
    }),
    disabled: t.boolean({
      description:
        "Whether the membership is disabled: the member then has no access to the organization, but keeps the membership.",
    }),
    sso: t.boolean({
      description:
        "Whether single sign-on is required once a provider of the organization is active. Admins can still sign in by e-mail.",
    }),
  }),
  run: (input, context) => updateMember(context, input),
  payload: rowPayload("member", members, "The member."),
});

defineMutation({
  name: "setMemberSso",
  description:
    "Requires single sign-on for a member once a provider of the organization is active. Only for admins of the organization.",
  input: (t) => ({ organizationId: t.id(organizationId), userId: t.id(userId) }),
  run: (input, context) => setMemberSso(context, input),
  payload: rowPayload("member", members, "The member."),
});

defineMutation({
  name: "removeMember",
  description:
    "Removes a member with their team memberships and grants from an organization; their content stays. Only for admins of the organization, and for users who leave, including organizations in `closedMemberships`. CONFLICT if no active admin would remain.",
  input: (t) => ({ organizationId: t.id(organizationId), userId: t.id(userId) }),
  run: (input, context) =>
    answersWith(context, { organizationId: input.organizationId }, () => removeMember(context, input)),
  payload: (t) => ({
    ...deletedPayload(t),
    organization: t.rowOrNull(organizations, "organizationId", "The organization; null if the viewer left it."),
  }),
});
