// The page of a user: who they are, and what they have done lately where the viewer may see it.
import { type AppFrame, appFrame, appPage, timeOf } from "#src/features/users/views/app-frame.ts";
import { html, type Html } from "#src/http/html.ts";
import { definePage, type Page } from "#src/pages/page.ts";

interface User {
  readonly displayName: string;
  readonly email: string;
  readonly teams: {
    readonly nodes: readonly { readonly id: string; readonly title: string; readonly organizationId: string }[];
  };
  readonly changeRequests: { readonly nodes: readonly OneChangeRequest[] };
}

interface OneChangeRequest {
  readonly id: string;
  readonly number: number;
  readonly subject: string;
  readonly status: string;
  readonly updatedAt: string;
  readonly space: { readonly id: string; readonly title: string };
}

/** Empty for an id of something else. */
interface Answer extends AppFrame {
  readonly node: User | Record<string, never>;
}

export const userPage: Page = definePage<Answer>({
  path: "/app/users/:user",
  query: `query UserPage($user: ID!) {
    node(id: $user) {
      ... on User {
        id displayName email
        teams(first: 20) { nodes { id title organizationId } }
        changeRequests(first: 10, orderBy: { field: UPDATED_AT, direction: DESC }) {
          nodes { id number subject status updatedAt space { id title } }
        }
      }
    }
    ...AppFrame
  } ${appFrame}`,
  variables: ({ named: { user } }) => ({ user }),
  view: (answer) => {
    const { node } = answer;
    return isUser(node) ? appPage(answer, { title: node.displayName, main: mainOf(node) }) : null;
  },
});

const isUser = (node: Answer["node"]): node is User => node["email"] !== undefined;

const mainOf = ({ displayName, email, teams, changeRequests }: User): Html =>
  html`<h1>${displayName}</h1>
    <p class="soft">${email}</p>
    ${teams.nodes.length === 0 ? "" : teamsOf(teams.nodes)}
    <h2>Change requests</h2>
    ${
      changeRequests.nodes.length === 0
        ? html`<p>No change requests that you may see.</p>`
        : html`<ul class="card-list">
            ${changeRequests.nodes.map(changeRequestOf)}
          </ul>`
    }`;

const teamsOf = (teams: User["teams"]["nodes"]): Html =>
  html`<h2>Teams</h2>
    <ul class="card-list">
      ${teams.map(
        ({ id, title, organizationId }) =>
          html`<li><a href="/app/orgs/${organizationId}/teams/${id}">${title}</a></li>`,
      )}
    </ul>`;

const changeRequestOf = ({ id, number, subject, status, updatedAt, space }: OneChangeRequest): Html =>
  html`<li>
    <a href="/app/spaces/${space.id}/change-requests/${id}">#${number} ${subject || "No subject"}</a>
    <span class="badge">${status.charAt(0) + status.slice(1).toLowerCase()}</span>
    <span class="soft">${space.title} · ${timeOf(updatedAt)}</span>
  </li>`;
