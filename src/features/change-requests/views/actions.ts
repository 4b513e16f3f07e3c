// What can be done with a change request as a whole: merge it, update it from the main content, and change its status.
import type { ChangeRequest } from "#src/features/change-requests/views/answer.ts";
import { counted } from "#src/features/users/views/app-lists.ts";
import { timeOf } from "#src/features/users/views/app-frame.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked } from "#src/pages/page.ts";

export function mergeView(request: ChangeRequest, asked: Asked): Html {
  const { status, mergedAt, mergedBy, permissions, conflicts, brokenLinks } = request;
  if (status === "MERGED" && mergedAt !== null)
    return html`<p class="done">Merged ${mergedBy ? `by ${mergedBy.displayName}` : ""} ${timeOf(mergedAt)}</p>`;
  const hasConflicts = conflicts !== null && conflicts.length > 0;
  return html`<section aria-labelledby="merge">
    <h2 id="merge">Merge</h2>
    ${problemOf(asked, "merge")}${problemOf(asked, "pull")} ${readiness(request)} ${brokenView(brokenLinks)}
    ${
      permissions.merge && !hasConflicts
        ? formOf(
            "merge",
            html`<input type="hidden" name="revision" value="${request.revisionId}" />
              <button>${brokenLinks.totalCount > 0 ? "Merge anyway" : "Merge"}</button>`,
          )
        : ""
    }
    ${
      request.outdated && permissions.edit && !hasConflicts
        ? formOf(
            "pull",
            html`<input type="hidden" name="revision" value="${request.revisionId}" />
              <button>Update from the main content</button>`,
            { style: "quiet" },
          )
        : ""
    }
  </section>`;
}

/** What speaks for and against a merge. */
function readiness({ conflicts, outdated, reviewStatus, permissions }: ChangeRequest): Html {
  const review =
    reviewStatus === "CHANGES_REQUESTED"
      ? html`<li>A reviewer requests changes.</li>`
      : reviewStatus === "PENDING"
        ? html`<li>A requested review is missing.</li>`
        : html``;
  return html`<ul class="readiness">
    <li>${conflictsIn(conflicts)}</li>
    ${outdated && conflicts?.length === 0 ? html`<li>The main content has changed since.</li>` : ""} ${review}
    ${permissions.merge ? "" : html`<li>People with the role to review can merge it.</li>`}
  </ul>`;
}

function conflictsIn(conflicts: ChangeRequest["conflicts"]): Html {
  if (!conflicts) return html`The comparison with the main content takes too long: conflicts are not shown.`;
  if (conflicts.length === 0) return html`No conflicts with the main content.`;
  return html`<a href="#conflicts">${counted(conflicts.length, "conflict")}</a> with the main content must be resolved
    first.`;
}

const brokenView = ({ totalCount, nodes }: ChangeRequest["brokenLinks"]): Html =>
  totalCount === 0
    ? html``
    : html`<p><strong>A merge breaks ${counted(totalCount, "link")}:</strong></p>
        <ul class="broken">
          ${nodes.map(
            ({ address, locationReferences }) =>
              html`<li>
                <code>${address}</code>
                ${locationReferences.map(({ page }) => (page ? html`<span class="soft">on ${page.title}</span>` : html``))}
              </li>`,
          )}
        </ul>`;

const moves = {
  DRAFT: [
    ["OPEN", "Ready for review"],
    ["ARCHIVED", "Archive"],
  ],
  OPEN: [
    ["DRAFT", "Back to draft"],
    ["ARCHIVED", "Archive"],
  ],
  ARCHIVED: [["OPEN", "Reopen"]],
  MERGED: [],
} as const;

/** The buttons for another status and the form for another subject, for those who may change them. */
export function settingsView({ status, subject, permissions }: ChangeRequest, asked: Asked): Html {
  if (!permissions.update || status === "MERGED") return html``;
  return html`${problemOf(asked, "status")}
    ${formOf(
      "status",
      html`${moves[status].map(([next, label]) => html`<button name="status" value="${next}">${label}</button>`)}`,
      { style: "quiet buttons" },
    )}
    <details class="start" ${asked.problem?.form === "subject" ? html`open` : ""}>
      <summary>Change the subject</summary>
      ${problemOf(asked, "subject")}
      ${formOf(
        "subject",
        html`<label>
            Subject
            <input name="subject" value="${filled(asked, "subject", "subject", subject)}" maxlength="100" />
          </label>
          <button>Save</button>`,
        { style: "stacked" },
      )}
    </details>`;
}
