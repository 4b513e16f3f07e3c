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

/** The same while it is measured. */
interface MeasuredSoFar extends Latencies {
  readonly healths: number[];
  readonly rows: number[];
  readonly comments: number[];
  failed: number;
  readonly codes: string[];
}

/** Requests /healthz and one row repeatedly during `work`, and returns the durations. */
export async function latenciesDuring<Result>(asked: Asked, work: () => Promise<Result>): Promise<[Result, Latencies]> {
  await using probe = await startProbe(asked);
  return await probe.during(work);
}

/** A thread that requests /healthz and one row repeatedly. */
interface Probe extends AsyncDisposable {
  /** Does the work, and returns the durations of the requests that ended meanwhile. */
  during<Result>(work: () => Promise<Result>): Promise<[Result, Latencies]>;
}

/** Starts a probe, which is disposed of to end its requests. */
export async function startProbe(asked: Asked): Promise<Probe> {
  const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { [mark]: asked } });
  const failed = once(worker, "error").then(([error]) => Promise.reject(error as Error));
  failed.catch(() => {}); // the error is reported to callers that wait for it
  const message = async () => ((await Promise.race([once(worker, "message"), failed])) as [Latencies])[0];
  await message(); // it has started
  const take = (): Promise<Latencies> => {
    worker.postMessage("take");
    return message();
  };
  return {
    async during(work) {
      await take();
      return [await Promise.race([work(), failed]), await take()];
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
}

/** Marks the worker data of the measuring thread. */
const mark = "noticing";

/**
 * Measures until the thread is terminated. When asked to, it sends what has been measured since the last time, as soon
 * as the requests of that moment have ended.
 */
async function probe({ url, token, spaceId, writes = false }: Asked): Promise<void> {
  const nothing = () => ({ healths: [], rows: [], comments: [], failed: 0, codes: [] });
  let latencies: MeasuredSoFar = nothing();
  const current: Record<string, Promise<void>> = {};
  const send = async (): Promise<void> => {
    await Promise.all(Object.values(current));
    parentPort?.postMessage(latencies);
    latencies = nothing();
  };
  parentPort?.on("message", () => void send());
  parentPort?.postMessage("begun");
  const one = async (kind: "healths" | "rows" | "comments", ask: () => Promise<Response>): Promise<void> => {
    const begun = performance.now();
    const answer = await ask();
    const text = await answer.text();
    latencies[kind].push(performance.now() - begun);
    if (answer.ok && !text.startsWith('{"errors"')) return;
    latencies.failed += 1;
    const code = /"code":"?(\w+)/.exec(text)?.[1] ?? String(answer.status);
    if (!latencies.codes.includes(code)) latencies.codes.push(code);
  };
  const measure = async (...what: Parameters<typeof one>): Promise<never> => {
    for (;;) await (current[what[0]] = one(...what));
  };
  const sending = (query: string) => () =>
    fetch(`${url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify({ query }),
    });
  const body = `contentOf: { spaceId: "${spaceId}" }, text: { markdown: "A comment" }`;
  const comment = `mutation { createComment(input: { ${body} }) { comment { id } } }`;
  await Promise.all([
    measure("healths", () => fetch(`${url}/healthz`)),
    measure("rows", sending(`{ space(id: "${spaceId}") { id title } }`)),
    ...(writes ? [measure("comments", sending(comment))] : []),
  ]);
}

const given = workerData as { readonly [mark]?: Asked } | null;
if (!isMainThread && given?.[mark]) await probe(given[mark]);
