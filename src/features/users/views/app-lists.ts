// Parts of pages with lists: tabs, tables that scroll on phones, the link to the next rows, and what confirms a form.
import { html, type Html } from "#src/http/html.ts";
import type { Asked } from "#src/pages/page.ts";

/** The position of a page of a list, as pages select it. */
export interface ListEnd {
  readonly hasNextPage: boolean;
  readonly endCursor: string | null;
}

/** Links to the parts of a thing, the current one marked. */
export const tabsOf = (label: string, current: string, tabs: readonly (readonly [name: string, path: string])[]) =>
  html`<nav class="app-tabs" aria-label="${label}">
    <ul>
      ${tabs.map(
        ([name, path]) =>
          html`<li><a href="${path}" ${name === current ? html`aria-current="page"` : ""}>${name}</a></li>`,
      )}
    </ul>
  </nav>`;

/** A table with its headings. The part around it scrolls where it is wider than the screen, by keyboard, too. */
export const tableOf = (label: string, headings: readonly string[], rows: readonly Html[]): Html =>
  html`<div class="app-table" role="region" aria-label="${label}" tabindex="0">
    <table>
      <thead>
        <tr>
          ${headings.map((heading) => html`<th scope="col">${heading}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;

/** The link to the next rows of a list, which keeps its filters; nothing after the last ones. */
export function nextOf({ hasNextPage, endCursor }: ListEnd, { root, search }: Pick<Asked, "root" | "search">): Html {
  if (!hasNextPage || endCursor === null) return html``;
  const next = new URLSearchParams(search);
  next.set("after", endCursor);
  return html`<p><a rel="next" href="${root}?${next.toString()}">Next page</a></p>`;
}

/** The address of the page that a form was sent from, with its filters. */
export const hereOf = ({ root, search }: Pick<Asked, "root" | "search">): string =>
  search.size === 0 ? root : `${root}?${search.toString()}`;

/** A form that deletes something is behind a button that opens it, so that no single click deletes. */
export const confirmed = (action: string, form: Html): Html =>
  html`<details class="confirm">
    <summary>${action}</summary>
    ${form}
  </details>`;

/** The options of a select, the chosen one marked. */
export const optionsOf = (options: readonly (readonly [value: string, name: string])[], chosen: string): Html =>
  html`${options.map(
    ([value, name]) => html`<option value="${value}" ${value === chosen ? html`selected` : ""}>${name}</option>`,
  )}`;

/** Names and values, such as the settings of a thing; those without a value are omitted. */
export const factsOf = (facts: readonly (readonly [name: string, value: Html | string | number | null])[]): Html =>
  html`<dl class="facts">
    ${facts.map(([name, value]) =>
      value === null || value === ""
        ? html``
        : html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
    )}
  </dl>`;

/** The name of a value of an enum for people, such as `In progress` of `IN_PROGRESS`. */
export const nameOfValue = (value: string): string =>
  value.charAt(0) + value.slice(1).toLowerCase().replaceAll("_", " ");

/** A number with its noun, such as `1 member` and `2 members`. */
export const counted = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`;
