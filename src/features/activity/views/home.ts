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
  readonly sites: {
    readonly nodes: readonly (Named & { readonly published: boolean })[];
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
    readonly id: string;
    readonly postedBy: { readonly displayName: string };
    readonly changeRequest: { readonly id: string; readonly number: number } | null;
    readonly target: { readonly page: { readonly pageId: string; readonly title: string | null } | null };
  } | null;
  /** The reply to that comment that has the mention; null if the comment has it. */
  readonly reply: { readonly id: string; readonly postedBy: { readonly displayName: string } } | null;
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
          ${mentions.nodes.map(mentionView)}
        </ul>`;

/** Leads to the words that mention the viewer. */
function mentionView({ comment, reply, page, space, mentionedAt }: MentionAtHome): Html {
  const author = (reply ?? comment)?.postedBy.displayName;
  const [name, path] = comment
    ? commentedPlace(space, comment)
    : [
        page?.title ?? space.title,
        page ? pathOfPage({ root: pathOfSpace(space.id) }, page.pageId) : pathOfSpace(space.id),
      ];
  const anchor = (reply ?? comment)?.id;
  return html`<li>
    <a href="${path}${anchor ? `#${anchor}` : ""}">${name}</a>
    <span class="soft">${space.title}${author ? `, by ${author}` : ""}, ${timeOf(mentionedAt)}</span>
  </li>`;
}

function commentedPlace(space: Named, { changeRequest, target }: NonNullable<MentionAtHome["comment"]>) {
  if (changeRequest)
    return [`Change request #${changeRequest.number}`, pathOfChangeRequest(space.id, changeRequest.id)] as const;
  const root = pathOfSpace(space.id);
  const { page } = target;
  return [page?.title ?? space.title, page ? `${pathOfPage({ root }, page.pageId)}/comments` : root] as const;
}

function organizationOf({ id, title, spaces, sites, permissions }: OrganizationAtHome, asked: Asked): Html {
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
    ${isEmpty && sites.nodes.length === 0 ? "" : sitesOf(id, sites, permissions.createContent)}
    ${permissions.createContent ? newSpace(id, asked, isEmpty) : ""}
    ${isEmpty && permissions.admin ? html`<p><a href="/app/orgs/${id}/invitations">Invite people to ${title}</a></p>` : ""}`;
}

/** The sites that publish the spaces; where there are spaces and no site yet, the way to a first one. */
function sitesOf(organizationId: string, { nodes, pageInfo }: OrganizationAtHome["sites"], mayCreate: boolean): Html {
  const root = `/app/orgs/${organizationId}/sites`;
  if (nodes.length === 0)
    return mayCreate ? html`<p><a href="${root}#new">Publish these spaces on a site</a> for your readers.</p>` : html``;
  return html`<p class="sites-at-home">
    <span class="soft">Sites:</span>
    ${nodes.map(
      ({ id, title, published }) =>
        html`<a href="${root}/${id}">${title}</a>${published ? "" : html` <span class="badge">Not published</span>`} `,
    )}
    ${pageInfo.hasNextPage ? html`<a href="${root}">All sites</a>` : ""}
  </p>`;
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
        <label
          >Begin with
          <select name="begin">
            <option value="">An empty page</option>
            <option value="templates">A template</option>
            <option value="import">An import of a folder, a ZIP archive or an address</option>
          </select></label
        >
        <button>Create the space</button>`,
      { style: "stacked" },
    )}
  </details>`;
}
