// The start page of the application: the viewer's organizations, and the change requests that wait for their review.
import { type AppFrame, appFrame, appPage } from "#src/features/users/views/app-frame.ts";
import { html, type Html } from "#src/http/html.ts";
import { definePage, type Page } from "#src/pages/page.ts";

interface Home extends AppFrame {
  readonly organizations: {
    readonly nodes: readonly {
      readonly id: string;
      readonly title: string;
      readonly spaces: {
        readonly nodes: readonly { readonly id: string; readonly title: string; readonly emoji: string | null }[];
      };
    }[];
  };
  readonly reviewRequests: {
    readonly nodes: readonly {
      readonly id: string;
      readonly changeRequest: {
        readonly id: string;
        readonly number: number;
        readonly subject: string;
        readonly space: { readonly id: string; readonly title: string };
      };
    }[];
  };
}

export const homePages: readonly Page[] = [
  definePage<Home>({
    path: "/app",
    query: `query Home {
      ...AppFrame
      organizations(first: 20) { nodes { id title spaces(first: 20) { nodes { id title emoji } } } }
      reviewRequests(first: 20) { nodes { id changeRequest { id number subject space { id title } } } }
    } ${appFrame}`,
    variables: () => ({}),
    view: (answer) =>
      appPage(answer, {
        title: "Home",
        main: html`<h1>Home</h1>
          ${waitingOf(answer)} ${organizationsOf(answer)}`,
      }),
  }),
];

const waitingOf = ({ reviewRequests: { nodes } }: Home): Html =>
  html`<h2>Waiting for your review</h2>
    ${
      nodes.length === 0
        ? html`<p class="soft">Nothing waits for you.</p>`
        : html`<ul class="card-list">
            ${nodes.map(
              ({ changeRequest: { id, number, subject, space } }) =>
                html`<li>
                  <a href="/app/spaces/${space.id}/change-requests/${id}">#${number} ${subject || "No subject"}</a>
                  <span class="soft">${space.title}</span>
                </li>`,
            )}
          </ul>`
    }`;

const organizationsOf = ({ organizations: { nodes } }: Home): Html =>
  html`${nodes.map(
    ({ id, title, spaces }) =>
      html`<h2><a href="/app/orgs/${id}">${title}</a></h2>
        ${
          spaces.nodes.length === 0
            ? html`<p class="soft">No spaces yet.</p>`
            : html`<ul class="card-list">
                ${spaces.nodes.map((space) => html`<li><a href="/app/spaces/${space.id}">${space.title}</a></li>`)}
              </ul>`
        }`,
  )}`;
