// The conversation about a change request: its comments with their replies, and the verdicts of its reviewers between
// them, in the order in which they were given.
import type {
  ChangeRequest,
  ChangeRequestAnswer,
  Comment,
  Reply,
  Review,
} from "#src/features/change-requests/views/answer.ts";
import { reviewBadge } from "#src/features/change-requests/views/badges.ts";
import { commentForm, editForm, replyForm } from "#src/features/change-requests/views/comment-forms.ts";
import { timeOf } from "#src/features/users/views/app-frame.ts";
import { html, Html } from "#src/http/html.ts";
import { formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked } from "#src/pages/page.ts";

export function conversationView({ space }: ChangeRequestAnswer, request: ChangeRequest, asked: Asked): Html {
  const { comments, reviews, permissions } = request;
  const people = space.members?.nodes.map(({ user }) => user) ?? [];
  const said = [
    ...comments.nodes.map((comment) => ({ at: comment.postedAt, view: commentView(comment, asked) })),
    ...(asked.search.has("comments") ? [] : reviews.nodes).flatMap((review) =>
      review.reviewedAt === null ? [] : [{ at: review.reviewedAt, view: verdictView(review, review.reviewedAt) }],
    ),
  ].toSorted((one, other) => (one.at < other.at ? -1 : 1));
  return html`<section aria-labelledby="conversation">
    <h2 id="conversation">Conversation</h2>
    ${problemOf(asked, "resolve")}${problemOf(asked, "react")}${problemOf(asked, "delete")}${problemOf(asked, "deleteReply")}
    ${olderOf(comments, asked)}
    ${
      said.length === 0
        ? html`<p class="soft empty">Nobody has said anything yet.</p>`
        : html`<ol class="conversation">
            ${said.map(({ view }) => view)}
          </ol>`
    }
    ${permissions.comment ? commentForm(asked, { people }) : ""}
  </section>`;
}

function olderOf({ pageInfo, nodes, totalCount }: ChangeRequest["comments"], { root, search }: Asked): Html {
  const next = pageInfo.hasNextPage && pageInfo.endCursor;
  if (!next && !search.has("comments")) return html``;
  return html`<p class="soft">
    ${nodes.length} of ${totalCount} comments.
    ${
      next
        ? html`<a href="${root}?${new URLSearchParams({ comments: next }).toString()}#conversation">Older ones</a>`
        : ""
    }
    ${search.has("comments") ? html`<a href="${root}#conversation">The latest ones</a>` : ""}
  </p>`;
}

/** A text as HTML; as it was written if it could not be converted. */
const wordsOf = (markdown: string, text: string | null): Html =>
  text === null
    ? html`<div class="said-text plain">${markdown}</div>`
    : html`<div class="text said-text">${new Html(text)}</div>`;

const verdictView = ({ id, reviewer, status, message, messageHtml, outdated }: Review, reviewedAt: string): Html =>
  html`<li class="said verdict" id="${id}">
    <p class="said-head">
      <strong>${reviewer.displayName}</strong> ${reviewBadge(status)} ${timeOf(reviewedAt)}
      ${outdated ? html`<span class="soft">before the latest changes</span>` : ""}
    </p>
    ${message ? wordsOf(message, messageHtml) : ""}
  </li>`;

function commentView(comment: Comment, asked: Asked): Html {
  const { id, status, resolvedBy, permissions } = comment;
  const inside = html`${saidView(comment)}
    ${
      comment.replies.nodes.length > 0
        ? html`<ol class="replies">
            ${comment.replies.nodes.map(
              (reply) =>
                html`<li class="reply" id="${reply.id}">
                  ${saidView(reply)} ${reply.permissions.edit ? editForm(asked, "editReply", reply) : ""}
                </li>`,
            )}
          </ol>`
        : ""
    }
    <div class="said-actions">
      ${permissions.reply ? replyForm(asked, id) : ""} ${permissions.edit ? editForm(asked, "edit", comment) : ""}
      ${permissions.resolve ? resolveForm(comment) : ""}
    </div>`;
  if (status === "OPEN") return html`<li class="said" id="${id}">${aboutOf(comment)}${inside}</li>`;
  return html`<li class="said resolved" id="${id}">
    <details>
      <summary>
        ${comment.postedBy.displayName}: ${firstWords(comment.body.markdown)}
        <span class="badge">Resolved${resolvedBy ? ` by ${resolvedBy.displayName}` : ""}</span>
      </summary>
      ${aboutOf(comment)}${inside}
    </details>
  </li>`;
}

const firstWords = (text: string): string => (text.length > 60 ? `${text.slice(0, 60).trimEnd()}…` : text);

/** The part of the content that a comment is about; nothing for the whole change request. */
function aboutOf({ target: { page, node } }: Comment): Html {
  if (!page) return html``;
  return html`<p class="about soft">
    On <a href="#change-${page.pageId}">${page.title ?? "a deleted page"}</a>
    ${page.outdated ? html`<span class="badge">Changed since</span>` : ""}
    ${node?.preview ? html`<q>${node.preview}</q>` : ""}
  </p>`;
}

function saidView(said: Comment | Reply): Html {
  const { id, postedBy, postedAt, editedAt, body, permissions } = said;
  return html`<p class="said-head">
      <strong>${postedBy.displayName}</strong> ${timeOf(postedAt)}
      ${editedAt === null ? "" : html`<span class="soft">edited</span>`}
      ${
        permissions.delete
          ? formOf(
              isComment(said) ? "delete" : "deleteReply",
              html`<input type="hidden" name="id" value="${id}" /><button>Delete</button>`,
              { style: "quiet small" },
            )
          : ""
      }
    </p>
    ${wordsOf(body.markdown, body.html)} ${isComment(said) ? reactionsOf(said) : ""}`;
}

const isComment = (said: Comment | Reply): said is Comment => "target" in said;

/** Emojis that every comment offers. */
const offered = ["👍", "🎉", "👀"];

function reactionsOf({ id, reactions, permissions }: Comment): Html {
  const known = reactions.map(({ emoji }) => emoji);
  const more = permissions.reply ? offered.filter((emoji) => !known.includes(emoji)) : [];
  if (reactions.length + more.length === 0) return html``;
  const all = [...reactions, ...more.map((emoji) => ({ emoji, count: 0, viewerHasReacted: false }))];
  if (!permissions.reply)
    return html`<p class="reactions">${all.map(({ emoji, count }) => html`<span>${emoji} ${count}</span>`)}</p>`;
  return formOf(
    "react",
    html`<input type="hidden" name="id" value="${id}" /> ${all.map(
        ({ emoji, count, viewerHasReacted }) =>
          html`<button
            name="${viewerHasReacted ? "remove" : "add"}"
            value="${emoji}"
            aria-pressed="${viewerHasReacted ? "true" : "false"}"
            aria-label="React with ${emoji}${count > 0 ? `, ${count} so far` : ""}"
          >
            ${emoji} ${count || ""}
          </button>`,
      )}`,
    { style: "quiet small reactions" },
  );
}

const resolveForm = ({ id, status }: Comment): Html =>
  formOf(
    "resolve",
    html`<input type="hidden" name="id" value="${id}" />
      <button name="resolved" value="${status === "OPEN" ? "true" : ""}">
        ${status === "OPEN" ? "Resolve" : "Reopen"}
      </button>`,
    { style: "quiet small" },
  );
