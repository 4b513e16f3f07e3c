// GraphiQL: its page, the page in its place where it is off, and the parts of its package as assets. The package is
// 9 MB of text, which take 70 MB of memory when loaded: it is split in a thread that ends afterwards.
import { ThreadPool } from "#src/runtime/threads.ts";
import type { Handler } from "#src/http/exchange.ts";
import type { ReadAsset } from "#src/server/pages/assets.ts";
import { madeOnce } from "#src/server/pages/made-once.ts";
import type { ServePage } from "#src/server/pages/site.ts";
import { type FindWho, whoBar } from "#src/server/pages/who.ts";
import { html } from "#src/http/html.ts";

export type Parts = Readonly<Record<string, Uint8Array<ArrayBuffer>>>;

const partNames = ["package.js", "package.css", "editor-worker.js", "json-worker.js", "graphql-worker.js"];

const pool = new ThreadPool<null, Parts>(new URL("graphiql-thread.ts", import.meta.url), {
  threads: 1,
  megabytes: 256,
});

/** The parts as assets: all are read when the first one is requested. */
export function graphiqlAssets(): Readonly<Record<string, ReadAsset>> {
  const takeApart = madeOnce(pool, null, "GraphiQL could not be split into its parts");
  const read = async (name: string) => {
    const bytes = (await takeApart())[name];
    if (!bytes) throw new Error(`GraphiQL does not have ${name}.`);
    return bytes;
  };
  return Object.fromEntries(partNames.map((part) => [`graphiql/${part}`, () => read(`graphiql/${part}`)]));
}

/** Its editors create styles and start workers. */
const policy = { "style-src": "'self' 'unsafe-inline'", "font-src": "data:", "worker-src": "'self'" };

/** The page; its initial operation returns data in the demo. */
export function graphiqlPage(serve: ServePage, findWho: FindWho): Handler {
  return serve(async (exchange) => ({
    title: "GraphiQL",
    isWide: true,
    styles: ["graphiql/package.css", "graphiql.css"],
    scripts: ["graphql-ws.js", "graphiql/package.js"],
    modules: ["graphiql.js"],
    policy,
    body: html`${whoBar(await findWho(exchange))}
      <main id="main" data-query="${demoQuery}">
        <div id="graphiql"><p class="loading">GraphiQL is loading…</p></div>
        <section id="messages" aria-label="Messages of the subscription" hidden>
          <header>
            <h2>Messages</h2>
            <p role="status" data-count></p>
            <button type="button" data-clear>Clear</button>
            <button type="button" data-close>Close</button>
          </header>
          <ol reversed data-list></ol>
        </section>
      </main>
      <noscript>GraphiQL needs JavaScript.</noscript>`,
  }));
}

/** The page of the endpoint for browsers where GraphiQL is off. */
export function endpointPage(serve: ServePage): Handler {
  return serve(async () => ({
    title: "GraphQL endpoint",
    body: html`<main id="main" class="introduction">
      <h1>GraphQL endpoint</h1>
      <p>
        Programs send their operations to this address. GraphiQL, the explorer, is off here: the
        <a href="/reference/graphql">GraphQL reference</a> lists every operation and type, and
        <a href="/docs/graphql">the documentation</a> shows how to send them.
      </p>
    </main>`,
  }));
}

/** The initial operation: one request across the demo's organizations, spaces and sites. */
export const demoQuery = `# The spaces of your organizations, with their change requests and sites.
{
  organizations {
    nodes {
      title
      spaces(first: 5) {
        nodes {
          emoji
          title
          changeRequests(first: 3) {
            totalCount
            nodes { number subject status comments { totalCount } }
          }
        }
      }
      sites {
        nodes {
          title
          sections {
            nodes {
              title
              siteSpaces { nodes { title path } }
            }
          }
        }
      }
    }
  }
}
`;
