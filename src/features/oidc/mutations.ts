// Mutations on OpenID providers.
import { answersWith } from "#src/domain/idempotency.ts";
import { createOidcProvider, deleteOidcProvider, updateOidcProvider } from "#src/features/oidc/commands/providers.ts";
import { oidcLimits } from "#src/features/oidc/model/limits.ts";
import { oidcProviders, oidcProvidersOfOrganization } from "#src/features/oidc/reads.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import type { InputFields } from "#src/graph/schema/builder.ts";
import { createdPayload, defineMutation, deletedPayload, rowPayload } from "#src/graph/schema/mutations.ts";
import { limited, ofLength } from "#src/graph/schema/rest-forms.ts";

const organizationId = { required: true, description: "Id of the organization." } as const;
const oidcProviderId = { required: true, description: "Id of the provider." } as const;

const identity = (t: InputFields, required: boolean) => ({
  label: t.string({
    required,
    extensions: ofLength(oidcLimits.label),
    description: "Name on login pages, 1 to 30 characters.",
  }),
  issuer: t.string({
    required,
    extensions: limited({ format: "uri", maxLength: 2048 }),
    description:
      "Issuer, such as `https://login.example.com`. INVALID_INPUT if the configuration of a provider cannot be read below it.",
  }),
  clientId: t.string({
    required,
    extensions: ofLength(oidcLimits.clientId),
    description: "The id of docgraph at the provider.",
  }),
  clientSecret: t.string({
    extensions: ofLength(oidcLimits.clientSecret),
    description: "The secret of docgraph at the provider; none for public clients. It is stored encrypted.",
  }),
  defaultTeamId: t.id({ description: "Id of the team that new users join at their first sign-in." }),
  defaultRole: t.field({
    type: Role,
    description: "The role of new users at their first sign-in; null makes them guests.",
  }),
});

defineMutation({
  name: "createOidcProvider",
  description:
    "Adds an OpenID provider (OpenID Connect) for sign-in to an organization. Register `service` of the result there. For admins of the organization.",
  input: (t) => ({ organizationId: t.id(organizationId), ...identity(t, true) }),
  run: (input, context) => createOidcProvider(context, input as Parameters<typeof createOidcProvider>[1]),
  payload: createdPayload("oidcProvider", oidcProvidersOfOrganization, {
    description: "The new provider.",
    in: "Organization.oidcProviders",
  }),
});

defineMutation({
  name: "updateOidcProvider",
  description:
    "Changes the given settings of an OpenID provider; null clears a setting. With another `issuer` or `clientId` it is another provider: its sessions end, and its users are found by their e-mail addresses again. For admins of the organization.",
  input: (t) => ({
    organizationId: t.id(organizationId),
    oidcProviderId: t.id(oidcProviderId),
    ...identity(t, false),
  }),
  run: (input, context) => updateOidcProvider(context, input),
  payload: rowPayload("oidcProvider", oidcProviders, "The provider."),
});

defineMutation({
  name: "deleteOidcProvider",
  description:
    "Deletes an OpenID provider, and ends its sessions. Its users stay members. For admins of the organization.",
  input: (t) => ({ organizationId: t.id(organizationId), oidcProviderId: t.id(oidcProviderId) }),
  run: (input, context) =>
    answersWith(context, { organizationId: input.organizationId }, () => deleteOidcProvider(context, input)),
  payload: (t) => ({ ...deletedPayload(t), organization: t.row(organizations, "organizationId", "The organization.") }),
});
