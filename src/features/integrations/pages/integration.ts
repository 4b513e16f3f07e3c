// The page of an integration: what it does and asks for, and the form that installs it.
import type { Configurations } from "#src/features/integrations/model/manifest/configurations.ts";
import { selectionFields, selectionsIn, type Target } from "#src/features/integrations/views/selections.ts";
import { type InstallationStatus, scopesOf, statusOf } from "#src/features/integrations/views/status.ts";
import { type AppFrame, appFrame, appPage, timeOf } from "#src/features/users/views/app-frame.ts";
import { factsOf, nameOfValue, optionsOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Page } from "#src/pages/page.ts";

interface Integration {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly summary: string | null;
  readonly description: string | null;
  readonly categories: readonly string[];
  readonly scopes: readonly string[];
  readonly target: Target;
  readonly version: number;
  readonly verified: boolean;
  readonly updatedAt: string;
  readonly publisher: { readonly title: string };
  readonly externalLinks: readonly { readonly label: string; readonly url: string }[];
  readonly previewImages: readonly string[];
  readonly configurations: Configurations;
  readonly installations: {
    readonly nodes: readonly {
      readonly id: string;
      readonly status: InstallationStatus;
      readonly organization: { readonly title: string };
    }[];
  };
}

interface Answer extends AppFrame {
  readonly integration: Integration;
  readonly organizations: {
    readonly nodes: readonly {
      readonly id: string;
      readonly title: string;
      readonly permissions: { readonly admin: boolean };
    }[];
  };
}

export const integrationPage: Page = definePage<Answer>({
  path: "/app/integrations/:name",
  query: `query Integration($name: String!) {
    integration(name: $name) {
      id name title summary description categories scopes target version verified updatedAt publisher { title }
      externalLinks { label url } previewImages configurations
      installations(first: 50) { nodes { id status organization { title } } }
    }
    organizations(first: 100) { nodes { id title permissions { admin } } }
    ...AppFrame
  } ${appFrame}`,
  variables: ({ named: { name } }) => ({ name }),
  view: (answer, asked) => {
    const { integration } = answer;
    const home = answer.organizations.nodes.find(({ id }) => id === asked.search.get("for"));
    return appPage(answer, {
      title: integration.title,
      crumbs: home
        ? [
            [home.title, `/app/orgs/${home.id}`],
            ["Integrations", `/app/orgs/${home.id}/integrations`],
          ]
        : [["Home", "/app"]],
      main: html`${aboutOf(integration)} ${installationsOf(integration)} ${installing(answer, asked)}`,
    });
  },
  forms: {
    install: defineForm<{ readonly installIntegration: { readonly installation: { readonly id: string } } }>({
      mutation: `mutation Install($input: InstallIntegrationInput!) {
        installIntegration(input: $input) { installation { id } }
      }`,
      variables: (fields, { named }) => ({
        input: {
          integrationName: named["name"],
          organizationId: fields.get("organizationId"),
          agreedVersion: Number(fields.get("version")),
          ...selectionsIn(fields),
        },
      }),
      then: ({ installIntegration: { installation } }, { root }) => `${root}/installations/${installation.id}`,
    }),
  },
});

const aboutOf = ({ title, summary, description, verified, ...more }: Integration): Html =>
  html`<h1>${title} ${verified ? html`<span class="badge">Verified</span>` : ""}</h1>
    ${summary === null ? "" : html`<p class="lead">${summary}</p>`}
    ${description === null ? "" : html`<p class="as-written">${description}</p>`}
    ${more.previewImages.map((address) => html`<p><img src="${address}" alt="" loading="lazy" /></p>`)}
    ${factsOf([
      ["Published by", more.publisher.title],
      ["Categories", more.categories.map(nameOfValue).join(", ")],
      ["Version", more.version],
      ["Last published", timeOf(more.updatedAt)],
      ["More about it", linksOf(more.externalLinks)],
    ])}`;

const linksOf = (links: Integration["externalLinks"]): Html | null =>
  links.length === 0
    ? null
    : html`${links.map(({ label, url }) =>
        /^https?:/i.test(url) ? html`<a href="${url}" rel="noreferrer">${label}</a> ` : html`${label} `,
      )}`;

const installationsOf = ({ name, installations: { nodes } }: Integration): Html =>
  nodes.length === 0
    ? html``
    : html`<h2>Installed</h2>
        <ul class="card-list">
          ${nodes.map(
            ({ id, status, organization }) =>
              html`<li>
                <a href="/app/integrations/${name}/installations/${id}">${organization.title}</a> ${statusOf(status)}
              </li>`,
          )}
        </ul>`;

function installing({ integration, organizations }: Answer, asked: Asked): Html {
  const own = organizations.nodes.filter(({ permissions }) => permissions.admin);
  if (own.length === 0) return html`<p class="soft">An admin of your organization can install it.</p>`;
  const { scopes, target, version } = integration;
  const field = (name: string, value: string) => filled(asked, "install", name, value);
  return html`<h2>Install it</h2>
    ${scopes.length > 0 ? html`<p>It may then:</p>` : ""} ${scopesOf(scopes)} ${problemOf(asked, "install")}
    ${formOf(
      "install",
      html`<input type="hidden" name="version" value="${version}" />
        <label>
          In
          <select name="organizationId">
            ${optionsOf(
              own.map(({ id, title }) => [id, title] as const),
              field("organizationId", asked.search.get("for") ?? ""),
            )}
          </select>
        </label>
        ${selectionFields(target, (name) => field(name, "SELECTED"))}
        <button>Agree and install</button>`,
      { style: "stacked" },
    )}`;
}
