// The page with the API tokens of the signed-in user. The text of a new token is in the answer to its form alone.
import { revokeForm } from "#src/features/tokens/pages/revoke.ts";
import { newTokenForm, newTokenIn, type TokenList, tokensOf } from "#src/features/tokens/views/token-list.ts";
import { accountPage } from "#src/features/users/views/account-frame.ts";
import { type AppFrame, appFrame } from "#src/features/users/views/app-frame.ts";
import { optionsOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Page } from "#src/pages/page.ts";

interface OwnToken {
  readonly id: string;
  readonly name: string;
  readonly scope: string;
  readonly organization: { readonly title: string } | null;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
}

interface Tokens extends AppFrame {
  readonly apiTokens: TokenList<OwnToken>;
  readonly organizations: { readonly nodes: readonly { readonly id: string; readonly title: string }[] };
}

export const ownTokensPage: Page = definePage<Tokens>({
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
      variables: (fields) => ({
        input: { ...newTokenIn(fields), organizationId: fields.get("organizationId") || null },
      }),
      then: ({ createApiToken: { token } }) => ({ secret: token }),
    }),
    revoke: revokeForm,
  },
});

const mainOf = ({ apiTokens, organizations: { nodes } }: Tokens, asked: Asked): Html =>
  html`<h2>API tokens</h2>
    <p class="soft">Programs send a token to act as you: <code>Authorization: Bearer &lt;token&gt;</code>.</p>
    ${tokensOf(
      apiTokens,
      ({ organization }) => (organization ? `only in ${organization.title}` : "all organizations"),
      asked,
    )}
    ${newTokenForm(
      asked,
      html`<label>
        Organization
        <select name="organizationId">
          ${optionsOf(
            [["", "All of yours"], ...nodes.map(({ id, title }) => [id, title] as const)],
            filled(asked, "create", "organizationId"),
          )}
        </select>
      </label>`,
    )}`;
