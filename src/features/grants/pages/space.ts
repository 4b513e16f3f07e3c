// The page of who has access to a space, and why. Its admins grant roles to people and teams.
import { type AppFrame, appFrame, appPage } from "#src/features/users/views/app-frame.ts";
import { hereOf, type ListEnd, nextOf, optionsOf, tableOf } from "#src/features/users/views/app-lists.ts";
import { contentRoleOptions, nameOfRole, type RoleName } from "#src/features/users/views/roles.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Page } from "#src/pages/page.ts";

interface Source {
  readonly kind: string;
  readonly role: RoleName;
  readonly collection: { readonly title: string } | null;
  readonly team: { readonly title: string } | null;
}

interface SpaceMember {
  readonly role: RoleName;
  readonly user: { readonly id: string; readonly displayName: string; readonly email: string };
  readonly sources: readonly Source[];
}

interface Named {
  readonly id: string;
  readonly title: string;
}

interface Answer extends AppFrame {
  readonly space: {
    readonly id: string;
    readonly title: string;
    readonly permissions: { readonly admin: boolean };
    readonly organization:
      | (Named & {
          readonly members: {
            readonly nodes: readonly { readonly userId: string; readonly user: SpaceMember["user"] }[];
          } | null;
          readonly teams: { readonly nodes: readonly Named[] } | null;
        })
      | null;
    readonly members: { readonly nodes: readonly SpaceMember[]; readonly pageInfo: ListEnd } | null;
  };
}

const here = (_answer: object, asked: Asked): string => hereOf(asked);

export const spaceAccessPage: Page = definePage<Answer>({
  path: "/app/spaces/:space/access",
  query: `query SpaceAccess($space: ID!, $search: String, $after: String) {
    space(id: $space) {
      id title permissions { admin }
      organization {
        id title
        members(first: 100, search: $search, orderBy: { field: DISPLAY_NAME }) {
          nodes { id userId user { id displayName email } }
        }
        teams(first: 100, orderBy: { field: TITLE }) { nodes { id title } }
      }
      members(first: 50, search: $search, after: $after) {
        nodes {
          role user { id displayName email }
          sources { kind role collection { id title } team { id title } }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
    ...AppFrame
  } ${appFrame}`,
  variables: ({ named: { space }, search }) => ({
    space,
    search: search.get("search") || null,
    after: search.get("after"),
  }),
  view: (answer, asked) => {
    const { space } = answer;
    if (!space.members) return null;
    return appPage(answer, {
      title: `Access · ${space.title}`,
      crumbs: [
        ...(space.organization ? [[space.organization.title, `/app/orgs/${space.organization.id}`] as const] : []),
        [space.title, `/app/spaces/${space.id}`],
      ],
      main: html`<h1>Access</h1>
        ${problemOf(asked, "remove")} ${searchOf(asked)} ${membersOf(space.members, space.permissions.admin, asked)}
        ${space.permissions.admin && space.organization ? granting(space.organization, asked) : ""}`,
    });
  },
  forms: {
    grant: defineForm({
      mutation: `mutation Grant($input: SetGrantInput!) { setGrant(input: $input) { grant { id } } }`,
      variables: (fields, { named }) => ({
        input: { holder: holderIn(fields), target: { spaceId: named["space"] }, role: fields.get("role") },
      }),
      then: here,
    }),
    remove: defineForm({
      mutation: `mutation RemoveGrant($input: RemoveGrantInput!) { removeGrant(input: $input) { deletedId } }`,
      variables: (fields, { named }) => ({
        input: { holder: { userId: fields.get("userId") }, target: { spaceId: named["space"] } },
      }),
      then: here,
    }),
  },
});

/** The value of the field `holder` is `team:` or `user:` before an id. */
function holderIn(fields: URLSearchParams) {
  const [kind, id = ""] = (fields.get("holder") ?? "").split(":");
  return kind === "team" ? { teamId: id } : { userId: id };
}

const searchOf = ({ search, root }: Asked): Html =>
  html`<form class="row quiet" action="${root}">
    <label>
      Name or e-mail address
      <input type="search" name="search" value="${search.get("search") ?? ""}" />
    </label>
    <button>Find</button>
  </form>`;

const membersOf = (
  { nodes, pageInfo }: NonNullable<Answer["space"]["members"]>,
  isAdmin: boolean,
  asked: Asked,
): Html =>
  nodes.length === 0
    ? html`<p>Nobody whom you see here has access.</p>`
    : html`${tableOf(
        "People with access",
        ["Name", "Role", "Because of", ...(isAdmin ? ["Action"] : [])],
        nodes.map((member) => rowOf(member, isAdmin)),
      )}
      ${nextOf(pageInfo, asked)}`;

const rowOf = ({ role, user: { id, displayName, email }, sources }: SpaceMember, isAdmin: boolean): Html =>
  html`<tr>
    <td class="wide">${displayName} <span class="soft">${email}</span></td>
    <td>${nameOfRole(role)}</td>
    <td class="wide">
      <ul>
        ${sources.map((source) => html`<li>${reasonOf(source)}: ${nameOfRole(source.role)}</li>`)}
      </ul>
    </td>
    ${isAdmin ? html`<td class="tight">${sources.some(isOwnGrant) ? removal(id, displayName) : ""}</td>` : ""}
  </tr>`;

const isOwnGrant = ({ kind, collection }: Source): boolean => kind === "USER_GRANT" && collection === null;

const removal = (userId: string, name: string): Html =>
  formOf(
    "remove",
    html`<input type="hidden" name="userId" value="${userId}" />
      <button aria-label="Remove grant to ${name}">Remove grant</button>`,
    { style: "quiet" },
  );

/** Why a member has a role, in words. */
function reasonOf({ kind, collection, team }: Source): string {
  const where = collection ? `the collection ${collection.title}` : "this space";
  switch (kind) {
    case "ORGANIZATION_ADMIN":
      return "Admin of the organization";
    case "ORGANIZATION_ROLE":
      return "Role in the organization";
    case "TEAM_GRANT":
      return `Grant to the team ${team?.title ?? ""} on ${where}`;
    case "USER_GRANT":
      return `Grant on ${where}`;
    default:
      return `Default level of ${where}`;
  }
}

function granting({ members, teams }: NonNullable<Answer["space"]["organization"]>, asked: Asked): Html {
  const options = [
    ...(teams?.nodes ?? []).map(({ id, title }) => [`team:${id}`, `Team ${title}`] as const),
    ...(members?.nodes ?? []).map(
      ({ userId, user }) => [`user:${userId}`, `${user.displayName} (${user.email})`] as const,
    ),
  ];
  return html`<h2 id="grant">Grant a role</h2>
    ${problemOf(asked, "grant")}
    ${formOf(
      "grant",
      html`<label>
          To
          <select name="holder" required>
            ${optionsOf(options, filled(asked, "grant", "holder"))}
          </select>
        </label>
        <label>
          Role
          <select name="role">
            ${contentRoleOptions(filled(asked, "grant", "role", "EDIT"))}
          </select>
        </label>
        <button>Grant</button>`,
      { style: "row" },
    )}
    <p class="hint">Of more than 100 people, find the one first: the list has those whose name or address matches.</p>`;
}
