// All pages of docgraph itself and their dependencies, by their paths.
import type { GraphQLSchema } from "graphql";
import type { Handler } from "#src/http/exchange.ts";
import { html } from "#src/http/html.ts";
import { assetsPath, createAssets } from "#src/server/pages/assets.ts";
import { errorsReference, formerTypePages, graphqlReference, typePath } from "#src/server/pages/references.ts";
import { graphiqlAssets, graphiqlPage } from "#src/server/pages/graphiql.ts";
import { readmePage, readmeText } from "#src/server/pages/readme.ts";
import { type ServePage, siteFor } from "#src/server/pages/site.ts";
import { startPage } from "#src/server/pages/start-page.ts";
import { type FindWho, whoBar, whoFinder, type WhoOptions } from "#src/server/pages/who.ts";

interface Given extends WhoOptions {
  readonly schema: GraphQLSchema;
  /** Whether GraphiQL is served, and with it the token of the demo to clients on this machine. */
  readonly graphiql: boolean;
}

/** Makes the pages. None of them does anything before its first request. */
export function createPages({ graphiql, demoToken, schema, ...given }: Given) {
  const findWho = whoFinder({ ...given, demoToken: graphiql ? demoToken : undefined });
  const serve = siteFor({ hasGraphiql: graphiql });
  return {
    at: {
      "/": startPage(serve, findWho, graphiql),
      "/README.md": readmeText,
      "/readme": readmePage(serve),
      "/reference/graphql": graphqlReference(serve, schema, graphiql),
      "/reference/rest": restReference(serve, findWho),
      "/reference/errors": errorsReference(serve),
    },
    below: [
      [typePath, formerTypePages(serve, schema)],
      [assetsPath, createAssets(graphiql ? graphiqlAssets() : {})],
    ] as const,
    graphiql: graphiql ? graphiqlPage(serve, findWho) : null,
  };
}

function restReference(serve: ServePage, findWho: FindWho): Handler {
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
          with the token above. <a href="/readme#rest">The common rules</a> are in the README;
          <a href="/reference/errors">errors</a> have a page of their own.
        </p>
        <div id="swagger"></div>
        <noscript>This page needs JavaScript; openapi.json says the same.</noscript>
      </main>`,
  }));
}
