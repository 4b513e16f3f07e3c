// The printed table of routes, which shows every change of the REST interface as a readable diff.
import { inColumns } from "#src/base/text/forms.ts";
import type { Route } from "#src/rest/route.ts";

/** A line for each route, by path: method, path, operation, query parameters, body in braces, status other than 200. */
export function routeTable(routes: readonly Route[]): string {
  const rows = routes
    .toSorted((one, other) => compare(one.path, other.path) || compare(one.method, other.method))
    .map((route) => [route.method, route.path, route.operationId, traitsOf(route)] as const);
  return `${inColumns(rows)}\n${rows.length} operations are routed.\n`;
}

/** The names of the query parameters of a route. */
export function queryNames(route: Route): string[] {
  return [
    ...(route.list ? ["page", "limit"] : []),
    ...Object.keys({ ...route.query, ...route.choices, ...route.ignored }),
  ];
}

function traitsOf(route: Route): string {
  const body = route.body ? [`{ ${Object.keys(route.body).join(" ")} }`] : [];
  const status = route.success === 200 ? [] : [route.success === "deleted" ? "205/204" : String(route.success)];
  return [...queryNames(route), ...body, ...status].join(" ");
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
