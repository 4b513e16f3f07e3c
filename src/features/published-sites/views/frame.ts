// What surrounds every page of a site: the header with search and sections, the sidebar, the main part and the footer.
import { html, type Html } from "#src/http/html.ts";
import type { ShownPage, ShownSpace, Site, SiteProfile } from "#src/features/published-sites/views/answer.ts";
import { emojiOf, menuIcon, schemeIcon, searchIcon } from "#src/features/published-sites/views/icons.ts";
import {
  type AddressOf,
  addressesBelow,
  closeButton,
  pageTree,
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
  /** The text of the search field. */
  readonly searched?: string;
}

/** The body of a page of a site, whose addresses begin with `root`. */
export function framed(site: Framed, root: string, { main, aside, hasTree = true, searched = "" }: Inside): Html {
  const addressOf = addressesBelow(root);
  const { entries, siteSpaces, space, page } = site;
  const tabs = sectionTabs(entries, space, addressOf);
  return html`<a class="skip" href="#main">Skip to content</a>
    <header class="top">
      <div class="bar">
        <button type="button" class="menu-button" popovertarget="menu" aria-label="Pages">${menuIcon}</button>
        ${brandOf(site.site, addressOf)} ${searchField(addressOf, searched)}
        <button type="button" class="scheme" data-scheme-switch hidden aria-label="Switch between light and dark">
          ${schemeIcon}
        </button>
      </div>
      ${tabs}
    </header>
    <div class="${hasTree ? "columns" : "columns bare"}">
      <div class="side" id="menu" popover>
        ${closeButton("menu")} ${tabs} ${variantSwitch(siteSpaces, space, addressOf)}
        <nav class="tree" aria-label="Pages">${pageTree(space?.pages ?? [], page, addressOf)}</nav>
      </div>
      <main id="main" tabindex="-1">${main}</main>
      ${aside ?? ""}
    </div>
    <footer class="bottom"><p>${site.site.title}</p></footer>`;
}

function brandOf({ title, icon, emoji }: SiteProfile, addressOf: AddressOf): Html {
  return html`<a class="brand" href="${addressOf("")}"
    >${pictureOf(icon) ?? emojiOf(icon?.emoji ?? emoji)}<span>${title}</span></a
  >`;
}

/** The picture of a site, with another one for the dark theme. */
function pictureOf(icon: SiteProfile["icon"]): Html | null {
  const { light = null, dark = null } = icon?.images ?? {};
  const usual = light ?? dark;
  if (usual === null) return null;
  return html`<picture
    >${dark === null ? "" : html`<source media="(prefers-color-scheme: dark)" srcset="${dark}" />`}<img
      src="${usual}"
      alt=""
      width="28"
      height="28"
  /></picture>`;
}

/** The form of the search, which shows results as one types if scripts run. */
const searchField = (addressOf: AddressOf, searched: string): Html =>
  html`<form class="search" role="search" action="${addressOf("")}" data-search>
    <label
      >${searchIcon}<span class="hidden">Search</span
      ><input
        type="search"
        name="q"
        value="${searched}"
        placeholder="Search…"
        autocomplete="off"
        spellcheck="false"
        maxlength="200"
        enterkeyhint="search"
    /></label>
    <kbd aria-hidden="true" hidden>Ctrl K</kbd>
  </form>`;
