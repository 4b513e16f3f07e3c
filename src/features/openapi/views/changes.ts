// What changed between two versions of a specification, breaking changes first, and what is not valid in a version.
import { counted } from "#src/features/users/views/app-lists.ts";
import { html, type Html } from "#src/http/html.ts";

interface Change {
  readonly kind: "ADDED" | "CHANGED" | "REMOVED";
  readonly isBreaking: boolean;
  readonly reason: string;
  readonly method: string | null;
  readonly path: string | null;
  readonly model: string | null;
  readonly place: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

interface Warning {
  readonly path: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
}

/** A version with what changed since the previous one, as the page selects it. */
export interface ComparedVersion {
  readonly number: number;
  readonly apiVersion: string;
  /** Of all warnings; the first of them are in `warnings`. */
  readonly warningCount: number;
  readonly warnings: readonly Warning[];
  /** Null for the first version. */
  readonly changes: {
    readonly before: { readonly number: number };
    readonly changeCount: number;
    readonly breakingCount: number;
    readonly isComplete: boolean;
    readonly changes: { readonly nodes: readonly Change[] };
  } | null;
}

/** The changes of a version; nothing for the first one. */
export function changesOf(version: ComparedVersion | null): Html {
  if (!version?.changes) return html``;
  const { before, changeCount, breakingCount, isComplete, changes } = version.changes;
  const breakingFirst = changes.nodes.toSorted((one, other) => Number(other.isBreaking) - Number(one.isBreaking));
  return html`<h3>What version ${version.number} changed</h3>
    <p class="soft">
      Since version ${before.number}: ${counted(changeCount, "change")},
      ${breakingCount === 0 ? "none of them breaking" : html`<strong>${breakingCount} breaking</strong>`}.
      ${isComplete ? "" : "The versions differ in more than could be compared."}
    </p>
    ${
      changeCount === 0
        ? ""
        : html`<ul class="card-list">
            ${breakingFirst.map(changeOf)}
          </ul>`
    }
    ${changeCount > changes.nodes.length ? html`<p class="soft">The first ${changes.nodes.length} are shown.</p>` : ""}`;
}

const changeOf = ({ isBreaking, reason, method, path, model, place, before, after }: Change): Html =>
  html`<li>
    ${isBreaking ? html`<span class="badge bad">Breaking</span>` : ""} ${reason}
    <span class="soft">
      ${method === null ? "" : html`<code>${method.toUpperCase()} ${path ?? ""}</code>`}
      ${model === null ? "" : html`<code>${model}</code>`} ${place ?? ""}
      ${before === null ? "" : html`<del>${before}</del>`} ${after === null ? "" : html`<ins>${after}</ins>`}
    </span>
  </li>`;

/** What is not valid in a version; nothing if all of it is. */
export const warningsOf = (version: ComparedVersion | null): Html =>
  !version || version.warningCount === 0
    ? html``
    : html`<details class="warnings">
        <summary>${counted(version.warningCount, "warning")} about version ${version.number}</summary>
        <ul>
          ${version.warnings.map(
            ({ path, line, column, message }) =>
              html`<li>
                <code>${path}${line === null ? "" : `:${line}${column === null ? "" : `:${column}`}`}</code> ${message}
              </li>`,
          )}
        </ul>
      </details>`;
