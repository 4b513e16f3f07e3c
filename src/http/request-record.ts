// One request or operation from its beginning to its answer, as those who watch the gateway see it.
import type { GraphQLFormattedError } from "graphql";
import { type Span, type Tracer, within } from "#src/runtime/spans.ts";
import type { Delivery } from "#src/graph/run/incremental/deliver.ts";

/** The ways in which something is asked for. */
export type Entrance = "graphql" | "rest" | "websocket" | "sse" | "multipart" | "other";

/** Counts requests that have their answers. */
export interface RequestMetrics {
  request(asked: { transport: string; operation: string; code: string | null }, seconds: number): void;
}

/** Those who watch. */
export interface Watchers {
  readonly metrics?: RequestMetrics | undefined;
  /** Follows some requests through what they do. */
  readonly tracing?: Tracer | undefined;
}

/** How a request came. */
interface Entered {
  readonly transport: Entrance;
  /** How spans of such requests begin: a method of HTTP, or `WebSocket`. */
  readonly method: string;
  /** What the caller says of the trace that it is part of. */
  readonly traceparent: unknown;
}

/** Codes of answers that say that something is wrong here. */
const failures = /^(5\d\d|INTERNAL|TIMEOUT|UNAVAILABLE|STORAGE_FULL|INTEGRATION_FAILED)$/;

/** See the head of this file. What it holds are names of ours, of which there are few: nothing that a caller chose. */
export class Watched {
  transport: Entrance;
  /** What is asked for: a field at the top of the schema, a route of `/v1`, or the beginning of a path. */
  operation = "unknown";
  /** `OK` or the code of the first error of GraphQL; for others the HTTP status. Null until it is known. */
  code: string | null = null;
  /** The place that spans name; by default it is what is asked for. */
  place: string | null = null;
  readonly #startedAt = performance.now();
  readonly #method: string;
  readonly #metrics: RequestMetrics | undefined;
  readonly #span: Span | undefined;
  #isDone = false;

  constructor({ transport, method, traceparent }: Entered, { metrics, tracing }: Watchers) {
    this.transport = transport;
    this.#method = method;
    this.#metrics = metrics;
    this.#span = tracing?.begin(method, "server", { traceparent });
  }

  /** Does what belongs to it. */
  run<Result>(work: () => Result): Result {
    return within(this.#span, work);
  }

  /** Takes the code of a result of GraphQL. */
  take(errors: readonly Pick<GraphQLFormattedError, "extensions">[] | undefined): void {
    const [first] = errors ?? [];
    const code = first?.extensions?.["code"];
    this.code = first ? (typeof code === "string" ? code : "UNKNOWN") : "OK";
  }

  /** Takes the code of an answer in pieces: that of the first error. */
  takePiece({ errors = [], incremental = [] }: Delivery): void {
    const all = [...errors, ...incremental.flatMap((part) => part.errors ?? [])];
    if (this.code === null || this.code === "OK") this.take(all);
  }

  /** It has its answer. Of a stream that is its beginning: what comes after that is not counted again. */
  done(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#metrics?.request(this, (performance.now() - this.#startedAt) / 1000);
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
