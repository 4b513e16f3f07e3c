// The start page of the application: what waits for the viewer, their spaces, the latest changes, and the first steps
// of a user who has nothing yet.
import { activityOf, type Happened } from "#src/features/activity/views/happened.ts";
import { pathOfChangeRequest, pathOfPage, pathOfSpace } from "#src/features/content/views/place.ts";
import { type AppFrame, appPage, timeOf } from "#src/features/users/views/app-frame.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import { emojiOf } from "#src/pages/icons.ts";
import type { Asked, ShownPage } from "#src/pages/page.ts";

interface Named {
  readonly id: string;
  readonly title: string;
}

interface OrganizationAtHome extends Named {
  readonly permissions: { readonly createContent: boolean; readonly admin: boolean };
  readonly spaces: {
    readonly nodes: readonly (Named & { readonly emoji: string })[];
    readonly pageInfo: { readonly hasNextPage: boolean };
  };
  readonly activity: { readonly nodes: readonly Happened[] };
}

interface MentionAtHome {
  readonly id: string;
  readonly mentionedAt: string;
  readonly space: Named;
  readonly page: { readonly pageId: string; readonly title: string } | null;
  readonly comment: {
    readonly postedBy: { readonly displayName: string };
    readonly changeRequest: { readonly id: string; readonly number: number } | null;
  } | null;
}

export interface Home extends AppFrame {
  readonly viewer: AppFrame["viewer"] & { readonly mentions: { readonly nodes: readonly MentionAtHome[] } };
  readonly organizations: { readonly nodes: readonly OrganizationAtHome[] };
  readonly reviewRequests: {
    readonly nodes: readonly {
      readonly id: string;
      readonly changeRequest: {
        readonly id: string;
        readonly number: number;
        readonly subject: string;
        readonly space: Named;
      };
    }[];
  };
}

export function homeView(answer: Home, asked: Asked): ShownPage {
  const organizations = answer.organizations.nodes;
  return appPage(answer, {
    title: "Home",
    main: html`<h1>Home</h1>
      ${organizations.length === 0 ? firstSteps(asked) : ""} ${waitingOf(answer)}${mentionsOf(answer)}
      ${organizations.map((organization) => organizationOf(organization, asked))}`,
    ...(organizations.length > 0 && { aside: activityOf(organizations.flatMap(({ activity }) => activity.nodes)) }),
  });
}

/** Somebody who signs in without an invitation makes an organization. */
const firstSteps = (asked: Asked): Html =>
  html`<p class="lead">Documentation lives in an organization. Make yours, or ask a colleague to invite you.</p>
    ${problemOf(asked, "organization")}
    ${formOf(
      "organization",
      html`<label
          >Name of the organization
          <input name="title" value="${filled(asked, "organization", "title")}" required maxlength="300"
        /></label>
        <button>Create the organization</button>`,
      { style: "stacked" },
    )}`;

const waitingOf = ({ reviewRequests: { nodes } }: Home): Html =>
  nodes.length === 0
    ? html``
    : html`<h2>Waiting for your review</h2>
        <ul class="card-list">
          ${nodes.map(
            ({ changeRequest: { id, number, subject, space } }) =>
              html`<li>
                <a href="${pathOfChangeRequest(space.id, id)}">#${number} ${subject || "No subject"}</a>
                <span class="soft">${space.title}</span>
              </li>`,
          )}
        </ul>`;

const mentionsOf = ({ viewer: { mentions } }: Home): Html =>
  mentions.nodes.length === 0
    ? html``
    : html`<h2>Where you are mentioned</h2>
        <ul class="card-list">
          ${mentions.nodes.map(({ comment, page, space, mentionedAt }) => {
            const changeRequest = comment?.changeRequest;
            const path = changeRequest
              ? pathOfChangeRequest(space.id, changeRequest.id)
              : page
                ? pathOfPage({ root: pathOfSpace(space.id) }, page.pageId)
                : pathOfSpace(space.id);
            const name = changeRequest ? `Change request #${changeRequest.number}` : (page?.title ?? space.title);
            return html`<li>
              <a href="${path}">${name}</a>
              <span class="soft"
                >${space.title}${comment ? `, by ${comment.postedBy.displayName}` : ""}, ${timeOf(mentionedAt)}</span
              >
            </li>`;
          })}
        </ul>`;

function organizationOf({ id, title, spaces, permissions }: OrganizationAtHome, asked: Asked): Html {
  const isEmpty = spaces.nodes.length === 0;
  return html`<h2><a href="/app/orgs/${id}">${title}</a></h2>
    ${
      isEmpty
        ? html`<p class="soft">${permissions.createContent ? "Make the first space:" : "No spaces yet."}</p>`
        : html`<ul class="card-list spaces">
            ${spaces.nodes.map(
              (space) => html`<li><a href="${pathOfSpace(space.id)}">${emojiOf(space.emoji)} ${space.title}</a></li>`,
            )}
          </ul>`
    }
    ${spaces.pageInfo.hasNextPage ? html`<p><a href="/app/orgs/${id}">All spaces of ${title}</a></p>` : ""}
    ${permissions.createContent ? newSpace(id, asked, isEmpty) : ""}`;
}

/** Open where it is the next step, and after a refusal. */
function newSpace(organizationId: string, asked: Asked, isEmpty: boolean): Html {
  const isRefused = asked.problem?.fields.get("organizationId") === organizationId;
  return html`<details class="new" ${isEmpty || isRefused ? html`open` : ""}>
    <summary>New space</summary>
    ${isRefused ? problemOf(asked, "space") : ""}
    ${formOf(
      "space",
      html`<input type="hidden" name="organizationId" value="${organizationId}" />
        <label
          >Title
          <input name="title" value="${isRefused ? filled(asked, "space", "title") : ""}" required maxlength="50"
        /></label>
        <p class="soft">You can begin it with a template on the next page.</p>
        <button>Create the space</button>`,
      { style: "stacked" },
    )}
  </details>`;
}
