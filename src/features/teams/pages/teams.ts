// The page of the teams of an organization, to which its admins add new ones.
import {
  type OrganizationFrame,
  organizationFrame,
  organizationPage,
} from "#src/features/organizations/views/organization-frame.ts";
import { type AppFrame, appFrame } from "#src/features/users/views/app-frame.ts";
import { type ListEnd, nextOf, tableOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Page } from "#src/pages/page.ts";

interface OneTeam {
  readonly id: string;
  readonly title: string;
  readonly memberCount: number;
  readonly spaceCount: number;
  readonly viewerRole: "OWNER" | "MEMBER" | null;
}

interface Teams extends AppFrame {
  readonly organization: OrganizationFrame & {
    readonly teams: { readonly nodes: readonly OneTeam[]; readonly pageInfo: ListEnd } | null;
  };
}

export const teamsPage: Page = definePage<Teams>({
  path: "/app/orgs/:org/teams",
  query: `query Teams($org: ID!, $after: String) {
    organization(id: $org) {
      ...OrganizationFrame
      teams(first: 50, after: $after, orderBy: { field: TITLE }) {
        nodes { id title memberCount spaceCount viewerRole } pageInfo { hasNextPage endCursor }
      }
    }
    ...AppFrame
  } ${organizationFrame} ${appFrame}`,
  variables: ({ named: { org }, search }) => ({ org, after: search.get("after") }),
  view: (answer, asked) =>
    answer.organization.teams &&
    organizationPage(answer, { tab: "Teams", main: mainOf(answer, answer.organization.teams, asked) }),
  forms: {
    team: defineForm<{ readonly createTeam: { readonly team: { readonly id: string } } }>({
      mutation: `mutation NewTeam($input: CreateTeamInput!) { createTeam(input: $input) { team { id } } }`,
      variables: (fields, { named }) => ({
        input: { organizationId: named["org"], title: fields.get("title")?.trim() },
      }),
      then: ({ createTeam: { team } }, { root }) => `${root}/${team.id}`,
    }),
  },
});

const mainOf = (
  { organization }: Teams,
  { nodes, pageInfo }: NonNullable<Teams["organization"]["teams"]>,
  asked: Asked,
): Html =>
  html`<h2>Teams</h2>
    <p class="soft">Roles on spaces and collections are granted to a whole team at once.</p>
    ${
      nodes.length === 0
        ? html`<p>This organization has no teams yet.</p>`
        : html`${tableOf(
            "Teams",
            ["Team", "Members", "Spaces"],
            nodes.map((team) => rowOf(asked.root, team)),
          )}
          ${nextOf(pageInfo, asked)}`
    }
    ${organization.permissions.admin ? newTeam(asked) : ""}`;

const rowOf = (root: string, { id, title, memberCount, spaceCount, viewerRole }: OneTeam): Html =>
  html`<tr>
    <td class="wide">
      <a href="${root}/${id}">${title}</a>
      ${viewerRole === null ? "" : html`<span class="badge">${viewerRole === "OWNER" ? "Yours" : "Member"}</span>`}
    </td>
    <td>${memberCount}</td>
    <td>${spaceCount}</td>
  </tr>`;

const newTeam = (asked: Asked): Html =>
  html`${problemOf(asked, "team")}
  ${formOf(
    "team",
    html`<label>
        Name of a new team
        <input name="title" required maxlength="64" value="${filled(asked, "team", "title")}" />
      </label>
      <button>Create team</button>`,
    { style: "row" },
  )}`;
