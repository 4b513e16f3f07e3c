// The reference of routes: every operation of /v1 with what it takes.
import { features } from "#src/features/index.ts";
import { codes, type Reference } from "#src/reference/reference.ts";
import { queryNames, type Route } from "#src/rest/route.ts";

const routes = (): Route[] => features.flatMap((feature) => feature.routes);

export const routesReference: Reference = {
  path: "/reference/routes",
  title: "Routes",
  about: "Every route of /v1 on one page, with its parameters and statuses.",
  introduction:
    "The [REST reference](/reference/rest) describes each route with its schemas and runs it in the page; [openapi.json](/v1/openapi.json) is for programs. Names with `?` are query parameters, the others properties of the JSON body.",
  tables: () => [
    {
      id: "routes",
      columns: ["Route", "Operation", "Query and body", "Success"],
      rows: routes()
        .map(rowOf)
        .toSorted((one, other) => (one.key < other.key ? -1 : 1)),
    },
  ],
};

function rowOf(route: Route) {
  const { method, path, operationId, summary, success, deprecated } = route;
  return {
    id: operationId,
    key: `${path} ${method}`,
    cells: [
      `\`${method} ${path}\``,
      `\`${operationId}\`: ${summary}.${deprecated ? ` Deprecated: use \`${deprecated.successor}\`.` : ""}`,
      codes([...queryNames(route).map((name) => `?${name}`), ...Object.keys(route.body ?? {})]),
      success === "deleted" ? "205, or 204" : String(success),
    ],
  };
}
