// A small page of its own, such as a sign-in, an invitation, or a refusal: a title, a text and what to do next.
import type { Exchange } from "#src/http/exchange.ts";
import { html, type Html } from "#src/http/html.ts";
import type { ShownPage } from "#src/pages/page.ts";
import { sendShown } from "#src/pages/serve.ts";

export interface Notice {
  readonly status: number;
  readonly title: string;
  readonly body: Html;
  /** Of a page with a form: the origins besides our own that submitting it may lead to. Absent without a form. */
  readonly formsLeadTo?: readonly string[];
}

const pageOf = ({ status, title, body, formsLeadTo }: Notice): ShownPage => ({
  kind: "page",
  status,
  title: `${title} · docgraph`,
  head: html`<link rel="icon" href="data:," />`,
  styles: ["app.css"],
  style: "app notice",
  robots: "noindex",
  kept: "by nobody",
  ...(formsLeadTo && { formsLeadTo, hasForms: true }),
  body: html`<header class="top">
      <div class="bar"><a class="brand" href="/">docgraph</a></div>
    </header>
    <main id="main">
      <h1>${title}</h1>
      ${body}
    </main>`,
});

/** Sends the page. It is not stored anywhere, since the address or the form may contain a secret. */
export const sendNotice = (exchange: Exchange, notice: Notice): void => sendShown(exchange, pageOf(notice));
