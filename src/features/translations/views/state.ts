// The state of a translation: its status, and how far its run is.
import { html, type Html } from "#src/http/html.ts";

/** What {@link stateOf} shows. */
export interface TranslationState {
  readonly status: "COMPLETED" | "FAILED" | "PENDING" | "RUNNING";
  readonly progress: { readonly donePages: number; readonly pages: number };
}

/** The selection of {@link TranslationState}. */
export const stateFields = "status progress { donePages pages }";

const names: Readonly<Record<TranslationState["status"], Html>> = {
  COMPLETED: html`<span class="badge good">Translated</span>`,
  FAILED: html`<span class="badge bad">Failed</span>`,
  PENDING: html`<span class="badge">Waiting</span>`,
  RUNNING: html`<span class="badge">Running</span>`,
};

/** A badge with the status, and the progress of a run. */
export const stateOf = ({ status, progress: { donePages, pages } }: TranslationState): Html =>
  html`${names[status]}
  ${
    status === "RUNNING" && pages > 0
      ? html`<progress value="${donePages}" max="${pages}" aria-label="Translated pages"></progress>
          <span class="soft">${donePages} of ${pages} pages</span>`
      : ""
  }`;
