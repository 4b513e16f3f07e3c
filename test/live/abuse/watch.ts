// The load of a gateway during a check and for seconds after its response: the CPU time of its process, and its
// longest `/healthz`, requested every 25 ms from a separate thread, so that the work of the check does not count.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

/** The cost of a check, in milliseconds. */
export interface Cost {
  /** CPU time from the first request to the last response. */
  readonly cpuMs: number;
  /** CPU time in the seconds after the last response. */
  readonly cpuAfterMs: number;
  /** The longest `/healthz` from the first request to the end of those seconds. */
  readonly healthMs: number;
}

/** Watches a gateway until it is disposed of. */
export class Watch implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #pid: number;

  private constructor(worker: Worker, pid: number) {
    this.#worker = worker;
    this.#pid = pid;
  }

  /** Starts to watch the gateway at `url` with the process `pid`. Linux only: it reads `/proc`. */
  static async start(url: string, pid: number): Promise<Watch> {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { [mark]: url } });
    await once(worker, "message");
    return new Watch(worker, pid);
  }

  /** Runs `work`, waits for `afterMs`, and returns the cost of both. */
  async costOf<Result>(work: () => Promise<Result>, afterMs: number): Promise<[Result, Cost]> {
    await this.#longest(); // resets the maximum
    const begun = cpuMsOf(this.#pid);
    const result = await work();
    const answered = cpuMsOf(this.#pid);
    await sleep(afterMs);
    const cpuAfterMs = cpuMsOf(this.#pid) - answered;
    return [result, { cpuMs: answered - begun, cpuAfterMs, healthMs: await this.#longest() }];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }

  /** The longest `/healthz` since the last call, including a pending one. */
  async #longest(): Promise<number> {
    const answer = once(this.#worker, "message") as Promise<[number]>;
    this.#worker.postMessage("longest");
    return (await answer)[0];
  }
}

/** CPU time of a process since its start, in milliseconds, in steps of 10: proc(5), `utime` and `stime`. */
function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Marks the worker data of the measuring thread: this file is both sides. */
const mark = "watch";

async function watchHealth(url: string): Promise<never> {
  let longest = 0;
  let asked: number | null = null;
  const sinceAsked = () => (asked === null ? 0 : performance.now() - asked);
  parentPort?.on("message", () => {
    parentPort?.postMessage(Math.max(longest, sinceAsked()));
    longest = 0;
  });
  parentPort?.postMessage("started");
  for (;;) {
    asked = performance.now();
    await fetch(`${url}/healthz`).then(
      (answer) => answer.arrayBuffer(),
      () => null,
    ); // a refused request counts, too
    longest = Math.max(longest, sinceAsked());
    asked = null;
    await sleep(25);
  }
}

const given = workerData as { readonly [mark]?: string } | null;
if (!isMainThread && given?.[mark] !== undefined) await watchHealth(given[mark]);
