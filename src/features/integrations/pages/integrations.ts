// The page of the integrations of an organization: those that are installed, and a search for others.
import {
  type OrganizationFrame,
  organizationFrame,
  organizationPage,
} from "#src/features/organizations/views/organization-frame.ts";
import { statusOf, type InstallationStatus } from "#src/features/integrations/views/status.ts";
import { type AppFrame, appFrame } from "#src/features/users/views/app-frame.ts";
import { type ListEnd, nameOfValue, nextOf, optionsOf, tableOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { type Asked, definePage, type Page } from "#src/pages/page.ts";

interface Found {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly summary: string | null;
  readonly verified: boolean;
  readonly publisher: { readonly title: string };
}

interface Installed {
  readonly id: string;
  readonly integrationName: string;
  readonly status: InstallationStatus;
  readonly pendingScopes: readonly string[];
  readonly integration: { readonly title: string } | null;
}

interface Integrations extends AppFrame {
  readonly organization: OrganizationFrame & {
    /** Null for guests. */
    readonly installations: { readonly nodes: readonly Installed[]; readonly pageInfo: ListEnd } | null;
  };
  readonly integrations: { readonly nodes: readonly Found[]; readonly pageInfo: ListEnd };
}

const categories = ["ANALYTICS", "COLLABORATION", "CONTENT", "MARKETING", "VISITOR_AUTH", "OTHER"] as const;

const categoryIn = (search: URLSearchParams) => categories.find((one) => one === search.get("category")) ?? null;

export const integrationsPage: Page = definePage<Integrations>({
  path: "/app/orgs/:org/integrations",
  query: `query Integrations(
    $org: ID!, $installed: String, $search: String, $category: IntegrationCategory, $after: String
  ) {
    organization(id: $org) {
      ...OrganizationFrame
      installations(first: 50, after: $installed) {
        nodes { id integrationName status pendingScopes integration { title } } pageInfo { hasNextPage endCursor }
      }
    }
    integrations(first: 20, search: $search, category: $category, after: $after) {
      nodes { id name title summary verified publisher { title } } pageInfo { hasNextPage endCursor }
    }
    ...AppFrame
  } ${organizationFrame} ${appFrame}`,
  variables: ({ named: { org }, search }) => ({
    org,
    installed: search.get("installed"),
    search: search.get("search")?.trim() || null,
    category: categoryIn(search),
    after: search.get("after"),
  }),
  view: (answer, asked) =>
    answer.organization.installations &&
    organizationPage(answer, {
      tab: "Integrations",
      isLive: true,
      main: html`${installedOf(answer.organization.installations, asked)} ${foundOf(answer, asked)}`,
    }),
  listens: {
    subscription: `subscription InstallationsChanged($org: ID!) {
      organizationEvents(
        of: { organizationId: $org }
        kinds: [INTEGRATION_INSTALLED, INTEGRATION_UNINSTALLED, INSTALLATION_SETTINGS_CHANGED, INSTALLATION_VERSION_PUBLISHED]
      ) { __typename }
    }`,
    variables: ({ named: { org } }) => ({ org }),
  },
});

function installedOf(
  { nodes, pageInfo }: NonNullable<Integrations["organization"]["installations"]>,
  { root, search }: Asked,
): Html {
  if (nodes.length === 0)
    return html`<h2>Integrations</h2>
      <p>No integration is installed yet.</p>`;
  const rows = nodes.map(
    ({ id, integrationName, integration, status, pendingScopes }) =>
      html`<tr>
        <td class="wide">
          <a href="/app/integrations/${integrationName}/installations/${id}"
            >${integration?.title ?? integrationName}</a
          >
        </td>
        <td class="tight">
          ${statusOf(status)} ${pendingScopes.length > 0 ? html`<span class="badge">Asks for more</span>` : ""}
        </td>
      </tr>`,
  );
  const next = new URLSearchParams(search);
  next.set("installed", pageInfo.endCursor ?? "");
  return html`<h2>Integrations</h2>
    ${tableOf("Installed integrations", ["Integration", "Status"], rows)}
    ${pageInfo.hasNextPage ? html`<p><a href="${root}?${next.toString()}">More of them</a></p>` : ""}`;
}

function foundOf({ organization, integrations: { nodes, pageInfo } }: Integrations, asked: Asked): Html {
  const { root, search } = asked;
  const choices = [["", "All categories"] as const, ...categories.map((one) => [one, nameOfValue(one)] as const)];
  return html`<h2 id="find">Find integrations</h2>
    <form class="row quiet" action="${root}#find">
      <label>
        Name
        <input type="search" name="search" maxlength="100" value="${search.get("search") ?? ""}" />
      </label>
      <label>
        Category
        <select name="category">
          ${optionsOf(choices, categoryIn(search) ?? "")}
        </select>
      </label>
      <button>Find</button>
    </form>
    ${
      nodes.length === 0
        ? html`<p>No integration matches.</p>`
        : html`<ul class="card-list">
            ${nodes.map((found) => cardOf(organization.id, found))}
          </ul>`
    }
    ${nextOf(pageInfo, asked)}`;
}

const cardOf = (organizationId: string, { name, title, summary, verified, publisher }: Found): Html =>
  html`<li>
    <a href="/app/integrations/${name}?for=${organizationId}">${title}</a>
    ${verified ? html`<span class="badge">Verified</span>` : ""} <span class="soft">by ${publisher.title}</span>
    ${summary === null ? "" : html`<p>${summary}</p>`}
  </li>`;
