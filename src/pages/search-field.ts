// The form that searches, of the application and of published sites.
import { html, type Html } from "#src/http/html.ts";
import { searchIcon } from "#src/pages/icons.ts";

/** A form at this address, with the text that was searched; with scripts, the keys of `shortcut` lead to it. */
export const searchField = (address: string, searched: string, shortcut: string): Html =>
  html`<form class="search" role="search" action="${address}" data-search>
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
    <kbd aria-hidden="true" hidden>${shortcut}</kbd>
  </form>`;
