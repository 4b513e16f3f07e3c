// The page on which admins of an organization invite people, by e-mail and by links that they share.
import {
  type OrganizationFrame,
  organizationFrame,
  organizationPage,
} from "#src/features/organizations/views/organization-frame.ts";
import { type AppFrame, appFrame, timeOf } from "#src/features/users/views/app-frame.ts";
import { confirmed, hereOf, type ListEnd, nextOf, tableOf } from "#src/features/users/views/app-lists.ts";
import { nameOfRole, roleIn, type RoleName, roleOptions } from "#src/features/users/views/roles.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Page } from "#src/pages/page.ts";

interface OneInvitation {
  readonly id: string;
  readonly email: string;
  readonly role: RoleName;
  readonly createdBy: { readonly displayName: string } | null;
  readonly createdAt: string;
  readonly expiresAt: string;
}

interface OneLink {
  readonly id: string;
  readonly role: RoleName;
  readonly url: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

interface Invitations extends AppFrame {
  readonly organization: OrganizationFrame & {
    readonly defaultRole: RoleName;
    readonly inviteLinksEnabled: boolean;
    readonly invitations: { readonly nodes: readonly OneInvitation[]; readonly pageInfo: ListEnd } | null;
    readonly inviteLinks: { readonly nodes: readonly OneLink[] } | null;
  };
}

const here = (_answer: object, asked: Asked): string => hereOf(asked);

export const invitationPages: readonly Page[] = [
  definePage<Invitations>({
    path: "/app/orgs/:org/invitations",
    query: `query Invitations($org: ID!, $after: String) {
      organization(id: $org) {
        ...OrganizationFrame defaultRole inviteLinksEnabled
        invitations(first: 50, after: $after) {
          nodes { id email role createdAt expiresAt createdBy { id displayName } }
          pageInfo { hasNextPage endCursor }
        }
        inviteLinks(first: 100) { nodes { id role url createdAt expiresAt } }
      }
      ...AppFrame
    } ${organizationFrame} ${appFrame}`,
    variables: ({ named: { org }, search }) => ({ org, after: search.get("after") }),
    view: (answer, asked) =>
      answer.organization.invitations &&
      organizationPage(answer, {
        tab: "Invitations",
        main: html`${byEmail(answer.organization, answer.organization.invitations, asked)}
        ${byLink(answer.organization, asked)}`,
      }),
    forms: {
      invite: defineForm({
        mutation: `mutation Invite($input: CreateInvitationInput!) { createInvitation(input: $input) { invitation { id } } }`,
        variables: (fields, { named }) => ({
          input: { organizationId: named["org"], email: fields.get("email")?.trim(), role: roleIn(fields) },
        }),
        then: here,
      }),
      withdraw: defineForm({
        mutation: `mutation Withdraw($input: WithdrawInvitationInput!) { withdrawInvitation(input: $input) { deletedId } }`,
        variables: (fields, { named }) => ({
          input: { organizationId: named["org"], invitationId: fields.get("invitationId") },
        }),
        then: here,
      }),
      link: defineForm({
        mutation: `mutation NewLink($input: CreateInviteLinkInput!) { createInviteLink(input: $input) { inviteLink { id } } }`,
        variables: (fields, { named }) => ({
          input: { organizationId: named["org"], role: roleIn(fields), expiresAt: endIn(fields) },
        }),
        then: here,
      }),
      deleteLink: defineForm({
        mutation: `mutation DeleteLink($input: DeleteInviteLinkInput!) { deleteInviteLink(input: $input) { deletedId } }`,
        variables: (fields, { named }) => ({
          input: { organizationId: named["org"], inviteLinkId: fields.get("inviteLinkId") },
        }),
        then: here,
      }),
    },
  }),
];

/** The end of the last day of a link, in UTC; null for none. */
const endIn = (fields: URLSearchParams): string | null => {
  const day = fields.get("lastDay");
  return day ? `${day}T23:59:59Z` : null;
};

type Organization = Invitations["organization"];

const byEmail = (
  { defaultRole }: Organization,
  { nodes, pageInfo }: NonNullable<Organization["invitations"]>,
  asked: Asked,
): Html =>
  html`<h2>Invite people</h2>
    ${problemOf(asked, "invite")} ${problemOf(asked, "withdraw")}
    ${formOf(
      "invite",
      html`<label>
          E-mail address
          <input name="email" type="email" required value="${filled(asked, "invite", "email")}" />
        </label>
        ${roleField(filled(asked, "invite", "role", defaultRole ?? "GUEST"))}
        <button>Invite</button>`,
      { style: "row" },
    )}
    ${
      nodes.length === 0
        ? html`<p class="soft">No invitation is open.</p>`
        : html`${tableOf("Open invitations", ["E-mail address", "Role", "Sent", "Expires", "Action"], nodes.map(invitationRow))}
          ${nextOf(pageInfo, asked)}`
    }`;

const roleField = (chosen: string): Html =>
  html`<label>
    Role
    <select name="role">
      ${roleOptions(chosen)}
    </select>
  </label>`;

const invitationRow = ({ id, email, role, createdBy, createdAt, expiresAt }: OneInvitation): Html =>
  html`<tr>
    <td class="wide">${email} ${createdBy ? html`<span class="soft">by ${createdBy.displayName}</span>` : ""}</td>
    <td>${nameOfRole(role)}</td>
    <td class="tight">${timeOf(createdAt)}</td>
    <td class="tight">${timeOf(expiresAt)}</td>
    <td class="tight">
      ${formOf("withdraw", html`<input type="hidden" name="invitationId" value="${id}" /><button>Withdraw</button>`, {
        style: "quiet",
      })}
    </td>
  </tr>`;

function byLink({ id, inviteLinks, inviteLinksEnabled, defaultRole }: Organization, asked: Asked): Html {
  const nodes = inviteLinks?.nodes ?? [];
  return html`<h2 id="links">Invite links</h2>
    <p class="soft">
      ${
        inviteLinksEnabled
          ? "Each person with a link can join. Share it with those alone whom you want here."
          : html`Nobody can join by links: they are disabled in the <a href="/app/orgs/${id}/settings">settings</a>.`
      }
    </p>
    ${problemOf(asked, "link")} ${problemOf(asked, "deleteLink")}
    ${nodes.length === 0 ? "" : tableOf("Invite links", ["Link", "Role", "Created", "Expires", "Action"], nodes.map(linkRow))}
    ${formOf(
      "link",
      html`${roleField(filled(asked, "link", "role", defaultRole ?? "GUEST"))}
        <label>
          Last day (it never expires if empty)
          <input type="date" name="lastDay" value="${filled(asked, "link", "lastDay")}" />
        </label>
        <button>Create link</button>`,
      {
        style: "row quiet",
      },
    )}`;
}

const linkRow = ({ id, url, role, createdAt, expiresAt }: OneLink): Html =>
  html`<tr>
    <td class="wide"><span class="address">${url}</span></td>
    <td>${nameOfRole(role)}</td>
    <td class="tight">${timeOf(createdAt)}</td>
    <td class="tight">${expiresAt === null ? "Never" : timeOf(expiresAt)}</td>
    <td>
      ${confirmed(
        "Delete…",
        formOf(
          "deleteLink",
          html`<input type="hidden" name="inviteLinkId" value="${id}" /> <button>Delete link</button>`,
          { style: "danger" },
        ),
      )}
    </td>
  </tr>`;
