// The navigation of the reader: sections, variants, breadcrumbs, languages, and the pages beside one.
import { html, type Html } from "#src/http/html.ts";
import type {
  Entry,
  Linked,
  Section,
  ShownPage,
  ShownSpace,
  Variant,
} from "#src/features/published-sites/views/answer.ts";
import { chevronIcon, emojiOf, nextIcon, previousIcon, switchIcon } from "#src/pages/icons.ts";

/** Makes the address of a path below the root of a site. */
export type AddressOf = (path: string) => string;

export const addressesBelow =
  (root: string): AddressOf =>
  (path) =>
    path === "" ? root || "/" : `${root}/${path.split("/").map(encodeURIComponent).join("/")}`;

/** The tabs of sections and groups; empty for a site without sections. */
export function sectionTabs(entries: readonly Entry[], space: ShownSpace | null, addressOf: AddressOf): Html {
  const tabs = entries.flatMap((entry) => {
    if (entry.__typename === "PublishedSpace") return [];
    const isOpen = (id: string) => id === space?.siteSection?.id;
    if (entry.__typename === "PublishedSection") return tabOf(entry, isOpen(entry.id), addressOf);
    return html`<details class="menu" name="tabs">
      <summary class="${entry.sections.some(({ id }) => isOpen(id)) ? "open" : ""}">
        ${entry.title}${chevronIcon}
      </summary>
      <ul>
        ${entry.sections.map((section) => html`<li>${tabOf(section, isOpen(section.id), addressOf)}</li>`)}
      </ul>
    </details>`;
  });
  return tabs.length === 0 ? html`` : html`<nav class="tabs" aria-label="Sections">${tabs}</nav>`;
}

const tabOf = (
  { title, path, description }: Omit<Section, "__typename">,
  isOpen: boolean,
  addressOf: AddressOf,
): Html =>
  html`<a href="${addressOf(path)}" ${isOpen ? html`aria-current="true"` : ""}
    ><span>${title}</span>${description ? html`<small>${description}</small>` : ""}</a
  >`;

/** The switch between the site spaces beside the open one; empty if it is alone. */
export function variantSwitch(all: readonly Variant[], space: ShownSpace | null, addressOf: AddressOf): Html {
  const variants = all.filter(({ siteSection }) => (siteSection?.id ?? null) === (space?.siteSection?.id ?? null));
  if (!space || variants.length < 2) return html``;
  return html`<details class="menu variants" name="variants">
    <summary><span>${space.title}</span>${switchIcon}</summary>
    <ul>
      ${variants.map(({ id, title, emoji, path, siteSection }) => {
        const address = addressOf(siteSection ? `${siteSection.path}/${path}` : path);
        return html`<li>
          <a href="${address}" ${id === space.id ? html`aria-current="true"` : ""}>${emojiOf(emoji)}${title}</a>
        </li>`;
      })}
    </ul>
  </details>`;
}

/** The way to the page: its section and its ancestors. */
export function breadcrumbsOf(page: ShownPage, space: ShownSpace | null, addressOf: AddressOf): Html {
  const section = space?.siteSection;
  const steps: Html[] = section ? [html`<a href="${addressOf(section.path)}">${section.title}</a>`] : [];
  for (const { title, path, type } of page.breadcrumbs)
    steps.push(type === "GROUP" ? html`<span>${title}</span>` : html`<a href="${addressOf(path)}">${title}</a>`);
  if (steps.length === 0) return html``;
  return html`<nav class="breadcrumbs" aria-label="Breadcrumbs">
    <ol>
      ${steps.map((step) => html`<li>${step}</li>`)}
    </ol>
  </nav>`;
}

/** The name of a language in that language. */
const nameOf = (language: string): string =>
  new Intl.DisplayNames([language], { type: "language" }).of(language) ?? language;

/** The language of a page that is translated. */
export const languageOf = ({ languages, pageId }: ShownPage): string | undefined =>
  languages.find(({ page }) => page.pageId === pageId)?.language;

/** The switch between the languages of a page; empty if it has one. */
export function languageSwitch(page: ShownPage | null, addressOf: AddressOf): Html {
  const open = page && languageOf(page);
  if (!page || !open || page.languages.length < 2) return html``;
  return html`<details class="menu languages" name="languages">
    <summary aria-label="Language: ${nameOf(open)}"><span>${nameOf(open)}</span>${chevronIcon}</summary>
    <ul>
      ${page.languages.map(
        ({ language, page: { path } }) =>
          html`<li>
            <a
              href="${addressOf(path)}"
              hreflang="${language}"
              lang="${language}"
              ${language === open ? html`aria-current="true"` : ""}
              >${nameOf(language)}</a
            >
          </li>`,
      )}
    </ul>
  </details>`;
}

/** Links to the previous and next page in reading order. */
export function besideLinks({ previous, next }: ShownPage, addressOf: AddressOf): Html {
  if (!previous && !next) return html``;
  const link = ({ title, path }: Linked, kind: "prev" | "next") =>
    html`<a rel="${kind}" href="${addressOf(path)}"
      >${kind === "prev" ? previousIcon : ""}<span><small>${kind === "prev" ? "Previous" : "Next"}</small>${title}</span
      >${kind === "next" ? nextIcon : ""}</a
    >`;
  return html`<nav class="beside" aria-label="Pages beside this one">
    ${previous ? link(previous, "prev") : ""}${next ? link(next, "next") : ""}
  </nav>`;
}
