// The HTML document around a page: its head with styles and scripts, and the policy that rules out everything else.
import { createHash } from "node:crypto";
import { html, Html } from "#src/http/html.ts";
import { KeptBody } from "#src/http/send.ts";
import { addressOfAsset, type AssetName } from "#src/pages/assets.ts";
import type { ShownPage } from "#src/pages/page.ts";

const makeDocument = (shown: Omit<ShownPage, "status">, assetsBelow: string, notice: string | null): Html => {
  const { language, title, head, body, style, styles = [], scripts = [], isLive, theme, hasForms } = shown;
  const addressOf = (name: AssetName) => addressOfAsset(name, assetsBelow);
  return html`<!doctype html>
    <html lang="${language ?? "en"}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <script src="${addressOf("scheme.js")}"></script>
        <link rel="stylesheet" href="${addressOf("reader.css")}" />
        ${styles.map((name) => html`<link rel="stylesheet" href="${addressOf(name)}" />`)}
        <script type="module" src="${addressOf("reader.js")}"></script>
        ${scripts.map((name) => html`<script type="module" src="${addressOf(name)}"></script>`)}
        ${hasForms ? html`<script type="module" src="${addressOf("forms.js")}"></script>` : ""}
        ${theme === undefined ? "" : new Html(`<style>${theme}</style>`)}
        ${isLive ? html`<script type="module" src="${addressOf("live.js")}"></script>` : ""} ${head}
      </head>
      <body class="${style ?? ""}">
        ${body}${notice === null ? "" : html`<p class="form-notice" role="status">${notice}</p>`}
      </body>
    </html> `;
};

/** The content policy: pages run docgraph's own scripts only, and texts load nothing at all. */
export function policyOf(shown: Pick<ShownPage, "kind" | "theme" | "formsLeadTo"> | { readonly kind: "text" }): string {
  if (shown.kind === "text") return "default-src 'none'";
  const known = policies.get(shown);
  if (known !== undefined) return known;
  const policy = makePolicy(shown);
  policies.set(shown, policy);
  return policy;
}

const policies = new WeakMap<object, string>();

function makePolicy({ theme, formsLeadTo = [] }: Pick<ShownPage, "theme" | "formsLeadTo">): string {
  const hash = theme === undefined ? "" : ` 'sha256-${createHash("sha256").update(theme).digest("base64")}'`;
  return pagePolicy
    .replace("style-src 'self'", (source) => source + hash)
    .replace("form-action 'self'", (source) => [source, ...formsLeadTo].join(" "));
}

const made = new WeakMap<object, KeptBody>();

/**
 * The document of a page. Scripts only improve it: everything works without them. A page always has one address.
 * `notice` says what a form has done, to its sender and once.
 */
export function documentOf(
  shown: Omit<ShownPage, "status">,
  assetsBelow = "",
  notice: string | null = null,
): string | KeptBody {
  if (notice !== null) return makeDocument(shown, assetsBelow, notice).text;
  const known = made.get(shown);
  if (known) return known;
  const document = new KeptBody(makeDocument(shown, assetsBelow, null).text);
  made.set(shown, document);
  return document;
}

const pagePolicy = Object.entries({
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self' https: data:",
  "media-src": "'self' https:",
  "font-src": "'self'",
  "connect-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'self'",
  "frame-ancestors": "'none'",
  "require-trusted-types-for": "'script'",
  "trusted-types": "docgraph docgraph-live",
})
  .map(([name, value]) => `${name} ${value}`)
  .join("; ");
