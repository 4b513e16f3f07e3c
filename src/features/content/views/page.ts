// A page of a space in the application: its text as published sites show it, and the ways to edit it.
import type { AppPage, SpaceAnswer } from "#src/features/content/views/answer.ts";
import { outlineOf } from "#src/features/content/views/outline.ts";
import { nameOf, pathOfChangeRequest, pathOfPage, type Place, placeOf } from "#src/features/content/views/place.ts";
import { spacePage } from "#src/features/content/views/space-frame.ts";
import { belowTitle, idOf } from "#src/features/content/views/title.ts";
import { timeOf } from "#src/features/users/views/app-frame.ts";
import { html, Html } from "#src/http/html.ts";
import { formOf, problemOf } from "#src/pages/forms.ts";
import { emojiOf, nextIcon, previousIcon } from "#src/pages/icons.ts";
import type { Asked, Shown } from "#src/pages/page.ts";

interface PageShown {
  readonly page: AppPage | null;
}

export function pageView(answer: SpaceAnswer<PageShown>, asked: Asked): Shown {
  const place = placeOf(answer);
  if (!place?.content.page) return null;
  const page = belowTitle(place.content.page);
  const outline = outlineOf(page.outline);
  return spacePage(answer, place, {
    title: page.title,
    isLive: true,
    open: { pageId: page.pageId, above: page.ancestors.map(({ pageId }) => pageId) },
    outline: outline.list,
    crumbs: page.ancestors.flatMap(({ type, title, pageId }) =>
      type === "GROUP" ? [] : [[title, pathOfPage(place, pageId)] as const],
    ),
    main: html`${outline.button}
      <article data-live>
        <header>
          <h1${idOf(page.anchor)}>${emojiOf(page.emoji)}${page.title}</h1>
          ${page.description ? html`<p class="lead">${page.description}</p>` : ""}
        </header>
        ${problemOf(asked, "edit")}${editActions(answer.space, place, page)}
        <div class="text">${textOf(page, place)}</div>
      </article>
      ${besideOf(page, place)}
      <p class="metadata">
        <span>Last changed ${timeOf(page.updatedAt)}</span>
        <a href="${pathOfPage(place, page.pageId)}/history">History of this page</a>
        ${answer.space.permissions.access ? html`<a href="${pathOfPage(place, page.pageId)}/comments">Comments</a>` : ""}
        <a href="${pathOfPage(place, page.pageId)}/pdf">PDF</a>
      </p>`,
  });
}

/** The HTML is sanitised by the graph. */
function textOf(page: AppPage, place: Place<unknown>): Html {
  if (page.html) return new Html(page.html);
  if (page.type === "LINK") return targetOf(page, place);
  if (page.children.length === 0) return html`<p class="soft">This page has no text yet.</p>`;
  return html`<ul class="below">
    ${page.children.map(
      ({ title, pageId, description, emoji }) =>
        html`<li>
          <a href="${pathOfPage(place, pageId)}"
            ><b>${emojiOf(emoji)}${title}</b>${description ? html`<small>${description}</small>` : ""}</a
          >
        </li>`,
    )}
  </ul>`;
}

function targetOf({ target }: AppPage, place: Place<unknown>): Html {
  if (target?.page)
    return html`<p>Leads to <a href="${pathOfPage(place, target.page.pageId)}">${target.page.title}</a></p>`;
  const url = target?.url ?? "";
  return /^https?:/i.test(url)
    ? html`<p>Leads to <a href="${url}" rel="noreferrer">${url}</a></p>`
    : html`<p class="soft">This link leads nowhere.</p>`;
}

/** One main action, which is the usual one of the viewer; the others are in a menu. */
function editActions(space: SpaceAnswer["space"], place: Place<unknown>, { pageId }: AppPage): Html {
  const editHere = `${pathOfPage(place, pageId)}/edit`;
  if (place.changeRequest) {
    if (!place.isEditable) return html``;
    return html`<p class="actions"><a class="button" href="${editHere}">Edit</a></p>`;
  }
  if (!space.permissions.edit) return html``;
  const begin = (style: string, text: string) => formOf("edit", html`<button>${text}</button>`, { style });
  const mine = space.changeRequests.nodes.map((one) => ({
    name: nameOf(one),
    path: `${pathOfChangeRequest(space.id, one.id)}/pages/${pageId}/edit`,
  }));
  const [last, ...others] = mine;
  const more = [
    ...(last ? [begin("quiet", "Edit in a new change request")] : []),
    ...others.map(({ name, path }) => html`<a href="${path}">Edit in ${name}</a>`),
    ...(place.isEditable ? [html`<a href="${editHere}">Edit without a review</a>`] : []),
  ];
  return html`<div class="actions">
    ${last ? html`<a class="button" href="${last.path}">Edit in ${last.name}</a>` : begin("", "Edit")}
    ${
      more.length > 0
        ? html`<details class="menu">
            <summary>Other ways to edit</summary>
            <ul>
              ${more.map((one) => html`<li>${one}</li>`)}
            </ul>
          </details>`
        : ""
    }
  </div>`;
}

function besideOf({ previous, next }: AppPage, place: Place<unknown>): Html {
  if (!previous && !next) return html``;
  return html`<nav class="beside" aria-label="Pages beside this one">
    ${
      previous
        ? html`<a rel="prev" href="${pathOfPage(place, previous.pageId)}"
            >${previousIcon}<span><small>Previous</small>${previous.title}</span></a
          >`
        : ""
    }${
      next
        ? html`<a rel="next" href="${pathOfPage(place, next.pageId)}"
            ><span><small>Next</small>${next.title}</span>${nextIcon}</a
          >`
        : ""
    }
  </nav>`;
}
