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
  type: t.field({ type: OrganizationType, description: "Type." }),
  useCase: t.field({ type: OrganizationUseCase, description: "Use case; null if unspecified." }),
  communityType: t.field({
    type: CommunityType,
    description: "Type of the community; only for the type `COMMUNITY`.",
  }),
});

defineMutation({
  name: "createOrganization",
  reach: "account",
  description: "Creates an organization, with the viewer as its admin.",
  input: (t) => ({
    title: t.string({ required: true, description: "Name, 1 to 255 characters." }),
    hostname: t.string({
      description:
        "Default hostname of its public content, unique among all organizations; derived from the title by default.",
    }),
    emailDomains: t.stringList({
      description:
        "E-mail domains of its people: at most 100, without repeats. Each is verified once the DNS has the record of `emailDomainClaims`. INVALID_INPUT for reserved and public mail domains.",
    }),
    defaultRole: t.field({ type: Role, description: "Role of new members; null, the default, makes them guests." }),
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
  description: "Changes the given settings of an organization. For its admins.",
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    title: t.string({ description: "Name, 1 to 255 characters." }),
    emailDomains: t.stringList({
      description:
        "E-mail domains of its people, which replace the current ones: at most 100, without repeats. Each is verified once the DNS has the record of `emailDomainClaims`. INVALID_INPUT for reserved and public mail domains.",
    }),
    hostname: t.string({ description: "Default hostname of its public content, unique among all organizations." }),
    defaultRole: t.field({ type: Role, description: "Role of new members; null makes them guests." }),
    opensOn: t.field({ type: OpensOnInput, description: "Default content of its public pages; null removes it." }),
    logo: t.string({
      extensions: limited({ format: "uri" }),
      description: "Address of its logo, with https or http; null removes it.",
    }),
    sso: t.boolean({
      description:
        "Whether users of its verified e-mail domains may sign in only by single sign-on while one of its identity providers is active. Admins may still sign in by e-mail; API tokens are not affected.",
    }),
    ai: t.boolean({
      description:
        "Whether AI features are on. docgraph only stores this setting for other services, and has no AI features.",
    }),
    inviteLinksEnabled: t.boolean({ description: "Whether invite links are on." }),
    checksOutsideLinks: t.boolean({
      description: "Whether external links in its texts are checked once a day.",
    }),
    ...kind(t),
  }),
  run: (input, context) => updateOrganization(context, input),
  payload: rowPayload("organization", organizations, "The organization."),
});

defineMutation({
  name: "checkEmailDomain",
  description:
    "Checks now whether the DNS has the record of an e-mail domain, which verifies the domain for the organization. NOT_FOUND if the domain is not one of the organization's, UNAVAILABLE if the DNS does not answer, CONFLICT if another organization has verified the domain. For its admins.",
  input: (t) => ({
    organizationId: t.id({ required: true, description: "Id of the organization." }),
    domain: t.string({ required: true, description: "One of its `emailDomains`, case-insensitive." }),
  }),
  run: (input, context) => checkEmailDomain(context, input),
  payload: rowPayload("organization", organizations, "The organization."),
});

defineMutation({
  name: "pingOrganization",
  description:
    "Records that the viewer is active now, with the precision of a minute. For members and guests of the organization.",
  input: (t) => ({ organizationId: t.id({ required: true, description: "Id of the organization." }) }),
  run: ({ organizationId }, context) => pingOrganization(context, organizationId),
  payload: (t) => ({
    platformVisitorClaims: t.valueOrNull(
      "String",
      "Claims about the viewer (`sub`, `email`, `name`, `organization`, `role`) as a JSON Web Token, valid for an hour and signed with the visitor key (HS256); null without a key.",
      ({ claims }) => claims,
    ),
    organization: t.row(organizations, "organizationId", "The organization."),
  }),
});

defineMutation({
  name: "rotateVisitorKey",
  description:
    "Replaces the visitor key of an organization, which signs the claims of its members. CONFLICT if the gateway has no `SECRETS_KEY` to encrypt secrets with. For its admins.",
  input: (t) => ({ organizationId: t.id({ required: true, description: "Id of the organization." }) }),
  run: ({ organizationId }, context) => rotateVisitorKey(context, organizationId),
  payload: (t) => ({
    visitorKey: t.exposeString("visitorKey", { description: "The key, which is returned in this response only." }),
    organization: t.row(organizations, "id", "The organization."),
  }),
});
