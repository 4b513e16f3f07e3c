// GraphQL over HTTP. The common case, a JSON POST of a valid operation, runs straight on node:http; everything else goes through Yoga
// (GET, GraphiQL, refusals), which answers by the GraphQL-over-HTTP specification. Both use one executor. A multipart request becomes the JSON
// that it carries, and its files are put into the variables when it runs.
import type { IncomingMessage } from "node:http";
import { renderGraphiQL } from "@graphql-yoga/render-graphiql";
import { type ExecutionResult, GraphQLError } from "graphql";
import { createYoga, type Plugin } from "graphql-yoga";
import { DomainError, errorCodes } from "#src/base/errors.ts";
import { readBody } from "#src/base/request-body.ts";
import type { Context } from "#src/domain/context.ts";
import { type Executor, isOperation, type Operation, type Variables } from "#src/graph/execute.ts";
import type { FileStore } from "#src/files/file-store.ts";
import type { EventStreams } from "#src/server/event-stream.ts";
import { type Exchange, send, urlOf } from "#src/server/exchange.ts";
import { receiveForm, type UploadForm } from "#src/server/uploads.ts";

interface Options {
  readonly executor: Executor;
  /** Of subscriptions. */
  readonly streams: EventStreams;
  /** The context of a request, by its Authorization header. Throws UNAUTHENTICATED. */
  readonly contextOf: (exchange: Exchange) => Promise<Context>;
  readonly files: FileStore;
  /** The most bytes of an uploaded file. */
  readonly maxFileSize: number;
  /** GraphiQL is served when set; with `headers` filled in. */
  graphiql: { headers: Record<string, string>; query: string } | null;
}

interface Body {
  query: string;
  operationName?: string | null;
  variables?: Variables | null;
}

const responseType = "application/graphql-response+json";

/** The handler of `/graphql`. */
export function createGraphqlHandler(options: Options): (exchange: Exchange) => Promise<void> {
  const yoga = makeYoga(options);
  return async (exchange) => {
    const { request, response } = exchange;
    const isPage = request.method === "GET" && (request.headers.accept ?? "").includes("text/html");
    try {
      // First who is asking: nothing is read for nobody.
      const context = isPage ? null : await options.contextOf(exchange);
      const form = request.method === "POST" ? await receiveForm(request, options) : null;
      const sent = form ? asJson(form) : await readSent(request);
      const result = context && (await run(exchange, context, { sent, form }));
      if (result) sendResult(exchange, result);
      else if (!(context && (await subscribe(exchange, context, sent)))) await passOn(exchange, context, sent);
    } catch (error) {
      if (!(error instanceof DomainError) || response.headersSent) throw error;
      refuse(exchange, error);
    }
  };

  /** The result of an operation that can be run right away, or null. Afterwards nothing is left of files that were not kept. */
  async function run(
    exchange: Exchange,
    context: Context,
    { sent, form }: { sent: Sent; form: UploadForm | null },
  ): Promise<ExecutionResult | null> {
    try {
      const ready = readyToRun(options.executor, exchange, sent);
      if (!ready) return null;
      form?.placeIn(ready.variables);
      exchange.operationName = ready.operation.name;
      return await ready.operation.run(context, ready.variables);
    } finally {
      await form?.drop();
    }
  }

  /** Answers a subscription; false for everything else. */
  async function subscribe(exchange: Exchange, context: Context, { body }: Sent): Promise<boolean> {
    const subscription = subscriptionIn(options.executor, exchange, body);
    if (!subscription) return false;
    exchange.operationName = subscription.operation.name;
    if (!(exchange.request.headers.accept ?? "").includes("text/event-stream")) throw new DomainError("NOT_ACCEPTABLE");
    await options.streams.answer(exchange, { ...subscription, context });
    return true;
  }

  async function passOn(exchange: Exchange, context: Context | null, { contentType, body }: Sent): Promise<void> {
    const { request, response } = exchange;
    const headers = { ...headersOf(exchange), ...(contentType && { "content-type": contentType }) };
    const answer = await yoga.fetch(
      urlOf(request),
      { method: request.method ?? "GET", headers, ...(body && { body: new Uint8Array(body) }) },
      { exchange, context },
    );
    for (const [name, value] of answer.headers) response.setHeader(name, value);
    response.writeHead(answer.status);
    if (answer.body) for await (const chunk of answer.body) response.write(chunk);
    response.end();
  }
}

/** What came with a request; what a multipart request carries, when it was one. */
interface Sent {
  readonly contentType: string | undefined;
  readonly body: Buffer | undefined;
}

