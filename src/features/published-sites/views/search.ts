// The view of a search: pages and their sections, with the words that match.
import { html, type Html } from "#src/http/html.ts";
import { marked } from "#src/features/content/views/marked.ts";
import type { Shown } from "#src/pages/page.ts";
import { type Found, type Hit, robotsFor, type Site } from "#src/features/published-sites/views/answer.ts";
import { framed, searchIn, themeOf, titleOf } from "#src/features/published-sites/views/frame.ts";
import { iconLink } from "#src/features/published-sites/views/metadata.ts";
import { type AddressOf, addressesBelow } from "#src/features/published-sites/views/navigation.ts";

interface Searched extends Site {
  readonly search: Found | null;
}

/** The results for a text; scripts show the element `results` as one types. */
export function searchView(site: Searched, root: string, text: string): Shown {
  const title = titleOf(site);
  const found = site.search ?? { totalCount: 0, nodes: [] };
  return {
    kind: "page",
    status: 200,
    title: text === "" ? `Search · ${title}` : `${text} · Search · ${title}`,
    head: iconLink(site.site),
    ...themeOf(site),
    robots: robotsFor(site.site, false),
    kept: "by its reader",
    body: framed({ ...site, space: null, page: null }, root, {
      hasSearch: false,
      hasTree: false,
      main: html`<article class="search-page">
        <h1>Search</h1>
        ${searchIn(addressesBelow(root), text)}
        ${text === "" ? html`<p class="lead">Enter words to search ${title}.</p>` : resultsOf(found, text, root)}
      </article>`,
    }),
  };
}

function resultsOf({ totalCount, nodes, places = [] }: Found, text: string, root: string): Html {
  const addressOf = addressesBelow(root);
  const count = totalCount === 1 ? "1 page" : `${totalCount} pages`;
  if (nodes.length === 0)
    return html`<div id="results"><p class="soft" role="status">No page matches “${text}”.</p></div>`;
  return html`<div id="results">
    <p class="soft" role="status">${count} for “${text}”</p>
    <ol>
      ${nodes.map((hit, index) => html`<li>${hitOf(hit, placeName(places[index]), addressOf)}</li>`)}
    </ol>
  </div>`;
}

/** The section and site space of a hit. */
const placeName = (place: NonNullable<Found["places"]>[number] | undefined): string =>
  [place?.siteSpace.siteSection?.title, place?.siteSpace.title].filter((name) => name !== undefined).join(" › ");

function hitOf({ title, path, sections }: Hit, place: string, addressOf: AddressOf): Html {
  return html`<a class="hit" href="${addressOf(path)}">${title}${place === "" ? "" : html` <small>${place}</small>`}</a>
    ${sections.map(({ path: place, title: heading, titleMatches, body, bodyMatches }) => {
      const [page = "", anchor] = place.split("#");
      const address = addressOf(page) + (anchor === undefined ? "" : `#${encodeURIComponent(anchor)}`);
      return html`<a class="section" href="${address}"
        >${anchor === undefined ? "" : html`<b>${marked(heading, titleMatches)}</b>`}<span
          >${marked(body, bodyMatches)}</span
        ></a
      >`;
    })}`;
}
