// The page of the OpenID providers of an organization, for its admins: the list, and a form for a new one.
import { openIdFields, type OpenIdFields, settingsIn } from "#src/features/oidc/views/provider-fields.ts";
import {
  type OrganizationFrame,
  organizationFrame,
  organizationPage,
} from "#src/features/organizations/views/organization-frame.ts";
import { type AppFrame, appFrame } from "#src/features/users/views/app-frame.ts";
import { html, type Html } from "#src/http/html.ts";
import { formOf, problemOf } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Page } from "#src/pages/page.ts";

interface OneProvider {
  readonly id: string;
  readonly label: string;
  readonly activatedAt: string | null;
}

interface Answer extends AppFrame {
  readonly organization: OrganizationFrame & {
    readonly oidcProviders: { readonly nodes: readonly OneProvider[] } | null;
  };
}

export const newOpenIdProviderPage: Page = definePage<Answer>({
  path: "/app/orgs/:org/openid",
  query: `query OpenIdProviders($org: ID!) {
    organization(id: $org) {
      ...OrganizationFrame
      oidcProviders(first: 100) { nodes { id label activatedAt } }
    }
    ...AppFrame
  } ${organizationFrame} ${appFrame}`,
  variables: ({ named: { org } }) => ({ org }),
  view: (answer, asked) =>
    answer.organization.oidcProviders &&
    organizationPage(answer, {
      tab: "Single sign-on",
      title: "OpenID Connect",
      main: html`${listOf(answer.organization.oidcProviders.nodes, asked)} ${newProvider(asked)}`,
    }),
  forms: {
    create: defineForm<{ readonly createOidcProvider: { readonly oidcProvider: { readonly id: string } } }>({
      mutation: `mutation NewOpenIdProvider($input: CreateOidcProviderInput!) {
        createOidcProvider(input: $input) { oidcProvider { id } }
      }`,
      variables: (fields, { named }) => ({ input: { organizationId: named["org"], ...settingsIn(fields) } }),
      then: ({ createOidcProvider: { oidcProvider } }, { root }) => `${root}/${oidcProvider.id}`,
    }),
  },
});

const listOf = (providers: readonly OneProvider[], { root, named }: Asked): Html =>
  html`<h2>OpenID Connect</h2>
    <p class="soft">
      People sign in by the OpenID provider of the organization, such as Keycloak, Entra or Google.
      <a href="/app/orgs/${named["org"] ?? ""}/single-sign-on">SAML providers</a> are on their own page.
    </p>
    ${
      providers.length === 0
        ? ""
        : html`<ul class="card-list">
            ${providers.map(
              ({ id, label, activatedAt }) =>
                html`<li>
                  <a href="${root}/${id}">${label}</a>
                  <span class="badge">${activatedAt === null ? "Pending" : "Active"}</span>
                </li>`,
            )}
          </ul>`
    }`;

const empty: OpenIdFields = { label: "", issuer: "", clientId: "", hasClientSecret: false, defaultRole: null };

const newProvider = (asked: Asked): Html =>
  html`<h2 id="new">Add a provider</h2>
    ${problemOf(asked, "create")}
    ${formOf("create", html`${openIdFields("create", empty, asked)}<button>Add provider</button>`, {
      style: "stacked",
    })}`;
