// The /v1 adapter: turns a request into an operation of the executor, and its data into the response. Without HTTP.
import type { PromiseOrValue } from "#src/runtime/waiting.ts";
import { spanned } from "#src/runtime/spans.ts";
import {
  DomainError,
  type ErrorBody,
  errorBody,
  type ErrorCode,
  errorCodes,
  type ErrorDetail,
} from "#src/base/errors.ts";
import { abridged } from "#src/base/text/cut.ts";
import { type Context, contextToRead } from "#src/domain/context.ts";
import type { Executor, Variables } from "#src/graph/run/execute.ts";
import { estimate, requirePoints, withinLimits } from "#src/graph/run/within-limits.ts";
import { ByteWriter } from "#src/plan/byte-writer.ts";
import type { Answer } from "#src/rest/answer/success.ts";
import { describeEndpoints, descriptionInfo, readExamples } from "#src/rest/description/openapi.ts";
import { type Endpoint, makeEndpoint } from "#src/rest/endpoint.ts";
import { readJsonBody, type SentBody } from "#src/rest/request/body.ts";
import { createMatcher, type PathParameters } from "#src/rest/request/match.ts";
import type { Route } from "#src/rest/route.ts";
import { type GraphQLError, type GraphQLSchema, isRequiredArgument } from "graphql";
import { findFailure } from "#src/graph/run/errors.ts";
import type { NameReader } from "#src/rest/request/error-paths.ts";

interface RestRequest extends SentBody {
  readonly method: string;
  readonly path: string;
  /** The query string; empty if missing. */
  readonly search: string;
  /** The context to run an operation in. Throws UNAUTHENTICATED. */
  readonly contextFor: (route: Route) => PromiseOrValue<Context>;
}

interface RestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; undefined if the status has no body. */
  readonly body: string | ByteWriter | undefined;
  readonly refusal?: ErrorCode;
}

/** Handles a request. Rejections are responses, too: thrown errors are bugs. */
export type Rest = (request: RestRequest) => Promise<RestAnswer>;

const descriptionPath = "/v1/openapi.json";

/** The response of `/v1` itself, without a token, like the description: it is the same for every caller. */
const indexPath = "/v1";

/** The index: version, description, and what can be read without an id or another parameter. */
function indexOf(schema: GraphQLSchema, routes: readonly Route[]) {
  const queries = schema.getQueryType()?.getFields() ?? {};
  const needsMore = ({ path, answer }: Route) =>
    path.includes("{") || queries[answer[0] ?? ""]?.args.some(isRequiredArgument);
  const lists = routes.filter((route) => route.method === "GET" && !route.deprecated && !needsMore(route));
  return {
    name: descriptionInfo.title,
    version: descriptionInfo.version,
    build: descriptionInfo.version,
    openapi: descriptionPath,
    reference: "/reference/rest",
    errors: "/reference/errors",
    graphql: "/graphql",
    entries: Object.fromEntries(lists.map(({ operationId, path }) => [operationId, path])),
  };
}

/** What the description of `/v1` says about this gateway. */
interface OfGateway {
  readonly publicUrl: () => string;
  /** Where the examples of paths are found. */
  readonly readIds: () => Promise<unknown>;
}

/** Makes the adapter of `/v1`. A route is prepared on first use: all together take long to start. */
export function createRest(executor: Executor, routes: readonly Route[], gateway?: OfGateway): Rest {
  const endpointOf = (route: Route): Endpoint => makeEndpoint(executor, route);
  const matcher = createMatcher<Route | "description" | "index">([
    ...routes.map((target) => ({ method: target.method, path: target.path, target })),
    { method: "GET", path: descriptionPath, target: "description" },
    { method: "GET", path: indexPath, target: "index" },
  ]);
  let description: RestAnswer | undefined;
  return async (request) => {
    let headers: RestAnswer["headers"] = {};
    try {
      const match = matcher.match(request.method, request.path);
      if (!match) {
        const shorter = request.path.replace(/\/$/, "");
        if (matcher.match(request.method, shorter)) return movedTo(shorter, request.search);
        throw new DomainError("NOT_FOUND", `No route matches this path. See ${indexPath} for the list of routes.`);
      }
      if ("allow" in match) return notAllowed(match.allow.join(", "));
      if (match.target === "index") return asJson({ status: 200, body: indexOf(executor.schema, routes) });
      if (match.target === "description")
        return (description ??= asJson({
          status: 200,
          body: describeEndpoints(routes.map(endpointOf), await readExamples(), {
            ...(gateway && { url: gateway.publicUrl(), ids: await gateway.readIds() }),
          }),
        }));
      const endpoint = endpointOf(match.target);
      headers = deprecationOf(match.target, match.parameters);
      headers = { ...headers, ...unknownIn(endpoint, request.search) };
      const answer = await run(endpoint, match.parameters, request);
      return answer instanceof ByteWriter ? { status: 200, headers, body: answer } : asJson(answer, headers);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return asJson(answerOfError(error), headers);
    }
  };
}

