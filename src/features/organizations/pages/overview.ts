// The first page of an organization: its spaces and sites, and who is in it.
import {
  type OrganizationFrame,
  organizationFrame,
  organizationPage,
} from "#src/features/organizations/views/organization-frame.ts";
import { type AppFrame, appFrame } from "#src/features/users/views/app-frame.ts";
import { counted, type ListEnd, nextOf } from "#src/features/users/views/app-lists.ts";
import { nameOfRole, type RoleName } from "#src/features/users/views/roles.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import { type Asked, defineForm, definePage, type Page } from "#src/pages/page.ts";

interface Overview extends AppFrame {
  readonly organization: OrganizationFrame & {
    readonly hostname: string;
    readonly viewerRole: RoleName;
    readonly permissions: OrganizationFrame["permissions"] & { readonly createContent: boolean };
    readonly spaces: { readonly nodes: readonly OneSpace[]; readonly pageInfo: ListEnd };
    readonly collections: { readonly nodes: readonly { readonly id: string; readonly title: string }[] };
    readonly sites: { readonly nodes: readonly OneSite[] };
    readonly members: { readonly totalCount: number } | null;
    readonly teams: { readonly totalCount: number } | null;
  };
}

interface OneSpace {
  readonly id: string;
  readonly title: string;
  readonly parent: { readonly id: string; readonly title: string } | null;
  readonly openChangeRequestCount: number;
}

interface OneSite {
  readonly id: string;
  readonly title: string;
  readonly published: boolean;
}

export const overviewPage: Page = definePage<Overview>({
  path: "/app/orgs/:org",
  query: `query Overview($org: ID!, $after: String) {
    organization(id: $org) {
      ...OrganizationFrame hostname viewerRole permissions { createContent }
      spaces(first: 50, after: $after) {
        nodes { id title openChangeRequestCount parent { id title } } pageInfo { hasNextPage endCursor }
      }
      collections(first: 50) { nodes { id title } }
      sites(first: 50) { nodes { id title published } }
      members(first: 1) { totalCount }
      teams(first: 1) { totalCount }
    }
    ...AppFrame
  } ${organizationFrame} ${appFrame}`,
  variables: ({ named: { org }, search }) => ({ org, after: search.get("after") }),
  view: (answer, asked) => organizationPage(answer, { tab: "Overview", main: overviewOf(answer, asked) }),
  forms: {
    space: defineForm<{ readonly createSpace: { readonly space: { readonly id: string } } }>({
      mutation: `mutation NewSpace($input: CreateSpaceInput!) { createSpace(input: $input) { space { id } } }`,
      variables: (fields, { named }) => ({
        input: { organizationId: named["org"], title: fields.get("title")?.trim() },
      }),
      then: ({ createSpace: { space } }) => `/app/spaces/${space.id}`,
    }),
    collection: defineForm<{ readonly createCollection: { readonly collection: { readonly id: string } } }>({
      mutation: `mutation NewCollection($input: CreateCollectionInput!) {
        createCollection(input: $input) { collection { id } }
      }`,
      variables: (fields, { named }) => ({
        input: { organizationId: named["org"], title: fields.get("title")?.trim() },
      }),
      then: ({ createCollection: { collection } }) => `/app/collections/${collection.id}`,
    }),
  },
});

function overviewOf({ organization }: Overview, asked: Asked): Html {
  const { spaces, permissions } = organization;
  return html`<p class="soft">${aboutOf(organization)}</p>
    <h2>Spaces</h2>
    ${
      spaces.nodes.length === 0
        ? html`<p>${permissions.createContent ? "Create the first space below." : "You see no spaces yet."}</p>`
        : html`<ul class="card-list">
            ${spaces.nodes.map((space) => spaceOf(space, permissions.listMembers))}
          </ul>`
    }
    ${nextOf(spaces.pageInfo, asked)} ${permissions.createContent ? newSpace(asked) : ""}
    ${collectionsOf(organization, asked)} ${sitesOf(organization)}`;
}

function collectionsOf({ collections, permissions }: Overview["organization"], asked: Asked): Html {
  if (collections.nodes.length === 0 && !permissions.createContent) return html``;
  const listed = collections.nodes.map(
    ({ id, title }) => html`<li><a href="/app/collections/${id}">${title || "Untitled collection"}</a></li>`,
  );
  return html`<h2>Collections</h2>
    ${
      listed.length === 0
        ? ""
        : html`<ul class="card-list">
            ${listed}
          </ul>`
    }
    ${permissions.createContent ? newCollection(asked) : ""}`;
}

const newCollection = (asked: Asked): Html =>
  html`${problemOf(asked, "collection")}
  ${formOf(
    "collection",
    html`<label>
        Title of a new collection
        <input name="title" required value="${filled(asked, "collection", "title")}" />
      </label>
      <button>Create collection</button>`,
    { style: "row quiet" },
  )}`;

function sitesOf({ id, sites, spaces, permissions }: Overview["organization"]): Html {
  const newSite = permissions.createContent ? html`<p><a href="/app/orgs/${id}/sites#new">New site</a></p>` : html``;
  if (sites.nodes.length === 0 && (spaces.nodes.length === 0 || !permissions.createContent)) return html``;
  return html`<h2><a href="/app/orgs/${id}/sites">Sites</a></h2>
    ${
      sites.nodes.length === 0
        ? html`<p class="soft">A site publishes spaces for readers.</p>`
        : html`<ul class="card-list">
            ${sites.nodes.map((site) => siteOf(id, site))}
          </ul>`
    }
    ${newSite}`;
}

const aboutOf = ({ hostname, viewerRole, members, teams }: Overview["organization"]): string =>
  [
    hostname,
    `your role: ${nameOfRole(viewerRole)}`,
    ...(members ? [counted(members.totalCount, "member")] : []),
    ...(teams ? [counted(teams.totalCount, "team")] : []),
  ].join(" · ");

const spaceOf = ({ id, title, parent, openChangeRequestCount: open }: OneSpace, showsAccess: boolean): Html =>
  html`<li>
    <a href="/app/spaces/${id}">${title}</a>
    ${parent ? html`<span class="soft">in</span> <a class="plain" href="/app/collections/${parent.id}">${parent.title}</a>` : ""}
    ${open === 0 ? "" : html`<span class="badge">${counted(open, "open change request")}</span>`}
    ${showsAccess ? html`<a class="aside-link" href="/app/spaces/${id}/access">Access</a>` : ""}
  </li>`;

const siteOf = (organizationId: string, { id, title, published }: OneSite): Html =>
  html`<li>
    <a href="/app/orgs/${organizationId}/sites/${id}">${title}</a>
    <span class="badge">${published ? "Published" : "Not published"}</span>
  </li>`;

const newSpace = (asked: Asked): Html =>
  html`${problemOf(asked, "space")}
  ${formOf(
    "space",
    html`<label>
        Title of a new space
        <input name="title" required maxlength="255" value="${filled(asked, "space", "title")}" />
      </label>
      <button>Create space</button>`,
    { style: "row" },
  )}`;
