// The forms that import pages from a ZIP archive, a folder or an address; how far the latest import is, and what it has
// brought.
import { counted } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked } from "#src/pages/page.ts";

interface Warning {
  readonly path: string;
  readonly line: number | null;
  readonly message: string;
}

export interface LatestImport {
  readonly id: string;
  readonly state: "PENDING" | "RUNNING" | "DONE" | "FAILED" | "CANCELLED";
  readonly url: string;
  readonly found: number;
  readonly read: number;
  readonly written: number;
  readonly fileCount: number | null;
  readonly linkCount: number | null;
  readonly error: string | null;
  readonly warningCount: number | null;
  readonly warnings: readonly Warning[];
}

/** What the views select of a space. */
export const latestImport = `imports(first: 1) { nodes {
  id state url found read written fileCount linkCount error warningCount warnings { path line message }
} }`;

const sources = [
  ["WEBSITE", "A website: the page and those below it"],
  ["MARKDOWN", "A Markdown file, or a ZIP of Markdown files"],
  ["OPENAPI", "An OpenAPI document"],
] as const;

/** Open where it is one of the first steps, and after a refusal. */
export const importForms = (asked: Asked, isEmpty: boolean): Html =>
  html`<details class="new" id="import" ${isEmpty || isSent(asked) ? html`open` : ""}>
    <summary>Import pages</summary>
    ${problemOf(asked, "archive")}
    ${filesForm("A folder with Markdown files", html`webkitdirectory`, "Import the folder")}
    ${filesForm("A ZIP archive", html`accept=".zip,application/zip"`, "Import the archive")}
    ${problemOf(asked, "import")} ${addressForm(asked)}
  </details>`;

const isSent = ({ problem }: Asked): boolean => problem?.form === "archive" || problem?.form === "import";

const filesForm = (label: string, kind: Html, button: string): Html =>
  formOf(
    "archive",
    html`<label>${label} <input type="file" name="file" required ${kind} /></label>
      <button class="quiet">${button}</button>`,
    { style: "row", hasFiles: true },
  );

const addressForm = (asked: Asked): Html =>
  formOf(
    "import",
    html`<label
        >Address
        <input
          name="url"
          value="${filled(asked, "import", "url")}"
          type="url"
          required
          placeholder="https://docs.example.com/"
      /></label>
      <label
        >What is there
        <select name="source">
          ${sources.map(
            ([value, text]) =>
              html`<option value="${value}" ${filled(asked, "import", "source") === value ? html`selected` : ""}>
                ${text}
              </option>`,
          )}
        </select></label
      >
      <button class="quiet">Import</button>`,
    { style: "row" },
  );

/** The state of the latest import, which scripts keep up to date. */
export function progressOf(latest: LatestImport | undefined, root: string, isEditable: boolean): Html {
  if (!latest) return html``;
  const { id, state, url, found, read, written, fileCount, linkCount, error, warningCount, warnings } = latest;
  const brought = `${counted(written, "page")} and ${counted(fileCount ?? 0, "file")}, with ${counted(linkCount ?? 0, "link")} between them`;
  const says = {
    PENDING: html`The import of ${url} is queued.`,
    RUNNING: html`Importing ${url}: ${read} of ${found} files are read.
      <progress max="${Math.max(found, 1)}" value="${read}" aria-label="Files read"></progress>`,
    DONE: html`Imported ${url}: ${brought}. <a href="${root}">Show the pages</a>`,
    FAILED: html`The import of ${url} failed: ${error ?? "for an unknown reason"}`,
    CANCELLED: html`The import of ${url} was cancelled.`,
  };
  const mayCancel = isEditable && (state === "PENDING" || state === "RUNNING");
  return html`<div class="${state === "FAILED" ? "problem" : "banner"}" role="status">
      <span>${says[state]}</span>
      ${state === "PENDING" || state === "RUNNING" ? html`<a class="scriptless" href="">Look again</a>` : ""}
      ${mayCancel ? formOf("cancelImport", html`<input type="hidden" name="id" value="${id}" /><button>Cancel</button>`, { style: "quiet small" }) : ""}
    </div>
    ${state === "DONE" ? warningsOf(warnings, warningCount ?? 0) : ""}`;
}

/** The most warnings on a page. */
const mostShown = 200;

function warningsOf(warnings: readonly Warning[], count: number): Html {
  if (count === 0) return html``;
  const shown = warnings.slice(0, mostShown);
  return html`<details class="warnings">
    <summary>${counted(count, "warning")}</summary>
    <ul>
      ${shown.map(({ path, line, message }) => html`<li><code>${path}${line === null ? "" : `:${line}`}</code> ${message}</li>`)}
    </ul>
    ${count > shown.length ? html`<p class="soft">And ${count - shown.length} more.</p>` : ""}
  </details>`;
}
