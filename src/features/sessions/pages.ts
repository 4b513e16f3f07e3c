// The page with the sessions of the signed-in user, each of which they can end.
import { accountPage } from "#src/features/users/views/account-frame.ts";
import { type AppFrame, appFrame, timeOf } from "#src/features/users/views/app-frame.ts";
import { type ListEnd, hereOf, nextOf, tableOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { formOf, problemOf } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Page } from "#src/pages/page.ts";

interface OneSession {
  readonly id: string;
  readonly way: "SAML" | "EMAIL" | "OIDC";
  readonly isCurrent: boolean;
  readonly organization: { readonly title: string } | null;
  readonly address: string | null;
  readonly agent: string | null;
  readonly createdAt: string;
  readonly lastUsedAt: string;
}

interface Sessions extends AppFrame {
  readonly sessions: { readonly nodes: readonly OneSession[]; readonly pageInfo: ListEnd };
}

export const sessionPages: readonly Page[] = [
  definePage<Sessions>({
    path: "/app/me/sessions",
    query: `query MySessions($after: String) {
      sessions(first: 50, after: $after) {
        nodes { id way isCurrent organization { id title } address agent createdAt lastUsedAt }
        pageInfo { hasNextPage endCursor }
      }
      ...AppFrame
    } ${appFrame}`,
    variables: ({ search }) => ({ after: search.get("after") }),
    view: (answer, asked) => accountPage(answer, { tab: "Sessions", main: mainOf(answer, asked) }),
    forms: {
      end: defineForm({
        mutation: `mutation EndSession($input: RevokeSessionInput!) { revokeSession(input: $input) { session { id } } }`,
        variables: (fields) => ({ input: { sessionId: fields.get("sessionId") } }),
        then: (_answer, asked) => hereOf(asked),
      }),
    },
  }),
];

const mainOf = ({ sessions: { nodes, pageInfo } }: Sessions, asked: Asked): Html =>
  html`<h2>Sessions</h2>
    <p class="soft">The browsers in which you are signed in. End those that you do not know.</p>
    ${problemOf(asked, "end")} ${tableOf("Sessions", ["Browser", "Signed in", "Last used", "Action"], nodes.map(rowOf))}
    ${nextOf(pageInfo, asked)}`;

const rowOf = (session: OneSession): Html =>
  html`<tr>
    <td class="wide">
      ${session.agent ?? "Unknown browser"} ${session.isCurrent ? html`<span class="badge">This browser</span>` : ""}
      <span class="soft">${[session.address ?? "Unknown address", wayOf(session)].join(" · ")}</span>
    </td>
    <td class="tight">${timeOf(session.createdAt)}</td>
    <td class="tight">${timeOf(session.lastUsedAt)}</td>
    <td class="tight">${session.isCurrent ? html`<span class="soft">Sign out above</span>` : ending(session.id)}</td>
  </tr>`;

const ending = (id: string): Html =>
  formOf("end", html`<input type="hidden" name="sessionId" value="${id}" /><button>End session</button>`, {
    style: "quiet",
  });

const wayOf = ({ way, organization }: OneSession): string =>
  way === "EMAIL" ? "by a link sent by e-mail" : `by single sign-on${organization ? ` of ${organization.title}` : ""}`;
