// The series of one gateway, in its own registry. It counts requests and jobs; all other series are read from the parts
// of the gateway at each request to /metrics, which has a separate port, so that it is not public.
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { JobRun } from "#src/jobs/start-jobs.ts";
import type { Series } from "#src/runtime/series.ts";
import { createServer } from "node:http";
import type { Logger } from "pino";
import { sendError } from "#src/http/send.ts";
import type { HostAndHeaders } from "#src/server/http/host-and-headers.ts";
import { addressOf, listenOn, refuseMalformed } from "#src/server/http/http-server.ts";

/** Buckets of the durations of requests and of jobs, in seconds. */
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
const jobBuckets = [0.01, 0.1, 1, 10, 60, 300, 900];

interface Asked {
  readonly transport: string;
  readonly operation: string;
  readonly code: string | null;
}

/** What /metrics answers. */
export interface MetricsText {
  readonly contentType: string;
  text(): Promise<string>;
}

/** The series of all workers together, in the primary process: sums, unless a series says otherwise. */
export class ClusterMetrics implements MetricsText {
  readonly #registry = new AggregatorRegistry();

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.clusterMetrics();
  }
}

export class Metrics implements MetricsText {
  readonly registry = new Registry();
  readonly #requests = new Counter({
    name: "docgraph_requests_total",
    help: "Requests and operations, by their target and the code of the response.",
    labelNames: ["transport", "operation", "code"],
    registers: [this.registry],
  });
  readonly #requestDurations = new Histogram({
    name: "docgraph_request_duration_seconds",
    help: "Duration of requests and operations in seconds; of a stream, until it was open.",
    labelNames: ["transport", "operation"],
    buckets: requestBuckets,
    registers: [this.registry],
  });
  readonly #jobRuns = new Counter({
    name: "docgraph_job_runs_total",
    help: "Runs of jobs in this process: ok, failed (will be retried) or dead (failed for good).",
    labelNames: ["job", "outcome"],
    registers: [this.registry],
  });
  readonly #jobDurations = new Histogram({
    name: "docgraph_job_duration_seconds",
    help: "Duration of runs of jobs in seconds.",
    labelNames: ["job"],
    buckets: jobBuckets,
    registers: [this.registry],
  });

  constructor({ version }: { version: string }) {
    const build = new Gauge({
      name: "docgraph_build_info",
      help: "Always 1, with the version of docgraph and of Node.",
      labelNames: ["version", "node"],
      registers: [this.registry],
      aggregator: "first",
    });
    build.set({ version, node: process.versions.node }, 1);
    collectDefaultMetrics({ register: this.registry, prefix: "docgraph_" });
  }

  request({ transport, operation, code }: Asked, seconds: number): void {
    this.#requests.inc({ transport, operation, code: code ?? "UNKNOWN" });
    this.#requestDurations.observe({ transport, operation }, seconds);
  }

  readonly job = ({ job, outcome, seconds }: JobRun): void => {
    this.#jobRuns.inc({ job, outcome });
    this.#jobDurations.observe({ job }, seconds);
  };

  add(series: readonly Series[]): void {
    for (const { name, help, labels: labelNames = [], ofWorkers: aggregator = "sum" as const, read } of series) {
      const settings = { name, help, labelNames, registers: [this.registry], aggregator };
      if (name.endsWith("_total"))
        new Counter({
          ...settings,
          async collect() {
            const samples = await read();
            this.reset();
            for (const [labels, value] of samples) this.inc(labels, value);
          },
        });
      else
        new Gauge({
          ...settings,
          async collect() {
            const samples = await read();
            this.reset();
            for (const [labels, value] of samples) this.set(labels, value);
          },
        });
    }
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** Gives the series of this worker to the primary process whenever it asks. */
  share(): void {
    new AggregatorRegistry(); // listens to the primary process
    AggregatorRegistry.setRegistries([this.registry]);
  }
}

interface Options {
  readonly host: string;
  readonly port: number;
  readonly hostAndHeaders: HostAndHeaders;
  readonly log: Pick<Logger, "error">;
}

/** Starts to listen. Rejects with the system's error, such as EADDRINUSE. */
export async function serveMetrics(metrics: MetricsText, { host, port, hostAndHeaders, log }: Options) {
  const server = createServer((request, response) => {
    const { url, method } = request;
    hostAndHeaders.secure(response);
    const refusal = hostAndHeaders.refusal(request);
    if (refusal) return sendError(response, refusal);
    if (url !== "/metrics" || (method !== "GET" && method !== "HEAD")) {
      response.writeHead(404, { "content-type": "text/plain; charset=utf-8" }).end("This port only serves /metrics.\n");
      return;
    }
    metrics.text().then(
      (text) => response.writeHead(200, { "content-type": metrics.contentType }).end(text),
      (error: unknown) => {
        log.error({ err: error }, "could not read the metrics");
        response.writeHead(500).end();
      },
    );
  });
  refuseMalformed(server);
  await listenOn(server, host, port);
  return {
    url: `${addressOf(server, host).url}/metrics`,
    /** Ends at once: a truncated response does no harm. */
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}