async function readSent(request: IncomingMessage): Promise<Sent> {
  const body = request.method === "POST" ? await readBody(request) : undefined;
  return { contentType: request.headers["content-type"], body };
}

const asJson = ({ operations }: UploadForm): Sent => ({
  contentType: "application/json",
  body: Buffer.from(operations),
});

/** The operation of a JSON POST when nothing at all is wrong with the request, else null: refusals are Yoga's to word. */
function readyToRun(
  executor: Executor,
  { request: { headers } }: Exchange,
  { contentType = "", body }: Sent,
): { operation: Operation; variables: Variables } | null {
  if (!body || !/^application\/json *(;|$)/i.test(contentType) || !acceptsJson(headers.accept)) return null;
  const parsed = parseBody(body);
  const operation = parsed && executor.prepare(parsed.query, parsed.operationName);
  if (!operation || !isOperation(operation) || operation.kind === "subscription") return null;
  return { operation, variables: parsed.variables ?? {} };
}

/** The subscription that a request asks for, by POST or GET; null for everything else. */
function subscriptionIn(
  executor: Executor,
  { request }: Exchange,
  body: Buffer | undefined,
): { operation: Operation; variables: Variables } | null {
  const parsed = body ? parseBody(body) : parseQuery(urlOf(request));
  if (!parsed || !/\bsubscription\b/.test(parsed.query)) return null;
  const operation = executor.prepare(parsed.query, parsed.operationName);
  if (!isOperation(operation) || operation.kind !== "subscription") return null;
  return { operation, variables: parsed.variables ?? {} };
}

function parseQuery(url: string): Body | null {
  const parameters = new URL(url).searchParams;
  const query = parameters.get("query");
  if (query === null) return null;
  try {
    const variables: unknown = JSON.parse(parameters.get("variables") ?? "null");
    return isRecord(variables) || variables === null
      ? { query, operationName: parameters.get("operationName"), variables }
      : null;
  } catch {
    return null;
  }
}

function acceptsJson(accept: string | undefined): boolean {
  return (
    accept === undefined || accept === "*/*" || accept.includes("application/json") || accept.includes(responseType)
  );
}

const bodyKeys = new Set(["query", "operationName", "variables", "extensions"]);

function parseBody(body: Buffer): Body | null {
  let value: unknown;
  try {
    value = JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
  if (!isRecord(value) || !Object.keys(value).every((key) => bodyKeys.has(key))) return null;
  const { query, operationName, variables, extensions } = value;
  const isWhole =
    typeof query === "string" &&
    (operationName == null || typeof operationName === "string") &&
    (variables == null || isRecord(variables)) &&
    (extensions == null || isRecord(extensions));
  return isWhole ? (value as unknown as Body) : null; // every part was checked above
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Answers an execution: 200, but 400 for a request error (no `data`) where the caller asks for the response media type. */
function sendResult({ request, response }: Exchange, result: ExecutionResult): void {
  const accept = request.headers.accept ?? "";
  const type = accept.includes(responseType) ? responseType : "application/json";
  const status = result.data === undefined && type === responseType ? 400 : 200;
  send(response, status, `${type}; charset=utf-8`, JSON.stringify(result));
}

function refuse({ request, response }: Exchange, error: DomainError): void {
  if (error.code === "UNAUTHENTICATED") response.setHeader("www-authenticate", "Bearer");
  request.resume();
  const type = (request.headers.accept ?? "").includes(responseType) ? responseType : "application/json";
  const errors = [{ message: error.message, extensions: { code: error.code } }];
  send(response, errorCodes[error.code].status, `${type}; charset=utf-8`, JSON.stringify({ errors }));
}

function headersOf({ request }: Exchange): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return headers;
}

/** What Yoga is given beside the request. */
interface ServerContext {
  exchange: Exchange;
  context: Context | null;
}

function makeYoga({ executor, graphiql }: Options) {
  const runOurs: Plugin<ServerContext> = {
    onExecute({ args, setExecuteFn }) {
      const { exchange, context } = args.contextValue as unknown as ServerContext; // Yoga merges the server context in
      const operation = executor.operationOf(args.document, args.operationName);
      if (!operation || !context) throw new GraphQLError(errorCodes.UNAUTHENTICATED.message);
      exchange.operationName = operation.name;
      setExecuteFn(() => operation.run(context, args.variableValues ?? {}));
    },
  };
  return createYoga<ServerContext>({
    schema: executor.schema,
    graphqlEndpoint: "/graphql",
    landingPage: false,
    logging: false,
    cors: false,
    multipart: false, // it would hold whole files in memory
    maskedErrors: false, // the executor has masked them
    plugins: [runOurs],
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
