// Small HTML pages for people: all values are escaped, and browsers run no scripts on them.
import { createHash } from "node:crypto";
import type { Exchange } from "#src/http/exchange.ts";
import { addVary, htmlPages } from "#src/http/negotiation.ts";
import { send } from "#src/http/send.ts";

/** A piece of HTML. Only {@link html} makes it, so that no text gets in unescaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Piece = Html | string | number | readonly Html[];

/** HTML with values: pieces of HTML are inserted unchanged, everything else is escaped. */
export function html(parts: TemplateStringsArray, ...values: readonly Piece[]): Html {
  let text = parts[0] ?? "";
  // Added piece by piece: the engine copies the characters of nested pieces once, when the document is sent.
  for (let index = 0; index < values.length; index++) text += textOf(values[index] ?? "") + (parts[index + 1] ?? "");
  return new Html(text);
}

const special = /[&<>"'`]/;

function textOf(piece: Piece): string {
  if (piece instanceof Html) return piece.text;
  if (typeof piece === "object") {
    let text = "";
    for (const one of piece) text += one.text;
    return text;
  }
  const text = String(piece);
  return special.test(text) ? text.replaceAll(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`) : text;
}

/** A style within a page: its element, and its hash source for the policy of the page. */
function inlineStyle(text: string): { readonly element: Html; readonly source: string } {
  const hash = createHash("sha256").update(text).digest("base64");
  return { element: new Html(`<style>${text}</style>`), source: `'sha256-${hash}'` };
}

const style =
  inlineStyle(`body { font: 1rem/1.6 system-ui, sans-serif; max-width: 52rem; margin: 3rem auto; padding: 0 1rem }
pre { white-space: pre-wrap; overflow-wrap: anywhere } dt { font-weight: 600 } dd { margin: 0 0 .5rem; overflow-wrap: anywhere }
nav ul { padding-left: 1.2rem }`);

/** No script, form or frame, nothing from elsewhere, and no referrer: the address may contain a secret key. */
const headers = {
  "content-security-policy": `default-src 'none'; style-src ${style.source}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  "x-robots-tag": "noindex",
};

export interface PageForPeople {
  readonly status: number;
  readonly title: string;
  readonly body: Html;
}

/** Sends a page. Throws NOT_ACCEPTABLE for clients that do not accept HTML. */
export function sendPage(exchange: Exchange, page: PageForPeople): void {
  const { request, response } = exchange;
  const { status, title, body } = page;
  const type = htmlPages.require(request);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  addVary(response, "accept"); // an agent may get another media type at the same address
  const document = html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title}</title>
      ${style.element}
      <h1>${title}</h1>
      ${body}
    </html> `;
  send(response, status, type, document.text);
}
