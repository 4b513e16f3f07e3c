// GraphQL over HTTP. The usual request, a JSON POST, is answered straight on node:http; everything else (GET,
// what is not well-formed) goes through Yoga, which answers by the GraphQL-over-HTTP specification. Both
// use one executor, which alone reads documents. A multipart request becomes the JSON that it carries, and its files
// are put into the variables when it runs.
import type { IncomingMessage } from "node:http";
import type { ExecutionResult } from "graphql";
import type { Logger } from "pino";
import { DomainError } from "#src/base/errors.ts";
import { readBody } from "#src/server/request-body.ts";
import { isRecord } from "#src/base/json.ts";
import { answerOf } from "#src/db/trouble.ts";
import type { Context } from "#src/domain/context.ts";
import { type Executor, isOperation, type Operation, type Variables } from "#src/graph/execute.ts";
import type { Refusal } from "#src/graph/documents.ts";
import { readIdempotency } from "#src/domain/idempotency.ts";
import { type DocumentSent, PersistedQueries } from "#src/graph/persisted-queries.ts";
import type { FileStore } from "#src/files/file-store.ts";
import type { EventStreams } from "#src/server/event-stream.ts";
import {
  type ContextOf,
  type Exchange,
  keepFromSharedCaches,
  sayWhenAgain,
  send,
  sendEmpty,
  sendOut,
  urlOf,
} from "#src/server/exchange.ts";
import { markReplayed } from "#src/server/request-contexts.ts";
import { type Graphiql, graphiqlPage } from "#src/server/graphiql-page.ts";
import { receiveForm, type UploadForm } from "#src/server/uploads.ts";
import type { makeYoga } from "#src/server/yoga.ts";

interface Options {
  readonly executor: Executor;
  /** Of subscriptions. */
  readonly streams: EventStreams;
  readonly contextOf: ContextOf;
  readonly log: Logger;
  readonly files: FileStore;
  /** The most bytes of an uploaded file. */
  readonly maxFileSize: number;
  /** GraphiQL is served when set. */
  readonly graphiql: Graphiql | null;
}

interface Asked extends DocumentSent {
  operationName?: string | null;
  variables?: Variables | null;
}

const responseType = "application/graphql-response+json";

/** What came with a request; what a multipart request carries, when it was one. */
interface Sent {
  readonly contentType: string;
  readonly body: Buffer | undefined;
  readonly form: UploadForm | null;
}

/** Sends an answer. */
type Reply = () => void | Promise<void>;

/** Yoga is loaded for the first request that needs it: most gateways never get one. */
async function loadYoga(executor: Executor) {
  const { makeYoga } = await import("#src/server/yoga.ts");
  return makeYoga(executor);
}

