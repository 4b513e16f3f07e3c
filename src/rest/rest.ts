// The /v1 adapter: a request on node:http becomes an operation of the executor, and its data the REST answer.
import type { IncomingMessage, ServerResponse } from "node:http";
import { DomainError } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import type { Executor } from "#src/graph/execute.ts";
import { readJsonBody } from "#src/rest/body.ts";
import { type Endpoint, makeEndpoint } from "#src/rest/endpoint.ts";
import { answerOfError, answerOfErrors } from "#src/rest/errors.ts";
import { createMatcher, type Match } from "#src/rest/match.ts";
import { describeEndpoints } from "#src/rest/openapi.ts";
import type { Route } from "#src/rest/route.ts";

/** What the adapter needs of an HTTP exchange. */
export interface RestExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Path of the request without the query. */
  readonly path: string;
  readonly requestId: string;
  /** Set to the name of the operation, for the log. */
  operationName: string | undefined;
}

export interface RestOptions<Exchange extends RestExchange> {
  readonly executor: Executor;
  readonly routes: readonly Route[];
  /** The context of a request. Throws UNAUTHENTICATED. */
  readonly contextOf: (exchange: Exchange) => Promise<Context>;
}

/** Where the description of all that is routed is served, to anybody. */
const descriptionPath = "/v1/openapi.json";

type Target = { readonly kind: "endpoint"; readonly endpoint: Endpoint } | { readonly kind: "description" };

/**
 * Makes the handler of every path under `/v1`. Throws when a route does not fit the schema, naming the operation.
 * The handler answers refusals itself and throws only what is a bug.
 */
export function createRest<Exchange extends RestExchange>(
  options: RestOptions<Exchange>,
): (exchange: Exchange) => Promise<void> {
  const endpoints = options.routes.map((route) => makeEndpoint(options.executor, route));
  const matcher = createMatcher<Target>([
    ...endpoints.map((endpoint) => ({
      method: endpoint.route.method,
      path: endpoint.route.path,
      target: { kind: "endpoint", endpoint } as const,
    })),
    { method: "GET", path: descriptionPath, target: { kind: "description" } },
  ]);
  let description: string | undefined;

  function findTarget({ request, response, path }: Exchange): Match<Target> {
    const match = matcher.match(request.method ?? "GET", path);
    if (!match) throw new DomainError("NOT_FOUND", "Nothing is served at this path.");
    if ("target" in match) return match;
    response.setHeader("allow", match.allow.join(", "));
    throw new DomainError("METHOD_NOT_ALLOWED", `This path takes ${match.allow.join(", ")}.`);
  }

  async function run(exchange: Exchange, endpoint: Endpoint, parameters: Match<Target>["parameters"]): Promise<void> {
    exchange.operationName = endpoint.operation.name;
    const context = await options.contextOf(exchange);
    const sent = endpoint.inputs.properties ? await readJsonBody(exchange.request) : undefined;
    const variables = endpoint.readVariables(parameters, searchOf(exchange.request), sent);
    const { data, errors } = await endpoint.operation.run(context, variables);
    if (errors) {
      const { status, body } = answerOfErrors(errors, endpoint.restName);
      send(exchange.response, status, JSON.stringify(body));
    } else {
      const { status, body } = endpoint.answer(data);
      send(exchange.response, status, JSON.stringify(body));
    }
  }

  return async (exchange) => {
    try {
      const { target, parameters } = findTarget(exchange);
      if (target.kind === "endpoint") await run(exchange, target.endpoint, parameters);
      else send(exchange.response, 200, (description ??= JSON.stringify(describeEndpoints(endpoints))));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      if (error.code === "UNAUTHENTICATED") exchange.response.setHeader("www-authenticate", "Bearer");
      const { status, body } = answerOfError(error);
      send(exchange.response, status, JSON.stringify(body));
    }
  };
}

function searchOf({ url = "" }: IncomingMessage): string {
  const start = url.indexOf("?");
  return start < 0 ? "" : url.slice(start + 1);
}

/** Sends a whole answer. A text is written with the head in one piece, and left away by node for HEAD. What is unread of the request, node drops. */
function send(response: ServerResponse, status: number, body: string | undefined): void {
  if (body === undefined) {
    response.writeHead(status, status === 204 ? {} : { "content-length": 0 }); // RFC 9110: 204 has no length, 205 has 0
    response.end();
    return;
  }
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
}
