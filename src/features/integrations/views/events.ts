// The events that were sent to an installation, each with what its script logged.
import type { DeliveredEvent, Installation } from "#src/features/integrations/views/installation-answer.ts";
import { timeOf } from "#src/features/users/views/app-frame.ts";
import { counted, nameOfValue, tableOf } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { formOf } from "#src/pages/forms.ts";
import type { Asked } from "#src/pages/page.ts";

const filters = [
  ["", "All"],
  ["FAILURE", "Failed"],
  ["PENDING", "Waiting"],
  ["SUCCESS", "Delivered"],
] as const;

const names: Readonly<Record<DeliveredEvent["status"], Html>> = {
  FAILURE: html`<span class="badge bad">Failed</span>`,
  PENDING: html`<span class="badge">Waiting</span>`,
  SUCCESS: html`<span class="badge good">Delivered</span>`,
};

/** The newest events, and a filter by their status. */
export const eventsOf = ({ events: { nodes, pageInfo } }: Installation, { root, search }: Asked): Html =>
  html`<h3 id="events">Events</h3>
    <p class="choices">
      ${filters.map(([status, name]) => {
        const isChosen = (search.get("status") ?? "") === status;
        return html`<a href="${root}?status=${status}#events" ${isChosen ? html`aria-current="true"` : ""}
          >${name}</a
        > `;
      })}
    </p>
    ${
      nodes.length === 0
        ? html`<p>No event.</p>`
        : tableOf("Events", ["Event", "Status", "Trace", "Action"], nodes.map(rowOf))
    }
    ${pageInfo.hasNextPage ? nextOf(pageInfo.endCursor ?? "", { root, search }) : ""}`;

function nextOf(cursor: string, { root, search }: Pick<Asked, "root" | "search">): Html {
  const next = new URLSearchParams(search);
  next.set("events", cursor);
  return html`<p><a href="${root}?${next.toString()}#events">Older events</a></p>`;
}

const rowOf = (event: DeliveredEvent): Html => {
  const { id, type, status, tries, createdAt, durationMs, nextTryAt } = event;
  return html`<tr>
    <td class="wide">${nameOfValue(type)} <span class="soft">${timeOf(createdAt)}</span></td>
    <td class="tight">
      ${names[status]}
      <span class="soft">
        ${tries === 1 ? "1 try" : `${tries} tries`}${durationMs === null ? "" : `, ${durationMs} ms`}
        ${status === "PENDING" && nextTryAt !== null ? html`<br />next ${timeOf(nextTryAt)}` : ""}
      </span>
    </td>
    <td>${traceOf(event)}</td>
    <td class="tight">
      ${
        status === "FAILURE"
          ? formOf("retry", html`<input type="hidden" name="event" value="${id}" /><button>Retry</button>`, {
              style: "quiet",
            })
          : ""
      }
    </td>
  </tr>`;
};

const mostShown = 4000;

function traceOf({ payload, logs, type }: DeliveredEvent): Html {
  const text = JSON.stringify(payload, null, 2);
  return html`<details>
    <summary>${counted(logs.length, "line")}<span class="hidden"> of ${nameOfValue(type)}</span></summary>
    ${
      logs.length === 0
        ? html`<p class="soft">Its script logged nothing.</p>`
        : html`<ol class="trace">
            ${logs.map(
              ({ level, message, timestamp }) =>
                html`<li><span class="soft">${timestamp.slice(11, 23)} ${level.toLowerCase()}</span> ${message}</li>`,
            )}
          </ol>`
    }
    <pre class="trace" tabindex="0">${text.length > mostShown ? `${text.slice(0, mostShown)}…` : text}</pre>
  </details>`;
}
