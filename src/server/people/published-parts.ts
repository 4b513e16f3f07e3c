// What the pages of spaces and those of sites have alike: where a request leads, tables of contents, and texts.
import { type Html, html } from "#src/http/html.ts";

interface Published {
  readonly id: string;
  readonly visibility: string;
  readonly urls: { readonly published: string | null };
}

/** A page as a table of contents lists it. */
export interface Listed {
  readonly title: string;
  readonly path: string;
  readonly level: number;
}

/**
 * Where a request leads: the address of the whole content here, with the key that opened it, and the path below that.
 */
export function placeOf({ id, visibility, urls }: Published, segments: readonly string[]) {
  const isOpenedByKey = visibility === "SHARE_LINK" && urls.published !== null;
  const key = segments.slice(0, isOpenedByKey ? 1 : 0);
  return { root: ["/published", id, ...key].join("/"), path: segments.slice(key.length).join("/") };
}

/** Whether anybody may view it, without any key. */
export const isOpenToAnybody = ({ visibility }: Pick<Published, "visibility">): boolean =>
  visibility === "PUBLIC" || visibility === "UNLISTED";

/** The list of the pages, with links. */
export function contentsOf(root: string, pages: readonly Listed[]): Html {
  const addressOf = ({ path }: Listed) => `${root}/${path.split("/").map(encodeURIComponent).join("/")}`;
  const entries = pages.map(
    (page) => html`<li>${"– ".repeat(page.level)}<a href="${addressOf(page)}">${page.title}</a></li>`,
  );
  return html`<nav>
    <ul>
      ${entries}
    </ul>
  </nav>`;
}

/** A page with its text, if it has one. */
export const articleOf = (title: string, text: string | null | undefined): Html =>
  html`<article>
    <h2>${title}</h2>
    ${text ? html`<pre>${text}</pre>` : ""}
  </article>`;
