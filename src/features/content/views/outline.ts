// The outline of a page, and the button that closes what covers a page on narrow windows.
import { html, type Html } from "#src/http/html.ts";
import { closeIcon, outlineIcon } from "#src/pages/icons.ts";

export interface Heading {
  readonly anchor: string;
  readonly title: string;
  readonly level: number;
}

/** The headings of a page, beside it; behind a button where the window is narrow. */
export function outlineOf(headings: readonly Heading[]): { readonly button: Html; readonly list: Html } {
  const least = Math.min(...headings.map(({ level }) => level));
  const shown = headings.filter(({ level }) => level <= least + 1);
  if (shown.length < 2) return { button: html``, list: html`` };
  return {
    button: html`<button type="button" class="outline-button" popovertarget="outline">
      ${outlineIcon}On this page
    </button>`,
    list: html`<aside class="outline" id="outline" popover>
      <nav aria-labelledby="outline-title">
        <h2 id="outline-title">On this page</h2>
        ${closeButton("outline")}
        <ul>
          ${shown.map(
            ({ anchor, title, level }) =>
              html`<li class="${level > least ? "deeper" : ""}">
                <a href="#${encodeURIComponent(anchor)}">${title}</a>
              </li>`,
          )}
        </ul>
      </nav>
    </aside>`,
  };
}

/** The button that closes a part that covers the page on narrow windows. */
export const closeButton = (id: string): Html =>
  html`<button type="button" class="close" popovertarget="${id}" popovertargetaction="hide" aria-label="Close">
    ${closeIcon}
  </button>`;
