// The page of an OpenID provider: its settings, what to register at the provider, a test sign-in, and its deletion.
import { openIdFields, type OpenIdFields, settingsIn } from "#src/features/oidc/views/provider-fields.ts";
import {
  type OrganizationFrame,
  organizationFrame,
  organizationPage,
} from "#src/features/organizations/views/organization-frame.ts";
import { type AppFrame, appFrame } from "#src/features/users/views/app-frame.ts";
import { confirmed, tableOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { formOf, problemOf } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Page } from "#src/pages/page.ts";

interface Provider extends OpenIdFields {
  readonly id: string;
  readonly service: Readonly<Record<"redirectURL" | "startURL" | "backchannelLogoutURL", string>>;
}

interface Answer extends AppFrame {
  readonly organization: OrganizationFrame & { readonly oidcProvider: Provider | null };
}

const providerIn = ({ named }: Asked) => ({ organizationId: named["org"], oidcProviderId: named["openIdProvider"] });

export const openIdProviderPage: Page = definePage<Answer>({
  path: "/app/orgs/:org/openid/:openIdProvider",
  query: `query OpenIdProvider($org: ID!, $provider: ID!) {
    organization(id: $org) {
      ...OrganizationFrame
      oidcProvider(id: $provider) {
        id label issuer clientId hasClientSecret defaultRole
        service { redirectURL startURL backchannelLogoutURL }
      }
    }
    ...AppFrame
  } ${organizationFrame} ${appFrame}`,
  variables: ({ named: { org, openIdProvider: provider } }) => ({ org, provider }),
  view: (answer, asked) => {
    const { oidcProvider } = answer.organization;
    if (!oidcProvider) return null;
    const main = mainOf(oidcProvider, asked);
    return organizationPage(answer, { tab: "Single sign-on", title: oidcProvider.label, main });
  },
  forms: {
    update: defineForm({
      mutation: `mutation SaveOpenIdProvider($input: UpdateOidcProviderInput!) {
        updateOidcProvider(input: $input) { oidcProvider { id } }
      }`,
      variables: (fields, asked) => ({ input: { ...providerIn(asked), ...settingsIn(fields) } }),
      then: (_answer, { root }) => root,
    }),
    delete: defineForm({
      mutation: `mutation DeleteOpenIdProvider($input: DeleteOidcProviderInput!) {
        deleteOidcProvider(input: $input) { deletedId }
      }`,
      variables: (_fields, asked) => ({ input: providerIn(asked) }),
      then: (_answer, { named }) => `/app/orgs/${named["org"]}/openid`,
    }),
  },
});

const mainOf = (provider: Provider, asked: Asked): Html =>
  html`<h2>${provider.label}</h2>
    <p><a href="${provider.service.startURL}">Test the sign-in</a></p>
    <h3>To register at the provider</h3>
    ${tableOf(
      "Addresses of docgraph",
      ["Setting", "Value"],
      [
        valueRow("Redirect address", provider.service.redirectURL),
        valueRow("Back-channel logout", provider.service.backchannelLogoutURL),
        valueRow("Start of a sign-in", provider.service.startURL),
      ],
    )}
    <h3>From the provider</h3>
    ${problemOf(asked, "update")}
    ${formOf("update", html`${openIdFields("update", provider, asked)}<button>Save</button>`, { style: "stacked" })}
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