async function run(endpoint: Endpoint, parameters: PathParameters, request: RestRequest): Promise<Answer | ByteWriter> {
  const { route, inputs, operation } = endpoint;
  const finding = request.contextFor(route);
  const asking = finding instanceof Promise ? await finding : finding;
  const context = operation.kind === "mutation" ? { ...asking, path: parameters } : asking;
  if (context.costAsked !== "dry-run") requirePoints(context); // before the body is read
  const body = inputs.properties ? await readJsonBody(request, route.bodyLimit) : undefined;
  const variables = endpoint.readVariables(parameters, request.search, body);
  if (context.costAsked === "dry-run") {
    estimate(context, operation, variables);
    return { status: 204, body: undefined };
  }
  return withinLimits(context, operation, variables, () => answerFrom(endpoint, context, variables));
}

async function answerFrom(endpoint: Endpoint, context: Context, variables: Variables): Promise<Answer | ByteWriter> {
  const { route, operation, plan } = endpoint;
  const write = plan && (() => plan.plan.run(contextToRead(context), { variables, write: plan.write }));
  const written = write && (await spanned({ name: route.operationId }, write));
  if (written) return written;
  const { data, errors } = await operation.run(context, variables);
  return errors ? answerOfErrors(errors, endpoint.restName) : endpoint.answer(data, context);
}

/** The headers of a deprecated operation: the date of its deprecation, and its successor (RFC 9745). */
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

/** Reports unknown query parameters, which had no effect: mistyped ones would go unnoticed. */
function unknownIn({ unknownParameters }: Endpoint, search: string): RestAnswer["headers"] {
  const unknown = search === "" ? [] : unknownParameters(search);
  if (unknown.length === 0) return {};
  const names = unknown.map((name) => encodeURIComponent(name.slice(0, longestName)));
  return { [unknownHeader]: names.join(", ") };
}

const unknownHeader = "x-docgraph-unknown-parameters";

/** The longest reported part of a name, in characters. */
const longestName = 50;

/** Redirects an address with a trailing slash to the one without it, with the same method and body (RFC 9110, 308). */
function movedTo(path: string, search: string): RestAnswer {
  const location = search === "" ? path : `${path}?${search}`;
  return asJson(
    { status: 308, body: { message: abridged(`Addresses have no trailing slash: ${path}`) } },
    { location },
  );
}

function notAllowed(allow: string): RestAnswer {
  const refusal = answerOfError(new DomainError("METHOD_NOT_ALLOWED", `This path supports ${allow} only.`));
  return asJson(refusal, { allow });
}

function asJson({ status, body }: Answer, headers: RestAnswer["headers"] = {}): RestAnswer {
  return {
    status,
    headers: status === 401 ? { ...headers, "www-authenticate": "Bearer" } : headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    ...(status >= 400 && { refusal: (body as ErrorBody).error.type }), // only error responses have such a status
  };
}

/** The message for a rejected cursor: callers of REST do not know the word. */
const badPage = "must be the `next.page` of a response of this list, in the same order.";
const answerOfError = (error: DomainError) => ({ status: error.status, body: errorBody(error) });

/** The response to errors, internal ones first; `restName` maps their input fields to REST names. */
export function answerOfErrors(errors: readonly GraphQLError[], restName: NameReader) {
  const error = findFailure(errors) ?? errors[0];
  const { code, details } = (error?.extensions ?? {}) as Extensions;
  const type = code && isErrorCode(code) ? code : "INTERNAL";
  const message = error?.message ?? errorCodes.INTERNAL.message;
  if (!details) return answerOfError(new DomainError(type, message));
  const renamed = details.map((detail) => inRestNames(detail, restName));
  const [first] = details;
  const [restFirst] = renamed;
  const isAboutFirst = first && restFirst && message === `${first.path}: ${first.message}`;
  return answerOfError(
    new DomainError(type, isAboutFirst ? `${restFirst.path}: ${restFirst.message}` : message, renamed),
  );
}

interface Extensions {
  readonly code?: string;
  readonly details?: readonly ErrorDetail[];
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code);

const inRestNames = ({ path, message }: ErrorDetail, restName: NameReader): ErrorDetail => ({
  path: restName(path),
  message: path === "after" ? badPage : message,
});
