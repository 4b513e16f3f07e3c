// What people have said: a comment with its replies, reactions and forms.
import type { Comment, Reply } from "#src/features/change-requests/views/answer.ts";
import { editForm, replyForm } from "#src/features/change-requests/views/comment-forms.ts";
import { timeOf } from "#src/features/users/views/app-frame.ts";
import { html, Html } from "#src/http/html.ts";
import { formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked } from "#src/pages/page.ts";

/** What was wrong with the forms that are buttons. */
export const problemsOfConversation = (asked: Asked): Html =>
  html`${["resolve", "react", "reactToReply", "delete", "deleteReply"].map((form) => problemOf(asked, form))}`;

/** A text as HTML; as it was written if it could not be converted. */
export const wordsOf = (markdown: string, text: string | null): Html =>
  text === null
    ? html`<div class="said-text plain">${markdown}</div>`
    : html`<div class="text said-text">${new Html(text)}</div>`;

/** A comment with its replies and forms; `about` says which part of the content it is about. */
export function commentView(comment: Comment, asked: Asked, about: Html = html``): Html {
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
  if (status === "OPEN") return html`<li class="said" id="${id}">${about}${inside}</li>`;
  return html`<li class="said resolved" id="${id}">
    <details>
      <summary>
        ${comment.postedBy.displayName}: ${firstWords(comment.body.markdown)}
        <span class="badge">Resolved${resolvedBy ? ` by ${resolvedBy.displayName}` : ""}</span>
      </summary>
      ${about}${inside}
    </details>
  </li>`;
}

const firstWords = (text: string): string => (text.length > 60 ? `${text.slice(0, 60).trimEnd()}…` : text);

function saidView(said: Comment | Reply): Html {
  const { id, postedBy, postedAt, editedAt, body, permissions } = said;
  return html`<div class="said-head">
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
    </div>
    ${wordsOf(body.markdown, body.html)} ${reactionsOf(said, isComment(said) ? "react" : "reactToReply")}`;
}

const isComment = (said: Comment | Reply): said is Comment => "target" in said;

/** Emojis that every comment offers. */
const offered = ["👍", "🎉", "👀"];

function reactionsOf({ id, reactions, permissions }: Reply, form: "react" | "reactToReply"): Html {
  const known = reactions.map(({ emoji }) => emoji);
  const more = permissions.reply ? offered.filter((emoji) => !known.includes(emoji)) : [];
  if (reactions.length + more.length === 0) return html``;
  const all = [...reactions, ...more.map((emoji) => ({ emoji, count: 0, viewerHasReacted: false }))];
  if (!permissions.reply)
    return html`<p class="reactions">${all.map(({ emoji, count }) => html`<span>${emoji} ${count}</span>`)}</p>`;
  return formOf(
    form,
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
