// The conflicts of a change request with the main content: both sides of each, and the choice between them.
import type { ChangeRequest, Conflict } from "#src/features/change-requests/views/answer.ts";
import { counted } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked } from "#src/pages/page.ts";

type Side = "ours" | "theirs";

/** Nothing without a conflict. */
export function conflictsView({ conflicts, permissions, status, revisionId }: ChangeRequest, asked: Asked): Html {
  if (!conflicts || conflicts.length === 0) return html``;
  const mayResolve = permissions.edit && (status === "DRAFT" || status === "OPEN");
  const each = conflicts.map((conflict) => conflictView(conflict, mayResolve, asked));
  return html`<section class="conflicts" aria-labelledby="conflicts">
    <h2 id="conflicts">${counted(conflicts.length, "conflict")} with the main content</h2>
    <p class="soft">
      The same content was changed here and in the main content.
      ${mayResolve ? "Choose what to keep; then it can be merged." : "Somebody who may edit can resolve them."}
    </p>
    ${problemOf(asked, "resolveConflicts")}
    ${
      mayResolve
        ? formOf(
            "resolveConflicts",
            html`<input type="hidden" name="revision" value="${revisionId}" />${each} <button>Resolve</button>`,
            { style: "stacked" },
          )
        : each
    }
  </section>`;
}

function conflictView(conflict: Conflict, mayResolve: boolean, { problem }: Asked): Html {
  const { conflictId, message, takesText } = conflict;
  const sent = problem?.form === "resolveConflicts" ? problem.fields : null;
  const chosen = sent?.get(`choice:${conflictId}`);
  const option = (value: string, label: string, content: Html): Html =>
    html`<div class="side-of-conflict">
      ${
        mayResolve
          ? html`<label class="choice">
              <input
                type="radio"
                name="choice:${conflictId}"
                value="${value}"
                required
                ${chosen === value ? html`checked` : ""}
              />
              ${label}
            </label>`
          : html`<p><strong>${label}</strong></p>`
      }
      ${content}
    </div>`;
  const [ours, theirs] = [shownSide(conflict, "ours"), shownSide(conflict, "theirs")];
  return html`<fieldset>
    <legend>${message}</legend>
    <div class="two-sides">
      ${option("OURS", "This change request", ours)} ${option("THEIRS", "Main content", theirs)}
    </div>
    ${
      mayResolve && takesText
        ? option(
            "TEXT",
            "Something else",
            html`<textarea name="text:${conflictId}" rows="4" aria-label="Another text">
${sent?.get(`text:${conflictId}`) ?? textOf(conflict)}</textarea>`,
          )
        : ""
    }
  </fieldset>`;
}

/** The text to begin with. */
const textOf = ({ oursText, ours, oursValue }: Conflict): string =>
  oursText ?? ours ?? (typeof oursValue === "string" ? oursValue : "");

function shownSide(conflict: Conflict, side: Side): Html {
  const { deletedBy } = conflict;
  const text = conflict[`${side}Text`];
  if (text !== undefined) return text === "" ? nothing : html`<pre>${text}</pre>`;
  if (`${side}Value` in conflict) return valueView(conflict[`${side}Value`]);
  if (`${side}Parent` in conflict) return html`<p>Below ${conflict[`${side}Parent`]?.title ?? "the top level"}</p>`;
  const pages = conflict[`${side}Pages`];
  if (pages)
    return html`<ol>
      ${pages.map(({ title }) => html`<li>${title}</li>`)}
    </ol>`;
  const page = conflict[`${side}Page`];
  if (page) return html`<p>${page.title}</p>`;
  if (deletedBy) return deletedBy.toLowerCase() === side ? html`<p>Deleted</p>` : html`<p>Kept and changed</p>`;
  return side in conflict ? valueView(conflict[side]) : html``;
}

const nothing = html`<p class="soft">Nothing</p>`;

const valueView = (value: unknown): Html =>
  value == null ? nothing : html`<pre>${typeof value === "string" ? value : JSON.stringify(value)}</pre>`;
