// Yoga: responds by the GraphQL-over-HTTP specification to unusual requests: GET, streams of one part, and invalid
// parameters. It reads and runs nothing itself: it gets the parameters, and the result of valid ones.
import type { ExecutionResult } from "graphql";
import { createYoga, type GraphQLParams, type Plugin } from "graphql-yoga";
import { requestError } from "#src/graph/run/errors.ts";
import { statusOf } from "#src/server/graphql/answer.ts";
import type { Exchange } from "#src/http/exchange.ts";
import { send, sendEmpty } from "#src/http/send.ts";

interface Given {
  readonly parameters: unknown;
  readonly result: ExecutionResult;
}

const given: Plugin<object, Given> = {
  // Yoga checks them, whatever their types.
  onRequestParse: ({ serverContext: { parameters }, setRequestParser }) =>
    setRequestParser(() => parameters as GraphQLParams),
  onParams: ({ context, setResult }) => setResult(context.result),
};

const yoga = createYoga<Given>({
  landingPage: false,
  logging: false,
  cors: false,
  maskedErrors: false, // the executor has masked them
  parserAndValidationCache: false,
  plugins: [given],
  graphiql: false, // docgraph has its own page
});

/** Rejects parameters that Yoga accepts: it does not check the operation name. */
const badName: ExecutionResult = { errors: [requestError("operationName must be a string.", "BAD_REQUEST")] };

/** Responds in a media type. Without a result the parameters are rejected. */
export async function answerByYoga(
  { request, response, watched }: Exchange,
  type: string,
  { parameters, result = badName }: { readonly parameters: unknown; readonly result?: ExecutionResult },
): Promise<void> {
  watched.take(result.errors);
  const http = { status: result === badName ? 400 : statusOf(result, type) };
  const answer = await yoga.fetch(
    "http://localhost/graphql",
    { method: request.method ?? "GET", headers: { accept: type } },
    { parameters, result: { ...result, extensions: { http, ...result.extensions } } },
  );
  for (const name of ["allow", "cache-control"]) {
    const value = answer.headers.get(name);
    if (value !== null) response.setHeader(name, value);
  }
  const body = Buffer.from(await answer.arrayBuffer());
  const answered = answer.headers.get("content-type");
  if (answered === null) sendEmpty(response, answer.status);
  else send(response, answer.status, answered, body);
}
