// The page of the signed-in user: their profile, the invitations that wait for them, and their organizations.
import { accountPage } from "#src/features/users/views/account-frame.ts";
import { type AppFrame, timeOf } from "#src/features/users/views/app-frame.ts";
import { confirmed } from "#src/features/users/views/app-lists.ts";
import { nameOfRole, type RoleName } from "#src/features/users/views/roles.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Page } from "#src/pages/page.ts";

interface Me extends AppFrame {
  readonly viewer: AppFrame["viewer"] & {
    readonly email: string;
    readonly memberships: {
      readonly nodes: readonly {
        readonly id: string;
        readonly role: RoleName;
        readonly organization: { readonly id: string; readonly title: string };
      }[];
    };
  };
  readonly invitations: {
    readonly nodes: readonly {
      readonly id: string;
      readonly role: RoleName;
      readonly expiresAt: string;
      readonly createdBy: { readonly displayName: string } | null;
      readonly organization: { readonly title: string };
    }[];
  };
}

const here = () => "/app/me";

export const profilePage: Page = definePage<Me>({
  path: "/app/me",
  query: `query Me {
      viewer {
        id displayName email
        memberships(first: 100) { nodes { id role organization { id title } } }
      }
      invitations(first: 50) { nodes { id role expiresAt createdBy { id displayName } organization { id title } } }
    }`,
  variables: () => ({}),
  view: (answer, asked) =>
    accountPage(answer, {
      tab: "Profile",
      main: html`${invitationsOf(answer, asked)} ${profileOf(answer, asked)} ${organizationsOf(answer, asked)}`,
    }),
  forms: {
    profile: defineForm({
      mutation: `mutation UpdateProfile($input: UpdateViewerInput!) { updateViewer(input: $input) { viewer { id } } }`,
      variables: (fields) => ({ input: { displayName: fields.get("displayName")?.trim() } }),
      then: here,
    }),
    accept: defineForm<{ readonly acceptInvitation: { readonly organization: { readonly id: string } | null } }>({
      mutation: `mutation Accept($input: AcceptInvitationInput!) {
          acceptInvitation(input: $input) { organization { id } }
        }`,
      variables: (fields) => ({ input: { invitationId: fields.get("invitationId") } }),
      then: ({ acceptInvitation: { organization } }) => (organization ? `/app/orgs/${organization.id}` : here()),
    }),
    decline: defineForm({
      mutation: `mutation Decline($input: DeclineInvitationInput!) { declineInvitation(input: $input) { deletedId } }`,
      variables: (fields) => ({ input: { invitationId: fields.get("invitationId") } }),
      then: here,
    }),
    leave: defineForm({
      mutation: `mutation Leave($input: RemoveMemberInput!) { removeMember(input: $input) { deletedId } }`,
      variables: (fields) => ({
        input: { organizationId: fields.get("organizationId"), userId: fields.get("userId") },
      }),
      then: here,
    }),
  },
});

const profileOf = ({ viewer: { displayName, email } }: Me, asked: Asked): Html =>
  html`<h2 id="profile">Profile</h2>
    ${problemOf(asked, "profile")}
    ${formOf(
      "profile",
      html`<label>
          Display name
          <input
            name="displayName"
            required
            maxlength="255"
            autocomplete="name"
            value="${filled(asked, "profile", "displayName", displayName)}"
          />
        </label>
        <p class="hint">You sign in as ${email}.</p>
        <button>Save</button>`,
      { style: "stacked" },
    )}`;

function invitationsOf({ invitations: { nodes } }: Me, asked: Asked): Html {
  const problem = html`${problemOf(asked, "accept")} ${problemOf(asked, "decline")}`;
  if (nodes.length === 0) return problem;
  return html`<h2 id="invitations">Invitations</h2>
    ${problem}
    <ul class="card-list">
      ${nodes.map(
        ({ id, role, expiresAt, createdBy, organization: { title } }) =>
          html`<li>
            <p>
              ${createdBy ? `${createdBy.displayName} invites you to` : "You are invited to"}
              <strong>${title}</strong> <span class="badge">${nameOfRole(role)}</span>
              <span class="soft">until ${timeOf(expiresAt)}</span>
            </p>
            <div class="actions-row">${answerTo("accept", "Accept", id)} ${answerTo("decline", "Decline", id)}</div>
          </li>`,
      )}
    </ul>`;
}

const answerTo = (form: "accept" | "decline", name: string, id: string): Html =>
  formOf(
    form,
    html`<input type="hidden" name="invitationId" value="${id}" /><button>${name}</button>`,
    form === "decline" ? { style: "quiet" } : {},
  );

function organizationsOf({ viewer: { id: userId, memberships } }: Me, asked: Asked): Html {
  if (memberships.nodes.length === 0) return html``;
  return html`<h2 id="organizations">Organizations</h2>
    ${problemOf(asked, "leave")}
    <ul class="card-list">
      ${memberships.nodes.map(
        ({ role, organization: { id, title } }) =>
          html`<li>
            <a href="/app/orgs/${id}">${title}</a> <span class="badge">${nameOfRole(role)}</span> ${leaving(id, {
              title,
              userId,
            })}
          </li>`,
      )}
    </ul>`;
}

const leaving = (organizationId: string, { title, userId }: { readonly title: string; readonly userId: string }) =>
  confirmed(
    "Leave…",
    formOf(
      "leave",
      html`<input type="hidden" name="organizationId" value="${organizationId}" />
        <input type="hidden" name="userId" value="${userId}" />
        <p>You lose your access to ${title}. Only a new invitation brings you back.</p>
        <button>Leave ${title}</button>`,
      { style: "danger" },
    ),
  );