/** The handler of `/graphql`. */
export class GraphqlHandler {
  readonly #options: Options;
  #yoga: Promise<ReturnType<typeof makeYoga>> | undefined;
  readonly #persisted = new PersistedQueries();
  readonly #graphiqlPage: ReturnType<typeof graphiqlPage> | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#graphiqlPage = options.graphiql ? graphiqlPage(options.graphiql) : undefined;
  }

  async handle(exchange: Exchange): Promise<void> {
    exchange.watched.transport = "graphql";
    exchange.watched.place = exchange.path;
    try {
      if (this.#graphiqlPage && isPage(exchange.request)) return await this.#graphiqlPage(exchange);
      // First the token: little is read for callers without one.
      const context = await this.#options.contextOf(exchange);
      if (context.isAnonymous && !mayBeOfVisitor(exchange.request)) throw new DomainError("UNAUTHENTICATED");
      if (context.isAnonymous) keepFromSharedCaches(exchange);
      const sent = await this.#receive(exchange.request);
      let reply: Reply;
      try {
        reply = await this.#answer(exchange, context, sent);
      } finally {
        await sent.form?.drop(); // files that were not kept are removed
      }
      await reply();
    } catch (error) {
      const answer = answerOf(error, this.#options.log);
      if (!answer || exchange.response.headersSent) throw error;
      refuse(exchange, answer);
    }
  }

  async #receive(request: IncomingMessage): Promise<Sent> {
    const { "content-type": contentType = "" } = request.headers;
    if (request.method !== "POST") return { contentType, body: undefined, form: null };
    const form = await receiveForm(request, this.#options);
    if (!form && !isJsonType(contentType)) throw new DomainError("UNSUPPORTED_MEDIA_TYPE", noBodyType);
    return form
      ? { contentType: "application/json", body: Buffer.from(form.operations), form }
      : { contentType, body: await readBody(request), form: null };
  }

  /** Runs what the request asks for, and returns what is to be sent. */
  async #answer(exchange: Exchange, context: Context, sent: Sent): Promise<Reply> {
    const { method, headers } = exchange.request;
    const accept = headers.accept ?? "*/*";
    const asked = isJson(sent) ? readAsked(sent.body) : method === "GET" ? askedByUrl(exchange.request) : null;
    const found = asked && this.#persisted.find(asked);
    if (found && !("text" in found)) return () => sendResult(exchange, { errors: found });
    const operation = asked && this.#options.executor.prepare(found?.text ?? "", asked.operationName);
    if (context.isAnonymous) this.#requireOpen(found?.text ?? "", operation);
    if (operation && isOperation(operation)) found?.keep();
    if (!operation) return () => this.#passOn(exchange, context, sent);
    const variables = asked.variables ?? {};
    const isReady = isOperation(operation);
    exchange.operationName = isReady ? operation.name : undefined;
    exchange.document = found?.text;
    exchange.watched.operation = isReady ? operation.asks : "invalid";
    if (isReady && operation.kind === "subscription") {
      exchange.watched.transport = "sse";
      if (!accept.includes("text/event-stream")) throw new DomainError("NOT_ACCEPTABLE");
      // A token of a visitor may end any moment: what is live goes by rights alone.
      const viewer = { ...context.viewer, openedIds: [] };
      return () => this.#options.streams.answer(exchange, { operation, variables, context: { ...context, viewer } });
    }
    if (method !== "POST" || !acceptsJson(accept))
      return () => this.#passOn(exchange, context, { ...sent, text: found?.text });
    if (!isReady) return () => sendResult(exchange, { errors: operation });
    sent.form?.placeIn(variables);
    const sentKey = asked.extensions?.["idempotencyKey"];
    const idempotency = readIdempotency("extension", sentKey, () => markReplayed(exchange)) ?? context.idempotency;
    const written = await operation.write(context, variables);
    if (written) {
      exchange.watched.take(undefined);
      return () => sendOut(exchange.response, `${typeFor(exchange.request)}; charset=utf-8`, written);
    }
    const result = await operation.run({ ...context, idempotency }, variables);
    return () => sendResult(exchange, result);
  }

  /** UNAUTHENTICATED where nothing is asked for that is open to visitors. Errors of documents that do ask are told. */
  #requireOpen(text: string, operation: Operation | Refusal | null): void {
    const names = this.#options.executor.openFields;
    const isOpen =
      operation && isOperation(operation)
        ? operation.openness !== "closed"
        : (text.match(/\w+/g) ?? []).some((word) => names.has(word));
    if (!isOpen) throw new DomainError("UNAUTHENTICATED");
  }

  /** Has Yoga answer. It is given `text` as the document where the request has only a hash of it. */
  async #passOn(exchange: Exchange, context: Context, sent: Sent & { readonly text?: string | undefined }) {
    const { contentType, body, text } = sent;
    const { request, response } = exchange;
    const url = new URL(urlOf(request));
    if (text !== undefined && !url.searchParams.has("query")) url.searchParams.set("query", text);
    const headers = { ...headersOf(exchange), ...(contentType && { "content-type": contentType }) };
    const yoga = await (this.#yoga ??= loadYoga(this.#options.executor));
    const answer = await yoga.fetch(
      url.href,
      { method: request.method ?? "GET", headers, ...(body && { body: new Uint8Array(body) }) },
      { exchange, context },
    );
    for (const [name, value] of answer.headers) if (!framing.has(name)) response.setHeader(name, value);
    const whole = Buffer.from(await answer.arrayBuffer());
    const type = answer.headers.get("content-type");
    if (type !== null) send(response, answer.status, type, whole);
    else if (answer.status === 406) refuse(exchange, new DomainError("NOT_ACCEPTABLE", noMediaType));
    else sendEmpty(response, answer.status);
  }
}

