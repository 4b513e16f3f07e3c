// The results of the search over everything: pages of all spaces, with the sections that match.
import { type AppFrame, appPage } from "#src/features/users/views/app-frame.ts";
import { marked, type Range } from "#src/features/content/views/marked.ts";
import { pathOfPage, pathOfSpace } from "#src/features/content/views/place.ts";
import { html, type Html } from "#src/http/html.ts";
import type { Asked, Shown } from "#src/pages/page.ts";

interface Hit {
  readonly pageId: string;
  readonly title: string;
  readonly space: { readonly id: string; readonly title: string };
  readonly sections: readonly {
    readonly anchor: string | null;
    readonly title: string;
    readonly titleMatches: readonly Range[];
    readonly body: string;
    readonly bodyMatches: readonly Range[];
  }[];
}

export interface FoundAnywhere extends AppFrame {
  readonly organizations: {
    readonly nodes: readonly {
      readonly id: string;
      readonly title: string;
      readonly search?: { readonly totalCount: number; readonly nodes: readonly Hit[] };
    }[];
  };
}

/** The searched text. */
export const searchedIn = ({ search }: Asked): string =>
  (search.get("q") ?? "").replaceAll("\0", " ").trim().slice(0, 200);

export function searchView(answer: FoundAnywhere, asked: Asked): Shown {
  const text = searchedIn(asked);
  return appPage(answer, {
    title: text === "" ? "Search" : `${text} · Search`,
    searched: text,
    main: html`<div class="search-page">
      <h1>Search</h1>
      ${text === "" ? html`<p class="soft">Enter words above to search all spaces that you may read.</p>` : results(answer, text)}
    </div>`,
  });
}

/** Scripts show the element `results` as one types. */
function results({ organizations: { nodes } }: FoundAnywhere, text: string): Html {
  const found = nodes.flatMap(({ id, title, search }) =>
    search && search.nodes.length > 0 ? [{ id, title, search }] : [],
  );
  if (found.length === 0)
    return html`<div id="results"><p class="soft" role="status">No page matches “${text}”.</p></div>`;
  const total = found.reduce((sum, { search }) => sum + search.totalCount, 0);
  return html`<div id="results">
    <p class="soft" role="status">${total === 1 ? "1 page" : `${total} pages`} for “${text}”</p>
    ${found.map(
      ({ title, search }) =>
        html`${found.length > 1 ? html`<h2>${title}</h2>` : ""}
          <ol>
            ${search.nodes.map((hit) => html`<li>${hitOf(hit)}</li>`)}
          </ol>`,
    )}
  </div>`;
}

function hitOf({ pageId, title, space, sections }: Hit): Html {
  const path = pathOfPage({ root: pathOfSpace(space.id) }, pageId);
  return html`<a class="hit" href="${path}">${title} <small>${space.title}</small></a> ${sections.map(
      ({ anchor, title: heading, titleMatches, body, bodyMatches }) => {
        const address = anchor === null ? path : `${path}#${encodeURIComponent(anchor)}`;
        return html`<a class="section" href="${address}"
          >${anchor === null ? "" : html`<b>${marked(heading, titleMatches)}</b>`}<span
            >${marked(body, bodyMatches)}</span
          ></a
        >`;
      },
    )}`;
}
