// The list of API tokens, the fields of a new one, and the text of a token that was just made.
import { timeOf } from "#src/features/users/views/app-frame.ts";
import { confirmed, type ListEnd, nextOf, optionsOf, tableOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked } from "#src/pages/page.ts";

interface OneToken {
  readonly id: string;
  readonly name: string;
  readonly scope: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
}

/** A page of a list of tokens. */
export interface TokenList<Token extends OneToken> {
  readonly nodes: readonly Token[];
  readonly pageInfo: ListEnd;
}

const scopes = [
  ["READ", "Read"],
  ["WRITE", "Read and write"],
  ["ADMIN", "All rights"],
] as const;

/** The list, with the token that was just made above it. `about` says where a token is valid. */
export const tokensOf = <Token extends OneToken>(
  { nodes, pageInfo }: TokenList<Token>,
  about: (token: Token) => string,
  asked: Asked,
): Html =>
  html`${problemOf(asked, "revoke")} ${asked.secret === undefined ? "" : newToken(asked.secret)}
  ${
    nodes.length === 0
      ? html`<p>No tokens yet.</p>`
      : html`${tableOf(
          "API tokens",
          ["Name", "Created", "Last used", "Expires", "Action"],
          nodes.map((token) => rowOf(token, about(token))),
        )}
        ${nextOf(pageInfo, asked)}`
  }`;

const newToken = (token: string): Html =>
  html`<div class="secret" role="status">
    <p><strong>Copy the new token now.</strong> It is not shown again.</p>
    <code>${token}</code>
  </div>`;

const rowOf = ({ id, name, scope, createdAt, lastUsedAt, expiresAt }: OneToken, about: string): Html =>
  html`<tr>
    <td class="wide">
      ${name} <span class="soft">${scopes.find(([value]) => value === scope)?.[1] ?? scope} · ${about}</span>
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

/** The form of a new token, with a field of its own kind of token. */
export const newTokenForm = (asked: Asked, own: Html): Html =>
  html`<h2 id="new">New token</h2>
    ${problemOf(asked, "create")}
    ${formOf(
      "create",
      html`<label>
          Name
          <input name="name" required maxlength="100" value="${filled(asked, "create", "name")}" />
        </label>
        ${own}
        <label>
          Rights
          <select name="scope">
            ${optionsOf(scopes, filled(asked, "create", "scope", "READ"))}
          </select>
        </label>
        <label>
          Last day (it never expires if empty)
          <input name="expires" type="date" value="${filled(asked, "create", "expires")}" />
        </label>
        <button>Create token</button>`,
      { style: "stacked" },
    )}`;

/** What all new tokens have. The date of the form is the last day, in UTC. */
export function newTokenIn(fields: URLSearchParams) {
  const expires = fields.get("expires");
  return {
    name: fields.get("name")?.trim(),
    scope: fields.get("scope"),
    expiresAt: expires ? `${expires}T23:59:59Z` : null,
  };
}
