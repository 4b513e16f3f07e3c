// All pages of docgraph itself and their dependencies, by their paths.
import type { GraphQLSchema } from "graphql";
import type { Handler } from "#src/http/exchange.ts";
import { html } from "#src/http/html.ts";
import { errorsReference } from "#src/reference/errors.ts";
import { eventsReference } from "#src/reference/events.ts";
import { limitsReference } from "#src/reference/limits.ts";
import { permissionsReference } from "#src/reference/permissions.ts";
import { routesReference } from "#src/reference/routes.ts";
import { settingsReference } from "#src/reference/settings.ts";
import type { Series } from "#src/runtime/series.ts";
import { assetsPath, createAssets } from "#src/server/pages/assets.ts";
import { createDocs, docsPath } from "#src/server/pages/docs/docs.ts";
import { endpointPage, graphiqlAssets, graphiqlPage } from "#src/server/pages/graphiql.ts";
import { formerTypePages, graphqlReference, typePath } from "#src/server/pages/reference/graphql.ts";
import { metricsReference } from "#src/server/pages/reference/metrics.ts";
import { type ListedReference, referenceList, referencePage, rowsOf } from "#src/server/pages/reference/pages.ts";
import { type ServePage, siteFor } from "#src/server/pages/site.ts";
import { startPage } from "#src/server/pages/start-page.ts";
import { type FindWho, whoBar, whoFinder, type WhoOptions } from "#src/server/pages/who.ts";

interface Given extends WhoOptions {
  readonly schema: GraphQLSchema;
  /** Whether GraphiQL is served, and with it the token of the demo to clients on this machine. */
  readonly graphiql: boolean;
  /** The address of the application. */
  readonly application: string;
  /** The series of /metrics that the parts of the gateway declare. */
  readonly series: readonly Series[];
}

/** The references that have a page of their own form. */
const otherReferences: readonly ListedReference[] = [
  { path: "/reference/graphql", title: "GraphQL", about: "Every operation and type of the schema." },
  {
    path: "/reference/rest",
    title: "REST",
    about: "The operations of `/v1` with their schemas; run them in the page.",
  },
];

/** Makes the pages. None of them does anything before its first request. */
export function createPages({ graphiql, demoToken, schema, series, application, ...given }: Given) {
  const findWho = whoFinder({ ...given, demoToken: graphiql ? demoToken : undefined });
  const serve = siteFor({ hasGraphiql: graphiql });
  const generated = [
    settingsReference,
    limitsReference,
    errorsReference,
    metricsReference(series),
    eventsReference,
    permissionsReference,
    routesReference,
  ];
  const references = [...otherReferences, ...generated];
  const { [docsPath]: belowDocs, ...docs } = createDocs({ serve, references, rowsOf: rowsOf(generated) });
  return {
    at: {
      "/": startPage(serve, { findWho, hasGraphiql: graphiql, application, database: given.database }),
      ...docs,
      "/reference": referenceList(serve, references),
      "/reference/graphql": graphqlReference(serve, schema, graphiql),
      "/reference/rest": restReference(serve, findWho),
      ...Object.fromEntries(generated.map((reference) => [reference.path, referencePage(serve, reference)])),
    },
    below: [
      [docsPath, belowDocs],
      [typePath, formerTypePages(serve, schema)],
      [assetsPath, createAssets(graphiql ? graphiqlAssets() : {})],
    ] as const,
    graphiql: graphiql ? graphiqlPage(serve, findWho) : endpointPage(serve),
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
          The operations of <code>/v1</code>, from <a href="/v1/openapi.json">openapi.json</a>. <b>Try it out</b> sends
          requests with the token above. <a href="/docs">The documentation</a> explains what they have in common;
          <a href="/reference/routes">routes</a> lists them on one page, and
          <a href="/reference/errors">errors</a> their codes.
        </p>
        <div id="swagger"></div>
        <noscript>This page needs JavaScript; openapi.json has the same content.</noscript>
      </main>`,
  }));
}
