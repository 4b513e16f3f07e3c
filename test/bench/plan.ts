// Whether docgraph compiles a request, by an executor in this process, since the gateway is another one.
import { features } from "#src/features/index.ts";
import { createExecutor, isOperation, type Operation } from "#src/graph/run/execute.ts";
import { type Endpoint, makeEndpoint } from "#src/rest/endpoint.ts";
import { createMatcher } from "#src/rest/request/match.ts";
import type { Route } from "#src/rest/route.ts";
import { schema } from "#src/schema.ts";
import type { Ask } from "#test/bench/documents.ts";
import { runsAsPlan } from "#test/support/query-executions.ts";

const executor = createExecutor(schema);
const matcher = createMatcher<Route>(
  features.flatMap(({ routes }) => routes.map((target) => ({ method: target.method, path: target.path, target }))),
);

/** Whether the operation of a request to docgraph is compiled. Throws for an invalid operation. */
export function isPlan(ask: Ask): boolean {
  const { query, variables } = ask.body ?? {};
  if (query !== undefined) return runsAsPlan(operationOf(query), variables ?? {});
  return endpointAt(ask.path).plan !== null;
}

function operationOf(document: string): Operation {
  const operation = executor.prepare(document);
  if (!isOperation(operation)) throw new Error(`${JSON.stringify(operation)} in ${document}`);
  return operation;
}

function endpointAt(path: string): Endpoint {
  const match = matcher.match("GET", path.replace(/\?.*/, ""));
  if (!match || "allow" in match) throw new Error(`No route matches ${path}`);
  return makeEndpoint(executor, match.target);
}
