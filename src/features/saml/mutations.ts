// Mutations on SAML providers.
import { answersWith } from "#src/domain/idempotency.ts";
import { Role } from "#src/features/organizations/type/enums.ts";
import { organizations } from "#src/features/organizations/reads.ts";
import { createSamlProvider, deleteSamlProvider, updateSamlProvider } from "#src/features/saml/commands/providers.ts";
import { samlLimits } from "#src/features/saml/model/limits.ts";
import { samlProviders, samlProvidersOfOrganization } from "#src/features/saml/reads.ts";
import type { InputFields } from "#src/graph/schema/builder.ts";
import { createdPayload, defineMutation, deletedPayload, rowPayload } from "#src/graph/schema/mutations.ts";
import { limited, ofLength } from "#src/graph/schema/rest-forms.ts";

const organizationId = { required: true, description: "Id of the organization." } as const;
const samlProviderId = { required: true, description: "Id of the provider." } as const;
const address = limited({ format: "uri", maxLength: 2048 });

const settings = (t: InputFields) => ({
  entityID: t.string({
    extensions: ofLength({ max: samlLimits.entityID.max }),
    description: "Entity id of the provider, as in its metadata.",
  }),
  ssoURL: t.string({ extensions: address, description: "Sign-in address (HTTP-Redirect)." }),
  logoutURL: t.string({
    extensions: address,
    description: "Single logout address (HTTP-Redirect).",
  }),
  certificate: t.string({
    extensions: ofLength({ max: samlLimits.certificate.max }),
    description:
      "Its certificates as PEM: one, or several concatenated ones during a rollover. With RSA keys of at least 2048 bits.",
  }),
  defaultTeamId: t.id({ description: "Id of the team that new users join at their first sign-in." }),
  defaultRole: t.field({
    type: Role,
    description: "The role of new users at their first sign-in; null makes them guests.",
  }),
});

defineMutation({
  name: "createSamlProvider",
  description:
    "Adds a SAML identity provider for sign-in to an organization. Its settings may be set later; `samlProviderFromMetadata` reads them from metadata. For admins of the organization.",
  input: (t) => ({
    organizationId: t.id(organizationId),
    label: t.string({
      required: true,
      extensions: ofLength(samlLimits.label),
      description: "Name on login pages, 1 to 30 characters.",
    }),
    ...settings(t),
  }),
  run: (input, context) => createSamlProvider(context, input),
  payload: createdPayload("samlProvider", samlProvidersOfOrganization, {
    description: "The new provider.",
    in: "Organization.samlProviders",
  }),
});

defineMutation({
  name: "updateSamlProvider",
  description:
    "Changes the given settings of a SAML provider; null clears a setting. With another `entityID` or `ssoURL` it becomes pending again. For admins of the organization.",
  input: (t) => ({
    organizationId: t.id(organizationId),
    samlProviderId: t.id(samlProviderId),
    label: t.string({
      extensions: ofLength(samlLimits.label),
      description: "Name on login pages, 1 to 30 characters.",
    }),
    ...settings(t),
  }),
  run: (input, context) => updateSamlProvider(context, input),
  payload: rowPayload("samlProvider", samlProviders, "The provider."),
});

defineMutation({
  name: "deleteSamlProvider",
  description:
    "Deletes a SAML provider, which can no longer be used to sign in. Its users stay members. For admins of the organization.",
  input: (t) => ({ organizationId: t.id(organizationId), samlProviderId: t.id(samlProviderId) }),
  run: (input, context) =>
    answersWith(context, { organizationId: input.organizationId }, () => deleteSamlProvider(context, input)),
  payload: (t) => ({ ...deletedPayload(t), organization: t.row(organizations, "organizationId", "The organization.") }),
});
