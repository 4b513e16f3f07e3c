// The thread that lists the series of requests, jobs and the process: to list them is to begin to count them.
import { serveTasks } from "#src/runtime/threads.ts";
import type { SeriesFacts } from "#src/server/pages/reference/metrics.ts";
import { Metrics } from "#src/server/process/metrics.ts";

serveTasks((): SeriesFacts[] =>
  new Metrics({ version: "" }).registry.getMetricsAsArray().map((metric) => {
    const { labelNames = [] } = metric as { readonly labelNames?: readonly string[] }; // its types leave them out
    return { name: metric.name, help: metric.help, type: String(metric.type), labels: [...labelNames] };
  }),
);
