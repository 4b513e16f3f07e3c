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
    "Changes the role of a member. For admins of the organization. CONFLICT when no active admin would be left.",
  input: (t) => ({
    organizationId: t.id(organizationId),
    userId: t.id(userId),
    role: t.field({
      type: Role,
      description: "The role in the organization, null to make them a guest; unchanged when left out.",
    }),
    disabled: t.boolean({
      description:
        "Whether the membership is switched off: then they see nothing of the organization, and keep their place in it.",
    }),
    sso: t.boolean({
      description:
        "Whether they have to sign in by single sign-on alone, once a provider of the organization is active; admins keep the way by e-mail.",
    }),
  }),
  run: (input, context) => updateMember(context, input),
  payload: rowPayload("member", members, "The member."),
});

defineMutation({
  name: "setMemberSso",
  description:
    "Makes a member sign in by single sign-on alone, once a provider of the organization is active. For admins of the organization.",
  input: (t) => ({ organizationId: t.id(organizationId), userId: t.id(userId) }),
  run: (input, context) => setMemberSso(context, input),
  payload: rowPayload("member", members, "The member."),
});

defineMutation({
  name: "removeMember",
  description:
    "Removes a member from an organization, its teams, and what is granted to them in it; what they wrote stays. For its admins, and for everybody to leave, also an organization of `closedMemberships`. CONFLICT when no active admin would be left.",
  input: (t) => ({ organizationId: t.id(organizationId), userId: t.id(userId) }),
  run: (input, context) =>
    answersWith(context, { organizationId: input.organizationId }, () => removeMember(context, input)),
  payload: (t) => ({
    ...deletedPayload(t),
    organization: t.rowOrNull(organizations, "organizationId", "The organization; null when the viewer has left it."),
  }),
});
