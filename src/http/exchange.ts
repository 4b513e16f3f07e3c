// One HTTP exchange: the request, the response, and its record for the log, the metrics and its span.
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { GraphQLFormattedError } from "graphql";
import type { ErrorCode } from "#src/base/errors.ts";
import { StatementCounter } from "#src/db/connection/database.ts";
import type { TimeLimit } from "#src/db/connection/time-limit.ts";
import type { Context } from "#src/domain/context.ts";
import type { Origin } from "#src/events/audit.ts";
import type { Delivery } from "#src/graph/run/incremental/deliver.ts";
import { setEarlyHeader } from "#src/http/early-headers.ts";
import { type Span, type Tracer, within } from "#src/runtime/spans.ts";
import type { PromiseOrValue } from "#src/runtime/waiting.ts";

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Path of the request without the query, which may contain secrets. It begins with `base`. */
  readonly path: string;
  /** The path that the host of the request serves, such as that of a site; empty at docgraph's own hosts. */
  readonly base: string;
  readonly requestId: string;
  readonly meter: StatementCounter;
  operationName: string | undefined;
  readonly watched: RequestRecord;
  /** The caller, once known: ids, for the log. */
  asker: { readonly tokenId: string; readonly userId: string } | undefined;
  /** The time limits of its operations, once known: they end when the client closes the request. */
  readonly limits: Set<TimeLimit>;
  /** The document that is run, once known: the log contains its hash if it was slow. */
  document: string | undefined;
  /** The code of the error that was returned outside of GraphQL, once known. */
  refusal: ErrorCode | undefined;
}

export type Handler = (exchange: Exchange) => Promise<void>;

export type ContextOf = (exchange: Exchange) => PromiseOrValue<Context>;

/** Authenticates the caller. All methods throw UNAUTHENTICATED for a token that is not valid. */
export interface RequestContexts {
  /** Requires a token or a session. FORBIDDEN for a session without proof against CSRF. */
  readonly ofRequest: ContextOf;
  /** Also accepts a request without either, which may only read what is open to visitors. */
  readonly ofAnyone: ContextOf;
  /** For pages, which show what is open to anyone; a session that has ended is ignored. */
  readonly ofPage: ContextOf;
  /** The viewer of a user whom this request has signed in. */
  readonly ofSession: (exchange: Exchange, secret: string) => Promise<Context>;
  readonly originOf: (request: IncomingMessage) => Origin;
}

/** Opens the exchange of a request: sets the request id on the response, and starts its span. */
export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  observers: Observers = {},
  base = "",
): Exchange {
  const requestId = saneRequestId(request.headers["x-request-id"]) ?? randomUUID();
  setEarlyHeader(response, "x-request-id", requestId);
  const { method = "GET", headers } = request;
  const watched = new RequestRecord({ transport: "other", method, traceparent: headers["traceparent"] }, observers);
  return {
    request,
    response,
    path: base === "" ? pathOf(request) : base + pathOf(request),
    base,
    requestId,
    meter: new StatementCounter(),
    operationName: undefined,
    watched,
    asker: undefined,
    document: undefined,
    refusal: undefined,
    limits: new Set(),
  };
}

/** The path of a request without the query. Cut as text: the target of a request need not be a valid URL. */
export function pathOf({ url = "/" }: IncomingMessage): string {
  const query = url.indexOf("?");
  return query < 0 ? url : url.slice(0, query);
}

/** The query string of a request; empty if missing. */
export function searchOf({ url = "" }: IncomingMessage): string {
  const start = url.indexOf("?");
  return start < 0 ? "" : url.slice(start + 1);
}

/** The target of a request as its path and query: proxies may send the absolute form (RFC 9112, section 3.2.2). */
export function originForm(target: string): string {
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, "");
  if (rest === target) return target;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

const saneRequestId = (header: string | string[] | undefined): string | undefined =>
  typeof header === "string" && /^[\w.:-]{1,100}$/.test(header) ? header : undefined;

export type RequestTransport = "graphql" | "rest" | "websocket" | "sse" | "multipart" | "other";

export interface RequestMetrics {
  request(asked: { transport: string; operation: string; code: string | null }, seconds: number): void;
}

export interface Observers {
  readonly metrics?: RequestMetrics | undefined;
  readonly tracing?: Tracer | undefined;
}

interface Arrived {
  readonly transport: RequestTransport;
  readonly method: string;
  readonly traceparent: unknown;
}

/** Codes of responses to requests that have failed here. */
const failures = /^(5\d\d|INTERNAL|TIMEOUT|UNAVAILABLE|STORAGE_FULL|INTEGRATION_FAILED)$/;

/** A request, or an operation on a socket, in metrics and traces: never contains names chosen by a caller. */
export class RequestRecord {
  transport: RequestTransport;
  /** The target: a top-level field of the schema, a route of `/v1`, or the beginning of a path. */
  operation = "unknown";
  /** `OK` or the code of the first GraphQL error; otherwise the HTTP status. Null until it is known. */
  code: string | null = null;
  /** The name of spans; by default the target. */
  place: string | null = null;
  readonly startedAt = performance.now();
  readonly #method: string;
  readonly #metrics: RequestMetrics | undefined;
  readonly #span: Span | undefined;
  #isDone = false;

  constructor({ transport, method, traceparent }: Arrived, { metrics, tracing }: Observers) {
    this.transport = transport;
    this.#method = method;
    this.#metrics = metrics;
    this.#span = tracing?.begin(method, "server", { traceparent });
  }

  run<Result>(work: () => Result): Result {
    return within(this.#span, work);
  }

  take(errors: readonly Pick<GraphQLFormattedError, "extensions">[] | undefined): void {
    const [first] = errors ?? [];
    const code = first?.extensions?.["code"];
    this.code = first ? (typeof code === "string" ? code : "UNKNOWN") : "OK";
  }

  /** Records the code of a response in parts: that of the first error. */
  takePiece({ errors = [], incremental = [] }: Delivery): void {
    const all = [...errors, ...incremental.flatMap((part) => part.errors ?? [])];
    if (this.code === null || this.code === "OK") this.take(all);
  }

  /** Records the response; of a stream when it is open. */
  done(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#metrics?.request(this, (performance.now() - this.startedAt) / 1000);
    this.#endSpan();
  }

  #endSpan(): void {
    if (!this.#span) return;
    const [place, code] = [this.place ?? this.operation, this.code ?? "UNKNOWN"];
    const attributes = { "http.route": place, "docgraph.transport": this.transport, "docgraph.code": code };
    const failure = failures.test(code) ? code : undefined;
    this.#span.end({ name: `${this.#method} ${place}`, attributes, failure });
  }
}
