// The reference of REST at `/reference/rest`: Swagger UI over our own description, asking as all pages do.
import type { Handler } from "#src/http/exchange.ts";
import type { ServePage } from "#src/server/pages/site.ts";
import { type FindWho, whoBar } from "#src/server/pages/who.ts";
import { html } from "#src/http/html.ts";

/** Makes the page. */
export function restReference(serve: ServePage, findWho: FindWho): Handler {
  return serve(async (exchange) => ({
    title: "REST reference",
    styles: ["swagger-ui.css", "rest.css"],
    scripts: ["swagger-ui.js"],
    modules: ["rest.js"],
    policy: { "style-src": "'self' 'unsafe-inline'" },
    body: html`${whoBar(await findWho(exchange))}
      <main id="main">
        <h1>REST reference</h1>
        <p>
          The operations of <code>/v1</code>, from <a href="/v1/openapi.json">openapi.json</a>. <b>Try it out</b> asks
          with the token above. <a href="/readme#rest">What holds for all of them</a> is in the README;
          <a href="/reference/errors">errors</a> have a page of their own.
        </p>
        <div id="swagger"></div>
        <noscript>This page needs JavaScript; openapi.json says the same.</noscript>
      </main>`,
  }));
}
