// The reviewers of a change request with their verdicts, and the forms to ask for a review and to give one.
import type { ChangeRequestAnswer, ChangeRequest, Review } from "#src/features/change-requests/views/answer.ts";
import { reviewBadge } from "#src/features/change-requests/views/badges.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked } from "#src/pages/page.ts";

/** A change request that can be reviewed. */
const takesReviews = ({ status }: ChangeRequest): boolean => status === "DRAFT" || status === "OPEN";

export function reviewersView(answer: ChangeRequestAnswer, request: ChangeRequest, asked: Asked): Html {
  const { nodes } = request.reviews;
  return html`<section aria-labelledby="reviewers">
    <h2 id="reviewers">Reviewers</h2>
    ${problemOf(asked, "dismiss")}${problemOf(asked, "withdraw")}
    ${
      nodes.length === 0
        ? html`<p class="soft">Nobody yet.</p>`
        : html`<ul class="people">
            ${nodes.map(personView)}
          </ul>`
    }
    ${request.permissions.requestReviews && takesReviews(request) ? askForm(answer, request, asked) : ""}
  </section>`;
}

const personView = ({ id, reviewer, status, outdated, permissions }: Review): Html =>
  html`<li>
    <span>${reviewer.displayName}</span> ${reviewBadge(status)}
    ${outdated && status !== "REQUESTED" ? html`<span class="soft">before the latest changes</span>` : ""}
    ${
      permissions.withdraw && status === "REQUESTED"
        ? formOf(
            "withdraw",
            html`<input type="hidden" name="reviewer" value="${reviewer.id}" /><button>Withdraw</button>`,
            quiet,
          )
        : ""
    }
    ${
      permissions.dismiss && (status === "APPROVED" || status === "CHANGES_REQUESTED")
        ? formOf("dismiss", html`<input type="hidden" name="id" value="${id}" /><button>Dismiss</button>`, quiet)
        : ""
    }
  </li>`;

const quiet = { style: "quiet small" };

/** Of people who may comment, those without an open request; nothing if the viewer does not see the members. */
function askForm({ space }: ChangeRequestAnswer, { createdBy, reviews }: ChangeRequest, asked: Asked): Html {
  const asksNow = reviews.nodes.flatMap(({ status, reviewer }) => (status === "REQUESTED" ? [reviewer.id] : []));
  const people = (space.members?.nodes ?? []).filter(
    ({ role, user }) => role !== "READ" && user.id !== createdBy.id && !asksNow.includes(user.id),
  );
  if (people.length === 0) return html``;
  const chosen = filled(asked, "request", "reviewer");
  return html`${problemOf(asked, "request")}
  ${formOf(
    "request",
    html`<label>
        Ask for a review
        <select name="reviewer" required>
          <option value="">Choose a person</option>
          ${people.map(
            ({ user }) =>
              html`<option value="${user.id}" ${user.id === chosen ? html`selected` : ""}>${user.displayName}</option>`,
          )}
        </select>
      </label>
      <button>Request</button>`,
    { style: "stacked quiet" },
  )}`;
}

/** The form of a verdict, for those who may give one. */
export function verdictForm(request: ChangeRequest, asked: Asked): Html {
  if (!request.permissions.review || !takesReviews(request)) return html``;
  return html`<section aria-labelledby="your-review">
    <h2 id="your-review">Your review</h2>
    ${problemOf(asked, "review")}
    ${formOf(
      "review",
      html`<label>
          Message (optional)
          <textarea name="message" rows="3" maxlength="10000">${filled(asked, "review", "message")}</textarea>
        </label>
        <p class="buttons">
          <button name="verdict" value="APPROVED">Approve</button>
          <button name="verdict" value="CHANGES_REQUESTED" class="second">Request changes</button>
        </p>`,
      { style: "stacked" },
    )}
  </section>`;
}
