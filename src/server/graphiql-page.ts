// GraphiQL's page, made in a thread that ends afterwards: its package is 9 MB of text, which take 70 MB where they are
// loaded.
import type { GraphiQLOptions } from "graphql-yoga";
import { ThreadPool } from "#src/base/threads.ts";
import { type Handler, send } from "#src/server/exchange.ts";
import { isOfThisMachine } from "#src/server/loopback.ts";

/** What is filled in when the page is opened. */
export interface Graphiql {
  /** An API token, for who asks on this machine alone. */
  readonly token: string | undefined;
  readonly query: string;
}

export type Page = Uint8Array<ArrayBuffer>;

const pool = new ThreadPool<GraphiQLOptions, Page>(new URL("graphiql-thread.ts", import.meta.url), {
  threads: 1,
  megabytes: 256,
});

const timeLimitMs = 10_000;

/**
 * Its scripts, styles, fonts and workers are in it; it asks this gateway and nobody else, and no page may frame it.
 * The token may be in it: nobody keeps it.
 */
const headers = {
  "content-security-policy":
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; style-src 'unsafe-inline'; img-src 'self' data:; font-src data:; " +
    "connect-src 'self'; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
};

/** Answers a request with the page, from the package alone: made when it is first asked for, and kept. */
export function graphiqlPage({ token, query }: Graphiql): Handler {
  const pageWith = (filledIn: Record<string, string>) =>
    remembered(() =>
      make({
        title: "docgraph",
        headers: JSON.stringify(filledIn),
        defaultQuery: query,
        // GraphiQL's sockets would not send the token of its headers.
        subscriptionsProtocol: "GRAPHQL_SSE",
      }),
    );
  const plain = pageWith({});
  const withToken = token === undefined ? plain : pageWith({ Authorization: `Bearer ${token}` });
  return async ({ request, response }) => {
    const page = await (isOfThisMachine(request) ? withToken() : plain());
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    send(response, 200, "text/html; charset=utf-8", page);
  };
}

/** Makes something once, when it is first asked for. Where that fails the next one tries again. */
function remembered<Made>(makeIt: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => {
    made ??= makeIt().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

async function make(options: GraphiQLOptions): Promise<Page> {
  const { answers, ended } = await pool.run([options], timeLimitMs);
  const [page] = answers;
  if (!page) throw new Error(`GraphiQL's page could not be made: ${ended}.`);
  return page;
}
