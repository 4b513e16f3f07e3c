// One operation on a WebSocket: counted, traced and logged like a request. With @defer, its response is sent in parts.
import type { GraphQLError } from "graphql";
import type { Logger } from "pino";
import { meterStatements, StatementCounter } from "#src/db/connection/database.ts";
import type { Context } from "#src/domain/context.ts";
import { isOperation, type Operation, type Receiver } from "#src/graph/run/execute.ts";
import type { Refusal } from "#src/graph/run/documents.ts";
import type { Delivery } from "#src/graph/run/incremental/deliver.ts";
import { writeLine } from "#src/server/http/access-log.ts";
import { type Observers, RequestRecord } from "#src/http/exchange.ts";
import { jsonLength } from "#src/runtime/long-json.ts";
import { inTurns } from "#src/runtime/yielding.ts";
import { publicError } from "#src/graph/run/errors.ts";
import { isLongValue, longValueError } from "#src/graph/run/within-limits.ts";
import type { SocketFlow } from "#src/server/graphql/socket-client.ts";

interface Given {
  readonly observers: Observers;
  readonly log: Logger;
  readonly traceparent: unknown;
  readonly document: string;
}

/** From its message to its response; of a subscription, until it is open or rejected. */
export class SocketOperation {
  readonly #watched: RequestRecord;
  readonly #log: Logger;
  readonly #document: string;
  readonly #meter = new StatementCounter();
  #name: string | undefined;
  #asker: { readonly tokenId: string; readonly userId: string } | undefined;

  constructor({ observers, log, traceparent, document }: Given) {
    this.#watched = new RequestRecord({ transport: "websocket", method: "WebSocket", traceparent }, observers);
    this.#watched.place = "/graphql";
    this.#log = log;
    this.#document = document;
  }

  takes(operation: Operation | Refusal): void {
    this.#watched.operation = isOperation(operation) ? operation.asks : "invalid";
    this.#name = isOperation(operation) ? operation.name : undefined;
  }

  isOf({ viewer: { tokenId, userId } }: Context): void {
    this.#asker = { tokenId, userId };
  }

  run<Result>(work: () => Result): Result {
    return this.#watched.run(() => meterStatements(this.#meter, work));
  }

  takePiece(piece: Delivery): void {
    this.#watched.takePiece(piece);
  }

  /** Records its response, with these errors; null if the parts of the response had them. */
  done(errors: readonly GraphQLError[] | undefined | null): void {
    if (errors !== null) this.#watched.take(errors);
    this.#watched.done();
    const code = this.#watched.code ?? "OK";
    writeLine(this.#log, {
      asked: { transport: "websocket" },
      code,
      isRefused: code !== "OK",
      operationName: this.#name,
      asker: this.#asker,
      document: this.#document,
      meter: this.#meter,
      startedAt: this.#watched.startedAt,
    });
  }
}

interface Pieces {
  readonly context: Context;
  readonly flow: SocketFlow;
  readonly run: (receiver: Receiver) => Promise<void>;
  readonly onPiece: (piece: Delivery) => void;
  readonly onEnd: () => void;
}

/** Runs a query, and yields the parts of its response. `return` ends it early. */
export function socketPieces({ context, flow, run, onPiece, onEnd }: Pieces): AsyncIterableIterator<Delivery> {
  let isOver = false;
  let isBegun = false;
  let close = () => {};
  const pieces = new ReadableStream<Delivery>({
    async start(queue) {
      close = () => {
        if (!isOver) queue.close();
        isOver = true;
      };
      const give = (piece: Delivery) => {
        isBegun = true;
        onPiece(piece);
        if (!isOver) queue.enqueue(piece);
      };
      const send = async (delivery: Delivery) => {
        for await (const message of inTurns(await messagesOf(delivery))) {
          await flow.room();
          give(message);
        }
      };
      await run({ send, isOver: () => isOver }).catch((error: unknown) =>
        give({ errors: [publicError(error, context)], ...(isBegun && { hasNext: false }) }),
      );
      onEnd();
      close();
    },
  }).values();
  return {
    next: () => pieces.next(),
    // The stream's own `return` would wait for the next part first.
    return() {
      close();
      context.limit.abandon();
      return Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** A delivery as messages: parts that are too long together are sent separately. Throws if a single one is too long. */
async function messagesOf(delivery: Delivery): Promise<Delivery[]> {
  const bytes = await jsonLength(delivery);
  if (!isLongValue(bytes)) return [delivery];
  const { incremental = [], hasNext = false } = delivery;
  if (incremental.length < 2) throw longValueError("A part of a response", bytes);
  const messages = incremental.map((part, index) => ({
    incremental: [part],
    hasNext: hasNext || index < incremental.length - 1,
  }));
  for (const message of messages) await messagesOf(message);
  return messages;
}
