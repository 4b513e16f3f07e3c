// The /v1 operations on single sign-on (spec 1, section 4.6).
import { teamFields } from "#src/features/teams/routes.ts";
import { defineRoutes } from "#src/rest/route.ts";

const tag = { name: "single-sign-on", description: "SAML providers and login entries." };

const providerFields = `
  fragment SamlProviderFields on SamlProvider {
    object id label ssoURL entityID certificate
    defaultTeam { ...TeamFields }
    defaultRole createdAt status
    service { acsURL startURL entityID }
    urls { location }
  }
  ${teamFields}
`;

const provider = "/v1/orgs/{organizationId}/saml/{samlProviderId}";

const settings = {
  entityID: { description: "Entity id of the provider, as in its metadata.", notNull: true },
  certificate: { description: "Its certificates as concatenated PEM.", notNull: true },
  ssoURL: { description: "Sign-in address.", notNull: true },
  defaultTeam: { description: "Team that new users join.", notNull: true },
  defaultRole: "Role of new users at their first sign-in; null makes them guests.",
} as const;

export const samlRoutes = defineRoutes(() => tag, {
  listSamlProviders: {
    request: "GET /v1/orgs/{organizationId}/saml",
    summary: "List the SAML providers of an organization",
    list: true,
    answer: ["organization", "samlProviders"],
    fields: providerFields,
  },
  createSamlProvider: {
    request: "POST /v1/orgs/{organizationId}/saml",
    summary: "Add a SAML provider",
    body: { label: "Name on login pages.", ...settings },
    success: 201,
    answer: ["createSamlProvider", "samlProvider"],
    fields: providerFields,
  },
  getSamlProvider: {
    request: `GET ${provider}`,
    summary: "Get a SAML provider",
    answer: ["organization", "samlProvider"],
    named: { id: "samlProviderId" },
    fields: providerFields,
  },
  updateSamlProvider: {
    request: `PATCH ${provider}`,
    summary: "Change a SAML provider",
    body: { label: { description: "Name on login pages.", notNull: true }, ...settings },
    answer: ["updateSamlProvider", "samlProvider"],
    fields: providerFields,
  },
  deleteSamlProvider: {
    request: `DELETE ${provider}`,
    summary: "Delete a SAML provider",
    answer: ["deleteSamlProvider", "deletedId"],
  },
  listSsoLogins: {
    request: "GET /v1/orgs/{organizationId}/sso",
    summary: "List the single sign-on options of an organization",
    openToVisitors: true,
    answer: [],
    document:
      "query ($organizationId: ID!) { items: ssoLogins(organizationId: $organizationId) { id label startURL } }",
  },
});
