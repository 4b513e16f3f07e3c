// The frame of docgraph's own pages: head, navigation and the headers that block everything foreign.
import { randomBytes } from "node:crypto";
import type { Exchange, Handler } from "#src/http/exchange.ts";
import { send, sendEmpty } from "#src/http/send.ts";
import { htmlPages } from "#src/http/negotiation.ts";
import { assetsPath } from "#src/server/pages/assets.ts";
import { html, type Html } from "#src/http/html.ts";

export interface SitePage {
  readonly title: string;
  readonly body: Html;
  readonly status?: number;
  /** Names of assets: styles besides the site's, scripts that put something into the page, and modules after them. */
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
  readonly modules?: readonly string[];
  readonly isWide?: boolean;
  /** Additions to the policy of all pages. */
  readonly policy?: Readonly<Record<string, string>>;
}

const links = [
  ["/docs", "Docs"],
  ["/graphql", "GraphiQL"],
  ["/reference/graphql", "GraphQL"],
  ["/reference/rest", "REST"],
  ["/reference", "Reference"],
] as const;

/** A description: paragraphs of {@link inline} text. */
export const prose = (text: string): Html[] =>
  text.split(/\n\s*\n/).map((paragraph) => html`<p>${inline(paragraph)}</p>`);

/** A text of one line: `code` between backticks, and links to paths of the gateway as `[text](/path)`. */
export function inline(text: string): Html[] {
  const [, before = text, name = "", path = "", after = ""] =
    /^([^]*?)\[([^\]`]+)\]\((\/[^)\s]*)\)([^]*)$/.exec(text) ?? [];
  if (path !== "") return [...inline(before), html`<a href="${path}">${name}</a>`, ...inline(after)];
  return text.split("`").map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
}

/** Makes the handler of a page; null is the page for a missing one. `hasGraphiql` says whether pages link to it. */
export type ServePage = (make: (exchange: Exchange) => Promise<SitePage | null>) => Handler;

export function siteFor({ hasGraphiql }: { readonly hasGraphiql: boolean }): ServePage {
  const shown = links.filter(([path]) => hasGraphiql || path !== "/graphql");
  return (make) => async (exchange) => {
    const { request, response, path } = exchange;
    if (request.method !== "GET" && request.method !== "HEAD") {
      request.resume();
      response.setHeader("allow", "GET, HEAD");
      return sendEmpty(response, 405);
    }
    const type = htmlPages.require(request);
    const page = (await make(exchange)) ?? missing;
    const nonce = randomBytes(16).toString("base64");
    for (const [name, value] of Object.entries(headersOf(page, nonce))) response.setHeader(name, value);
    send(response, page.status ?? 200, type, documentOf(page, { nonce, path, links: shown }).text);
  };
}

const missing: SitePage = {
  status: 404,
  title: "Not found",
  body: html`<main id="main">
    <h1>Not found</h1>
    <p>This page does not exist. See <a href="/">the start page</a> for all pages.</p>
  </main>`,
};

/** Pages only run their listed scripts, connect to this gateway alone, are not framed, and not cached (tokens). */
const headersOf = ({ policy }: SitePage, nonce: string) => {
  const rules = {
    "default-src": "'none'",
    "script-src": `'nonce-${nonce}'`,
    "style-src": `'nonce-${nonce}'`,
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
  };
  const extended = Object.entries({ ...rules, ...policy });
  return {
    "content-security-policy": extended.map(([name, value]) => `${name} ${value}`).join("; "),
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
  };
};

interface Frame {
  readonly nonce: string;
  readonly path: string;
  readonly links: readonly (readonly [path: string, name: string])[];
}

function documentOf(page: SitePage, frame: Frame): Html {
  const { title, body, styles = [], scripts = [], modules = [], isWide = false } = page;
  const { nonce } = frame;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title === "docgraph" ? title : `${title} · docgraph`}</title>
        <link rel="icon" href="${icon}" />
        ${["site.css", ...styles].map(
          (name) => html`<link rel="stylesheet" href="${assetsPath}${name}" nonce="${nonce}" />`,
        )}
        ${scripts.map((name) => html`<script src="${assetsPath}${name}" nonce="${nonce}" defer></script>`)}
        ${modules.map((name) => html`<script type="module" src="${assetsPath}${name}" nonce="${nonce}"></script>`)}
      </head>
      <body ${isWide ? html`class="wide"` : ""}>
        <a class="skip" href="#main">Skip to content</a>
        ${navigation(frame)} ${body}
      </body>
    </html> `;
}

function navigation({ path, links: shown }: Frame): Html {
  const above = shown.map(([to]) => to).filter((to) => isBelow(path, to));
  const current = above.toSorted((one, other) => other.length - one.length)[0];
  return html`<header class="site">
    <a class="brand" href="/">docgraph</a>
    <nav aria-label="Site">
      ${shown.map(([to, name]) => html`<a href="${to}" ${to === current ? html`aria-current="page"` : ""}>${name}</a>`)}
    </nav>
  </header>`;
}

const isBelow = (path: string, to: string): boolean => path === to || path.startsWith(`${to}/`);

const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='7' fill='%230b6b5c'/%3E%3Cg stroke='white' stroke-width='2.5' fill='white'%3E%3Cpath d='M10 9v14M10 16h7l6-6M17 16l6 6'/%3E%3Ccircle cx='10' cy='9' r='2'/%3E%3Ccircle cx='10' cy='23' r='2'/%3E%3Ccircle cx='23' cy='10' r='2'/%3E%3Ccircle cx='23' cy='22' r='2'/%3E%3C/g%3E%3C/svg%3E";
