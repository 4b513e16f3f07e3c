// The layout of the documentation: all pages at the left, the text, the contents of the page at the right. On a narrow
// screen the text comes first, and the list of pages after it.
import type { DocPage, Navigation } from "#src/base/documentation.ts";
import { html, type Html } from "#src/http/html.ts";
import type { DocHeading } from "#src/server/pages/docs/markdown.ts";
import { longestQuery } from "#src/server/pages/docs/search-index.ts";

/** A page that is listed beside those of the documentation. */
export interface Listed {
  readonly path: string;
  readonly title: string;
}

export interface Layout {
  readonly navigation: Navigation;
  readonly references: readonly Listed[];
  /** The path of the page that is shown; null for one that is not listed. */
  readonly path: string | null;
  readonly main: Html;
  readonly headings?: readonly DocHeading[];
  /** What was searched for. */
  readonly query?: string;
}

export function docsLayout({ main, headings = [], query = "", ...listed }: Layout): Html {
  const contents = contentsOf(headings);
  const short = html`<details class="contents">
    <summary>On this page</summary>
    ${contents}
  </details>`;
  return html`<section class="docs-top" aria-label="Pages and search">
      <a href="#docs-pages">All pages</a>
      <form role="search" action="/docs">
        <label class="unseen" for="q">Search the documentation</label>
        <input
          id="q"
          name="q"
          type="search"
          value="${query}"
          maxlength="${longestQuery}"
          placeholder="Search"
          required
        />
        <button>Search</button>
      </form>
    </section>
    <div class="docs">
      <nav id="docs-pages" aria-label="Documentation">${pagesOf(listed)}</nav>
      <main id="main" class="prose">${headings.length > 2 ? short : ""}${main}</main>
      ${
        headings.length > 2
          ? html`<nav class="contents" aria-label="On this page">
              <p>On this page</p>
              ${contents}
            </nav>`
          : ""
      }
    </div>`;
}

function pagesOf({
  navigation: { start, groups },
  references,
  path,
}: Pick<Layout, "navigation" | "references" | "path">) {
  const linkTo = ({ path: to, title }: Listed) =>
    html`<li><a href="${to}" ${to === path ? html`aria-current="page"` : ""}>${title}</a></li>`;
  const group = (title: string, pages: readonly Listed[]) =>
    html`<li>
      <p>${title}</p>
      <ul>
        ${pages.map(linkTo)}
      </ul>
    </li>`;
  return html`<ul>
    ${linkTo(start)} ${groups.map(({ title, pages }) => group(title, pages))} ${group("Reference", references)}
  </ul>`;
}

/** The headings of the second and third level, as a list of links. */
const contentsOf = (headings: readonly DocHeading[]): Html =>
  html`<ul>
    ${headings
      .filter(({ level }) => level === 2 || level === 3)
      .map(({ level, title, anchor }) => html`<li class="level-${level}"><a href="#${anchor}">${title}</a></li>`)}
  </ul>`;

/** The links to the pages before and after a page, and to its text. */
export function pagerOf({ pages }: Navigation, page: DocPage): Html {
  const at = pages.indexOf(page);
  const [previous, next] = [pages[at - 1], pages[at + 1]];
  return html`<nav class="pager" aria-label="Previous and next page">
      ${previous ? html`<a rel="prev" href="${previous.path}"><span>Previous</span>${previous.title}</a>` : ""}
      ${next ? html`<a rel="next" href="${next.path}"><span>Next</span>${next.title}</a>` : ""}
    </nav>
    <p class="as-text"><a href="${textPathOf(page)}">This page as Markdown</a></p>`;
}

/** The address of the text of a page. */
export const textPathOf = ({ name, path }: DocPage): string => (name === null ? "/README.md" : `${path}.md`);
