// The page of all grants in an organization, for its admins: which person or team has which role where.
import {
  type OrganizationFrame,
  organizationFrame,
  organizationPage,
} from "#src/features/organizations/views/organization-frame.ts";
import { type AppFrame, appFrame } from "#src/features/users/views/app-frame.ts";
import { hereOf, type ListEnd, nextOf, tableOf } from "#src/features/users/views/app-lists.ts";
import { nameOfRole, type RoleName } from "#src/features/users/views/roles.ts";
import { html, type Html } from "#src/http/html.ts";
import { formOf, problemOf } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Page } from "#src/pages/page.ts";

interface OneGrant {
  readonly id: string;
  readonly role: RoleName;
  readonly permissions: { readonly remove: boolean };
  readonly user: { readonly id: string; readonly displayName: string; readonly email: string } | null;
  readonly team: { readonly id: string; readonly title: string } | null;
  readonly space: { readonly id: string; readonly title: string } | null;
  readonly collection: { readonly id: string; readonly title: string } | null;
}

interface Answer extends AppFrame {
  readonly organization: OrganizationFrame & {
    readonly defaultRole: RoleName;
    readonly grants: { readonly nodes: readonly OneGrant[]; readonly pageInfo: ListEnd } | null;
  };
}

export const organizationAccessPage: Page = definePage<Answer>({
  path: "/app/orgs/:org/access",
  query: `query Access($org: ID!, $after: String) {
    organization(id: $org) {
      ...OrganizationFrame defaultRole
      grants(first: 50, after: $after) {
        nodes {
          id role permissions { remove }
          user { id displayName email } team { id title } space { id title } collection { id title }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
    ...AppFrame
  } ${organizationFrame} ${appFrame}`,
  variables: ({ named: { org }, search }) => ({ org, after: search.get("after") }),
  view: (answer, asked) =>
    answer.organization.grants &&
    organizationPage(answer, { tab: "Access", main: mainOf(answer, answer.organization.grants, asked) }),
  forms: {
    remove: defineForm({
      mutation: `mutation RemoveGrant($input: RemoveGrantInput!) { removeGrant(input: $input) { deletedId } }`,
      variables: (fields) => ({
        input: { holder: oneOf(fields, ["userId", "teamId"]), target: oneOf(fields, ["spaceId", "collectionId"]) },
      }),
      then: (_answer, asked) => hereOf(asked),
    }),
  },
});

/** The fields with these names that have a value. */
const oneOf = (fields: URLSearchParams, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (fields.get(name) ? [[name, fields.get(name)]] : [])));

const mainOf = (
  { organization }: Answer,
  { nodes, pageInfo }: NonNullable<Answer["organization"]["grants"]>,
  asked: Asked,
): Html =>
  html`<h2>Access</h2>
    <p class="soft">
      Members have the role of their membership, and these grants besides. The access page of a space lists everybody
      with a role on it, and why.
    </p>
    ${problemOf(asked, "remove")}
    ${
      nodes.length === 0
        ? html`<p>No roles are granted on spaces or collections.</p>`
        : html`${tableOf(
            "Grants",
            ["To", "Role", "On", "Action"],
            nodes.map((grant) => rowOf(grant, organization.id)),
          )}
          ${nextOf(pageInfo, asked)}`
    }`;

const rowOf = (grant: OneGrant, organizationId: string): Html =>
  html`<tr>
    <td class="wide">${holderOf(grant, organizationId)}</td>
    <td>${nameOfRole(grant.role)}</td>
    <td class="wide">${targetOf(grant)}</td>
    <td class="tight">${grant.permissions.remove ? formOf("remove", removalOf(grant), { style: "quiet" }) : ""}</td>
  </tr>`;

function holderOf({ user, team }: OneGrant, organizationId: string): Html {
  if (team)
    return html`<a href="/app/orgs/${organizationId}/teams/${team.id}">${team.title}</a>
      <span class="badge">Team</span>`;
  return user ? html`${user.displayName} <span class="soft">${user.email}</span>` : html`Somebody`;
}

function targetOf({ space, collection }: OneGrant): Html {
  if (space) return html`<a href="/app/spaces/${space.id}/access">${space.title}</a>`;
  return html`${collection?.title ?? ""} <span class="badge">Collection</span>`;
}

const removalOf = ({ user, team, space, collection }: OneGrant): Html =>
  html`${Object.entries({ userId: user?.id, teamId: team?.id, spaceId: space?.id, collectionId: collection?.id }).map(
      ([name, id]) => (id === undefined ? html`` : html`<input type="hidden" name="${name}" value="${id}" />`),
    )} <button aria-label="Remove the role of ${user?.displayName ?? team?.title ?? "somebody"}">Remove</button>`;
