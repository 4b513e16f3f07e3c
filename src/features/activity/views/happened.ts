// The latest events of organizations as sentences with links.
import { pathOfChangeRequest, pathOfSpace } from "#src/features/content/views/place.ts";
import { timeOf } from "#src/features/users/views/app-frame.ts";
import { html, type Html } from "#src/http/html.ts";

export interface Happened {
  readonly id: string;
  readonly __typename: string;
  readonly occurredAt: string;
  readonly spaceId: string | null;
  readonly actor: { readonly displayName: string } | null;
  readonly changeRequest?: {
    readonly id: string;
    readonly number: number;
    readonly subject: string;
  } | null;
  readonly space?: { readonly title: string } | null;
  readonly comment?: Pick<Happened, "changeRequest" | "space"> | null;
}

/** The kinds of events that the start page shows. */
const verbs: Readonly<Record<string, string>> = {
  ChangeRequestOpened: "opened",
  ChangeRequestMerged: "merged",
  ReviewSubmitted: "reviewed",
  CommentPosted: "commented on",
  SpaceContentEdited: "edited",
  SpaceCreated: "created",
};

/** What the list selects from events. */
export const happened = `id __typename occurredAt spaceId actor { displayName }
  ... on ChangeRequestOpened { changeRequest { id number subject } }
  ... on ChangeRequestMerged { changeRequest { id number subject } }
  ... on ReviewSubmitted { changeRequest { id number subject } }
  ... on CommentPosted { comment { changeRequest { id number subject } space { title } } }
  ... on SpaceContentEdited { space { title } }
  ... on SpaceCreated { space { title } }`;

export const kindsShown =
  "[CHANGE_REQUEST_OPENED, CHANGE_REQUEST_MERGED, REVIEW_SUBMITTED, COMMENT_POSTED, SPACE_CONTENT_EDITED, SPACE_CREATED]";

/** The newest events of all organizations first. */
export function activityOf(events: readonly Happened[]): Html {
  const newest = events.toSorted((one, other) => other.occurredAt.localeCompare(one.occurredAt)).slice(0, 12);
  return html`<h2>Recent activity</h2>
    ${
      newest.length === 0
        ? html`<p class="soft">Nothing has happened yet.</p>`
        : html`<ul class="events">
            ${newest.map(
              (event) =>
                html`<li>
                  ${event.actor?.displayName ?? "Somebody"} ${verbs[event.__typename] ?? "changed"} ${targetOf(event)}
                  <span class="soft">${timeOf(event.occurredAt)}</span>
                </li>`,
            )}
          </ul>`
    }`;
}

function targetOf({ spaceId, changeRequest, comment, space }: Happened): Html {
  const about = changeRequest ?? comment?.changeRequest;
  if (about && spaceId !== null)
    return html`<a href="${pathOfChangeRequest(spaceId, about.id)}">#${about.number} ${about.subject}</a>`;
  const name = (space ?? comment?.space)?.title ?? "a space";
  return spaceId === null ? html`${name}` : html`<a href="${pathOfSpace(spaceId)}">${name}</a>`;
}
