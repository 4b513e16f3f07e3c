// A stream on a socket: the hub's sink, and to the protocol library something that yields nothing and ends when the stream does.
import type { Duplex } from "node:stream";
import type { GraphQLError } from "graphql";
import type { WebSocket } from "ws";
import type { Sink } from "#src/server/live/sink.ts";

export class SocketStream implements Sink {
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

  /** Sends past the protocol library, which would write the same text anew for each subscriber. */
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

  /** For the protocol library: its end is the end of the stream, and the client's end of it is told to `onEnd`, once. */
  results(onEnd: () => void): AsyncGenerator<never, void, void> {
    let isOver = false;
    const end = () => {
      if (!isOver) onEnd();
      isOver = true;
    };
    const { promise } = this.#ended;
    promise.then(end, end);
    const stop = () => {
      this.complete();
      return promise;
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
