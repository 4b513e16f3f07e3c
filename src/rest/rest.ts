// The /v1 adapter: a request becomes an operation of the executor, and its data the answer. The server does the HTTP.
import { spanned } from "#src/base/spans.ts";
import { DomainError } from "#src/base/errors.ts";
import { type Context, contextToRead } from "#src/domain/context.ts";
import type { Executor } from "#src/graph/execute.ts";
import { Out } from "#src/plan/out.ts";
import { answerOfError, answerOfErrors } from "#src/rest/answer/errors.ts";
import type { Answer } from "#src/rest/answer/success.ts";
import { readExamples } from "#src/rest/description/examples.ts";
import { describeEndpoints } from "#src/rest/description/openapi.ts";
import { type Endpoint, makeEndpoint } from "#src/rest/endpoint.ts";
import { readJsonBody, type SentBody } from "#src/rest/request/body.ts";
import { createMatcher, type PathParameters } from "#src/rest/request/match.ts";
import type { Route } from "#src/rest/route.ts";

/** A request, as much of it as /v1 reads. */
interface RestRequest extends SentBody {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  /** What follows the question mark; empty when there is none. */
  readonly search: string;
  /** The context to run an operation in. Throws UNAUTHENTICATED. */
  readonly contextFor: (route: Route) => Promise<Context>;
}

/** What to answer. */
interface RestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; undefined where the status has no body. */
  readonly body: string | Out | undefined;
}

/** Answers a request. Refusals are answers, too: what is thrown is a bug. */
export type Rest = (request: RestRequest) => Promise<RestAnswer>;

/** Where the description of all routes is served, without a token. */
const descriptionPath = "/v1/openapi.json";

/**
 * Makes the adapter, for every path under `/v1`. A route is made ready by its first request, for all of them together
 * take a good part of a start; that each fits the schema is tested.
 */
export function createRest(executor: Executor, routes: readonly Route[]): Rest {
  const ready = new Map<Route, Endpoint>();
  const endpointOf = (route: Route): Endpoint => {
    const endpoint = ready.get(route) ?? makeEndpoint(executor, route);
    ready.set(route, endpoint);
    return endpoint;
  };
  const matcher = createMatcher<Route | "description">([
    ...routes.map((target) => ({ method: target.method, path: target.path, target })),
    { method: "GET", path: descriptionPath, target: "description" },
  ]);
  let description: RestAnswer | undefined;
  return async (request) => {
    let headers: RestAnswer["headers"] = {};
    try {
      const match = matcher.match(request.method, request.path);
      if (!match)
        throw new DomainError(
          "NOT_FOUND",
          `There is no operation at this path; ${descriptionPath} describes all there are.`,
        );
      if ("allow" in match) return notAllowed(match.allow.join(", "));
      if (match.target === "description")
        return (description ??= asJson({
          status: 200,
          body: describeEndpoints(routes.map(endpointOf), await readExamples()),
        }));
      headers = deprecationOf(match.target, match.parameters);
      const answer = await run(endpointOf(match.target), match.parameters, request);
      return answer instanceof Out ? { status: 200, headers, body: answer } : asJson(answer, headers);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return asJson(answerOfError(error), headers);
    }
  };
}

async function run(endpoint: Endpoint, parameters: PathParameters, request: RestRequest): Promise<Answer | Out> {
  const { route, inputs, operation } = endpoint;
  const context = await request.contextFor(route);
  const body = inputs.properties ? await readJsonBody(request, route.bodyLimit) : undefined;
  const variables = endpoint.readVariables(parameters, request.search, body);
  const { plan } = endpoint;
  const write = plan && (async () => plan.plan.run(contextToRead(context), { variables, write: plan.write }));
  const written = write && (await spanned({ name: route.operationId }, write));
  if (written) return written;
  const { data, errors } = await operation.run(context, variables);
  return errors ? answerOfErrors(errors, endpoint.restName) : endpoint.answer(data);
}

/** The headers by which an operation says that it is deprecated, since when, and what takes its place (RFC 9745). */
function deprecationOf({ deprecated }: Route, parameters: PathParameters): RestAnswer["headers"] {
  if (!deprecated) return {};
  const successor = deprecated.successor.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(parameters[name] ?? ""),
  );
  return {
    deprecation: `@${Date.parse(deprecated.since) / 1000}`,
    link: `<${successor}>; rel="successor-version"`,
  };
}

function notAllowed(allow: string): RestAnswer {
  const refusal = answerOfError(new DomainError("METHOD_NOT_ALLOWED", `This path takes ${allow} only.`));
  return asJson(refusal, { allow });
}

function asJson({ status, body }: Answer, headers: RestAnswer["headers"] = {}): RestAnswer {
  return {
    status,
    headers: status === 401 ? { ...headers, "www-authenticate": "Bearer" } : headers,
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}
