// What surrounds every page of a site: the header with search and sections, the sidebar, the main part and the footer.
import { html, type Html } from "#src/http/html.ts";
import type { Pictures, ShownPage, ShownSpace, Site } from "#src/features/published-sites/views/answer.ts";
import { closeButton } from "#src/features/content/views/outline.ts";
import { pageTree } from "#src/features/content/views/page-tree.ts";
import { emojiOf, menuIcon, schemeIcon } from "#src/pages/icons.ts";
import { searchField } from "#src/pages/search-field.ts";
import {
  type AddressOf,
  addressesBelow,
  languageSwitch,
  sectionTabs,
  variantSwitch,
} from "#src/features/published-sites/views/navigation.ts";

export interface Framed extends Site {
  readonly space: ShownSpace | null;
  readonly page: ShownPage | null;
}

interface Inside {
  readonly main: Html;
  /** Beside the main part, on the right. */
  readonly aside?: Html;
  /** Whether the tree of pages is shown. */
  readonly hasTree?: boolean;
  /** Whether the header has the search field; a page of results has its own. */
  readonly hasSearch?: boolean;
}

/** The body of a page of a site, whose addresses begin with `root`. */
export function framed(site: Framed, root: string, { main, aside, hasTree = true, hasSearch = true }: Inside): Html {
  const addressOf = addressesBelow(root);
  const { entries, siteSpaces, space, page } = site;
  const tabs = sectionTabs(entries, space, addressOf);
  const hasMenu = space !== null || entries.length > 0;
  return html`<a class="skip" href="#main">Skip to content</a>
    <header class="top">
      <div class="bar">
        ${hasMenu ? menuButton : ""} ${brandOf(site, addressOf)} ${headerLinks(site)}
        ${hasSearch ? searchIn(addressOf, "") : ""} ${languageSwitch(page, addressOf)}
        <button type="button" class="scheme" data-scheme-switch hidden aria-label="Switch between light and dark">
          ${schemeIcon}
        </button>
      </div>
      ${tabs}
    </header>
    <div class="${hasTree ? "page-columns" : "page-columns bare"}">
      <div class="side" id="menu" popover>
        ${closeButton("menu")} ${tabs} ${variantSwitch(siteSpaces, space, addressOf)}
        ${space ? html`<nav class="tree" aria-label="Pages">${treeOf(space, page, addressOf)}</nav>` : ""}
      </div>
      <main id="main" tabindex="-1">${main}</main>
      ${aside ?? ""}
    </div>
    <footer class="bottom"><p>${site.customization?.footer ?? titleOf(site)}</p></footer>`;
}

const treeOf = (space: ShownSpace, page: ShownPage | null, addressOf: AddressOf): Html =>
  pageTree(
    space.pages,
    page && { pageId: page.pageId, above: page.breadcrumbs.map(({ pageId }) => pageId) },
    ({ path }) => addressOf(path),
  );

const menuButton = html`<button type="button" class="menu-button" popovertarget="menu" aria-label="Pages">
  ${menuIcon}
</button>`;

/** The title that readers see. */
export const titleOf = ({ site, customization }: Pick<Site, "site" | "customization">): string =>
  customization?.title ?? site.title;

/** The name of the site; its logo takes the place of icon and title. */
function brandOf(site: Site, addressOf: AddressOf): Html {
  const { icon, emoji } = site.site;
  const title = titleOf(site);
  const logo = pictureOf(site.customization?.logo, { alt: title });
  const sign = logo ?? pictureOf(icon?.images, { alt: "" }) ?? emojiOf(icon?.emoji ?? emoji);
  return html`<a class="${logo ? "brand logo" : "brand"}" href="${addressOf("")}"
    >${sign}${logo ? "" : html`<span>${title}</span>`}</a
  >`;
}

/** A picture with another one for the dark theme; null without both. */
function pictureOf(images: Pictures | null | undefined, { alt }: { readonly alt: string }): Html | null {
  const { light = null, dark = null } = images ?? {};
  const usual = light ?? dark;
  if (usual === null) return null;
  const other = dark === null || light === null ? html`` : html`<source media="${inDark}" srcset="${dark}" />`;
  return html`<picture>${other}<img src="${usual}" alt="${alt}" height="28" /></picture>`;
}

const inDark = "(prefers-color-scheme: dark)";

function headerLinks({ customization }: Site): Html {
  const links = customization?.headerLinks ?? [];
  if (links.length === 0) return html``;
  return html`<nav class="links" aria-label="Links">
    ${links.map(({ title, url }) => html`<a href="${url}">${title}</a>`)}
  </nav>`;
}

/** The styles of the chosen colours and font. Colours have the form `#rrggbb`, and fonts are from a list. */
export function themeOf({ customization }: Site): { readonly theme?: string } {
  const { primaryColor: color, font, fontFamily } = customization ?? {};
  const colors = color ? `--accent: light-dark(${color.light}, ${color.dark}); ` : "";
  const fonts = font === undefined || font === "SYSTEM" ? "" : `--font: ${fontFamily}; `;
  return colors + fonts === "" ? {} : { theme: `:root { ${colors}${fonts}}` };
}

/** The form of the search of a site. */
export const searchIn = (addressOf: AddressOf, searched: string): Html =>
  searchField(addressOf(""), searched, "Ctrl K");
