// The page with the API tokens of the signed-in user. The text of a new token is in the answer to its form alone.
import { accountPage } from "#src/features/users/views/account-frame.ts";
import { type AppFrame, appFrame, timeOf } from "#src/features/users/views/app-frame.ts";
import { confirmed, hereOf, type ListEnd, nextOf, optionsOf, tableOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Page } from "#src/pages/page.ts";

interface OneToken {
  readonly id: string;
  readonly name: string;
  readonly scope: string;
  readonly organization: { readonly title: string } | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
}

interface Tokens extends AppFrame {
  readonly apiTokens: { readonly nodes: readonly OneToken[]; readonly pageInfo: ListEnd };
  readonly organizations: { readonly nodes: readonly { readonly id: string; readonly title: string }[] };
}

const scopes = [
  ["READ", "Read"],
  ["WRITE", "Read and write"],
  ["ADMIN", "Everything that you may do"],
] as const;

export const tokenPages: readonly Page[] = [
  definePage<Tokens>({
    path: "/app/me/tokens",
    query: `query MyTokens($after: String) {
      apiTokens(first: 50, after: $after) {
        nodes { id name scope organization { id title } createdAt expiresAt lastUsedAt }
        pageInfo { hasNextPage endCursor }
      }
      organizations(first: 100) { nodes { id title } }
      ...AppFrame
    } ${appFrame}`,
    variables: ({ search }) => ({ after: search.get("after") }),
    view: (answer, asked) => accountPage(answer, { tab: "API tokens", main: mainOf(answer, asked) }),
    forms: {
      create: defineForm<{ readonly createApiToken: { readonly token: string } }>({
        mutation: `mutation CreateToken($input: CreateApiTokenInput!) { createApiToken(input: $input) { token } }`,
        variables: (fields) => ({ input: newTokenOf(fields) }),
        then: ({ createApiToken: { token } }) => ({ secret: token }),
      }),
      revoke: defineForm({
        mutation: `mutation RevokeToken($input: RevokeApiTokenInput!) {
          revokeApiToken(input: $input) { apiToken { id } }
        }`,
        variables: (fields) => ({ input: { apiTokenId: fields.get("apiTokenId") } }),
        then: (_answer, asked) => hereOf(asked),
      }),
    },
  }),
];

/** A date of the form is that of its last moment, in UTC. */
function newTokenOf(fields: URLSearchParams) {
  const expires = fields.get("expires");
  return {
    name: fields.get("name")?.trim(),
    scope: fields.get("scope"),
    organizationId: fields.get("organizationId") || null,
    expiresAt: expires ? `${expires}T23:59:59Z` : null,
  };
}

const mainOf = (answer: Tokens, asked: Asked): Html =>
  html`<h2>API tokens</h2>
    <p class="soft">Programs send a token to act as you: <code>Authorization: Bearer &lt;token&gt;</code>.</p>
    ${problemOf(asked, "revoke")} ${asked.secret === undefined ? "" : newToken(asked.secret)} ${listOf(answer, asked)}
    <h2 id="new">New token</h2>
    ${problemOf(asked, "create")} ${formOf("create", fieldsOf(answer, asked), { style: "stacked" })}`;

const newToken = (token: string): Html =>
  html`<div class="secret" role="status">
    <p><strong>Copy your new token now.</strong> It is not shown again.</p>
    <code>${token}</code>
  </div>`;

const listOf = ({ apiTokens: { nodes, pageInfo } }: Tokens, asked: Asked): Html =>
  nodes.length === 0
    ? html`<p>You have no tokens.</p>`
    : html`${tableOf("API tokens", ["Name", "Created", "Last used", "Expires", "Action"], nodes.map(rowOf))}
      ${nextOf(pageInfo, asked)}`;

const rowOf = ({ id, name, scope, organization, createdAt, lastUsedAt, expiresAt }: OneToken): Html =>
  html`<tr>
    <td class="wide">
      ${name}
      <span class="soft">
        ${scopes.find(([value]) => value === scope)?.[1] ?? scope} ·
        ${organization ? `only in ${organization.title}` : "all organizations"}
      </span>
    </td>
    <td class="tight">${timeOf(createdAt)}</td>
    <td class="tight">${lastUsedAt === null ? "Never" : timeOf(lastUsedAt)}</td>
    <td class="tight">${expiresAt === null ? "Never" : timeOf(expiresAt)}</td>
    <td>${revoking(id, name)}</td>
  </tr>`;

const revoking = (id: string, name: string): Html =>
  confirmed(
    "Revoke…",
    formOf("revoke", html`<input type="hidden" name="apiTokenId" value="${id}" /> <button>Revoke ${name}</button>`, {
      style: "danger",
    }),
  );

function fieldsOf({ organizations: { nodes } }: Tokens, asked: Asked): Html {
  const field = (name: string, value = "") => filled(asked, "create", name, value);
  return html`<label>
      Name
      <input name="name" required maxlength="100" placeholder="Nightly import" value="${field("name")}" />
    </label>
    <label>
      Rights
      <select name="scope">
        ${optionsOf(scopes, field("scope", "READ"))}
      </select>
    </label>
    <label>
      Organization
      <select name="organizationId">
        ${optionsOf([["", "All of yours"], ...nodes.map(({ id, title }) => [id, title] as const)], field("organizationId"))}
      </select>
    </label>
    <label>
      Expires at the end of (never if empty)
      <input name="expires" type="date" value="${field("expires")}" />
    </label>
    <button>Create token</button>`;
}
