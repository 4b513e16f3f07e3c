// The status of an installation and the names of what it asks for, for people.
import { nameOfValue } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";

export type InstallationStatus = "ACTIVE" | "PAUSED" | "PENDING";

const names: Readonly<Record<InstallationStatus, Html>> = {
  ACTIVE: html`<span class="badge good">Active</span>`,
  PAUSED: html`<span class="badge">Paused</span>`,
  PENDING: html`<span class="badge">Needs settings</span>`,
};

/** A badge with the status. */
export const statusOf = (status: InstallationStatus): Html => names[status];

/** The scopes as a list, such as `Space content read`. */
export const scopesOf = (scopes: readonly string[]): Html =>
  scopes.length === 0
    ? html`<p>It asks for no access.</p>`
    : html`<ul>
        ${scopes.map((scope) => html`<li>${nameOfValue(scope)}</li>`)}
      </ul>`;
