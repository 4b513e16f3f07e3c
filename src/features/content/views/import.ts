// The form that imports pages from an address, and how far the latest import is.
import { html, type Html } from "#src/http/html.ts";
import { filled, formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked } from "#src/pages/page.ts";

export interface LatestImport {
  readonly state: "PENDING" | "RUNNING" | "DONE" | "FAILED" | "CANCELLED";
  readonly url: string;
  readonly found: number;
  readonly read: number;
  readonly error: string | null;
}

/** What the views select of a space. */
export const latestImport = `imports(first: 1) { nodes { state url found read error } }`;

const sources = [
  ["WEBSITE", "A website: the page and those below it"],
  ["MARKDOWN", "A Markdown file, or a ZIP of Markdown files"],
  ["OPENAPI", "An OpenAPI document"],
] as const;

/** Open where it is one of the first steps, and after a refusal. */
export const importForm = (asked: Asked, isEmpty: boolean): Html =>
  html`<details class="new" ${isEmpty || asked.problem?.form === "import" ? html`open` : ""}>
    <summary>Import pages from an address</summary>
    ${problemOf(asked, "import")}
    ${formOf(
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
      { style: "stacked" },
    )}
  </details>`;

/** The state of an import, which scripts keep up to date. */
export function progressOf(latest: LatestImport | undefined, root: string): Html {
  if (!latest) return html``;
  const { state, url, found, read, error } = latest;
  const says = {
    PENDING: html`The import of ${url} is queued.`,
    RUNNING: html`Importing ${url}: ${read} of ${found} files are read.`,
    DONE: html`The import of ${url} is done. <a href="${root}">Show the pages</a>`,
    FAILED: html`The import of ${url} failed: ${error ?? "for an unknown reason"}`,
    CANCELLED: html`The import of ${url} was cancelled.`,
  };
  return html`<p class="${state === "FAILED" ? "problem" : "banner"}" role="status"><span>${says[state]}</span></p>`;
}
