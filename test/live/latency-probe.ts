// Latencies of small requests to a busy gateway, measured in a thread of its own: the thread that reads the large
// responses would measure its own load.
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

interface Asked {
  readonly url: string;
  readonly token: string;
  readonly spaceId: string;
}

/** The duration of each request, in milliseconds. */
export interface Latencies {
  readonly healths: readonly number[];
  readonly rows: readonly number[];
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

async function probe({ url, token, spaceId }: Asked): Promise<void> {
  let isOver = false;
  parentPort?.once("message", () => (isOver = true));
  parentPort?.postMessage("begun");
  const measure = async (ask: () => Promise<Response>): Promise<number[]> => {
    const took: number[] = [];
    while (!isOver) {
      const begun = performance.now();
      const answer = await ask();
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}`);
      took.push(performance.now() - begun);
    }
    return took;
  };
  const oneRow = {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: `{ space(id: "${spaceId}") { id title } }` }),
  };
  const [healths, rows] = await Promise.all([
    measure(() => fetch(`${url}/healthz`)),
    measure(() => fetch(`${url}/graphql`, oneRow)),
  ]);
  parentPort?.postMessage({ healths, rows });
}

const given = workerData as { readonly [mark]?: Asked } | null;
if (!isMainThread && given?.[mark]) await probe(given[mark]);
