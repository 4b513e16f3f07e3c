// The dashboard for Grafana: it has the form that Grafana imports, and every series that it names is one of /metrics.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { dashboard } from "#src/cli/dashboard.ts";
import { Metrics } from "#src/server/process/metrics/metrics.ts";
import { useApp } from "#test/support/app.ts";
import { declaredIn, readMetrics } from "#test/support/metrics.ts";

const metrics = new Metrics({ version: "1.2.3" });
const { app } = await useApp({ metrics });

const { panels, templating, ...head } = dashboard();
const graphs = panels.flatMap((panel) =>
  panel.type === "row" ? [] : [panel as Extract<typeof panel, { targets: unknown }>],
);

test("npm run print -- --dashboard prints it, and nothing else", () => {
  const script = fileURLToPath(new URL("../../src/cli/print.ts", import.meta.url));
  const printed = execFileSync(process.execPath, [script, "--dashboard"], { encoding: "utf8" });
  expect(JSON.parse(printed)).toEqual(JSON.parse(JSON.stringify(dashboard())));
});

test("has the form of a dashboard", () => {
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

test("every series that it names is told, with the labels that it takes apart", async () => {
  metrics.job({ job: "space.purge", outcome: "ok", seconds: 1 });
  await app.as(null).graphql("{ organizations { totalCount } }");
  const text = await metrics.text();
  const told = readMetrics(text);
  // Known by its line of type alone until it first happens: garbage collection, and dead letters without jobs.
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
