// The printed table of routes, in which every change of the REST interface shows as a readable diff.
import type { Route } from "#src/rest/route.ts";

/** One line for each route, in the order of paths: method, path, operation, query parameters, body in braces, status other than 200. */
export function routeTable(routes: readonly Route[]): string {
  const rows = routes
    .toSorted((one, other) => compare(one.path, other.path) || compare(one.method, other.method))
    .map((route) => [route.method, route.path, route.operationId, traitsOf(route)] as const);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "));
  return `${lines.map((line) => `${line.trimEnd()}\n`).join("")}\n${rows.length} operations are routed.\n`;
}

/** The names of the query parameters of a route. */
export function queryNames(route: Route): string[] {
  return [
    ...(route.list ? ["page", "limit"] : []),
    ...Object.keys({ ...route.query, ...route.choices, ...route.idle }),
  ];
}

function traitsOf(route: Route): string {
  const body = route.body ? [`{ ${Object.keys(route.body).join(" ")} }`] : [];
  const status = route.success === undefined ? [] : [route.success === "deleted" ? "205/204" : String(route.success)];
  return [...queryNames(route), ...body, ...status].join(" ");
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
