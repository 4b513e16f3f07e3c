// The list of the broken links of a space, with the pages that have them.
import type { SpaceAnswer } from "#src/features/content/views/answer.ts";
import { pathOfPage, type Place, placeOf } from "#src/features/content/views/place.ts";
import { spacePage } from "#src/features/content/views/space-frame.ts";
import { html, type Html } from "#src/http/html.ts";
import { formOf, problemOf } from "#src/pages/forms.ts";
import type { Asked, Shown } from "#src/pages/page.ts";

interface BrokenLink {
  readonly address: string;
  readonly relation: "REFERENCE" | "EMBED" | "IMAGE";
  readonly outside: { readonly reason: string | null } | null;
  readonly locationCount: number;
  readonly locationReferences: readonly {
    readonly page: { readonly pageId: string; readonly title: string } | null;
  }[];
}

export type BrokenLinks = SpaceAnswer & {
  readonly space: {
    readonly brokenLinks: {
      readonly totalCount: number;
      readonly nodes: readonly BrokenLink[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  };
};

const kinds = { REFERENCE: "Link", EMBED: "Embedded content", IMAGE: "Picture" } as const;

export function brokenLinksView(answer: BrokenLinks, asked: Asked): Shown {
  const place = placeOf(answer);
  if (!place) return null;
  const { totalCount, nodes, pageInfo } = answer.space.brokenLinks;
  const next = pageInfo.hasNextPage ? (pageInfo.endCursor ?? "") : null;
  return spacePage(answer, place, {
    title: "Broken links",
    part: "links",
    main: html`<h1>Broken links</h1>
      <p class="soft">${totalCount === 0 ? "All links of this space lead somewhere." : countOf(totalCount)}</p>
      ${nodes.length > 0 ? listOf(nodes, place) : ""}
      ${next === null ? "" : html`<p><a rel="next" href="${asked.root}?after=${encodeURIComponent(next)}">More</a></p>`}
      ${place.isEditable ? repairForm(asked) : ""}`,
  });
}

const countOf = (count: number): string =>
  count === 1 ? "One address leads nowhere." : `${count} addresses lead nowhere.`;

/** The address is only shown: it may have any scheme. */
const listOf = (nodes: readonly BrokenLink[], place: Place<unknown>): Html =>
  html`<ul class="card-list">
    ${nodes.map(
      ({ address, relation, outside, locationCount, locationReferences }) =>
        html`<li>
          <code>${address}</code> <span class="badge">${kinds[relation]}</span>
          ${outside?.reason ? html`<p class="soft">${outside.reason}</p>` : ""}
          <p>
            On ${locationCount === 1 ? "the page" : `${locationCount} pages:`}
            ${locationReferences
              .slice(0, 5)
              .flatMap(({ page }, index) =>
                page
                  ? [html`${index > 0 ? ", " : ""}<a href="${pathOfPage(place, page.pageId)}">${page.title}</a>`]
                  : [],
              )}
          </p>
        </li>`,
    )}
  </ul>`;

const repairForm = (asked: Asked): Html =>
  html`<h2>Links by path</h2>
    <p>Links such as <code>../guide.md</code> break when pages move. They can be converted to links that do not.</p>
    ${problemOf(asked, "repair")} ${formOf("repair", html`<button>Convert links by path</button>`, { style: "quiet" })}`;
