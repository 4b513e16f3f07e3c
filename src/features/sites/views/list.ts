// The list of the sites of an organization, with the form of a new one. With a space in the address, it lists the sites
// that show the space, and places it on another one.
import { pathOfSpace } from "#src/features/content/views/place.ts";
import { type OrganizationFrame, organizationPage } from "#src/features/organizations/views/organization-frame.ts";
import { pathOfSite } from "#src/features/sites/views/site-frame.ts";
import type { PlaceableSpace } from "#src/features/sites/views/structure/tree.ts";
import { nameOfVisibility, visibilities } from "#src/features/sites/views/visibilities.ts";
import type { AppFrame } from "#src/features/users/views/app-frame.ts";
import { type ListEnd, nextOf, optionsOf } from "#src/features/users/views/app-lists.ts";
import type { RoleName } from "#src/features/users/views/roles.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import { emojiOf } from "#src/pages/icons.ts";
import type { Asked, Shown } from "#src/pages/page.ts";

interface OneSite {
  readonly id: string;
  readonly title: string;
  readonly icon: { readonly emoji: string | null } | null;
  readonly published: boolean;
  readonly visibility: string;
  readonly siteSpaceCount: number;
  readonly hostname: string | null;
  readonly urls: { readonly published: string | null };
}

interface OtherSite {
  readonly id: string;
  readonly title: string;
  readonly permissions: { readonly admin: boolean };
}

export interface SitesAnswer extends AppFrame {
  readonly organization: OrganizationFrame & {
    readonly viewerRole: RoleName;
    readonly permissions: OrganizationFrame["permissions"] & { readonly createContent: boolean };
    readonly sites: { readonly nodes: readonly OneSite[]; readonly pageInfo: ListEnd };
    readonly spaces: { readonly nodes: readonly PlaceableSpace[] };
    readonly others?: { readonly nodes: readonly OtherSite[] };
  };
  readonly space?: PlaceableSpace | null;
}

export function sitesView(answer: SitesAnswer, asked: Asked): Shown {
  const { organization, space } = answer;
  const main = html`<h2>
      ${space ? html`Sites that show <a href="${pathOfSpace(space.id)}">${space.title}</a>` : "Sites"}
    </h2>
    <p class="soft">
      ${
        space
          ? html`<a href="${asked.root}">All sites of the organization</a>`
          : "A site publishes spaces for readers, at an address and with a look of its own."
      }
    </p>
    ${listOf(answer, asked)} ${space?.permissions.review ? placing(answer, space, asked) : ""}
    ${organization.permissions.createContent ? newSite(answer, asked) : ""}`;
  return { ...organizationPage(answer, { tab: "Sites", main }), isLive: organization.viewerRole !== null };
}

const listOf = ({ organization: { id, sites }, space }: SitesAnswer, asked: Asked): Html =>
  sites.nodes.length === 0
    ? html`<p>${space ? "No site shows this space yet." : "This organization has no sites yet."}</p>`
    : html`<ul class="card-list">
          ${sites.nodes.map((site) => siteOf(id, site))}
        </ul>
        ${nextOf(sites.pageInfo, asked)}`;

const siteOf = (organizationId: string, { id, title, icon, published, urls, ...site }: OneSite): Html =>
  html`<li>
    <a href="${pathOfSite(organizationId, id)}">${emojiOf(icon?.emoji)} ${title}</a>
    <span class="badge ${published ? "live" : ""}">${published ? "Published" : "Not published"}</span>
    ${urls.published === null ? "" : html`<a class="aside-link" href="${urls.published}">Open ↗</a>`}
    <p class="soft">
      ${site.siteSpaceCount === 1 ? "1 space" : `${site.siteSpaceCount} spaces`} ·
      ${nameOfVisibility(site.visibility)}${site.hostname === null ? "" : ` · ${site.hostname}`}
    </p>
  </li>`;

/** Places the space on a site that the viewer may change. */
function placing({ organization }: SitesAnswer, { title }: PlaceableSpace, asked: Asked): Html {
  const sites = (organization.others?.nodes ?? []).filter(({ permissions }) => permissions.admin);
  if (sites.length === 0) return html``;
  return html`<h2 id="place">Show ${title} on a site</h2>
    ${problemOf(asked, "place")}
    ${formOf(
      "place",
      html`<label>
          Site
          <select name="siteId">
            ${optionsOf(
              sites.map((site) => [site.id, site.title]),
              filled(asked, "place", "siteId"),
            )}
          </select>
        </label>
        <button>Add to the site</button>`,
      { style: "row" },
    )}`;
}

function newSite({ organization: { spaces }, space }: SitesAnswer, asked: Asked): Html {
  const value = (name: string, known: string) => filled(asked, "site", name, known);
  const listed = space && !spaces.nodes.some(({ id }) => id === space.id) ? [space, ...spaces.nodes] : spaces.nodes;
  const choices = listed.flatMap(({ id, title, permissions }) => (permissions.review ? [[id, title] as const] : []));
  return html`<h2 id="new">New site</h2>
    ${problemOf(asked, "site")}
    ${formOf(
      "site",
      html`<label>
          Title
          <input name="title" required minlength="2" maxlength="128" value="${value("title", space?.title ?? "")}" />
        </label>
        <label>
          Its first space
          <select name="spaceId">
            ${optionsOf([...choices, ["new", "A new, empty space"], ["", "None yet"]], value("spaceId", space?.id ?? choices[0]?.[0] ?? "new"))}
          </select>
        </label>
        <label>
          Who reads it once it is published
          <select name="visibility">
            ${optionsOf(visibilities, value("visibility", "PUBLIC"))}
          </select>
        </label>
        <p class="hint">It is published when you say so. Until then, members of the organization see a preview.</p>
        <button>Create site</button>`,
      { style: "stacked" },
    )}`;
}
