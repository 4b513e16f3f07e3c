// The state of the source of a specification, for people.
import { html, type Html } from "#src/http/html.ts";

/** What {@link stateOf} shows. */
export interface SpecState {
  readonly processingState: "COMPLETE" | "PENDING" | "PROGRESS";
  readonly lastProcessErrorCode: string | null;
}

/** The selection of {@link SpecState}. */
export const specStateFields = "processingState lastProcessErrorCode";

/** A badge with the state. */
export function stateOf({ processingState, lastProcessErrorCode }: SpecState): Html {
  if (processingState !== "COMPLETE") return html`<span class="badge">Being read</span>`;
  return lastProcessErrorCode === null
    ? html`<span class="badge good">Up to date</span>`
    : html`<span class="badge bad">Failed</span>`;
}
