// What surrounds every page under `/app/`: the header with search and the signed-in user, breadcrumbs, main part and
// an aside. Each page selects `...AppFrame`, so that one query gives the page and its frame.
import { html, type Html } from "#src/http/html.ts";
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
  readonly aside?: Html;
  readonly crumbs?: readonly Crumb[];
  readonly status?: number;
  readonly isLive?: boolean;
  readonly streams?: number;
}

/** A page in the frame. */
export function appPage(
  answer: AppFrame,
  { title, main, aside, crumbs = [], status = 200, isLive, streams }: Framed,
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
    ...(streams !== undefined && { streams }),
    body: html`<a class="skip" href="#main">Skip to content</a>
      ${headerOf(answer)}
      <div class="${aside ? "app-columns" : "app-columns bare"}">
        <main id="main" tabindex="-1">${crumbsOf(crumbs)}${main}</main>
        ${aside ? html`<aside>${aside}</aside>` : ""}
      </div>`,
  };
}

const headerOf = ({ viewer }: AppFrame): Html =>
  html`<header class="top">
    <div class="bar">
      <a class="brand" href="/app">docgraph</a>
      <form class="app-search" action="/app/search" role="search">
        <input type="search" name="q" placeholder="Search" aria-label="Search" autocomplete="off" data-search-key />
      </form>
      <nav class="links" aria-label="Account"><a href="/app/me">${viewer.displayName}</a></nav>
      <button type="button" class="scheme" data-scheme-switch hidden aria-label="Switch between light and dark">
        ◐
      </button>
    </div>
  </header>`;

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
