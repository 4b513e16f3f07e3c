// The alerts on the series of /metrics, as rules for Prometheus.
export interface Alert {
  readonly name: string;
  /** PromQL that returns samples while the alert is active. */
  readonly expr: string;
  readonly for: `${number}${"s" | "m"}`;
  readonly severity: "critical" | "warning";
  /** A template of Prometheus: what is wrong. */
  readonly summary: string;
  /** What to look at or to do. */
  readonly todo: string;
}

const requests = "docgraph_requests_total";

export const alerts: readonly Alert[] = [
  {
    name: "DocgraphAbsent",
    expr: "absent(docgraph_build_info)",
    for: "1m",
    severity: "critical",
    summary: "No gateway answers to Prometheus.",
    todo: "Start the gateways, and check METRICS_PORT and METRICS_HOST.",
  },
  {
    name: "DocgraphDatabaseDown",
    expr: "max(docgraph_database_up) == 0",
    for: "30s",
    severity: "critical",
    summary: "No gateway reaches the database within a second.",
    todo: "Check PostgreSQL, and `/readyz` of the gateways.",
  },
  {
    name: "DocgraphInternalErrors",
    expr: `sum(rate(${requests}{code=~"INTERNAL|5.."}[5m])) > 0`,
    for: "5m",
    severity: "warning",
    summary: "Requests fail with internal errors.",
    todo: "Each one is in the log at ERROR, with its request id. It is a bug of docgraph.",
  },
  {
    name: "DocgraphUnavailable",
    expr: `sum(rate(${requests}{code=~"UNAVAILABLE|TIMEOUT"}[5m])) / sum(rate(${requests}[5m])) > 0.01`,
    for: "5m",
    severity: "critical",
    summary: "More than 1 % of the requests are UNAVAILABLE or time out.",
    todo: "Look for waiting statements and slow requests in the dashboard and the log.",
  },
  {
    name: "DocgraphSlow",
    expr: "histogram_quantile(0.95, sum by (le) (rate(docgraph_request_duration_seconds_bucket[5m]))) > 1",
    for: "10m",
    severity: "warning",
    summary: "The 95th percentile of the latency is over a second.",
    todo: "Look for `isSlow` in the log, and for the slowest operations in the dashboard.",
  },
  {
    name: "DocgraphStatementsWait",
    expr: "sum by (pool) (docgraph_database_waiting) > 20",
    for: "5m",
    severity: "warning",
    summary: "{{ $value }} statements wait for a connection of the pool {{ $labels.pool }}.",
    todo: "Look for locks in pg_stat_activity; raise POOL_SIZE or add gateways.",
  },
  {
    name: "DocgraphEventsDelayed",
    expr: "max(docgraph_feed_lag_seconds) > 10",
    for: "1m",
    severity: "critical",
    summary: "An open transaction delays all events for {{ $value }} seconds.",
    todo: "`feed` of `/readyz` names the session: end it.",
  },
  {
    name: "DocgraphConsumerBehind",
    expr: 'max by (consumer) (docgraph_consumer_lag_seconds{consumer!="deliveries"}) > 300',
    for: "10m",
    severity: "warning",
    summary: "{{ $labels.consumer }} processes events {{ $value }} seconds late.",
    todo: "Look for its warnings in the log.",
  },
  {
    name: "DocgraphDeliveriesPileUp",
    expr: "max(docgraph_integration_events_waiting) > 5000",
    for: "10m",
    severity: "warning",
    summary: "{{ $value }} events wait for installations of integrations.",
    todo: "The page of the integration names installations whose address fails. Pause them, or repair the address.",
  },
  {
    name: "DocgraphQueueStuck",
    expr: "max by (queue) (docgraph_queue_oldest_seconds) > 1800",
    for: "10m",
    severity: "warning",
    summary: "The oldest of {{ $labels.queue }} waits for {{ $value }} seconds.",
    todo: "Look for the job in the log and in the dashboard: it fails, or takes too long.",
  },
  {
    name: "DocgraphJobDied",
    expr: "max(docgraph_job_dead_letters_last_hour) > 0",
    for: "1m",
    severity: "warning",
    summary: "{{ $value }} runs of jobs failed for good in the last hour.",
    todo: "The log has `job failed for good` with the cause. The next scheduled run starts without you.",
  },
  {
    name: "DocgraphFilesAway",
    expr: "min(docgraph_files_up) == 0",
    for: "1m",
    severity: "critical",
    summary: "A gateway cannot reach the storage of files: uploads and downloads fail.",
    todo: "Check the bucket of FILES_URL and its credentials, or the folder FILES_DIR; the log has the cause.",
  },
  {
    name: "DocgraphFilesDamaged",
    expr: 'sum(increase(docgraph_blobs_verified_total{state!="ok"}[1d])) > 0',
    for: "1m",
    severity: "critical",
    summary: "{{ $value }} files that the database names are missing in the store, or damaged.",
    todo: "Run `npm run verify` to list them, and restore them from a backup.",
  },
  {
    name: "DocgraphEventLoopBlocked",
    expr: "max by (instance) (docgraph_nodejs_eventloop_lag_p99_seconds) > 0.5",
    for: "5m",
    severity: "warning",
    summary: "A gateway is busy for {{ $value }} seconds at a time.",
    todo: "Add processors, or gateways.",
  },
];

/** The rules as a file for `rule_files` of Prometheus. A JSON string is a string of YAML. */
export function alertRules(): string {
  const rules = alerts.map(({ name, expr, for: time, severity, summary, todo }) =>
    [
      `      - alert: ${name}`,
      `        expr: ${JSON.stringify(expr)}`,
      `        for: ${time}`,
      `        labels: { severity: ${severity} }`,
      `        annotations:`,
      `          summary: ${JSON.stringify(summary)}`,
      `          description: ${JSON.stringify(todo)}`,
    ].join("\n"),
  );
  return `groups:\n  - name: docgraph\n    rules:\n${rules.join("\n")}\n`;
}
