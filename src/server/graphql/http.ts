// GraphQL over HTTP. The usual request, a JSON POST, is answered straight on node:http; everything else (GET,
// what is not well-formed) goes through Yoga, which answers by the GraphQL-over-HTTP specification. Both
// use one executor, which alone reads documents. A multipart request becomes the JSON that it carries, with its files
// in the variables: they are received when nothing else refuses it.
import type { IncomingMessage } from "node:http";
import type { ExecutionResult } from "graphql";
import type { Logger } from "pino";
import { requireUtf8 } from "#src/base/charset.ts";
import { DomainError } from "#src/base/errors.ts";
import { readBody } from "#src/server/http/request-body.ts";
import { longJson } from "#src/runtime/long-json.ts";
import { answerOf } from "#src/db/connection/database-errors.ts";
import type { Context } from "#src/domain/context.ts";
import { type Executor, isOperation, type Operation, type Variables } from "#src/graph/run/execute.ts";
import { readCostAsked } from "#src/domain/cost.ts";
import { readIdempotency } from "#src/domain/idempotency.ts";
import type { SentDocuments } from "#src/graph/documents/sent-documents.ts";
import { answerBeforeFiles, runPartsWithinLimits, runWithinLimits } from "#src/graph/run/within-limits.ts";
import { ByteWriter } from "#src/plan/byte-writer.ts";
import type { FileStore } from "#src/files/file-store.ts";
import { type Asked, askedByUrl, askedIn, readJson } from "#src/server/graphql/request-params.ts";
import { runBatch } from "#src/server/graphql/batches.ts";
import type { EventStreams } from "#src/server/graphql/event-stream.ts";
import {
  type ContextOf,
  eventStreamHead,
  type Exchange,
  type Handler,
  sayWhenAgain,
  send,
  sendEmpty,
  sendOut,
  sendPieces,
  urlOf,
} from "#src/server/http/exchange.ts";
import { markReplayed } from "#src/server/http/request-contexts.ts";
import { deferredParts, mixedParts, sendInParts, subscriptionParts } from "#src/server/graphql/mixed-parts.ts";
import { addVary, notAcceptable, Offer } from "#src/server/http/negotiation.ts";
import { VisitorDocuments } from "#src/server/http/visitor-documents.ts";
import { keepFromSharedCaches } from "#src/server/http/shared-caches.ts";
import { receiveForm, type UploadForm } from "#src/server/graphql/uploads.ts";
import type { makeYoga } from "#src/server/graphql/yoga.ts";

interface Options {
  readonly executor: Executor;
  readonly documents: SentDocuments;
  /** Of subscriptions. */
  readonly streams: EventStreams;
  readonly contextOf: ContextOf;
  readonly log: Logger;
  readonly files: FileStore;
  /** The most bytes of an uploaded file. */
  readonly maxFileSize: number;
  /** Whether several operations may come in one request. */
  readonly takesBatches: boolean;
  /** Answers browsers; null where GraphiQL is not served. */
  readonly graphiql: Handler | null;
}

const json = "application/json; charset=utf-8";
const responseJson = "application/graphql-response+json; charset=utf-8";
const html = "text/html; charset=utf-8";
const events = eventStreamHead["content-type"];

/** Answers of one piece. */
const answers = new Offer([responseJson, json], json);

/** The same for clients that take nothing but streams: a stream of one piece. */
const streamsOfOne = new Offer([events, mixedParts]);

/** Answers to queries that defer. */
const deferring = new Offer([deferredParts, responseJson, json], json);

const subscriptions = new Offer([events, subscriptionParts]);

/** Answers to what may be a browser. */
const pages = new Offer([html, responseJson, json], json);

/** What came with a request; what a multipart request carries, when it was one. */
interface Sent {
  readonly contentType: string;
  readonly body: Buffer | undefined;
  readonly form: UploadForm | null;
}

/** Sends an answer. */
type Reply = () => void | Promise<void>;

/** Yoga is loaded for the first request that needs it: most gateways never get one. */
async function loadYoga({ executor, documents }: Options) {
  const { makeYoga } = await import("#src/server/graphql/yoga.ts");
  return makeYoga(executor, documents);
}

