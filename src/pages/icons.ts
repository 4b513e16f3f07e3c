// The icons of pages, as SVG in the colour of the text, and the emojis of sites and pages.
import { html, type Html } from "#src/http/html.ts";

/** Its colours and size are those of the class. */
const icon = (paths: Html): Html => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${paths}</svg>`;

export const menuIcon = icon(html`<path d="M4 7h16M4 12h16M4 17h16" />`);
export const closeIcon = icon(html`<path d="M6 6l12 12M18 6L6 18" />`);
export const searchIcon = icon(html`<circle cx="11" cy="11" r="6.5" /><path d="M16 16l4.5 4.5" />`);
export const chevronIcon = icon(html`<path d="M9 6l6 6-6 6" />`);
export const switchIcon = icon(html`<path d="M8 10l4-4 4 4M8 14l4 4 4-4" />`);
export const schemeIcon = icon(
  html`<circle cx="12" cy="12" r="8" /><path d="M12 4a8 8 0 0 1 0 16z" fill="currentColor" />`,
);
export const editIcon = icon(html`<path d="M5 19l1-4L16 5l3 3L9 18zM13.5 7.5l3 3" />`);
export const outlineIcon = icon(html`<path d="M4 7h16M4 12h10M4 17h13" />`);
export const nextIcon = icon(html`<path d="M5 12h14M13 6l6 6-6 6" />`);
export const previousIcon = icon(html`<path d="M19 12H5M11 6l-6 6 6 6" />`);
export const linkIcon = icon(html`<path d="M9 5H5v14h14v-4M13 5h6v6M19 5l-9 9" />`);

/** An emoji, which may be written as the numbers of its characters: `1f4d8`. Empty without one. */
export function emojiOf(emoji: string | null | undefined): Html {
  if (!emoji) return html``;
  const numbers = /^[0-9a-f]{4,6}(-[0-9a-f]{4,6})*$/i.test(emoji) ? emoji.split("-") : [];
  const known = numbers.map((number) => Number.parseInt(number, 16)).filter((number) => number <= 0x10ffff);
  const text = known.length > 0 ? String.fromCodePoint(...known) : emoji;
  return html`<span class="emoji" aria-hidden="true">${text}</span>`;
}
