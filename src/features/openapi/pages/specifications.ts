// The page of the OpenAPI specifications of an organization, to which a text or an address adds another one.
import {
  type OrganizationFrame,
  organizationFrame,
  organizationPage,
} from "#src/features/organizations/views/organization-frame.ts";
import { sourceFields, sourceIn } from "#src/features/openapi/views/source-fields.ts";
import { stateOf, type SpecState, specStateFields } from "#src/features/openapi/views/state.ts";
import { type AppFrame, appFrame } from "#src/features/users/views/app-frame.ts";
import { counted, type ListEnd, nextOf, tableOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Page } from "#src/pages/page.ts";

interface OneSpec extends SpecState {
  readonly id: string;
  readonly slug: string;
  readonly title: string | null;
  readonly visibility: "PRIVATE" | "PUBLIC";
  readonly lastVersion: {
    readonly number: number;
    readonly apiVersion: string;
    readonly operationCount: number;
  } | null;
}

interface Specifications extends AppFrame {
  readonly organization: OrganizationFrame & {
    readonly permissions: OrganizationFrame["permissions"] & { readonly createOpenAPISpec: boolean };
    readonly openApiSpecs: { readonly nodes: readonly OneSpec[]; readonly pageInfo: ListEnd };
  };
}

export const specificationsPage: Page = definePage<Specifications>({
  path: "/app/orgs/:org/specifications",
  query: `query Specifications($org: ID!, $after: String) {
    organization(id: $org) {
      ...OrganizationFrame permissions { createOpenAPISpec }
      openApiSpecs(first: 50, after: $after) {
        nodes { id slug title visibility ${specStateFields} lastVersion { number apiVersion operationCount } }
        pageInfo { hasNextPage endCursor }
      }
    }
    ...AppFrame
  } ${organizationFrame} ${appFrame}`,
  variables: ({ named: { org }, search }) => ({ org, after: search.get("after") }),
  view: (answer, asked) =>
    organizationPage(answer, { tab: "Specifications", isLive: true, main: mainOf(answer.organization, asked) }),
  forms: {
    create: defineForm<{ readonly createOpenApiSpec: { readonly openApiSpec: { readonly id: string } } }>({
      mutation: `mutation NewSpecification($input: CreateOpenApiSpecInput!) {
        createOpenApiSpec(input: $input) { openApiSpec { id } }
      }`,
      variables: (fields, { named }) => ({
        input: { organizationId: named["org"], slug: fields.get("slug")?.trim(), source: sourceIn(fields) },
      }),
      then: ({ createOpenApiSpec: { openApiSpec } }) => `/app/openapi/${openApiSpec.id}`,
    }),
  },
  listens: {
    subscription: `subscription SpecificationsChanged($org: ID!) {
      openApiEvents(of: { organizationId: $org }) { __typename }
    }`,
    variables: ({ named: { org } }) => ({ org }),
  },
});

const mainOf = ({ openApiSpecs, permissions }: Specifications["organization"], asked: Asked): Html =>
  html`<h2>OpenAPI specifications</h2>
    <p class="soft">Pages of the reference of an API are computed from its specification, and follow each version.</p>
    ${
      openApiSpecs.nodes.length === 0
        ? html`<p>${permissions.createOpenAPISpec ? "Add the first one below." : "No specifications yet."}</p>`
        : html`${tableOf("Specifications", ["Specification", "Latest version", "State"], openApiSpecs.nodes.map(rowOf))}
          ${nextOf(openApiSpecs.pageInfo, asked)}`
    }
    ${permissions.createOpenAPISpec ? creation(asked) : ""}`;

const rowOf = ({ id, slug, title, visibility, lastVersion, ...state }: OneSpec): Html =>
  html`<tr>
    <td class="wide">
      <a href="/app/openapi/${id}">${title ?? slug}</a>
      ${visibility === "PUBLIC" ? html`<span class="badge">Public</span>` : ""}
      <span class="soft">${slug}</span>
    </td>
    <td>
      ${
        lastVersion
          ? html`${lastVersion.apiVersion}
              <span class="soft">${counted(lastVersion.operationCount, "operation")}</span>`
          : "None yet"
      }
    </td>
    <td class="tight">${stateOf(state)}</td>
  </tr>`;

const creation = (asked: Asked): Html =>
  html`<h2 id="new">Add a specification</h2>
    ${problemOf(asked, "create")}
    ${formOf(
      "create",
      html`<label>
          Short name, which never changes
          <input
            name="slug"
            required
            maxlength="100"
            pattern="[a-z0-9]+(-[a-z0-9]+)*"
            title="Lowercase letters, digits and single hyphens"
            value="${filled(asked, "create", "slug")}"
          />
        </label>
        ${sourceFields("create", null, asked)}
        <button>Add specification</button>`,
      { style: "stacked" },
    )}`;
