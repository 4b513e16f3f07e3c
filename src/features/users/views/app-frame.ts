// What surrounds every page under `/app/`: the header with search and the signed-in user, breadcrumbs, main part and
// an aside. Each page selects `...AppFrame`, so that one query gives the page and its frame.
import { html, type Html } from "#src/http/html.ts";
import { closeIcon, menuIcon, schemeIcon } from "#src/pages/icons.ts";
import { searchField } from "#src/pages/search-field.ts";
import type { AssetName } from "#src/pages/assets.ts";
import type { ShownPage } from "#src/pages/page.ts";

/** The part of the answer that the frame shows. */
export interface AppFrame {
  readonly viewer: { readonly id: string; readonly displayName: string };
}

/** The fragment that a page adds to its document. */
export const appFrame = `fragment AppFrame on Query { viewer { id displayName } }`;

/** A place above the page: its name and its path. */
export type Crumb = readonly [name: string, path: string];

interface Framed {
  readonly title: string;
  readonly main: Html;
  /** On the right. */
  readonly aside?: Html;
  /** On the left; behind a button where the window is narrow. */
  readonly side?: Html;
  readonly crumbs?: readonly Crumb[];
  /** The text in the field of the search. */
  readonly searched?: string;
  readonly status?: number;
  readonly isLive?: boolean;
  readonly scripts?: readonly AssetName[];
  /** Styles of this page alone: values that were checked. */
  readonly theme?: string;
}

/** A page in the frame. */
export function appPage(
  answer: AppFrame,
  { title, main, aside, side, crumbs = [], searched = "", status = 200, isLive, scripts, theme }: Framed,
): ShownPage {
  return {
    kind: "page",
    status,
    title: `${title} · docgraph`,
    head: html`<link rel="icon" href="data:," />`,
    styles: ["app.css"],
    style: "app",
    robots: "noindex",
    kept: "by its reader",
    hasForms: true,
    ...(isLive && { isLive }),
    ...(scripts && { scripts }),
    ...(theme !== undefined && { theme }),
    body: html`<a class="skip" href="#main">Skip to content</a>
      ${headerOf(answer, { hasMenu: side !== undefined, searched })}
      ${side ? besideMenu(side, html`${crumbsOf(crumbs)}${main}`, aside) : columnsOf(html`${crumbsOf(crumbs)}${main}`, aside)}`,
  };
}

/** Where an open page with a subscription to `presence` says who else looks; a still page changes nothing but that. */
export const presentView = ({ viewer }: AppFrame, { isStill = false } = {}): Html =>
  html`<p class="present" data-present="${viewer.id}" ${isStill ? "data-still" : ""} role="status"></p>`;

const mainOf = (main: Html): Html => html`<main id="main" tabindex="-1">${main}</main>`;

const columnsOf = (main: Html, aside: Html | undefined): Html =>
  html`<div class="${aside ? "app-columns" : "app-columns bare"}">
    ${mainOf(main)} ${aside ? html`<aside>${aside}</aside>` : ""}
  </div>`;

/** The columns of published sites; the outline of a page is an element of its own. */
const besideMenu = (side: Html, main: Html, outline: Html | undefined): Html =>
  html`<div class="page-columns">
    <div class="side" id="menu" popover>
      <button type="button" class="close" popovertarget="menu" popovertargetaction="hide" aria-label="Close">
        ${closeIcon}
      </button>
      ${side}
    </div>
    ${mainOf(main)} ${outline ?? ""}
  </div>`;

const headerOf = (
  { viewer }: AppFrame,
  { hasMenu, searched }: { readonly hasMenu: boolean; readonly searched: string },
): Html =>
  html`<header class="top">
    <div class="bar">
      ${hasMenu ? menuButton : ""}
      <a class="brand" href="/app">docgraph</a>
      ${searchField("/app/search", searched, "/")}
      <nav class="links" aria-label="Account"><a href="/app/me">${viewer.displayName}</a></nav>
      <button type="button" class="scheme" data-scheme-switch hidden aria-label="Switch between light and dark">
        ${schemeIcon}
      </button>
    </div>
  </header>`;

const menuButton = html`<button type="button" class="menu-button" popovertarget="menu" aria-label="Menu">
  ${menuIcon}
</button>`;

const crumbsOf = (crumbs: readonly Crumb[]): Html =>
  crumbs.length === 0
    ? html``
    : html`<nav class="crumbs" aria-label="Breadcrumbs">
        <ol>
          ${crumbs.map(([name, path]) => html`<li><a href="${path}">${name}</a></li>`)}
        </ol>
      </nav>`;

/** A time that browsers show in the reader's own form; without scripts, in UTC. */
export const timeOf = (instant: string): Html =>
  html`<time datetime="${instant}">${instant.slice(0, 16).replace("T", " ")} UTC</time>`;
