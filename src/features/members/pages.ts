// The page of the members of an organization: found by name and role, and for admins, changed and removed.
import {
  type OrganizationFrame,
  organizationFrame,
  organizationPage,
} from "#src/features/organizations/views/organization-frame.ts";
import { type AppFrame, appFrame, timeOf } from "#src/features/users/views/app-frame.ts";
import { confirmed, hereOf, type ListEnd, nextOf, tableOf } from "#src/features/users/views/app-lists.ts";
import {
  nameOfRole,
  roleFilterIn,
  roleFilterOptions,
  roleIn,
  type RoleName,
  roleOptions,
} from "#src/features/users/views/roles.ts";
import { html, type Html } from "#src/http/html.ts";
import { formOf, problemOf } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Page } from "#src/pages/page.ts";

interface Member {
  readonly id: string;
  readonly userId: string;
  readonly role: RoleName;
  readonly disabled: boolean;
  readonly lastSeenAt: string | null;
  readonly teamCount: number;
  readonly spaceCount: number;
  readonly user: { readonly displayName: string; readonly email: string };
}

interface Members extends AppFrame {
  readonly organization: OrganizationFrame & {
    readonly members: {
      readonly totalCount: number;
      readonly nodes: readonly Member[];
      readonly pageInfo: ListEnd;
    } | null;
  };
}

const update = `mutation UpdateMember($input: UpdateMemberInput!) { updateMember(input: $input) { member { id } } }`;

const memberIn = (fields: URLSearchParams, { named }: Asked) => ({
  organizationId: named["org"],
  userId: fields.get("userId"),
});

const here = (_answer: object, asked: Asked): string => hereOf(asked);

export const memberPages: readonly Page[] = [
  definePage<Members>({
    path: "/app/orgs/:org/members",
    query: `query Members($org: ID!, $search: String, $role: OrganizationMemberRoleFilter, $after: String) {
      organization(id: $org) {
        ...OrganizationFrame
        members(first: 50, search: $search, role: $role, after: $after, orderBy: { field: DISPLAY_NAME }) {
          totalCount
          nodes { id userId role disabled lastSeenAt teamCount spaceCount user { id displayName email } }
          pageInfo { hasNextPage endCursor }
        }
      }
      ...AppFrame
    } ${organizationFrame} ${appFrame}`,
    variables: ({ named: { org }, search }) => ({
      org,
      search: search.get("search") || null,
      role: roleFilterIn(search),
      after: search.get("after"),
    }),
    view: (answer, asked) =>
      answer.organization.members &&
      organizationPage(answer, { tab: "Members", main: mainOf(answer, answer.organization.members, asked) }),
    forms: {
      role: defineForm({
        mutation: update,
        variables: (fields, asked) => ({ input: { ...memberIn(fields, asked), role: roleIn(fields) } }),
        then: here,
      }),
      disable: defineForm({
        mutation: update,
        variables: (fields, asked) => ({ input: { ...memberIn(fields, asked), disabled: true } }),
        then: here,
      }),
      enable: defineForm({
        mutation: update,
        variables: (fields, asked) => ({ input: { ...memberIn(fields, asked), disabled: false } }),
        then: here,
      }),
      remove: defineForm<{ readonly removeMember: { readonly organization: { readonly id: string } | null } }>({
        mutation: `mutation RemoveMember($input: RemoveMemberInput!) {
          removeMember(input: $input) { deletedId organization { id } }
        }`,
        variables: (fields, asked) => ({ input: memberIn(fields, asked) }),
        then: ({ removeMember: { organization } }, asked) => (organization ? hereOf(asked) : "/app"),
      }),
    },
  }),
];

function mainOf(
  answer: Members,
  { nodes, pageInfo, totalCount }: NonNullable<Members["organization"]["members"]>,
  asked: Asked,
) {
  const { admin } = answer.organization.permissions;
  const headings = ["Name", "Role", "Teams", "Spaces", "Last seen", ...(admin ? ["Action"] : [])];
  return html`<h2>Members</h2>
    ${filterOf(asked)} ${["role", "disable", "enable", "remove"].map((form) => problemOf(asked, form))}
    ${
      nodes.length === 0
        ? html`<p>Nobody matches these filters.</p>`
        : html`<p class="soft">${totalCount} ${totalCount === 1 ? "person" : "people"}</p>
            ${tableOf(
              "Members",
              headings,
              nodes.map((member) => rowOf(member, admin)),
            )}
            ${nextOf(pageInfo, asked)}`
    }
    ${admin ? html`<p><a href="/app/orgs/${answer.organization.id}/invitations">Invite people</a></p>` : ""}`;
}

const filterOf = ({ search, root }: Asked): Html =>
  html`<form class="row quiet" action="${root}">
    <label>
      Name or e-mail address
      <input type="search" name="search" value="${search.get("search") ?? ""}" />
    </label>
    <label>
      Role
      <select name="role">
        ${roleFilterOptions(roleFilterIn(search))}
      </select>
    </label>
    <button>Filter</button>
  </form>`;

const rowOf = (member: Member, isAdmin: boolean): Html =>
  html`<tr>
    <td class="wide">
      <a href="/app/users/${member.userId}">${member.user.displayName}</a>
      ${member.disabled ? html`<span class="badge">Disabled</span>` : ""}
      <span class="soft">${member.user.email}</span>
    </td>
    <td>${isAdmin ? roleFormOf(member) : nameOfRole(member.role)}</td>
    <td>${member.teamCount}</td>
    <td>${member.spaceCount}</td>
    <td class="tight">${member.lastSeenAt === null ? "Never" : timeOf(member.lastSeenAt)}</td>
    ${isAdmin ? html`<td>${actionsOf(member)}</td>` : ""}
  </tr>`;

const roleFormOf = ({ userId, role, user }: Member): Html =>
  formOf(
    "role",
    html`${idOf(userId)}
      <select name="role" aria-label="Role of ${user.displayName}">
        ${roleOptions(role)}
      </select>
      <button>Save</button>`,
    { style: "row quiet" },
  );

const idOf = (userId: string): Html => html`<input type="hidden" name="userId" value="${userId}" />`;

const actionsOf = ({ userId, disabled, user: { displayName } }: Member): Html =>
  confirmed(
    "Change…",
    html`<div class="actions-row">
      ${formOf(
        disabled ? "enable" : "disable",
        html`${idOf(userId)}<button>${disabled ? "Enable" : "Disable"} ${displayName}</button>`,
        { style: "quiet" },
      )}
      ${formOf("remove", html`${idOf(userId)}<button>Remove ${displayName}</button>`, { style: "danger" })}
    </div>`,
  );
