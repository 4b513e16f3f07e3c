// Yoga: answers by the GraphQL-over-HTTP specification whatever is not the usual request: GET, other media types,
// malformed requests, and GraphiQL. It reads no document: what comes with a request goes to the executor as a
// text.
import { renderGraphiQL } from "@graphql-yoga/render-graphiql";
import { type ExecutionResult, GraphQLError } from "graphql";
import { createYoga, type GraphQLParams, type Plugin } from "graphql-yoga";
import { errorCodes } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";
import { type Executor, isOperation } from "#src/graph/execute.ts";
import type { Exchange } from "#src/server/exchange.ts";

export interface Graphiql {
  readonly headers: Record<string, string>;
  readonly query: string;
}

/** What Yoga is given beside a request; no context where nothing but GraphiQL is asked for. */
interface Beside {
  readonly exchange: Exchange;
  readonly context: Context | null;
}

/** Makes Yoga with our executor in place of its own. GraphiQL is served when it is given. */
export function makeYoga(executor: Executor, graphiql: Graphiql | null) {
  const ours: Plugin<Beside> = {
    onParams: ({ setParamsHandler }) =>
      // Yoga merges what we handed in beside the request into the context.
      setParamsHandler(({ params, context }) => answer(executor, params, context as unknown as Beside)),
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
    renderGraphiQL,
    graphiql: graphiql
      ? {
          title: "docgraph",
          headers: JSON.stringify(graphiql.headers),
          defaultQuery: graphiql.query,
          subscriptionsProtocol: "GRAPHQL_SSE", // its sockets would not give the token of its headers
        }
      : false,
  });
}

async function answer(executor: Executor, params: GraphQLParams, { exchange, context }: Beside) {
  if (!context) return refused([new GraphQLError(errorCodes.UNAUTHENTICATED.message)], { status: 401 });
  const { query = "", operationName, variables } = params;
  if (operationName != null && typeof operationName !== "string") return refused([badName], { status: 400 });
  const operation = executor.prepare(query, operationName);
  if (!isOperation(operation)) return refused(operation);
  if (operation.kind === "mutation" && exchange.request.method === "GET") return refused([mutationByGet], onlyPost);
  exchange.operationName = operation.name;
  const result = await operation.run(context, variables ?? {});
  return result.data === undefined ? refused(result.errors) : result;
}

const badName = new GraphQLError("operationName must be a string.", { extensions: { code: "BAD_REQUEST" } });
const mutationByGet = new GraphQLError("Can only perform a mutation operation from a POST request.", {
  extensions: { code: "BAD_REQUEST" },
});
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
