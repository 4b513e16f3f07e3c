// The page of a team: its members and what it has access to. Its owners and admins change both name and members.
import {
  type OrganizationFrame,
  organizationFrame,
  organizationPage,
} from "#src/features/organizations/views/organization-frame.ts";
import { type AppFrame, appFrame } from "#src/features/users/views/app-frame.ts";
import { confirmed, hereOf, type ListEnd, nextOf, optionsOf, tableOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Form, type Page } from "#src/pages/page.ts";

interface Member {
  readonly id: string;
  readonly role: "OWNER" | "MEMBER";
  readonly user: { readonly id: string; readonly displayName: string; readonly email: string };
}

interface Team {
  readonly id: string;
  readonly title: string;
  readonly permissions: { readonly admin: boolean };
  readonly members: { readonly nodes: readonly Member[]; readonly pageInfo: ListEnd };
  readonly spaces: { readonly nodes: readonly { readonly id: string; readonly title: string }[] };
}

interface Answer extends AppFrame {
  readonly organization: OrganizationFrame & { readonly team: Team | null };
}

const teamIn = ({ named }: Asked) => ({ organizationId: named["org"], teamId: named["team"] });
const here = (_answer: object, asked: Asked): string => hereOf(asked);

const roles = [
  ["MEMBER", "Member"],
  ["OWNER", "Owner"],
] as const;

const forms: Readonly<Record<string, Form<never>>> = {
  add: defineForm({
    mutation: `mutation AddToTeam($input: UpdateTeamMembersInput!) { updateTeamMembers(input: $input) { team { id } } }`,
    variables: (fields, asked) => ({
      input: {
        ...teamIn(asked),
        memberships: [{ user: fields.get("email")?.trim(), role: fields.get("role") }],
      },
    }),
    then: here,
  }),
  role: defineForm({
    mutation: `mutation SetTeamRole($input: SetTeamMemberInput!) { setTeamMember(input: $input) { teamMember { id } } }`,
    variables: (fields, asked) => ({
      input: { ...teamIn(asked), userId: fields.get("userId"), role: fields.get("role") },
    }),
    then: here,
  }),
  remove: defineForm({
    mutation: `mutation RemoveFromTeam($input: RemoveTeamMemberInput!) { removeTeamMember(input: $input) { deletedId } }`,
    variables: (fields, asked) => ({ input: { ...teamIn(asked), userId: fields.get("userId") } }),
    then: here,
  }),
  rename: defineForm({
    mutation: `mutation RenameTeam($input: UpdateTeamInput!) { updateTeam(input: $input) { team { id } } }`,
    variables: (fields, asked) => ({ input: { ...teamIn(asked), title: fields.get("title")?.trim() } }),
    then: here,
  }),
  delete: defineForm({
    mutation: `mutation DeleteTeam($input: DeleteTeamInput!) { deleteTeam(input: $input) { deletedId } }`,
    variables: (_fields, asked) => ({ input: teamIn(asked) }),
    then: (_answer, { named }) => `/app/orgs/${named["org"]}/teams`,
  }),
};

export const teamPage: Page = definePage<Answer>({
  path: "/app/orgs/:org/teams/:team",
  query: `query Team($org: ID!, $team: ID!, $after: String) {
    organization(id: $org) {
      ...OrganizationFrame
      team(id: $team) {
        id title permissions { admin }
        members(first: 50, after: $after, orderBy: { field: DISPLAY_NAME }) {
          nodes { id role user { id displayName email } } pageInfo { hasNextPage endCursor }
        }
        spaces(first: 50) { nodes { id title } }
      }
    }
    ...AppFrame
  } ${organizationFrame} ${appFrame}`,
  variables: ({ named: { org, team }, search }) => ({ org, team, after: search.get("after") }),
  view: (answer, asked) => {
    const { team, permissions } = answer.organization;
    if (!team) return null;
    const main = html`<h2>${team.title}</h2>
      ${membersOf(team, asked)} ${spacesOf(team)} ${team.permissions.admin ? renaming(team, asked) : ""}
      ${permissions.admin ? deletion(team, asked) : ""}`;
    return organizationPage(answer, { tab: "Teams", title: team.title, main });
  },
  forms,
});

const membersOf = ({ members: { nodes, pageInfo }, permissions: { admin } }: Team, asked: Asked): Html =>
  html`${["add", "role", "remove"].map((form) => problemOf(asked, form))} ${admin ? addition(asked) : ""}
  ${
    nodes.length === 0
      ? html`<p>Nobody is in this team yet.</p>`
      : html`${tableOf(
          "Members of the team",
          ["Name", "Role", ...(admin ? ["Action"] : [])],
          nodes.map((member) => rowOf(member, admin)),
        )}
        ${nextOf(pageInfo, asked)}`
  }`;

const addition = (asked: Asked): Html =>
  formOf(
    "add",
    html`<label>
        E-mail address of a member
        <input name="email" type="email" required value="${filled(asked, "add", "email")}" />
      </label>
      <label>
        Role
        <select name="role">
          ${optionsOf(roles, filled(asked, "add", "role", "MEMBER"))}
        </select>
      </label>
      <button>Add</button>`,
    { style: "row" },
  );

const rowOf = ({ role, user: { id, displayName, email } }: Member, isAdmin: boolean): Html => {
  const user = html`<input type="hidden" name="userId" value="${id}" />`;
  const choice = html`${user}
    <select name="role" aria-label="Role of ${displayName}">
      ${optionsOf(roles, role)}
    </select>
    <button>Save</button>`;
  return html`<tr>
    <td class="wide">${displayName} <span class="soft">${email}</span></td>
    <td>${isAdmin ? formOf("role", choice, { style: "row quiet" }) : role === "OWNER" ? "Owner" : "Member"}</td>
    ${
      isAdmin
        ? html`<td class="tight">
            ${formOf("remove", html`${user}<button aria-label="Remove ${displayName}">Remove</button>`, {
              style: "quiet",
            })}
          </td>`
        : ""
    }
  </tr>`;
};

const spacesOf = ({ spaces: { nodes } }: Team): Html =>
  nodes.length === 0
    ? html``
    : html`<h3>Spaces with a role for this team</h3>
        <ul class="card-list">
          ${nodes.map(({ id, title }) => html`<li><a href="/app/spaces/${id}">${title}</a></li>`)}
        </ul>`;

const renaming = ({ title }: Team, asked: Asked): Html =>
  html`${problemOf(asked, "rename")}
  ${formOf(
    "rename",
    html`<label>
        Name of the team
        <input name="title" required maxlength="64" value="${filled(asked, "rename", "title", title)}" />
      </label>
      <button>Rename</button>`,
    { style: "row quiet" },
  )}`;

const deletion = ({ title }: Team, asked: Asked): Html =>
  html`${problemOf(asked, "delete")}
  ${confirmed(
    "Delete this team…",
    formOf(
      "delete",
      html`<p>Its members lose the roles that were granted to ${title}.</p>
        <button>Delete ${title}</button>`,
      { style: "danger" },
    ),
  )}`;
