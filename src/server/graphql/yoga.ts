// Yoga: answers by the GraphQL-over-HTTP specification whatever is not the usual request: GET, other media types,
// and malformed requests. It reads no document: what comes with a request goes to the executor as a text.
import { type ExecutionResult, GraphQLError } from "graphql";
import { createYoga, type GraphQLParams, type Plugin } from "graphql-yoga";
import { DomainError } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { type Executor, isOperation } from "#src/graph/run/execute.ts";
import { resultWithinLimits } from "#src/graph/run/within-limits.ts";
import type { SentDocuments } from "#src/graph/documents/sent-documents.ts";
import { requestError } from "#src/graph/run/errors.ts";
import type { Exchange } from "#src/http/exchange.ts";

/** What Yoga is given beside a request. */
interface Beside {
  readonly exchange: Exchange;
  readonly context: Context;
}

/** Makes Yoga with our executor in place of its own. */
export function makeYoga(executor: Executor, documents: SentDocuments) {
  const ours: Plugin<Beside> = {
    onParams: ({ setParamsHandler }) =>
      // Yoga merges what we handed in beside the request into the context.
      setParamsHandler(async ({ params, context }) => {
        const found = await documents.find({ query: params.query });
        const given = context as unknown as Beside;
        return "text" in found ? answer(executor, { ...params, query: found.text }, given) : refused(found);
      }),
  };
  return createYoga<Beside>({
    schema: executor.schema,
    graphqlEndpoint: "/graphql",
    landingPage: false,
    logging: false,
    cors: false,
    multipart: false, // it would hold whole files in memory
    maskedErrors: false, // the executor has masked them
    parserAndValidationCache: false, // the executor remembers, within bounds
    plugins: [ours],
    // `graphiql-page.ts` makes GraphiQL's page.
    graphiql: false,
  });
}

async function answer(executor: Executor, params: GraphQLParams, { exchange, context }: Beside) {
  const { query = "", operationName, variables } = params;
  if (operationName != null && typeof operationName !== "string") return refused([badName], { status: 400 });
  const operation = executor.prepare(query, operationName);
  if (!isOperation(operation)) return refused(operation);
  if (operation.kind === "mutation" && exchange.request.method === "GET") return refused([mutationByGet], onlyPost);
  exchange.operationName = operation.name;
  exchange.watched.operation = operation.asks;
  const result = await resultWithinLimits(context, operation, variables ?? {}).catch(refusalOf);
  exchange.watched.take(result.errors);
  return result.data === undefined ? refused(result.errors) : result;
}

/** The refusal of an operation that its caller's limits keep from running. */
function refusalOf(error: unknown): ExecutionResult {
  if (!(error instanceof DomainError)) throw error;
  const { message, code, status } = error;
  return refused([new GraphQLError(message, { extensions: { code } })], { status });
}

const badName = requestError("operationName must be a string.", "BAD_REQUEST");
const mutationByGet = requestError("Can only perform a mutation operation from a POST request.", "BAD_REQUEST");
const onlyPost = { status: 405, headers: { Allow: "POST" } };

/** A result without data, with the status that Yoga gives it. `spec`: only for media types that have one for it. */
function refused(errors: ExecutionResult["errors"] = [], http: object = { status: 400, spec: true }): ExecutionResult {
  return {
    errors: errors.map(
      (error) =>
        new GraphQLError(error.message, {
          nodes: error.nodes ?? null,
          source: error.source ?? null,
          positions: error.positions ?? null,
          path: error.path ?? null,
          extensions: { ...error.extensions, http },
        }),
    ),
  };
}
