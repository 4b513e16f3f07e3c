// The page of the audit log of an organization, for its admins.
import {
  type OrganizationFrame,
  organizationFrame,
  organizationPage,
} from "#src/features/organizations/views/organization-frame.ts";
import { type AppFrame, appFrame, timeOf } from "#src/features/users/views/app-frame.ts";
import { type ListEnd, nextOf, tableOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { type Asked, definePage, type Page } from "#src/pages/page.ts";

interface Entry {
  readonly id: string;
  readonly type: string;
  readonly createdAt: string;
  readonly actor: { readonly id: string; readonly displayName: string } | null;
  readonly subjectId: string | null;
  readonly address: string | null;
  readonly agent: string | null;
  readonly facts: Readonly<Record<string, unknown>> | null;
}

interface Log extends AppFrame {
  readonly organization: OrganizationFrame & {
    readonly auditLog: { readonly nodes: readonly Entry[]; readonly pageInfo: ListEnd } | null;
  };
}

export const auditPages: readonly Page[] = [
  definePage<Log>({
    path: "/app/orgs/:org/audit-log",
    query: `query AuditLog($org: ID!, $type: String, $actor: ID, $after: String) {
      organization(id: $org) {
        ...OrganizationFrame
        auditLog(first: 50, type: $type, actorId: $actor, after: $after) {
          nodes { id type createdAt actor { id displayName } subjectId address agent facts }
          pageInfo { hasNextPage endCursor }
        }
      }
      ...AppFrame
    } ${organizationFrame} ${appFrame}`,
    variables: ({ named: { org }, search }) => ({
      org,
      type: search.get("type") || null,
      actor: search.get("actor") || null,
      after: search.get("after"),
    }),
    view: (answer, asked) =>
      answer.organization.auditLog &&
      organizationPage(answer, { tab: "Audit log", main: mainOf(answer.organization.auditLog, asked) }),
  }),
];

const mainOf = ({ nodes, pageInfo }: NonNullable<Log["organization"]["auditLog"]>, asked: Asked): Html =>
  html`<h2>Audit log</h2>
    <p class="soft">Sign-ins, refused requests, and changes of tokens, roles, members and settings, for one year.</p>
    ${filterOf(asked)}
    ${
      nodes.length === 0
        ? html`<p>No entry matches these filters.</p>`
        : html`${tableOf(
            "Audit log",
            ["Time", "Action", "By", "Details"],
            nodes.map((entry) => rowOf(entry, asked)),
          )}
          ${nextOf(pageInfo, asked)}`
    }`;

const filterOf = ({ search, root }: Asked): Html =>
  html`<form class="row quiet" action="${root}">
    <label>
      Action
      <input type="search" name="type" placeholder="member.updated" value="${search.get("type") ?? ""}" />
    </label>
    ${search.has("actor") ? html`<input type="hidden" name="actor" value="${search.get("actor") ?? ""}" />` : ""}
    <button>Filter</button>
    ${search.size === 0 ? "" : html`<a href="${root}">All entries</a>`}
  </form>`;

const rowOf = ({ type, createdAt, actor, ...details }: Entry, { root, search }: Asked): Html =>
  html`<tr>
    <td class="tight">${timeOf(createdAt)}</td>
    <td class="tight"><a href="${filteredBy(root, search, "type", type)}">${type}</a></td>
    <td class="tight">
      ${actor ? html`<a href="${filteredBy(root, search, "actor", actor.id)}">${actor.displayName}</a>` : "docgraph"}
    </td>
    <td class="wide">${detailsOf(details)}</td>
  </tr>`;

function filteredBy(root: string, search: URLSearchParams, name: "type" | "actor", value: string): string {
  const filter = new URLSearchParams(search);
  filter.delete("after");
  filter.set(name, value);
  return `${root}?${filter.toString()}`;
}

function detailsOf({ subjectId, address, agent, facts }: Pick<Entry, "subjectId" | "address" | "agent" | "facts">) {
  const values = Object.entries({ object: subjectId, address, browser: agent, ...facts });
  const shown = values.filter(([, value]) => value !== null && value !== undefined);
  if (shown.length === 0) return html``;
  return html`<details>
    <summary>${shown.length === 1 ? "1 value" : `${shown.length} values`}</summary>
    <dl>
      ${shown.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${typeof value === "string" ? value : JSON.stringify(value)}</dd>`,
      )}
    </dl>
  </details>`;
}
