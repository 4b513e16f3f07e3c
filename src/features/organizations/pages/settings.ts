// The page of the settings of an organization, for its admins: its name, new members, and e-mail domains with the DNS
// records that verify them.
import {
  type OrganizationFrame,
  organizationFrame,
  organizationPage,
} from "#src/features/organizations/views/organization-frame.ts";
import { type AppFrame, appFrame } from "#src/features/users/views/app-frame.ts";
import { tableOf } from "#src/features/users/views/app-lists.ts";
import { roleIn, type RoleName, roleOptions } from "#src/features/users/views/roles.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Page } from "#src/pages/page.ts";

interface Domain {
  readonly domain: string;
  readonly state: string;
  readonly record: { readonly type: string; readonly name: string; readonly value: string };
}

interface Settings extends AppFrame {
  readonly organization: OrganizationFrame & {
    readonly hostname: string;
    readonly defaultRole: RoleName;
    readonly inviteLinksEnabled: boolean;
    readonly emailDomainClaims: readonly Domain[] | null;
  };
}

const update = `mutation SaveSettings($input: UpdateOrganizationInput!) {
  updateOrganization(input: $input) { organization { id } }
}`;

export const settingsPage: Page = definePage<Settings>({
  path: "/app/orgs/:org/settings",
  query: `query Settings($org: ID!) {
    organization(id: $org) {
      ...OrganizationFrame hostname defaultRole inviteLinksEnabled
      emailDomainClaims { domain state record { type name value } }
    }
    ...AppFrame
  } ${organizationFrame} ${appFrame}`,
  variables: ({ named: { org } }) => ({ org }),
  view: (answer, asked) =>
    answer.organization.permissions.admin
      ? organizationPage(answer, {
          tab: "Settings",
          main: html`${settingsOf(answer, asked)} ${domainsOf(answer.organization.emailDomainClaims ?? [], asked)}`,
        })
      : null,
  forms: {
    settings: defineForm({
      mutation: update,
      variables: (fields, { named }) => ({
        input: {
          organizationId: named["org"],
          title: fields.get("title")?.trim(),
          hostname: fields.get("hostname")?.trim(),
          defaultRole: roleIn(fields),
          inviteLinksEnabled: fields.has("inviteLinksEnabled"),
        },
      }),
      then: (_answer, { root }) => root,
    }),
    domains: defineForm({
      mutation: update,
      variables: (fields, { named }) => ({
        input: {
          organizationId: named["org"],
          emailDomains: (fields.get("domains") ?? "").split(/[\s,]+/).filter((domain) => domain !== ""),
        },
      }),
      then: (_answer, { root }) => `${root}#domains`,
    }),
    check: defineForm({
      mutation: `mutation CheckDomain($input: CheckEmailDomainInput!) {
        checkEmailDomain(input: $input) { organization { id } }
      }`,
      variables: (fields, { named }) => ({ input: { organizationId: named["org"], domain: fields.get("domain") } }),
      then: (_answer, { root }) => `${root}#domains`,
    }),
  },
});

function settingsOf(
  { organization: { title, hostname, defaultRole, inviteLinksEnabled } }: Settings,
  asked: Asked,
): Html {
  const field = (name: string, value: string) => filled(asked, "settings", name, value);
  const isSent = asked.problem?.form === "settings";
  const hasLinks = isSent ? (asked.problem?.fields.has("inviteLinksEnabled") ?? false) : inviteLinksEnabled;
  return html`<h2>Settings</h2>
    ${problemOf(asked, "settings")}
    ${formOf(
      "settings",
      html`<label>
          Name
          <input name="title" required maxlength="255" value="${field("title", title)}" />
        </label>
        <label>
          Hostname
          <input name="hostname" required value="${field("hostname", hostname)}" />
        </label>
        <label>
          Role of new members
          <select name="role">
            ${roleOptions(field("role", defaultRole ?? "GUEST"))}
          </select>
        </label>
        <label class="check">
          <input type="checkbox" name="inviteLinksEnabled" ${hasLinks ? html`checked` : ""} />
          People can join by invite links
        </label>
        <button>Save</button>`,
      { style: "stacked" },
    )}`;
}

const domainsOf = (domains: readonly Domain[], asked: Asked): Html =>
  html`<h2 id="domains">E-mail domains</h2>
    <p class="soft">
      People with these addresses find this organization. A domain counts once its DNS has the record below.
    </p>
    ${problemOf(asked, "domains")} ${problemOf(asked, "check")}
    ${domains.length === 0 ? "" : tableOf("E-mail domains", ["Domain", "Record", "Action"], domains.map(rowOf))}
    ${formOf(
      "domains",
      html`<label>
          Domains, separated by spaces
          <input name="domains" value="${filled(asked, "domains", "domains", listed(domains))}" />
        </label>
        <button>Save domains</button>`,
      { style: "row quiet" },
    )}`;

const listed = (domains: readonly Domain[]): string => domains.map(({ domain }) => domain).join(" ");

const rowOf = ({ domain, state, record: { type, name, value } }: Domain): Html =>
  html`<tr>
    <td class="tight">${domain} <span class="badge">${nameOfState(state)}</span></td>
    <td class="wide"><span class="address">${name} ${type} ${value}</span></td>
    <td class="tight">
      ${formOf("check", html`<input type="hidden" name="domain" value="${domain}" /><button>Check now</button>`, {
        style: "quiet",
      })}
    </td>
  </tr>`;

const nameOfState = (state: string): string => state.charAt(0) + state.slice(1).toLowerCase().replaceAll("_", " ");
