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
    description: "Its name for itself, as its metadata has it.",
  }),
  ssoURL: t.string({ extensions: address, description: "Where people are sent to sign in (HTTP-Redirect)." }),
  logoutURL: t.string({
    extensions: address,
    description: "Where they are sent to sign out there, too (HTTP-Redirect).",
  }),
  certificate: t.string({
    extensions: ofLength({ max: samlLimits.certificate.max }),
    description:
      "Its certificates as PEM: one, or several one after the other while a new one takes the place of an old one. With RSA keys of 2048 bits or more.",
  }),
  defaultTeamId: t.id({ description: "Id of the team that those join who come by it for the first time." }),
  defaultRole: t.field({
    type: Role,
    description: "The role of those who come by it for the first time; guests when null.",
  }),
});

defineMutation({
  name: "createSamlProvider",
  description:
    "Adds an identity provider by which people sign in to an organization. For its admins. Its settings may follow later: `samlProviderFromMetadata` reads them.",
  input: (t) => ({
    organizationId: t.id(organizationId),
    label: t.string({
      required: true,
      extensions: ofLength(samlLimits.label),
      description: "Its name on login pages, 1 to 30 characters.",
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
    "Changes the settings of a SAML provider that are given; null empties one. With another `entityID` or `ssoURL` it is pending again. For admins of the organization.",
  input: (t) => ({
    organizationId: t.id(organizationId),
    samlProviderId: t.id(samlProviderId),
    label: t.string({
      extensions: ofLength(samlLimits.label),
      description: "Its name on login pages, 1 to 30 characters.",
    }),
    ...settings(t),
  }),
  run: (input, context) => updateSamlProvider(context, input),
  payload: rowPayload("samlProvider", samlProviders, "The provider."),
});

defineMutation({
  name: "deleteSamlProvider",
  description:
    "Deletes a SAML provider: nobody signs in by it any more. Those who came by it stay members. For admins of the organization.",
  input: (t) => ({ organizationId: t.id(organizationId), samlProviderId: t.id(samlProviderId) }),
  run: (input, context) =>
    answersWith(context, { organizationId: input.organizationId }, () => deleteSamlProvider(context, input)),
  payload: (t) => ({ ...deletedPayload(t), organization: t.row(organizations, "organizationId", "The organization.") }),
});
