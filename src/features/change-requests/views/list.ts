// The list of the change requests of a space.
import {
  outcomeBadge,
  type ReviewOutcome,
  type Status,
  statusBadge,
} from "#src/features/change-requests/views/badges.ts";
import { counted } from "#src/features/users/views/app-lists.ts";
import { filterNameIn, filterOf, filters } from "#src/features/change-requests/views/filters.ts";
import { pathOfList } from "#src/features/change-requests/views/paths.ts";
import { pathOfChangeRequest, pathOfSpace } from "#src/features/content/views/place.ts";
import { refusalBeside } from "#src/features/change-requests/views/refusal.ts";
import { type AppFrame, appPage, timeOf } from "#src/features/users/views/app-frame.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked, ShownPage } from "#src/pages/page.ts";

interface Listed {
  readonly id: string;
  readonly number: number;
  readonly subject: string;
  readonly status: Status;
  readonly reviewStatus: ReviewOutcome;
  readonly updatedAt: string;
  readonly commentCount: number;
  readonly createdBy: { readonly displayName: string };
  readonly space: { readonly id: string };
}

export interface ListAnswer extends AppFrame {
  readonly space: {
    readonly id: string;
    readonly title: string;
    readonly permissions: { readonly edit: boolean };
    /** Absent for those that wait for the viewer's review. */
    readonly changeRequests?: {
      readonly nodes: readonly Listed[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  };
  readonly reviewRequests?: { readonly nodes: readonly { readonly changeRequest: Listed }[] };
}

export function listView(answer: ListAnswer, asked: Asked): ShownPage {
  const { space, reviewRequests } = answer;
  const waiting = reviewRequests?.nodes.map(({ changeRequest }) => changeRequest);
  const listed = space.changeRequests?.nodes ?? waiting?.filter((one) => one.space.id === space.id) ?? [];
  return appPage(answer, {
    title: `Change requests of ${space.title}`,
    crumbs: [
      ["Home", "/app"],
      [space.title, pathOfSpace(space.id)],
    ],
    isLive: true,
    main: html`<h1>Change requests</h1>
      ${filtersOf(space.id, asked)} ${space.permissions.edit ? startOf(asked) : refusalBeside(asked, [])}
      ${
        listed.length === 0
          ? emptyOf(asked)
          : html`<ul class="card-list">
              ${listed.map(itemOf)}
            </ul>`
      }
      ${moreOf(answer, asked)}`,
  });
}

const filtersOf = (spaceId: string, { search }: Asked): Html =>
  html`<nav class="filters" aria-label="Filters">
      <ul>
        ${Object.entries(filters).map(
          ([name, filter]) =>
            html`<li>
              <a
                href="${pathOfList(spaceId)}?show=${name}"
                ${name === filterNameIn(search) ? html`aria-current="page"` : ""}
                >${filter.name}</a
              >
            </li>`,
        )}
      </ul>
    </nav>
    ${
      filterOf(search).isWaiting
        ? ""
        : html`<form class="inline" role="search" aria-label="Change requests">
            <input type="hidden" name="show" value="${filterNameIn(search)}" />
            <label class="hidden" for="subject-filter">Find by subject</label>
            <input
              id="subject-filter"
              type="search"
              name="subject"
              value="${search.get("subject") ?? ""}"
              placeholder="Find by subject"
              maxlength="100"
            />
            <button>Find</button>
          </form>`
    }`;

const startOf = (asked: Asked): Html =>
  html`<details class="start" ${asked.problem?.form === "create" ? html`open` : ""}>
    <summary>New change request</summary>
    ${problemOf(asked, "create")}
    ${formOf(
      "create",
      html`<label
          >What do you want to change?
          <input name="subject" value="${filled(asked, "create", "subject")}" maxlength="100" autocomplete="off" />
        </label>
        <button>Start</button>`,
      { style: "stacked" },
    )}
  </details>`;

const emptyOf = ({ search }: Asked): Html =>
  html`<p class="soft empty">
    ${search.get("subject") ? "No change request has this text in its subject." : filterOf(search).empty}
  </p>`;

const itemOf = ({ id, number, subject, space, ...one }: Listed): Html =>
  html`<li>
    <a href="${pathOfChangeRequest(space.id, id)}">${subject || "No subject"}</a> ${statusBadge(one.status)}
    ${outcomeBadge(one.reviewStatus)}
    <p class="soft facts">
      <span>#${number} by ${one.createdBy.displayName}</span>
      <span>changed ${timeOf(one.updatedAt)}</span>
      ${one.commentCount > 0 ? html`<span>${counted(one.commentCount, "open comment")}</span>` : ""}
    </p>
  </li>`;

function moreOf({ space: { id, changeRequests } }: ListAnswer, { search }: Asked): Html {
  const cursor = changeRequests?.pageInfo.hasNextPage ? changeRequests.pageInfo.endCursor : null;
  if (cursor === null || cursor === undefined) return html``;
  const next = new URLSearchParams(search);
  next.set("after", cursor);
  return html`<p><a href="${pathOfList(id)}?${next.toString()}">Older change requests</a></p>`;
}
