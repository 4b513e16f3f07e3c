// The page of a SAML provider: its settings, what to enter at the provider, a test sign-in, and its deletion.
import {
  type OrganizationFrame,
  organizationFrame,
  organizationPage,
} from "#src/features/organizations/views/organization-frame.ts";
import { providerFields, type ProviderSettings, settingsIn } from "#src/features/saml/views/provider-fields.ts";
import { type AppFrame, appFrame } from "#src/features/users/views/app-frame.ts";
import { confirmed, tableOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { formOf, problemOf } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Page } from "#src/pages/page.ts";

interface Provider extends ProviderSettings {
  readonly id: string;
  readonly status: string;
  readonly warnings: readonly string[];
  readonly service: { readonly acsURL: string; readonly entityID: string; readonly startURL: string };
}

interface Answer extends AppFrame {
  readonly organization: OrganizationFrame & { readonly samlProvider: Provider | null };
}

const providerIn = ({ named }: Asked) => ({ organizationId: named["org"], samlProviderId: named["provider"] });

export const providerPage: Page = definePage<Answer>({
  path: "/app/orgs/:org/single-sign-on/:provider",
  query: `query Provider($org: ID!, $provider: ID!) {
    organization(id: $org) {
      ...OrganizationFrame
      samlProvider(id: $provider) {
        id label status warnings entityID ssoURL logoutURL certificate defaultRole
        service { acsURL entityID startURL }
      }
    }
    ...AppFrame
  } ${organizationFrame} ${appFrame}`,
  variables: ({ named: { org, provider } }) => ({ org, provider }),
  view: (answer, asked) => {
    const { samlProvider } = answer.organization;
    if (!samlProvider) return null;
    const { label } = samlProvider;
    return organizationPage(answer, { tab: "Single sign-on", title: label, main: mainOf(samlProvider, asked) });
  },
  forms: {
    update: defineForm({
      mutation: `mutation SaveProvider($input: UpdateSamlProviderInput!) {
        updateSamlProvider(input: $input) { samlProvider { id } }
      }`,
      variables: (fields, asked) => ({ input: { ...providerIn(asked), ...settingsIn(fields) } }),
      then: (_answer, { root }) => root,
    }),
    delete: defineForm({
      mutation: `mutation DeleteProvider($input: DeleteSamlProviderInput!) {
        deleteSamlProvider(input: $input) { deletedId }
      }`,
      variables: (_fields, asked) => ({ input: providerIn(asked) }),
      then: (_answer, { named }) => `/app/orgs/${named["org"]}/single-sign-on`,
    }),
  },
});

const mainOf = (provider: Provider, asked: Asked): Html =>
  html`<h2>${provider.label}</h2>
    ${provider.warnings.map((warning) => html`<p class="problem">${warning}</p>`)}
    <p><a href="${provider.service.startURL}">Test the sign-in</a></p>
    <h3>To enter at the provider</h3>
    ${tableOf(
      "Settings of docgraph",
      ["Setting", "Value"],
      [
        valueRow("Entity id", provider.service.entityID),
        valueRow("Address for responses (ACS)", provider.service.acsURL),
        valueRow("Start of a sign-in", provider.service.startURL),
      ],
    )}
    <h3>From the provider</h3>
    ${problemOf(asked, "update")}
    ${formOf("update", html`${providerFields("update", provider, asked)}<button>Save</button>`, { style: "stacked" })}
    ${problemOf(asked, "delete")} ${deletion(provider)}`;

const valueRow = (name: string, value: string): Html =>
  html`<tr>
    <td class="tight">${name}</td>
    <td class="wide"><span class="address">${value}</span></td>
  </tr>`;

const deletion = ({ label }: Provider): Html =>
  confirmed(
    "Delete this provider…",
    formOf(
      "delete",
      html`<p>Nobody can sign in by ${label} then.</p>
        <button>Delete ${label}</button>`,
      { style: "danger" },
    ),
  );
