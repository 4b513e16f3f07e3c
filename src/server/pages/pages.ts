// All pages of docgraph itself and what they are made with, by their paths.
import type { Viewers } from "#src/access/viewers.ts";
import type { Database } from "#src/db/connection/database.ts";
import type { GraphQLSchema } from "graphql";
import type { ContextOf, Handler } from "#src/http/exchange.ts";
import { html } from "#src/http/html.ts";
import { assetsPath, createAssets } from "#src/server/pages/assets.ts";
import { errorsReference } from "#src/server/pages/errors-reference.ts";
import { graphiqlAssets, graphiqlPage } from "#src/server/pages/graphiql.ts";
import { formerTypePages, graphqlReference, typePath } from "#src/server/pages/graphql-reference.ts";
import { readmePage, readmeText } from "#src/server/pages/readme.ts";
import { type ServePage, siteFor } from "#src/server/pages/site.ts";
import { startPage } from "#src/server/pages/start-page.ts";
import { type FindWho, whoBar, whoFinder } from "#src/server/pages/who.ts";

interface Given {
  readonly database: Pick<Database, "prisma">;
  readonly viewers: Pick<Viewers, "byAuthorization">;
  readonly ofPage: ContextOf;
  readonly schema: GraphQLSchema;
  /** Whether GraphiQL is served, and with it the token of the demo to who asks on this machine. */
  readonly graphiql: boolean;
  readonly demoToken: string | undefined;
}

/** The handlers of the pages: at their paths, below some, and GraphiQL, which shares its path. */
interface Pages {
  readonly at: Readonly<Record<string, Handler>>;
  readonly below: readonly (readonly [start: string, handler: Handler])[];
  readonly graphiql: Handler | null;
}

/** Makes the pages. None of them does anything before it is asked for. */
export function createPages({ graphiql, demoToken, schema, ...given }: Given): Pages {
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
    ],
    graphiql: graphiql ? graphiqlPage(serve, findWho) : null,
  };
}

/** The reference of REST: Swagger UI over our own description, asking as all pages do. */
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
          with the token above. <a href="/readme#rest">What holds for all of them</a> is in the README;
          <a href="/reference/errors">errors</a> have a page of their own.
        </p>
        <div id="swagger"></div>
        <noscript>This page needs JavaScript; openapi.json says the same.</noscript>
      </main>`,
  }));
}
