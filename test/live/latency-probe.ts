// Latencies of small requests to a busy gateway, measured in a thread of its own: the thread that reads the large
// responses would measure its own load.
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

interface Asked {
  readonly url: string;
  readonly token: string;
  readonly spaceId: string;
  /** Whether comments are written as well. */
  readonly writes?: boolean;
}

/** The duration of each request, in milliseconds, and how many were not answered with 200. */
export interface Latencies {
  readonly healths: readonly number[];
  readonly rows: readonly number[];
  readonly comments: readonly number[];
  readonly failed: number;
  /** The codes or statuses of the failed requests, each once. */
  readonly codes: readonly string[];
}

/** Requests /healthz and one row repeatedly during `work`, and returns the durations. */
export async function latenciesDuring<Result>(asked: Asked, work: () => Promise<Result>): Promise<[Result, Latencies]> {
  await using worker = new Worker(fileURLToPath(import.meta.url), { workerData: { [mark]: asked } });
  const failed = once(worker, "error").then(([error]) => Promise.reject(error as Error));
  await Promise.race([once(worker, "message"), failed]); // it has started
  const result = await Promise.race([work(), failed]);
  const latencies = once(worker, "message");
  worker.postMessage("end");
  const [message] = (await Promise.race([latencies, failed])) as [Latencies];
  return [result, message];
}

/** Marks the worker data of the measuring thread. */
const mark = "noticing";

async function probe({ url, token, spaceId, writes = false }: Asked): Promise<void> {
  let isOver = false;
  let failed = 0;
  const codes = new Set<string>();
  parentPort?.once("message", () => (isOver = true));
  parentPort?.postMessage("begun");
  const measure = async (ask: () => Promise<Response>): Promise<number[]> => {
    const took: number[] = [];
    while (!isOver) {
      const begun = performance.now();
      const answer = await ask();
      const text = await answer.text();
      if (!answer.ok || text.startsWith('{"errors"')) {
        failed += 1;
        codes.add(/"code":"?(\w+)/.exec(text)?.[1] ?? String(answer.status));
      }
      took.push(performance.now() - begun);
    }
    return took;
  };
  const sending = (query: string) => () =>
    fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ query }),
    });
  const body = `contentOf: { spaceId: "${spaceId}" }, text: { markdown: "A comment" }`;
  const comment = `mutation { createComment(input: { ${body} }) { comment { id } } }`;
  const [healths, rows, comments] = await Promise.all([
    measure(() => fetch(`${url}/healthz`)),
    measure(sending(`{ space(id: "${spaceId}") { id title } }`)),
    writes ? measure(sending(comment)) : [],
  ]);
  parentPort?.postMessage({ healths, rows, comments, failed, codes: [...codes] });
}

const given = workerData as { readonly [mark]?: Asked } | null;
if (!isMainThread && given?.[mark]) await probe(given[mark]);
