// The first page of a site in the application: whether it is published and for whom, and what it shows.
import { pathOfSpace } from "#src/features/content/views/place.ts";
import { sitePath } from "#src/features/sites/model/root.ts";
import { type SiteAnswer, sitePage } from "#src/features/sites/views/site-frame.ts";
import { nameOfVisibility } from "#src/features/sites/views/visibilities.ts";
import { timeOf } from "#src/features/users/views/app-frame.ts";
import { confirmed } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked, Shown } from "#src/pages/page.ts";

interface ShownSpace {
  readonly id: string;
  readonly title: string;
  readonly urls: { readonly published: string | null };
  readonly space: { readonly id: string; readonly title: string } | null;
  readonly siteSection: { readonly title: string } | null;
}

interface OverviewSite {
  readonly publishedAt: string | null;
  readonly publishedBy: { readonly displayName: string } | null;
  readonly siteSpaceCount: number;
  readonly shareLink: { readonly url: string } | null;
  readonly hostnameClaim: { readonly hostname: string; readonly state: string } | null;
  readonly customization: {
    readonly primaryColor: { readonly chosen: string } | null;
    readonly logo: { readonly light: string | null } | null;
  };
  readonly siteSpaces: { readonly nodes: readonly ShownSpace[] };
}

export type OverviewAnswer = SiteAnswer<OverviewSite>;

export const overviewView = (answer: OverviewAnswer, asked: Asked): Shown =>
  sitePage(answer, asked, {
    tab: "Overview",
    main: html`${stateOf(answer, asked)} ${stepsOf(answer, asked)} ${spacesOf(answer, asked)}`,
  });

/** What visitors get, and the button that changes it. */
function stateOf({ site }: OverviewAnswer, asked: Asked): Html {
  const { published, visibility, permissions, urls, shareLink } = site;
  const address = shareLink?.url ?? urls.published;
  return html`<section class="site-state" aria-label="State">
    ${problemOf(asked, "publish")} ${problemOf(asked, "unpublish")}
    <p>${published ? publication(site) : html`Members of the organization see a preview. Nobody else reads it yet.`}</p>
    <p class="soft">${published ? "For" : "Once published, for"}: ${nameOfVisibility(visibility)}.</p>
    ${published && address !== null ? html`<p><a class="address" href="${address}">${address}</a></p>` : ""}
    ${permissions.admin ? (published ? unpublishing() : publishing(site)) : ""}
  </section>`;
}

const publication = ({ publishedAt, publishedBy }: OverviewSite): Html =>
  html`Published${publishedAt === null ? "" : html` since ${timeOf(publishedAt)}`}${
    publishedBy ? html` by ${publishedBy.displayName}` : ""
  }.
  Changes of the spaces appear on it when they are merged.`;

const publishing = ({ id }: OverviewAnswer["site"]): Html =>
  html`<div class="buttons">
    ${formOf("publish", html`<button>Publish</button>`)}
    <a href="${sitePath(id)}">Look at the preview first</a>
  </div>`;

const unpublishing = (): Html =>
  confirmed(
    "Unpublish…",
    formOf(
      "unpublish",
      html`<p>Visitors get a page that says that nothing is here. You can publish it again at any time.</p>
        <button>Unpublish</button>`,
      { style: "danger" },
    ),
  );

/** What a site lacks, for those who may add it: spaces, a verified hostname, a look of its own. */
function stepsOf({ site }: OverviewAnswer, { root }: Asked): Html {
  const { siteSpaceCount, hostnameClaim, permissions, customization } = site;
  if (!permissions.admin) return html``;
  const steps = [
    ...(siteSpaceCount === 0 ? [html`<a href="${root}/structure#add">Choose the spaces</a> that it shows.`] : []),
    ...(hostnameClaim === null ? [html`<a href="${root}/address">Give it a hostname</a> of your own.`] : []),
    ...(hostnameClaim && hostnameClaim.state !== "VERIFIED"
      ? [html`<a href="${root}/address">Add the DNS record</a> of ${hostnameClaim.hostname}.`]
      : []),
    ...(customization.primaryColor === null && customization.logo === null
      ? [html`<a href="${root}/look">Choose its look</a>: colours, font, logo and links.`]
      : []),
  ];
  if (steps.length === 0) return html``;
  return html`<h2>Next steps</h2>
    <ul>
      ${steps.map((step) => html`<li>${step}</li>`)}
    </ul>`;
}

function spacesOf({ site: { siteSpaces, siteSpaceCount } }: OverviewAnswer, { root }: Asked): Html {
  const { nodes } = siteSpaces;
  if (nodes.length === 0)
    return html`<h2>Spaces</h2>
      <p class="soft">This site shows no spaces yet.</p>`;
  return html`<h2>Spaces</h2>
    <ul class="card-list">
      ${nodes.map(
        ({ title, space, siteSection, urls }) =>
          html`<li>
            ${space ? html`<a href="${pathOfSpace(space.id)}">${title}</a>` : title}
            ${siteSection ? html`<span class="soft">in ${siteSection.title}</span>` : ""}
            ${urls.published === null ? "" : html`<a class="aside-link" href="${urls.published}">Open ↗</a>`}
          </li>`,
      )}
    </ul>
    ${
      siteSpaceCount > nodes.length
        ? html`<p><a href="${root}/structure">All ${siteSpaceCount} spaces of the site</a></p>`
        : ""
    }`;
}
