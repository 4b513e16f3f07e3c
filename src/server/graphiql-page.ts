// GraphiQL's page, made in a thread that ends afterwards: its package is 9 MB of text, which take 70 MB where they are
// loaded.
import type { GraphiQLOptions } from "graphql-yoga";
import { ThreadPool } from "#src/base/threads.ts";

/** What is filled in when the page is opened. */
export interface Graphiql {
  readonly headers: Record<string, string>;
  readonly query: string;
}

export type Page = Uint8Array<ArrayBuffer>;

const pool = new ThreadPool<GraphiQLOptions, Page>(new URL("graphiql-thread.ts", import.meta.url), {
  threads: 1,
  megabytes: 256,
});

const timeLimitMs = 10_000;

/** The whole page, from the package alone: made when it is first asked for, and kept. */
export function graphiqlPage({ headers, query }: Graphiql): () => Promise<Page> {
  let page: Promise<Page> | undefined;
  return () => {
    page ??= make({
      title: "docgraph",
      headers: JSON.stringify(headers),
      defaultQuery: query,
      // GraphiQL's sockets would not send the token of its headers.
      subscriptionsProtocol: "GRAPHQL_SSE",
    }).catch((error: unknown) => {
      // The next request tries again.
      page = undefined;
      throw error;
    });
    return page;
  };
}

async function make(options: GraphiQLOptions): Promise<Page> {
  const { answers, ended } = await pool.run([options], timeLimitMs);
  const [page] = answers;
  if (!page) throw new Error(`GraphiQL's page could not be made: ${ended}.`);
  return page;
}
