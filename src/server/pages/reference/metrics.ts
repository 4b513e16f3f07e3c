// The reference of metrics: the series of /metrics. A gateway declares those that it reads from its parts, and a thread
// lists those of requests, jobs and the process, since the library is loaded only where metrics are on.
import { codes, type Reference } from "#src/reference/reference.ts";
import type { Series } from "#src/runtime/series.ts";
import { ThreadPool } from "#src/runtime/threads.ts";

/** A series as Prometheus describes it. */
export interface SeriesFacts {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labels: readonly string[];
}

const pool = new ThreadPool<null, readonly SeriesFacts[]>(new URL("metrics-thread.ts", import.meta.url), {
  threads: 1,
  megabytes: 64,
});

/** Makes the reference of a gateway with these series. */
export const metricsReference = (series: readonly Series[]): Reference => ({
  path: "/reference/metrics",
  title: "Metrics",
  about: "Every series of `/metrics`, its type and labels.",
  introduction:
    "With `METRICS_PORT` docgraph serves these series to Prometheus at `/metrics`. [Monitoring](/docs/monitoring) explains how to scrape them and which alerts to set.",
  async tables() {
    const { answers, ended } = await pool.run([null], 30_000);
    if (!answers[0]) throw new Error(`The metrics of the process could not be listed: ${ended}.`);
    const own = series.map(({ name, help, labels = [] }) => ({ name, help, labels, type: typeOf(name) }));
    const rows = [...own, ...answers[0]].toSorted((one, other) => (one.name < other.name ? -1 : 1));
    return [{ id: "metrics", columns: ["Series", "Type", "Labels", "Meaning"], rows: rows.map(rowOf) }];
  },
});

const typeOf = (name: string): string => (name.endsWith("_total") ? "counter" : "gauge");

const rowOf = ({ name, type, labels, help }: SeriesFacts) => ({
  id: name,
  cells: [`\`${name}\``, type, codes(labels), help],
});
