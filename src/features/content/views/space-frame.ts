// What surrounds every page of a space in the application: its parts and its tree of pages beside the main part.
import { type Crumb, appPage, presentView } from "#src/features/users/views/app-frame.ts";
import type { SpaceAnswer } from "#src/features/content/views/answer.ts";
import { type OpenPage, pageTree } from "#src/features/content/views/page-tree.ts";
import { nameOf, pathOfPage, pathOfSpace, type Place } from "#src/features/content/views/place.ts";
import { html, type Html } from "#src/http/html.ts";
import { emojiOf } from "#src/pages/icons.ts";
import type { ShownPage } from "#src/pages/page.ts";

interface Inside {
  readonly title: string;
  readonly main: Html;
  /** The part of the space that the page is; absent for its pages. */
  readonly part?: "history" | "links" | "files" | "settings" | "new page";
  readonly open?: OpenPage;
  readonly outline?: Html;
  readonly crumbs?: readonly Crumb[];
  /** Whether it shows changes as they happen; a still page shows only who else looks. */
  readonly isLive?: boolean | "still";
}

/** A page of a space. */
export function spacePage<Shown>(answer: SpaceAnswer<Shown>, place: Place<Shown>, inside: Inside): ShownPage {
  const { space } = answer;
  const { title, main, outline, crumbs = [], isLive = false } = inside;
  const organization = space.organization;
  return appPage(answer, {
    title: title === space.title ? title : `${title} · ${space.title}`,
    main: html`${bannerOf(place)}${isLive ? presentView(answer, { isStill: isLive === "still" }) : ""}${main}`,
    side: sideOf(answer, place, inside),
    ...(outline && { aside: outline }),
    crumbs: [
      ...(organization ? [[organization.title, `/app/orgs/${organization.id}`] as const] : []),
      [space.title, pathOfSpace(space.id)],
      ...crumbs,
    ],
    isLive: isLive !== false,
  });
}

/** Says that the page is not that of the main content. */
const bannerOf = ({ changeRequest, root }: Place<unknown>): Html =>
  changeRequest
    ? html`<p class="banner">
        <span>In the change request <a href="${root}">${nameOf(changeRequest)}</a></span>
        <span class="badge">${changeRequest.status.toLowerCase()}</span>
      </p>`
    : html``;

function sideOf<Shown>({ space }: SpaceAnswer<Shown>, place: Place<Shown>, { open, part }: Inside): Html {
  const current = (name: Inside["part"]) => (name === part ? html`aria-current="page"` : "");
  const root = pathOfSpace(space.id);
  const { permissions, openChangeRequestCount: count, urls, organization } = space;
  const links = [
    ...(permissions.access
      ? [html`<a href="${root}/change-requests">Change requests <span class="count">${count}</span></a>`]
      : []),
    ...(permissions.access ? [html`<a href="${root}/history" ${current("history")}>History</a>`] : []),
    html`<a href="${root}/files" ${current("files")}>Files</a>`,
    html`<a href="${root}/links" ${current("links")}>Broken links</a>`,
    ...(permissions.admin ? [html`<a href="${root}/settings" ${current("settings")}>Settings</a>`] : []),
    html`<a href="${place.root}/pdf">PDF</a>`,
    ...(organization ? [html`<a href="/app/orgs/${organization.id}/sites?space=${space.id}">Sites</a>`] : []),
    ...(urls.published === null ? [] : [html`<a href="${urls.published}">Published ↗</a>`]),
  ];
  return html`<nav class="space-parts" aria-label="Space">
      <a class="space-name" href="${root}">${emojiOf(space.emoji)}${space.title}</a>
      ${links}
    </nav>
    <nav class="tree" aria-label="Pages">
      ${pageTree(place.content.allPages, open ?? null, ({ pageId }) => pathOfPage(place, pageId))}
      ${newPageLink(space, place, current("new page"))}
    </nav>`;
}

/** New pages of a locked space are made in the change request of the viewer that was opened last. */
function newPageLink(
  { id, permissions, changeRequests }: SpaceAnswer["space"],
  place: Place<unknown>,
  current: Html | "",
) {
  if (!permissions.edit && !place.isEditable) return html``;
  const [mine] = changeRequests.nodes;
  const root = place.isEditable || !mine ? place.root : `${pathOfSpace(id)}/change-requests/${mine.id}`;
  return html`<a class="add" href="${root}/pages/new" ${current}>+ New page</a>`;
}