/** The handler of `/graphql`. */
export class GraphqlHandler {
  readonly #options: Options;
  readonly #visitorDocuments: VisitorDocuments;
  #yoga: Promise<ReturnType<typeof makeYoga>> | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#visitorDocuments = new VisitorDocuments(options.executor);
  }

  async handle(exchange: Exchange): Promise<void> {
    exchange.watched.transport = "graphql";
    exchange.watched.place = exchange.path;
    try {
      const { graphiql } = this.#options;
      const { request, response } = exchange;
      if (request.method !== "POST") addVary(response, "accept"); // answers to POST are not kept by caches
      if (graphiql && isPage(request)) return await graphiql(exchange);
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
    const { "content-type": contentType = "", "content-encoding": encoding = "identity" } = request.headers;
    if (request.method !== "POST") return { contentType, body: undefined, form: null };
    if (encoding.toLowerCase() !== "identity") throw new DomainError("UNSUPPORTED_MEDIA_TYPE", notCompressed);
    requireUtf8(contentType);
    const form = await receiveForm(request, this.#options);
    if (!form && !isJsonType(contentType)) throw new DomainError("UNSUPPORTED_MEDIA_TYPE", noBodyType);
    return form
      ? { contentType: "application/json", body: Buffer.from(form.operations), form }
      : { contentType, body: await readBody(request), form: null };
  }

  /** Runs what the request asks for, and returns what is to be sent. */
  async #answer(exchange: Exchange, context: Context, sent: Sent): Promise<Reply> {
    const { method, headers } = exchange.request;
    const { accept } = headers;
    const value = isJson(sent) ? readJson(sent.body) : undefined;
    if (Array.isArray(value)) return this.#answerBatch(exchange, context, value);
    const asked = method === "GET" ? askedByUrl(exchange.request) : askedIn(value);
    const found = asked && (await this.#options.documents.find(asked));
    if (found && !("text" in found)) return () => sendResult(exchange, { errors: found });
    const text = found?.text ?? "";
    const operation = context.isAnonymous
      ? await this.#visitorDocuments.prepare(context, text, asked?.operationName)
      : asked && this.#options.executor.prepare(text, asked.operationName);
    if (operation && isOperation(operation)) found?.keep();
    if (!asked || !operation) return () => this.#passOn(exchange, context, sent);
    const variables = asked.variables ?? {};
    const isReady = isOperation(operation);
    exchange.operationName = isReady ? operation.name : undefined;
    exchange.document = found?.text;
    exchange.watched.operation = isReady ? operation.asks : "invalid";
    if (isReady && operation.kind === "subscription") return this.#subscribe(exchange, context, operation, variables);
    const ofDocument = contextOfDocument(asked, context, exchange);
    if (isReady && operation.isIncremental && deferring.choose(accept) === deferredParts)
      return () => sendInParts(exchange, (to) => runPartsWithinLimits(ofDocument, operation, variables, to));
    const type = answers.choose(accept);
    if (method !== "POST" || type === null)
      return () => this.#passOn(exchange, context, { ...sent, text: found?.text });
    if (!isReady) return () => sendResult(exchange, { errors: operation });
    if (sent.form && operation.kind === "mutation") {
      sent.form.placeIn(variables);
      const early = await answerBeforeFiles(ofDocument, operation, variables);
      if (early) return () => sendResult(exchange, early);
      await sent.form.receive();
    }
    const answer = await runWithinLimits(ofDocument, operation, variables);
    const isLong = context.reader.budget.points > longAnswer;
    if (!(answer instanceof ByteWriter)) return () => sendResult(exchange, answer, isLong);
    exchange.watched.take(undefined);
    return () => sendOut(exchange.response, type, answer);
  }

  /** Of callers with a token alone. INVALID_INPUT where batches are not taken, NOT_ACCEPTABLE for takers of streams. */
  async #answerBatch(exchange: Exchange, context: Context, batch: readonly unknown[]): Promise<Reply> {
    if (context.isAnonymous) throw new DomainError("UNAUTHENTICATED");
    exchange.watched.operation = "batch";
    answers.require(exchange.request);
    const results = await runBatch(exchange, batch, this.#options);
    exchange.watched.take(results.flatMap(({ errors = [] }) => errors));
    return () => sendLong(exchange, results);
  }

  /** NOT_ACCEPTABLE where the client takes no stream. */
  #subscribe(exchange: Exchange, context: Context, operation: Operation, variables: Variables): Reply {
    const type = subscriptions.choose(exchange.request.headers.accept);
    if (type === null) throw new DomainError("NOT_ACCEPTABLE");
    const form = type === events ? "sse" : "multipart";
    exchange.watched.transport = form;
    // A token of a visitor may end any moment: what is live goes by rights alone.
    const viewer = { ...context.viewer, openedIds: [] };
    return () =>
      this.#options.streams.answer(exchange, form, { operation, variables, context: { ...context, viewer } });
  }

  /**
   * Has Yoga answer in the negotiated type. It is given `text` as the document where the request has only a hash of it.
   * NOT_ACCEPTABLE where the client takes no type that there is.
   */
  async #passOn(exchange: Exchange, context: Context, sent: Sent & { readonly text?: string | undefined }) {
    const { contentType, body, text } = sent;
    const { request, response } = exchange;
    const { accept } = request.headers;
    const type = answers.choose(accept) ?? streamsOfOne.choose(accept);
    if (type === null) throw notAcceptable([responseJson, json]);
    const url = new URL(urlOf(request));
    if (text !== undefined && !url.searchParams.has("query")) url.searchParams.set("query", text);
    const described = { accept: type, ...(contentType && { "content-type": contentType }) };
    const headers = { ...headersOf(exchange), ...described };
    const yoga = await (this.#yoga ??= loadYoga(this.#options));
    const answer = await yoga.fetch(
      url.href,
      { method: request.method ?? "GET", headers, ...(body && { body: new Uint8Array(body) }) },
      { exchange, context },
    );
    for (const [name, value] of answer.headers) if (!framing.has(name.toLowerCase())) response.setHeader(name, value);
    const whole = Buffer.from(await answer.arrayBuffer());
    const answered = answer.headers.get("content-type");
    if (answered !== null) send(response, answer.status, answered, whole);
    else sendEmpty(response, answer.status);
  }
}

