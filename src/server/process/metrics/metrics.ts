// The series of one gateway, in a registry of its own. It counts requests and jobs; all other series are read from the
// parts of the gateway when somebody asks for /metrics.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { JobRun } from "#src/jobs/start-jobs.ts";
import type { Series } from "#src/runtime/series.ts";

/** Buckets of the durations of requests and of jobs, in seconds. */
const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];
const jobBuckets = [0.01, 0.1, 1, 10, 60, 300, 900];

/** The labels of a request; each has few values. */
interface Asked {
  readonly transport: string;
  readonly operation: string;
  readonly code: string | null;
}

/** See the head of this file. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests = new Counter({
    name: "docgraph_requests_total",
    help: "Requests and operations answered, by what they asked for and the code of the answer.",
    labelNames: ["transport", "operation", "code"],
    registers: [this.registry],
  });
  readonly #requestDurations = new Histogram({
    name: "docgraph_request_duration_seconds",
    help: "How long requests and operations took; of a stream, until it was open.",
    labelNames: ["transport", "operation"],
    buckets: requestBuckets,
    registers: [this.registry],
  });
  readonly #jobRuns = new Counter({
    name: "docgraph_job_runs_total",
    help: "Runs of jobs in this process: ok, failed (tried again) or dead (given up).",
    labelNames: ["job", "outcome"],
    registers: [this.registry],
  });
  readonly #jobDurations = new Histogram({
    name: "docgraph_job_duration_seconds",
    help: "How long runs of jobs took.",
    labelNames: ["job"],
    buckets: jobBuckets,
    registers: [this.registry],
  });

  constructor({ version }: { version: string }) {
    const build = new Gauge({
      name: "docgraph_build_info",
      help: "1, with the version of docgraph and of Node.",
      labelNames: ["version", "node"],
      registers: [this.registry],
    });
    build.set({ version, node: process.versions.node }, 1);
    collectDefaultMetrics({ register: this.registry, prefix: "docgraph_" });
  }

  /** A request has its answer. */
  request({ transport, operation, code }: Asked, seconds: number): void {
    this.#requests.inc({ transport, operation, code: code ?? "UNKNOWN" });
    this.#requestDurations.observe({ transport, operation }, seconds);
  }

  /** A job has run. */
  readonly job = ({ job, outcome, seconds }: JobRun): void => {
    this.#jobRuns.inc({ job, outcome });
    this.#jobDurations.observe({ job }, seconds);
  };

  /** Adds series. */
  add(series: readonly Series[]): void {
    for (const { name, help, labels: labelNames = [], read } of series) {
      const settings = { name, help, labelNames, registers: [this.registry] };
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

  /** Everything in the text format of Prometheus. */
  text(): Promise<string> {
    return this.registry.metrics();
  }
}
