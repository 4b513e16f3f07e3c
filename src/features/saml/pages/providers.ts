// The page of single sign-on of an organization, for its admins: its SAML providers, and a form for a new one that the
// metadata at an address fills.
import {
  type OrganizationFrame,
  organizationFrame,
  organizationPage,
} from "#src/features/organizations/views/organization-frame.ts";
import { providerFields, type ProviderSettings, settingsIn } from "#src/features/saml/views/provider-fields.ts";
import { type AppFrame, appFrame } from "#src/features/users/views/app-frame.ts";
import { html, type Html } from "#src/http/html.ts";
import { formOf, problemOf } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Page } from "#src/pages/page.ts";

interface OneProvider {
  readonly id: string;
  readonly label: string;
  readonly status: string;
  readonly warnings: readonly string[];
}

interface Answer extends AppFrame {
  readonly organization: OrganizationFrame & {
    readonly samlProviders: { readonly nodes: readonly OneProvider[] } | null;
  };
  readonly metadata?: Pick<ProviderSettings, "entityID" | "ssoURL" | "logoutURL" | "certificate"> | null;
}

export const providersPage: Page = definePage<Answer>({
  path: "/app/orgs/:org/single-sign-on",
  query: `query SingleSignOn($org: ID!, $from: SamlMetadataSource!, $reads: Boolean!) {
    organization(id: $org) {
      ...OrganizationFrame
      samlProviders(first: 100) { nodes { id label status warnings } }
    }
    metadata: samlProviderFromMetadata(organizationId: $org, from: $from) @include(if: $reads) {
      entityID ssoURL logoutURL certificate
    }
    ...AppFrame
  } ${organizationFrame} ${appFrame}`,
  variables: ({ named: { org }, search }) => {
    const url = search.get("metadata");
    return { org, from: { url: url ?? "" }, reads: Boolean(url) };
  },
  view: (answer, asked) =>
    answer.organization.samlProviders &&
    organizationPage(answer, {
      tab: "Single sign-on",
      main: html`${listOf(answer.organization.samlProviders.nodes, asked)} ${newProvider(answer, asked)}`,
    }),
  forms: {
    create: defineForm<{ readonly createSamlProvider: { readonly samlProvider: { readonly id: string } } }>({
      mutation: `mutation NewProvider($input: CreateSamlProviderInput!) {
        createSamlProvider(input: $input) { samlProvider { id } }
      }`,
      variables: (fields, { named }) => ({ input: { organizationId: named["org"], ...settingsIn(fields) } }),
      then: ({ createSamlProvider: { samlProvider } }, { root }) => `${root}/${samlProvider.id}`,
    }),
  },
});

const listOf = (providers: readonly OneProvider[], { root, named }: Asked): Html =>
  html`<h2>Single sign-on</h2>
    <p class="soft">
      People sign in by the identity provider of the organization, such as Okta or Entra, by SAML or by
      <a href="/app/orgs/${named["org"] ?? ""}/openid">OpenID Connect</a>.
    </p>
    ${
      providers.length === 0
        ? ""
        : html`<ul class="card-list">
            ${providers.map(
              ({ id, label, status, warnings }) =>
                html`<li>
                  <a href="${root}/${id}">${label}</a>
                  <span class="badge">${status.charAt(0) + status.slice(1).toLowerCase()}</span>
                  ${warnings.map((warning) => html`<p class="hint">${warning}</p>`)}
                </li>`,
            )}
          </ul>`
    }`;

function newProvider({ metadata }: Answer, asked: Asked): Html {
  const address = asked.search.get("metadata") ?? "";
  const found = metadata ?? { entityID: null, ssoURL: null, logoutURL: null, certificate: null };
  return html`<h2 id="new">Add a provider</h2>
    <form class="row quiet" action="${asked.root}#new">
      <label>
        Address of its metadata
        <input type="url" name="metadata" value="${address}" />
      </label>
      <button>Fill in</button>
    </form>
    ${metadata === null ? html`<p class="problem" role="alert">The metadata at this address could not be read.</p>` : ""}
    ${problemOf(asked, "create")}
    ${formOf(
      "create",
      html`${providerFields("create", { label: "", defaultRole: null, ...found }, asked)}
        <button>Add provider</button>`,
      { style: "stacked" },
    )}`;
}
