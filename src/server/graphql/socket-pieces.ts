// The pieces of an answer on a WebSocket: each is a message of at most 4 MB, sent when the client has read those before
// it.
import { jsonLength } from "#src/runtime/long-json.ts";
import { inTurns } from "#src/runtime/yielding.ts";
import type { Context } from "#src/domain/context.ts";
import { publicError } from "#src/graph/run/errors.ts";
import type { Receiver } from "#src/graph/run/execute.ts";
import type { Delivery } from "#src/graph/run/incremental/deliver.ts";
import { isLongValue, longValueError } from "#src/graph/run/within-limits.ts";
import type { SocketFlow } from "#src/server/graphql/socket-flow.ts";

interface Given {
  readonly context: Context;
  readonly flow: SocketFlow;
  /** Runs the query, which hands over its pieces. */
  readonly run: (receiver: Receiver) => Promise<void>;
  /** Called with each piece that is sent. */
  readonly onPiece: (piece: Delivery) => void;
  /** Called when the last one is. */
  readonly onEnd: () => void;
}

/** Runs a query, and gives the pieces of its answer. Whoever wants no more of them ends it by `return`. */
export function socketPieces({ context, flow, run, onPiece, onEnd }: Given): AsyncIterableIterator<Delivery> {
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
    // That of the stream would wait for the next piece first.
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

/** A delivery as messages: parts that are too long together go one by one. Throws for one that is so by itself. */
async function messagesOf(delivery: Delivery): Promise<Delivery[]> {
  const bytes = await jsonLength(delivery);
  if (!isLongValue(bytes)) return [delivery];
  const { incremental = [], hasNext = false } = delivery;
  if (incremental.length < 2) throw longValueError("A part of an answer", bytes);
  const messages = incremental.map((part, index) => ({
    incremental: [part],
    hasNext: hasNext || index < incremental.length - 1,
  }));
  for (const message of messages) await messagesOf(message);
  return messages;
}
