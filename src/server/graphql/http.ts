// GraphQL over HTTP. All requests are received, negotiated and run in one way. The response to the usual one, a JSON
// POST, is written straight on node:http; Yoga answers GET, streams of one piece and bad parameters, by the
// specification. The files of a multipart request are received if nothing else rejects it.
import type { IncomingMessage } from "node:http";
import type { ExecutionResult } from "graphql";
import type { Logger } from "pino";
import { DomainError } from "#src/base/errors.ts";
import { answerOf } from "#src/db/connection/database-errors.ts";
import type { Context } from "#src/domain/context.ts";
import type { FileStore } from "#src/files/file-store.ts";
import type { SentDocuments } from "#src/graph/documents/sent-documents.ts";
import { type Executor, isOperation, type Operation, type Variables } from "#src/graph/run/execute.ts";
import { requestError } from "#src/graph/run/errors.ts";
import {
  answerBeforeFiles,
  LongResult,
  resultWithinLimits,
  runPartsWithinLimits,
  writeWithinLimits,
} from "#src/graph/run/within-limits.ts";
import { ByteWriter } from "#src/plan/byte-writer.ts";
import {
  deferredParts,
  events,
  html,
  isStream,
  offers,
  requireType,
  sendInParts,
  sendJson,
  sendLong,
  sendRefusal,
  sendResult,
} from "#src/server/graphql/answer.ts";
import { runBatch } from "#src/server/graphql/batches.ts";
import type { EventStreams } from "#src/server/graphql/event-stream.ts";
import { isJsonType, receiveRequest, requestIn, type Sent, withExtensions } from "#src/server/graphql/request.ts";
import type * as Yoga from "#src/server/graphql/yoga.ts";
import type { ContextOf, Exchange, Handler } from "#src/http/exchange.ts";
import { keepFromSharedCaches, sendOut } from "#src/http/send.ts";
import { addVary } from "#src/http/negotiation.ts";
import { quotaOf } from "#src/domain/cost.ts";
import { Rate } from "#src/domain/rate.ts";
import type { Refusal } from "#src/graph/run/documents.ts";

interface Options {
  readonly executor: Executor;
  readonly documents: SentDocuments;
  readonly streams: EventStreams;
  readonly contextOf: ContextOf;
  readonly log: Logger;
  readonly files: FileStore;
  readonly maxFileSize: number;
  readonly takesBatches: boolean;
  /** Serves browsers: GraphiQL, or a page that says where it is off. */
  readonly graphiql: Handler;
}

type Reply = () => void | Promise<void>;

export class GraphqlHandler {
  readonly #options: Options;
  readonly #visitorDocuments: VisitorDocuments;

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
      if (request.method !== "POST") addVary(response, "accept"); // caches do not store responses to POST
      if (isPage(request)) return await graphiql(exchange);
      // The token is checked first: little is read from callers without one.
      const asking = this.#options.contextOf(exchange);
      const context = asking instanceof Promise ? await asking : asking;
      if (context.isAnonymous && !mayBeOfVisitor(request)) throw new DomainError("UNAUTHENTICATED");
      if (context.isAnonymous) keepFromSharedCaches(exchange);
      const sent = await receiveRequest(request, this.#options);
      let reply: Reply;
      try {
        reply = await this.#answer(exchange, context, sent);
      } finally {
        if (sent.form) await sent.form.drop(); // deletes files that were not kept
      }
      const replying = reply();
      if (replying) await replying;
    } catch (error) {
      await Promise.resolve(); // malformed bytes after the head are rejected first: they are parsed in the same turn
      const answer = answerOf(error, this.#options.log);
      if (!answer || exchange.response.headersSent) throw error;
      sendRefusal(exchange, answer);
    }
  }

  async #answer(exchange: Exchange, context: Context, { value, form }: Sent): Promise<Reply> {
    const request = requestIn(value);
    if (!request) return this.#answerOther(exchange, context, value);
    const { executor, documents } = this.#options;
    const finding = documents.find(request);
    const found = finding instanceof Promise ? await finding : finding;
    if (!("text" in found)) return () => sendResult(exchange, { errors: found });
    const operation = context.isAnonymous
      ? await this.#visitorDocuments.prepare(context, found.text, request.operationName)
      : executor.prepare(found.text, request.operationName);
    exchange.document = found.text;
    if (!isOperation(operation)) {
      exchange.watched.operation = "invalid";
      return replyWith(exchange, requireType(exchange.request), { errors: operation });
    }
    found.keep();
    exchange.operationName = operation.name;
    exchange.watched.operation = operation.asks;
    const variables = request.variables ?? {};
    if (operation.kind === "subscription") return this.#subscribe(exchange, context, operation, variables);
    const extended = withExtensions(context, request.extensions, exchange);
    if (extended.idempotency) exchange.limits.delete(context.limit); // it continues after the client disconnects
    if (operation.isIncremental && offers.deferring.choose(exchange.request.headers.accept) === deferredParts)
      return () => sendInParts(exchange, (to) => runPartsWithinLimits(extended, operation, variables, to));
    const type = requireType(exchange.request);
    if (operation.kind === "mutation" && exchange.request.method === "GET")
      return replyWith(exchange, type, mutationByGet);
    if (operation.kind === "mutation" && form) {
      form.placeIn(variables);
      const early = await answerBeforeFiles(extended, operation, variables);
      if (early) return replyWith(exchange, type, early);
      await form.receive(this.#options);
    }
    if (!isUsual(exchange.request, type))
      return replyWith(exchange, type, await resultWithinLimits(extended, operation, variables));
    return answerWith(exchange, type, await writeWithinLimits(extended, operation, variables));
  }

