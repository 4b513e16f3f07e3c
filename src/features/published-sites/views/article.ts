// The article of a page: its cover, title, text, pages below, and what follows the text.
import { idOf } from "#src/features/content/views/title.ts";
import { html, Html } from "#src/http/html.ts";
import type { Cover, Layout, ShownPage } from "#src/features/published-sites/views/answer.ts";
import { editIcon, emojiOf } from "#src/pages/icons.ts";
import { type AddressOf, besideLinks } from "#src/features/published-sites/views/navigation.ts";

/** The text of a page, which the graph has sanitised; null without one. */
const textOf = ({ html: text }: ShownPage): Html | null => (text ? new Html(text) : null);

/** The parts of a page that its layout shows: all that it does not turn off. */
export function layoutOf({ layout }: Pick<ShownPage, "layout">) {
  const isShown = (name: Exclude<keyof Layout, "width" | "coverSize">) => layout?.[name] ?? true;
  return {
    isWide: layout?.width === "WIDE",
    coverSize: (layout?.coverSize ?? "HERO").toLowerCase(),
    cover: isShown("cover"),
    title: isShown("title"),
    description: isShown("description"),
    tree: isShown("tableOfContents"),
    outline: isShown("outline"),
    beside: isShown("pagination"),
    metadata: isShown("metadata"),
  };
}

/** The article; `above` comes before its title. */
export function articleOf(
  page: ShownPage & { readonly anchor: string | null },
  addressOf: AddressOf,
  above: Html,
): Html {
  const shown = layoutOf(page);
  return html`${shown.cover ? coverOf(page.cover, shown.coverSize) : ""}
    <article data-live>
      ${above}
      <header>
        <h1${idOf(page.anchor)} class="${shown.title ? "" : "hidden"}">${emojiOf(page.emoji)}${page.title}</h1>
        ${shown.description && page.description ? html`<p class="lead">${page.description}</p>` : ""}
      </header>
      <div class="text">${textOf(page) ?? pagesBelow(page, addressOf)}</div>
    </article>
    ${shown.beside ? besideLinks(page, addressOf) : ""} ${shown.metadata ? metadataOf(page) : editLink(page)}`;
}

/** Cards of the pages below a page without a text. */
function pagesBelow({ children }: ShownPage, addressOf: AddressOf): Html {
  if (children.length === 0) return html`<p class="soft">This page has no text.</p>`;
  return html`<ul class="below">
    ${children.map(
      ({ title, path, description, emoji }) =>
        html`<li>
          <a href="${addressOf(path)}"
            ><b>${emojiOf(emoji)}${title}</b>${description ? html`<small>${description}</small>` : ""}</a
          >
        </li>`,
    )}
  </ul>`;
}

function coverOf(cover: Cover | null, size: string): Html {
  if (!cover?.file) return html``;
  const { file, fileDark } = cover;
  const { width, height } = file.dimensions ?? { width: 1200, height: 300 };
  return html`<picture class="cover ${size}"
    >${fileDark ? html`<source media="(prefers-color-scheme: dark)" srcset="${fileDark.downloadURL}" />` : ""}<img
      src="${file.downloadURL}"
      alt=""
      width="${width}"
      height="${height}"
  /></picture>`;
}

const days = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" });

const metadataOf = (page: ShownPage): Html =>
  html`<p class="metadata">
    <span>Last updated on <time datetime="${page.updatedAt}">${days.format(new Date(page.updatedAt))}</time></span>
    ${editAddress(page)}
  </p>`;

const editLink = (page: ShownPage): Html =>
  page.editURL === null ? html`` : html`<p class="metadata">${editAddress(page)}</p>`;

const editAddress = ({ editURL }: ShownPage): Html =>
  editURL === null ? html`` : html`<a href="${editURL}">${editIcon}Edit this page</a>`;
