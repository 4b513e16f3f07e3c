// The conversation about a change request: its comments with their replies, and the verdicts of its reviewers between
// them, in the order in which they were given.
import type {
  ChangeRequest,
  ChangeRequestAnswer,
  Comment,
  Review,
} from "#src/features/change-requests/views/answer.ts";
import { reviewBadge } from "#src/features/change-requests/views/badges.ts";
import { commentForm, peopleList } from "#src/features/change-requests/views/comment-forms.ts";
import { commentView, problemsOfConversation, wordsOf } from "#src/features/change-requests/views/said.ts";
import { timeOf } from "#src/features/users/views/app-frame.ts";
import { html, type Html } from "#src/http/html.ts";
import type { Asked } from "#src/pages/page.ts";

export function conversationView({ space }: ChangeRequestAnswer, request: ChangeRequest, asked: Asked): Html {
  const { comments, reviews, permissions } = request;
  const people = space.members?.nodes.map(({ user }) => user) ?? [];
  const said = [
    ...comments.nodes.map((comment) => ({
      at: comment.postedAt,
      view: commentView(comment, asked, aboutOf(comment, asked)),
    })),
    ...(asked.search.has("comments") ? [] : reviews.nodes).flatMap((review) =>
      review.reviewedAt === null ? [] : [{ at: review.reviewedAt, view: verdictView(review, review.reviewedAt) }],
    ),
  ].toSorted((one, other) => (one.at < other.at ? -1 : 1));
  return html`<section aria-labelledby="conversation">
    <h2 id="conversation">Conversation</h2>
    ${problemsOfConversation(asked)} ${olderOf(comments, asked)}
    ${
      said.length === 0
        ? html`<p class="soft empty">Nobody has said anything yet.</p>`
        : html`<ol class="conversation">
            ${said.map(({ view }) => view)}
          </ol>`
    }
    ${permissions.comment ? commentForm(asked) : ""} ${peopleList(people)}
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

const verdictView = ({ id, reviewer, status, message, messageHtml, outdated }: Review, reviewedAt: string): Html =>
  html`<li class="said verdict" id="${id}">
    <p class="said-head">
      <strong>${reviewer.displayName}</strong> ${reviewBadge(status)} ${timeOf(reviewedAt)}
      ${outdated ? html`<span class="soft">before the latest changes</span>` : ""}
    </p>
    ${message ? wordsOf(message, messageHtml) : ""}
  </li>`;

/** The part of the content that a comment is about; nothing for the whole change request. */
function aboutOf({ target: { page, node } }: Comment, { root }: Asked): Html {
  if (!page) return html``;
  return html`<p class="about soft">
    On
    <a href="#change-${page.pageId}">${page.title ?? "a deleted page"}</a>
    ${page.outdated ? html`<span class="badge">Changed since</span>` : ""} ·
    <a href="${root}/pages/${page.pageId}/comments">in the text</a>
    ${node?.preview ? html`<q>${node.preview}</q>` : ""}
  </p>`;
}
