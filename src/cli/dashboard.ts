// A dashboard for Grafana over what /metrics tells: a row of panels for each part of docgraph.

interface Panel {
  readonly title: string;
  /** Of Grafana: `s`, `bytes`, `reqps`, `short`, `percentunit`. */
  readonly unit: string;
  /** In PromQL, by what the legend says; `{{label}}` there is the value of a label. */
  readonly series: Readonly<Record<string, string>>;
}

const where = 'instance=~"$instance"';
const rate = (name: string, more = "") => `rate(docgraph_${name}{${where}${more}}[$__rate_interval])`;
const now = (name: string) => `docgraph_${name}{${where}}`;
const quantile = (of: number, by = "") =>
  `histogram_quantile(${of}, sum by (le${by}) (${rate("request_duration_seconds_bucket")}))`;

const rows: Readonly<Record<string, readonly Panel[]>> = {
  Requests: [
    {
      title: "Requests by transport",
      unit: "reqps",
      series: { "{{transport}}": `sum by (transport) (${rate("requests_total")})` },
    },
    {
      title: "Most asked for",
      unit: "reqps",
      series: { "{{operation}}": `topk(10, sum by (operation) (${rate("requests_total")}))` },
    },
    {
      title: "Answers that are no success, by code",
      unit: "reqps",
      series: { "{{code}}": `sum by (code) (${rate("requests_total", ', code!~"OK|[23]..|ABORTED"')})` },
    },
  ],
  Latency: [
    {
      title: "How long requests take",
      unit: "s",
      series: { median: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99) },
    },
    { title: "p95 by transport", unit: "s", series: { "{{transport}}": quantile(0.95, ", transport") } },
    {
      title: "Slowest operations, p95",
      unit: "s",
      series: { "{{operation}}": `topk(10, ${quantile(0.95, ", operation")})` },
    },
  ],
  Database: [
    {
      title: "Connections",
      unit: "short",
      series: {
        "{{pool}} {{state}}": `sum by (pool, state) (${now("database_connections")})`,
        "{{pool}} most": `sum by (pool) (${now("database_connections_max")})`,
      },
    },
    {
      title: "Statements that wait",
      unit: "short",
      series: { "{{pool}}": `sum by (pool) (${now("database_waiting")})`, "database up": `min(${now("database_up")})` },
    },
    {
      title: "How far replicas are behind",
      unit: "s",
      series: { "{{replica}}": `max by (replica) (${now("replica_lag_seconds")})` },
    },
    {
      title: "Statements",
      unit: "ops",
      series: {
        sent: `sum(${rate("statements_total")})`,
        failed: `sum(${rate("statement_errors_total")})`,
        "timed out": `sum(${rate("statement_timeouts_total")})`,
      },
    },
  ],
  "Events and streams": [
    {
      title: "Lag of the feed and of what follows events",
      unit: "s",
      series: {
        feed: `max(${now("feed_lag_seconds")})`,
        "{{consumer}}": `max by (consumer) (${now("consumer_lag_seconds")})`,
      },
    },
    {
      title: "Open subscriptions",
      unit: "short",
      series: { "{{transport}}": `sum by (transport) (${now("streams_open")})` },
    },
    {
      title: "Messages, and looks into the outbox",
      unit: "ops",
      series: {
        "{{transport}}": `sum by (transport) (${rate("stream_messages_total")})`,
        looks: `sum(${rate("feed_reads_total")})`,
      },
    },
  ],
  "Jobs and deliveries": [
    {
      title: "Runs of jobs",
      unit: "ops",
      series: { "{{job}} {{outcome}}": `sum by (job, outcome) (${rate("job_runs_total")})` },
    },
    {
      title: "How long jobs take, p95",
      unit: "s",
      series: { "{{job}}": `histogram_quantile(0.95, sum by (le, job) (${rate("job_duration_seconds_bucket")}))` },
    },
    {
      title: "Deliveries to integrations, and what waits",
      unit: "short",
      series: {
        "{{outcome}} a second": `sum by (outcome) (${rate("integration_deliveries_total")})`,
        waiting: `max(${now("integration_events_waiting")})`,
        "dead letters of jobs": `max(${now("job_dead_letters")})`,
      },
    },
  ],
  Process: [
    {
      title: "Delay of the event loop, p99",
      unit: "s",
      series: { "{{instance}}": now("nodejs_eventloop_lag_p99_seconds") },
    },
    {
      title: "Memory",
      unit: "bytes",
      series: {
        "{{instance}} resident": now("process_resident_memory_bytes"),
        "{{instance}} heap": now("nodejs_heap_size_used_bytes"),
      },
    },
    {
      title: "CPU and garbage collection",
      unit: "percentunit",
      series: {
        "{{instance}} CPU": rate("process_cpu_seconds_total"),
        "{{instance}} collecting": `sum by (instance) (${rate("nodejs_gc_duration_seconds_sum")})`,
      },
    },
  ],
};

const datasource = { type: "prometheus", uid: "${datasource}" } as const;
/** The grid of Grafana is 24 wide. */
const [width, height] = [8, 8];

/**
 * As Grafana imports it
 * (https://grafana.com/docs/grafana/latest/dashboards/build-dashboards/view-dashboard-json-model/).
 */
export function dashboard() {
  const panels = Object.entries(rows).flatMap(([title, own], row) => {
    const y = row * (height + 1);
    const id = row * 100 + 1;
    return [
      { id, type: "row", title, collapsed: false, gridPos: { x: 0, y, w: 24, h: 1 }, panels: [] },
      ...own.map((panel, place) => panelOf(panel, id + 1 + place, { x: place * width, y: y + 1 })),
    ];
  });
  return {
    uid: "docgraph",
    title: "docgraph",
    tags: ["docgraph"],
    schemaVersion: 39,
    editable: true,
    refresh: "30s",
    time: { from: "now-3h", to: "now" },
    templating: { list: [{ type: "datasource", name: "datasource", query: "prometheus" }, instances] },
    panels,
  };
}

const instances = {
  type: "query",
  name: "instance",
  label: "Gateway",
  datasource,
  query: "label_values(docgraph_build_info, instance)",
  refresh: 2,
  includeAll: true,
  multi: true,
  allValue: ".*",
  current: { text: "All", value: "$__all" },
};

function panelOf({ title, unit, series }: Panel, id: number, at: { x: number; y: number }) {
  return {
    id,
    type: "timeseries",
    title,
    datasource,
    gridPos: { ...at, w: width, h: height },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: "list", placement: "bottom" }, tooltip: { mode: "multi", sort: "desc" } },
    targets: Object.entries(series).map(([legendFormat, expr], index) => ({
      refId: String.fromCharCode(65 + index),
      datasource,
      expr,
      legendFormat,
    })),
  };
}