  /** Responds to a batch, or rejects an invalid request. UNAUTHENTICATED without a token. */
  async #answerOther(exchange: Exchange, context: Context, value: unknown): Promise<Reply> {
    if (context.isAnonymous) throw new DomainError("UNAUTHENTICATED");
    if (!Array.isArray(value)) {
      const type = requireType(exchange.request);
      return () => answerByYoga(exchange, type, { parameters: value });
    }
    exchange.watched.operation = "batch";
    offers.one.require(exchange.request);
    const results = await runBatch(exchange, value, this.#options);
    exchange.watched.take(results.flatMap(({ errors = [] }) => errors));
    return () => sendLong(exchange, results);
  }

  /** NOT_ACCEPTABLE if the client does not accept a stream. */
  #subscribe(exchange: Exchange, context: Context, operation: Operation, variables: Variables): Reply {
    const type = offers.subscription.choose(exchange.request.headers.accept);
    if (type === null) throw new DomainError("NOT_ACCEPTABLE");
    const form = type === events ? "sse" : "multipart";
    exchange.watched.transport = form;
    // A visitor token may expire at any time: live data require rights.
    const viewer = { ...context.viewer, openedIds: [] };
    return () =>
      this.#options.streams.answer(exchange, form, [{ operation, variables, context: { ...context, viewer } }]);
  }
}

/** Whether a request without an API token may be one of a visitor: a query by GET, or by a POST of JSON. */
const mayBeOfVisitor = ({ method, headers }: IncomingMessage): boolean =>
  method === "GET" || (method === "POST" && isJsonType(headers["content-type"]));

const isPage = ({ method, headers }: IncomingMessage): boolean =>
  (method === "GET" || method === "HEAD") && offers.page.choose(headers.accept) === html;

/** Whether the response is one to a usual request: Yoga makes the others. */
const isUsual = ({ method }: IncomingMessage, type: string): boolean => method === "POST" && !isStream(type);

/** The response to a usual request. */
function answerWith(exchange: Exchange, type: string, answer: ByteWriter | LongResult | ExecutionResult): Reply {
  if (answer instanceof LongResult) {
    exchange.watched.take(answer.errors);
    return () => sendJson(exchange, answer.pieces);
  }
  if (!(answer instanceof ByteWriter)) return () => sendResult(exchange, answer);
  exchange.watched.take(undefined);
  return () => sendOut(exchange.response, type, answer);
}

const replyWith = (exchange: Exchange, type: string, result: ExecutionResult): Reply =>
  isUsual(exchange.request, type)
    ? () => sendResult(exchange, result)
    : () => answerByYoga(exchange, type, { parameters: valid, result });

/** In place of parameters that were already parsed and run. */
const valid = { query: "{ __typename }" };

/** Yoga is loaded for the first request that needs it: most gateways never get one. */
async function answerByYoga(...given: Parameters<typeof Yoga.answerByYoga>): Promise<void> {
  const yoga = await import("#src/server/graphql/yoga.ts");
  return yoga.answerByYoga(...given);
}

const mutationByGet: ExecutionResult = {
  errors: [requestError("Can only perform a mutation operation from a POST request.", "BAD_REQUEST")],
  extensions: { http: { status: 405, headers: { Allow: "POST" } } },
};

/** How many documents of one client may be rejected per minute; further ones are not parsed. */
const refused = {
  name: "refused documents",
  most: 60,
  what: "Send an API token: without one, documents of one client may be refused",
};

/** Parses documents without an API token if they may select open fields. Limits rejected ones, which have no quota. */
class VisitorDocuments {
  readonly #executor: Executor;
  /** Finds the name of an open field anywhere in a text. */
  readonly #openName: RegExp;

  constructor(executor: Executor) {
    this.#executor = executor;
    const { query, subscription } = executor.openFields;
    this.#openName = new RegExp(`\\b(?:${[...query, ...subscription].join("|")})\\b`);
  }

  /**
   * The operation of a document with open fields, or the errors of a document that contains the name of one. Throws
   * UNAUTHENTICATED for any other, and RATE_LIMITED for a client with too many rejected ones, unless the document is
   * cached, like those of other visitors behind the same address.
   */
  async prepare(context: Context, text: string, operationName?: string | null): Promise<Operation | Refusal> {
    if (!this.#openName.test(text)) throw new DomainError("UNAUTHENTICATED");
    const client = quotaOf(context)?.user ?? "";
    const rate = context.costQuotas && !this.#executor.knows(text) ? new Rate(context.costQuotas, refused) : null;
    await rate?.take(client);
    const operation = this.#executor.prepare(text, operationName);
    if (!isOperation(operation)) return operation;
    if (operation.openness === "closed") throw new DomainError("UNAUTHENTICATED");
    await rate?.giveBack(client);
    return operation;
  }
}
