// The results of the search over everything: what has the text in its name, and pages with the sections that match.
import { type AppFrame, appPage } from "#src/features/users/views/app-frame.ts";
import { marked, type Range } from "#src/features/content/views/marked.ts";
import { nameOf, pathOfChangeRequest, pathOfPage, pathOfSpace } from "#src/features/content/views/place.ts";
import { html, type Html } from "#src/http/html.ts";
import type { ListEnd } from "#src/features/users/views/app-lists.ts";
import type { Asked, Shown, ShownPage } from "#src/pages/page.ts";

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

interface Hits {
  readonly totalCount: number;
  readonly pageInfo: ListEnd;
  readonly nodes: readonly Hit[];
}

interface Named {
  readonly id: string;
  readonly title: string;
}

interface List<One> {
  readonly nodes: readonly One[];
}

interface FoundInOrganization extends Named {
  /** Without a text nothing is searched. */
  readonly search?: Hits;
  readonly spaces?: List<Named>;
  readonly collections?: List<Named>;
  readonly sites?: List<Named>;
  /** Null for guests. */
  readonly teams?: List<Named> | null;
  readonly changeRequests?: List<{
    readonly id: string;
    readonly number: number;
    readonly subject: string;
    readonly space: Named;
  }>;
}

export interface FoundAnywhere extends AppFrame {
  readonly organizations: List<FoundInOrganization>;
}

export interface FoundIn extends AppFrame {
  readonly organization: Named & { readonly search: Hits };
}

/** The searched text. */
export const searchedIn = ({ search }: Asked): string =>
  (search.get("q") ?? "").replaceAll("\0", " ").trim().slice(0, 200);

const pageOf = (answer: AppFrame, text: string, results: Html): ShownPage =>
  appPage(answer, {
    title: text === "" ? "Search" : `${text} · Search`,
    searched: text,
    main: html`<div class="search-page">
      <h1>Search</h1>
      ${results}
    </div>`,
  });

export function searchView(answer: FoundAnywhere, asked: Asked): Shown {
  const text = searchedIn(asked);
  const hint = html`<p class="soft">Enter words above to search all spaces that you may read.</p>`;
  return pageOf(answer, text, text === "" ? hint : results(answer, text));
}

/** All pages of one organization, page by page. */
export function searchInView(answer: FoundIn, asked: Asked): Shown {
  const text = searchedIn(asked);
  const { title, search } = answer.organization;
  const more = new URLSearchParams(asked.search);
  more.set("after", search.pageInfo.endCursor ?? "");
  return pageOf(
    answer,
    text,
    html`<div id="results">
      <p class="soft" role="status">
        ${counted(search.totalCount)} for “${text}” in ${title}.
        <a href="/app/search?${new URLSearchParams({ q: text }).toString()}">Search everywhere</a>
      </p>
      ${listOf(search)}
      ${search.pageInfo.hasNextPage ? html`<p><a rel="next" href="${asked.root}?${more.toString()}">Next page</a></p>` : ""}
    </div>`,
  );
}

const counted = (count: number): string => (count === 1 ? "1 page" : `${count} pages`);

const listOf = ({ nodes }: Hits): Html =>
  html`<ol>
    ${nodes.map((hit) => html`<li>${hitOf(hit)}</li>`)}
  </ol>`;

/** Scripts show the element `results` as one types. */
function results({ organizations: { nodes } }: FoundAnywhere, text: string): Html {
  const found = nodes.flatMap((one) => {
    const links = linksOf(one);
    return (one.search?.nodes.length ?? 0) + links.length > 0 ? [{ ...one, links }] : [];
  });
  if (found.length === 0)
    return html`<div id="results"><p class="soft" role="status">No page matches “${text}”.</p></div>`;
  const total = found.reduce((sum, { search }) => sum + (search?.totalCount ?? 0), 0);
  return html`<div id="results">
    <p class="soft" role="status">
      ${total === 0 ? `“${text}” is in no page, but in these names` : `${counted(total)} for “${text}”`}
    </p>
    ${found.map(
      ({ id, title, search, links }) =>
        html`${found.length > 1 ? html`<h2>${title}</h2>` : ""}
        ${
          links.length === 0
            ? ""
            : html`<ol>
                ${links}
              </ol>`
        }
        ${search ? listOf(search) : ""}
        ${search?.pageInfo.hasNextPage ? allOf(id, { text, count: search.totalCount }) : ""}`,
    )}
  </div>`;
}

const allOf = (organizationId: string, { text, count }: { readonly text: string; readonly count: number }): Html =>
  html`<p>
    <a href="/app/search?${new URLSearchParams({ q: text, in: organizationId }).toString()}">All ${count} pages</a>
  </p>`;

/** What has the text in its name. */
function linksOf({ id, spaces, collections, sites, teams, changeRequests }: FoundInOrganization): readonly Html[] {
  const root = `/app/orgs/${id}`;
  const linked = (kind: string, list: List<Named> | null | undefined, pathOf: (id: string) => string) =>
    (list?.nodes ?? []).map((one) => linkOf(kind, one.title || "Untitled", pathOf(one.id)));
  return [
    ...linked("Space", spaces, pathOfSpace),
    ...linked("Collection", collections, (one) => `/app/collections/${one}`),
    ...linked("Site", sites, (one) => `${root}/sites/${one}`),
    ...linked("Team", teams, (one) => `${root}/teams/${one}`),
    ...(changeRequests?.nodes ?? []).map((one) =>
      linkOf(`Change request in ${one.space.title}`, nameOf(one), pathOfChangeRequest(one.space.id, one.id)),
    ),
  ];
}

const linkOf = (kind: string, name: string, path: string): Html =>
  html`<li>
    <a class="hit" href="${path}">${name} <small>${kind}</small></a>
  </li>`;

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
