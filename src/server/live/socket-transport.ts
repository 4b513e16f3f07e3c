// The transport of a stream on a WebSocket: it sends past the protocol library, to which it is an iterator that yields
// nothing and ends when the stream does.
import type { Duplex } from "node:stream";
import type { GraphQLError } from "graphql";
import type { WebSocket } from "ws";
import type { Transport } from "#src/server/live/transport.ts";

export class SocketTransport implements Transport {
  readonly #socket: WebSocket;
  readonly #connection: Duplex;
  /** Everything of a message before its payload. */
  readonly #start: string;
  readonly #ended = Promise.withResolvers<IteratorResult<never, void>>();

  /** `connection` is what the socket writes to. */
  constructor(socket: WebSocket, connection: Duplex, id: string) {
    this.#socket = socket;
    this.#connection = connection;
    this.#start = `{"id":${JSON.stringify(id)},"type":"next","payload":`;
  }

  /** Sends past the protocol library, which would serialize the same message again for each subscriber. */
  send(result: string): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(`${this.#start}${result}}`);
  }

  together(sendMany: () => void): void {
    this.#connection.cork();
    try {
      sendMany();
    } finally {
      this.#connection.uncork();
    }
  }

  complete(): void {
    this.#ended.resolve({ done: true, value: undefined });
  }

  fail([error]: readonly GraphQLError[]): void {
    this.#ended.reject(error ?? new Error("A stream failed without an error"));
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  /** For the protocol library. `onEnd` is called once, when the stream has ended or the client has ended it. */
  results(onEnd: () => void): AsyncGenerator<never, void, void> {
    let isOver = false;
    const end = () => {
      if (!isOver) onEnd();
      isOver = true;
    };
    const { promise } = this.#ended;
    promise.then(end, end);
    // The library waits for this when the client goes away, and nobody catches an error there: the end is enough.
    const stop = () => {
      this.complete();
      return promise.catch(() => ({ done: true, value: undefined }) as const);
    };
    return {
      next: () => promise,
      return: stop,
      throw: stop,
      [Symbol.asyncIterator]() {
        return this;
      },
      [Symbol.asyncDispose]: async () => void (await stop()),
    };
  }
}
