// The Grafana dashboard: it can be imported, and every series that it names is exported by /metrics.
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { alerts } from "#src/reference/alerts.ts";
import { Metrics } from "#src/server/process/metrics.ts";
import { useApp } from "#test/support/app.ts";
import { deployed } from "#test/support/deployment.ts";
import { declaredIn, readMetrics } from "#test/support/metrics.ts";

const metrics = new Metrics({ version: "1.2.3" });
// On its own database: queues of the whole database are counted.
const { app } = await useApp({ own: true, metrics });

interface Graph {
  readonly id: number;
  readonly type: "timeseries";
  readonly title: string;
  readonly datasource: { readonly type: string; readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig: { readonly defaults: { readonly unit: string } };
  readonly targets: readonly { readonly refId: string; readonly expr: string; readonly legendFormat: string }[];
}

interface Dashboard {
  readonly panels: readonly (Graph | (Pick<Graph, "id" | "title" | "gridPos"> & { readonly type: "row" }))[];
  readonly templating: { readonly list: readonly { readonly type: string; readonly name: string }[] };
}

const { panels, templating, ...head } = JSON.parse(deployed("dashboard.json")) as Dashboard;
const graphs = panels.flatMap((panel) => (panel.type === "row" ? [] : [panel]));

test("shows every series of the alerts, and the page names each alert", async () => {
  const page = await readFile(new URL("../../src/docs/monitoring.md", import.meta.url), "utf8");
  expect([...page.matchAll(/^\| `(Docgraph\w+)`/gm)].map(([, name]) => name)).toEqual(alerts.map(({ name }) => name));
  const named = new Set(alerts.flatMap(({ expr }) => [...expr.matchAll(/docgraph_\w+/g)].map(([name]) => name)));
  const shown = graphs.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join("\n");
  for (const name of named) expect(shown).toContain(`${name}{`);
});

test("the dashboard is a valid Grafana dashboard", () => {
  expect(head).toMatchObject({ uid: "docgraph", title: "docgraph", schemaVersion: 39, time: { from: "now-3h" } });
  expect(templating.list.map(({ type, name }) => [type, name])).toEqual([
    ["datasource", "datasource"],
    ["query", "instance"],
  ]);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(panels.filter(({ type }) => type === "row").map(({ title }) => title)).toEqual([
    "Requests",
    "Latency",
    "Database",
    "Events and streams",
    "Jobs and deliveries",
    "Process",
  ]);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length); // no two panels in one place
  for (const { title, datasource, fieldConfig, targets } of graphs) {
    expect(title).not.toBe("");
    expect([datasource.type, datasource.uid]).toEqual(["prometheus", "${datasource}"]);
    expect(fieldConfig.defaults.unit).toMatch(/^(s|bytes|reqps|ops|short|percentunit)$/);
    expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    for (const { expr, legendFormat } of targets) {
      expect(legendFormat).not.toBe("");
      expect(expr.split("(").length).toBe(expr.split(")").length);
    }
  }
});

test("every series of the dashboard is exported with the labels it uses", async () => {
  metrics.job({ job: "space.purge", outcome: "ok", seconds: 1 });
  await app.as(null).graphql("{ organizations { totalCount } }");
  const text = await metrics.text();
  const told = readMetrics(text);
  // Exported only as a TYPE line until the first sample: garbage collection, and dead letters without jobs.
  const declared = new Set(declaredIn(text));
  for (const { expr, legendFormat } of graphs.flatMap(({ targets }) => targets)) {
    const [, name = ""] = /(docgraph_\w+)/.exec(expr) ?? [];
    const base = name.replace(/_(bucket|sum|count)$/, "");
    expect([name, declared.has(name) || declared.has(base)]).toEqual([name, true]);
    const labels = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? "");
    const [sample] = told.filter((one) => one.name === name);
    const own = labels.filter((label) => label !== "instance"); // which Prometheus adds
    if (sample) expect(Object.keys(sample.labels)).toEqual(expect.arrayContaining(own));
  }
});