/** The context of a document that may say more of itself than the headers do. */
function contextOfDocument({ extensions }: Asked, context: Context, exchange: Exchange): Context {
  if (!extensions) return context;
  const { idempotencyKey, cost } = extensions;
  const idempotency = readIdempotency("extension", idempotencyKey, () => markReplayed(exchange)) ?? context.idempotency;
  if (idempotency) exchange.limits.delete(context.limit); // it goes on when the caller is gone, to be heard of later
  return { ...context, idempotency, costAsked: readCostAsked("extensions.cost", cost) ?? context.costAsked };
}

/** From so many points on, an answer takes milliseconds to become a text. */
const longAnswer = 10_000;

const noBodyType =
  "The body must be JSON, with Content-Type: application/json, or multipart/form-data where it carries files.";

const notCompressed = "The body must not be compressed: leave Content-Encoding out.";

/** Headers that go by how the answer is sent, in small letters. */
const framing: ReadonlySet<string> = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "keep-alive",
  "transfer-encoding",
]);

/** Whether a request without an API token may be one of a visitor: a query by GET, or by a POST of JSON. */
function mayBeOfVisitor({ method, headers }: IncomingMessage): boolean {
  return method === "GET" || (method === "POST" && isJsonType(headers["content-type"] ?? ""));
}

function isPage({ method, headers }: IncomingMessage): boolean {
  return (method === "GET" || method === "HEAD") && pages.choose(headers.accept) === html;
}

function isJson(sent: Sent): sent is Sent & { body: Buffer } {
  return sent.body !== undefined && isJsonType(sent.contentType);
}

const isJsonType = (contentType: string): boolean => /^application\/(graphql\+)?json *(;|$)/i.test(contentType);

/** Answers an execution: 200, but 400 for a request error (no `data`) where the response media type is asked for. */
async function sendResult(exchange: Exchange, result: ExecutionResult, isLong = false): Promise<void> {
  exchange.watched.take(result.errors);
  const type = typeFor(exchange.request);
  const status = result.data === undefined && type === responseJson ? 400 : 200;
  if (isLong && status === 200) return sendLong(exchange, result);
  send(exchange.response, status, type, JSON.stringify(result));
}

/** Answers what may be long, with pauses while its text is made. */
async function sendLong({ request, response }: Exchange, value: unknown): Promise<void> {
  const pieces = await longJson(value);
  const type = typeFor(request);
  if (pieces.length > 1) return sendPieces(response, type, pieces);
  send(response, 200, type, pieces[0] ?? "");
}

function refuse({ request, response, watched }: Exchange, error: DomainError): void {
  watched.code = error.code;
  sayWhenAgain(response, error.status);
  if (error.code === "UNAUTHENTICATED") response.setHeader("www-authenticate", "Bearer");
  request.resume();
  const errors = [{ message: error.message, extensions: { code: error.code } }];
  send(response, error.status, typeFor(request), JSON.stringify({ errors }));
}

/** The media type of an answer of one piece, refusals included: those are JSON whatever the client accepts. */
const typeFor = ({ headers }: IncomingMessage): string => answers.choose(headers.accept) ?? json;

function headersOf({ request }: Exchange): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value;
  }
  return headers;
}