const noBodyType =
  "The body must be JSON, with Content-Type: application/json, or multipart/form-data where it carries files.";

const noMediaType = `The answer is ${responseType} or application/json: accept one of them.`;

/** Headers that go by how the answer is sent. */
const framing: ReadonlySet<string> = new Set(["content-type", "content-length", "transfer-encoding"]);

/** Whether a request without an API token may be one of a visitor: a query by GET, or by a POST of JSON. */
function mayBeOfVisitor({ method, headers }: IncomingMessage): boolean {
  return method === "GET" || (method === "POST" && isJsonType(headers["content-type"] ?? ""));
}

function isPage({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && (headers.accept ?? "").includes("text/html");
}

function isJson(sent: Sent): sent is Sent & { body: Buffer } {
  return sent.body !== undefined && isJsonType(sent.contentType);
}

const isJsonType = (contentType: string): boolean => /^application\/(graphql\+)?json *(;|$)/i.test(contentType);

/** What a GET asks for by its query string, or null when something is wrong with it: Yoga reports it. */
function askedByUrl(request: IncomingMessage): Asked | null {
  const parameters = new URL(urlOf(request)).searchParams;
  const query = parameters.get("query") ?? undefined;
  try {
    const variables: unknown = JSON.parse(parameters.get("variables") ?? "null");
    const extensions: unknown = JSON.parse(parameters.get("extensions") ?? "null");
    const isWhole = (isRecord(variables) || variables === null) && (isRecord(extensions) || extensions === null);
    const asked = { query, operationName: parameters.get("operationName"), extensions } as Asked;
    return isWhole && namesDocument(asked) ? { ...asked, variables } : null;
  } catch {
    return null;
  }
}

function acceptsJson(accept: string): boolean {
  return accept === "*/*" || accept.includes("application/json") || accept.includes(responseType);
}

const bodyKeys = new Set(["query", "operationName", "variables", "extensions"]);

/** What a JSON body asks for, or null where Yoga reports what is wrong. INVALID_INPUT for what is not JSON. */
function readAsked(body: Buffer): Asked | null {
  let value: unknown;
  try {
    value = JSON.parse(body.toString("utf8"));
  } catch {
    throw new DomainError("INVALID_INPUT", "The body must be JSON.");
  }
  if (!isRecord(value) || !Object.keys(value).every((key) => bodyKeys.has(key))) return null;
  const { query, operationName, variables, extensions } = value;
  const isWhole =
    (query === undefined || typeof query === "string") &&
    (operationName == null || typeof operationName === "string") &&
    (variables == null || isRecord(variables)) &&
    (extensions == null || isRecord(extensions));
  const asked = value as unknown as Asked; // every part was checked above
  return isWhole && namesDocument(asked) ? asked : null;
}

/** Whether a request has a document, or the hash of one. */
const namesDocument = ({ query, extensions }: DocumentSent): boolean =>
  query !== undefined || extensions?.["persistedQuery"] != null;

/** Answers an execution: 200, but 400 for a request error (no `data`) where the response media type is asked for. */
function sendResult({ request, response, watched }: Exchange, result: ExecutionResult): void {
  watched.take(result.errors);
  const type = typeFor(request);
  const status = result.data === undefined && type === responseType ? 400 : 200;
  send(response, status, `${type}; charset=utf-8`, JSON.stringify(result));
}

function refuse({ request, response, watched }: Exchange, error: DomainError): void {
  watched.code = error.code;
  sayWhenAgain(response, error.status);
  if (error.code === "UNAUTHENTICATED") response.setHeader("www-authenticate", "Bearer");
  request.resume();
  const errors = [{ message: error.message, extensions: { code: error.code } }];
  send(response, error.status, `${typeFor(request)}; charset=utf-8`, JSON.stringify({ errors }));
}

/** The media type of an answer. */
const typeFor = ({ headers: { accept = "" } }: IncomingMessage) =>
  accept.includes(responseType) ? responseType : "application/json";

function headersOf({ request }: Exchange): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return headers;
}
