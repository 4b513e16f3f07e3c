// The page with the API tokens that an organization owns, for its admins. They act as themselves, with a role.
import {
  type OrganizationFrame,
  organizationFrame,
  organizationPage,
} from "#src/features/organizations/views/organization-frame.ts";
import { revokeForm } from "#src/features/tokens/pages/revoke.ts";
import { newTokenForm, newTokenIn, type TokenList, tokensOf } from "#src/features/tokens/views/token-list.ts";
import { type AppFrame, appFrame } from "#src/features/users/views/app-frame.ts";
import { contentRoleOptions, nameOfRole, type RoleName } from "#src/features/users/views/roles.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Page } from "#src/pages/page.ts";

interface ServiceToken {
  readonly id: string;
  readonly name: string;
  readonly scope: string;
  readonly role: RoleName;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
}

interface Tokens extends AppFrame {
  readonly organization: OrganizationFrame & { readonly serviceTokens: TokenList<ServiceToken> | null };
}

export const serviceTokensPage: Page = definePage<Tokens>({
  path: "/app/orgs/:org/tokens",
  query: `query ServiceTokens($org: ID!, $after: String) {
    organization(id: $org) {
      ...OrganizationFrame
      serviceTokens(first: 50, after: $after) {
        nodes { id name scope role createdAt expiresAt lastUsedAt } pageInfo { hasNextPage endCursor }
      }
    }
    ...AppFrame
  } ${organizationFrame} ${appFrame}`,
  variables: ({ named: { org }, search }) => ({ org, after: search.get("after") }),
  view: (answer, asked) =>
    answer.organization.serviceTokens &&
    organizationPage(answer, { tab: "API tokens", main: mainOf(answer.organization.serviceTokens, asked) }),
  forms: {
    create: defineForm<{ readonly createServiceToken: { readonly token: string } }>({
      mutation: `mutation CreateToken($input: CreateServiceTokenInput!) {
        createServiceToken(input: $input) { token }
      }`,
      variables: (fields, { named }) => ({
        input: { ...newTokenIn(fields), organizationId: named["org"], role: fields.get("role") },
      }),
      then: ({ createServiceToken: { token } }) => ({ secret: token }),
    }),
    revoke: revokeForm,
  },
});

const mainOf = (tokens: TokenList<ServiceToken>, asked: Asked): Html =>
  html`<h2>API tokens of the organization</h2>
    <p class="soft">Programs that act for the organization, not for a person: builds, synchronizations, checks.</p>
    ${tokensOf(tokens, ({ role }) => `role ${nameOfRole(role)}`, asked)}
    ${newTokenForm(
      asked,
      html`<label>
        Role
        <select name="role">
          ${contentRoleOptions(filled(asked, "create", "role", "READ"))}
        </select>
      </label>`,
    )}`;
