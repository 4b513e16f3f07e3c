// Mutations on organizations.
import { limited } from "#src/graph/schema/rest-forms.ts";
import { checkEmailDomain } from "#src/features/organizations/commands/email-domains.ts";
import { createOrganization, updateOrganization } from "#src/features/organizations/commands/organization.ts";
import { pingOrganization, rotateVisitorKey } from "#src/features/organizations/commands/visit.ts";
import { organizations, organizationsOfViewer } from "#src/features/organizations/reads.ts";
import { CommunityType, OrganizationType, OrganizationUseCase, Role } from "#src/features/organizations/type/enums.ts";
import { OpensOnInput } from "#src/features/organizations/type/profile.ts";
import type { InputFields } from "#src/graph/schema/builder.ts";
import { createdPayload, defineMutation, rowPayload } from "#src/graph/schema/mutations.ts";

const kind = (t: InputFields) => ({
  type: t.field({ type: OrganizationType, description: "Its kind." }),
  useCase: t.field({ type: OrganizationUseCase, description: "What it writes; null when it does not say." }),
  communityType: t.field({
    type: CommunityType,
    description: "The kind of community that it is; only for the type `COMMUNITY`.",
  }),
});

defineMutation({
  name: "createOrganization",
  reach: "account",
  description: "Creates an organization, with the viewer as its admin.",
  input: (t) => ({
    title: t.string({ required: true, description: "Its name, 1 to 255 characters." }),
    hostname: t.string({
      description: "Default hostname of its public content, which nobody else has; made of the title when left out.",
    }),
    emailDomains: t.stringList({
      description:
        "E-mail domains of its people: at most 100, none twice. Each counts once the DNS has the record of `emailDomainClaims`. Reserved and public mail domains are refused.",
    }),
    defaultRole: t.field({ type: Role, description: "Role of new members; null or left out makes them guests." }),
    ...kind(t),
  }),
  run: (input, context) => createOrganization(context, input),
  payload: createdPayload("organization", organizationsOfViewer, {
    description: "The new organization.",
    in: "Query.organizations",
  }),
});

defineMutation({
  name: "updateOrganization",
  description: "Changes the settings of an organization that are given, and leaves the others alone. For its admins.",
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    title: t.string({ description: "Its name, 1 to 255 characters." }),
    emailDomains: t.stringList({
      description:
        "E-mail domains of its people, instead of those of now: at most 100, none twice. Each counts once the DNS has the record of `emailDomainClaims`. Reserved and public mail domains are refused.",
    }),
    hostname: t.string({ description: "Default hostname of its public content, which nobody else has." }),
    defaultRole: t.field({ type: Role, description: "Role of new members; null makes them guests." }),
    opensOn: t.field({ type: OpensOnInput, description: "What its public content opens on; null for nothing." }),
    logo: t.string({
      extensions: limited({ format: "uri" }),
      description: "Address of its logo, with https or http; null for none.",
    }),
    sso: t.boolean({
      description:
        "Whether people of the e-mail domains that count for it sign in by single sign-on alone, once a provider of it is active; admins keep the way by e-mail, and API tokens are not concerned.",
    }),
    ai: t.boolean({
      description: "The setting that AI features are on; docgraph has none of its own, and only keeps it for others.",
    }),
    inviteLinksEnabled: t.boolean({ description: "Whether invite links are on." }),
    checksOutsideLinks: t.boolean({
      description: "Whether the addresses of other servers that its texts link to are looked at, once a day.",
    }),
    ...kind(t),
  }),
  run: (input, context) => updateOrganization(context, input),
  payload: rowPayload("organization", organizations, "The organization."),
});

defineMutation({
  name: "checkEmailDomain",
  description:
    "Looks at once whether the DNS has the record of an e-mail domain, by which the domain counts for the organization. NOT_FOUND for a domain that is not one of the organization's, UNAVAILABLE if the DNS gives no answer, CONFLICT if the domain counts for another organization. For its admins.",
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    domain: t.string({ required: true, description: "One of its `emailDomains`, in any letter case." }),
  }),
  run: (input, context) => checkEmailDomain(context, input),
  payload: rowPayload("organization", organizations, "The organization."),
});

defineMutation({
  name: "pingOrganization",
  description: "Records that the viewer is active now, to the minute. For everybody in the organization.",
  input: (t) => ({ organizationId: t.id({ required: true, description: "Id of the organization." }) }),
  run: ({ organizationId }, context) => pingOrganization(context, organizationId),
  payload: (t) => ({
    platformVisitorClaims: t.valueOrNull(
      "String",
      "Who the viewer is (`sub`, `email`, `name`, `organization`, `role`), as a JSON Web Token of an hour signed with the visitor key (HS256); null without a key.",
      ({ claims }) => claims,
    ),
    organization: t.row(organizations, "organizationId", "The organization."),
  }),
});

defineMutation({
  name: "rotateVisitorKey",
  description:
    "Gives an organization a new key by which the claims of its visitors are signed, in place of the one before. CONFLICT where docgraph has no `SECRETS_KEY` to keep secrets with. For its admins.",
  input: (t) => ({ organizationId: t.id({ required: true, description: "Id of the organization." }) }),
  run: ({ organizationId }, context) => rotateVisitorKey(context, organizationId),
  payload: (t) => ({
    visitorKey: t.exposeString("visitorKey", { description: "The key, which is shown in this answer only." }),
    organization: t.row(organizations, "id", "The organization."),
  }),
});
