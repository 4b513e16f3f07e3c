// The forms with which people write comments and replies.
import type { Named } from "#src/features/change-requests/views/answer.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked } from "#src/pages/page.ts";

/** The request of the form that was refused, or without the problem, if another one was. */
function forForm(asked: Asked, form: string, field: string, value: string): Asked {
  const { problem, ...others } = asked;
  return problem?.form === form && (problem.fields.get(field) ?? "") !== value ? others : asked;
}

interface Commented {
  /** Without it, the comment is on the whole change request. */
  readonly pageId?: string;
  /** The key of a block of that page. */
  readonly block?: string;
}

/** Comments on the whole change request, on one of its pages, or on a block of a page. */
export function commentForm(asked: Asked, { pageId = "", block = "" }: Commented = {}): Html {
  const own = forForm(forForm(asked, "comment", "page", pageId), "comment", "block", block);
  return html`${problemOf(own, "comment")}
  ${formOf(
    "comment",
    html`<input type="hidden" name="page" value="${pageId}" />
      ${block === "" ? "" : html`<input type="hidden" name="block" value="${block}" />`}
      <label>
        ${pageId === "" ? "Write a comment" : "Your comment"}
        <textarea name="text" rows="3" required maxlength="65536" data-mentions>
${filled(own, "comment", "text")}</textarea>
      </label>
      ${mentionField(filled(own, "comment", "mention"))} <button>Comment</button>`,
    { style: "stacked speak" },
  )}`;
}

/** A person who is notified. Their name is completed from the list; with scripts also after an @ in the text. */
const mentionField = (value: string): Html =>
  html`<label class="mention"
    >Mention <input name="mention" value="${value}" list="people" autocomplete="off"
  /></label>`;

/** The people whom the fields for mentions complete, once for a page. */
export const peopleList = (people: readonly Named[]): Html =>
  html`<datalist id="people">
    ${people.map(({ id, displayName }) => html`<option value="${displayName} (${id})"></option>`)}
  </datalist>`;

/** Replies to a comment; open if the reply was refused. */
export function replyForm(asked: Asked, commentId: string): Html {
  const own = forForm(asked, "reply", "comment", commentId);
  return html`<details class="speak" ${own.problem?.form === "reply" ? html`open` : ""}>
    <summary>Reply</summary>
    ${problemOf(own, "reply")}
    ${formOf(
      "reply",
      html`<input type="hidden" name="comment" value="${commentId}" />
        <label>
          Your reply
          <textarea name="text" rows="2" required maxlength="65536" data-mentions>
${filled(own, "reply", "text")}</textarea>
        </label>
        ${mentionField(filled(own, "reply", "mention"))}
        <button>Reply</button>`,
      { style: "stacked speak" },
    )}
  </details>`;
}

/** Changes the text of a comment or reply; open if that was refused. */
export function editForm(
  asked: Asked,
  form: "edit" | "editReply",
  { id, body }: { readonly id: string; readonly body: { readonly markdown: string } },
): Html {
  const own = forForm(asked, form, "id", id);
  return html`<details class="speak" ${own.problem?.form === form ? html`open` : ""}>
    <summary>Edit</summary>
    ${problemOf(own, form)}
    ${formOf(
      form,
      html`<input type="hidden" name="id" value="${id}" />
        <label>
          Its text
          <textarea name="text" rows="3" required maxlength="65536">
${filled(own, form, "text", body.markdown)}</textarea>
        </label>
        <button>Save</button>`,
      { style: "stacked speak" },
    )}
  </details>`;
}
