// One operation on a WebSocket as those who watch the gateway see it: counted, traced, and told in the log.
import type { GraphQLError } from "graphql";
import type { Logger } from "pino";
import { meterStatements, StatementCounter } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";
import { isOperation, type Operation } from "#src/graph/run/execute.ts";
import type { Refusal } from "#src/graph/run/documents.ts";
import type { Delivery } from "#src/graph/run/incremental/deliver.ts";
import { tellDone } from "#src/server/http/access-log.ts";
import { Watched, type Watchers } from "#src/http/request-record.ts";

interface Given {
  readonly watchers: Watchers;
  readonly log: Logger;
  /** What the caller says of the trace that it is part of. */
  readonly traceparent: unknown;
  readonly document: string;
}

/** From its message to its answer; of a subscription, until it is open or refused. */
export class SocketOperation {
  readonly #watched: Watched;
  readonly #log: Logger;
  readonly #document: string;
  readonly #meter = new StatementCounter();
  readonly #started = performance.now();
  #name: string | undefined;
  #asker: { readonly tokenId: string; readonly userId: string } | undefined;

  constructor({ watchers, log, traceparent, document }: Given) {
    this.#watched = new Watched({ transport: "websocket", method: "WebSocket", traceparent }, watchers);
    this.#watched.place = "/graphql";
    this.#log = log;
    this.#document = document;
  }

  /** Notes what is asked for. */
  takes(operation: Operation | Refusal): void {
    this.#watched.operation = isOperation(operation) ? operation.asks : "invalid";
    this.#name = isOperation(operation) ? operation.name : undefined;
  }

  /** Notes who asks. */
  isOf({ viewer: { tokenId, userId } }: Context): void {
    this.#asker = { tokenId, userId };
  }

  /** Does what belongs to it. */
  run<Result>(work: () => Result): Result {
    return this.#watched.run(() => meterStatements(this.#meter, work));
  }

  /** A piece of its answer is sent. */
  takePiece(piece: Delivery): void {
    this.#watched.takePiece(piece);
  }

  /** It has its answer, with these errors; null where the pieces of the answer had them. */
  done(errors: readonly GraphQLError[] | undefined | null): void {
    if (errors !== null) this.#watched.take(errors);
    this.#watched.done();
    const code = this.#watched.code ?? "OK";
    tellDone(this.#log, {
      asked: { transport: "websocket" },
      code,
      isRefused: code !== "OK",
      operationName: this.#name,
      asker: this.#asker,
      document: this.#document,
      meter: this.#meter,
      started: this.#started,
    });
  }
}
