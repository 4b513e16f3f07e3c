// The generated references: each has one row for each entry of its table in the code, with an anchor of its own.
import { describe, expect, test } from "vitest";
import { errorCodes, requestCodes } from "#src/base/errors.ts";
import { limitVariables } from "#src/config/limit-variables.ts";
import { variables } from "#src/config/variables.ts";
import { features } from "#src/features/index.ts";
import { flagFacts } from "#src/reference/permissions.ts";
import { Metrics } from "#src/server/process/metrics.ts";
import { useApp } from "#test/support/app.ts";

const metrics = new Metrics({ version: "1.0.0" });
const { app } = await useApp({ own: true, metrics });

const textOf = async (path: string) =>
  (await fetch(`${app.url}${path}`, { headers: { accept: "text/html,*/*;q=0.8" } })).text();
const rowsIn = (text: string) => Array.from(text.matchAll(/<tr id="([^"]+)"/g), ([, id = ""]) => id);

const eventTypes = features.flatMap(({ events = [] }) => events.flatMap((of) => Object.values<string>(of)));
const actions = features.flatMap(({ actions: of = [] }) => of.map(({ name }) => `action-${name}`));

const references: readonly (readonly [name: string, entries: () => readonly string[]])[] = [
  ["settings", () => Object.keys(variables)],
  ["errors", () => [...Object.keys(errorCodes), ...Object.keys(requestCodes)]],
  ["events", () => eventTypes],
  ["permissions", () => [...flagFacts().map(({ flag }) => flag), ...actions]],
  ["routes", () => features.flatMap(({ routes }) => routes.map(({ operationId }) => operationId))],
  ["metrics", () => metrics.registry.getMetricsAsArray().map(({ name }) => name)],
];

test.each(references)(
  "/reference/%s has one row for each entry of its table",
  { timeout: 30_000 },
  async (name, of) => {
    const rows = rowsIn(await textOf(`/reference/${name}`));
    const entries = of();
    expect(entries.length).toBeGreaterThan(20);
    expect(rows.toSorted()).toEqual(entries.toSorted());
  },
);

describe("/reference/limits", () => {
  test("has one row for each setting that limits callers, with its default and the error beyond it", async () => {
    const text = await textOf("/reference/limits");
    const rows = rowsIn(text);
    expect(new Set(rows).size).toBe(rows.length);
    expect(rows).toEqual(expect.arrayContaining(Object.keys(limitVariables)));
    expect(text).toContain("60,000,000");
    expect(text).toContain("<code>RATE_LIMITED</code>, 429");
    expect(text).not.toContain("NaN");
  });
});

test("/reference lists all references, and the documentation and the header lead to them", async () => {
  const names = [...references.map(([name]) => name), "limits", "graphql", "rest"];
  for (const path of ["/reference", "/docs"]) {
    const text = await textOf(path);
    for (const name of names) expect(text, path).toContain(`href="/reference/${name}"`);
  }
  expect(await textOf("/")).toContain('href="/reference"');
});

test("a reference shows code, links and descriptions, and marks its place in the header", async () => {
  const text = await textOf("/reference/settings");
  expect(text).toContain('<a href="#PORT"><code>PORT</code></a>');
  expect(text).toContain('<a href="/reference/limits">limits</a>');
  expect(text).toMatch(/<a href="\/reference" aria-current="page"/);
  expect(await textOf("/reference/graphql")).not.toMatch(/<a href="\/reference" aria-current/);
});

test("the page of metrics describes series with their types and labels", async () => {
  const text = await textOf("/reference/metrics");
  const row = /<tr id="docgraph_requests_total"[^]*?<\/tr>/.exec(text)?.[0] ?? "";
  for (const part of ["counter", "<code>transport</code>", "<code>operation</code>", "<code>code</code>"])
    expect(row).toContain(part);
  expect(/<tr id="docgraph_request_duration_seconds"[^]*?<\/tr>/.exec(text)?.[0]).toContain("histogram");
});
