// The transport of a stream on a WebSocket: it bypasses the protocol library, to which it is an iterator that yields
// nothing and ends with the stream, and the socket, with frames that many streams share.
import type { Duplex } from "node:stream";
import type { GraphQLError } from "graphql";
import type { WebSocket } from "ws";
import type { Batch, Sendable, Transport } from "#src/server/live/stream.ts";

/** Bytes of a batch up to which its frames are one piece of memory; pieces of longer ones are shared by all. */
const copyLimit = 64 * 1024;

/** The parts of a protocol message before and after its payload. */
const startOf = (id: string): Buffer => Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
const end = Buffer.from("}");

/** The frames of messages for the subscription `id`, in pieces. */
function framesOf(id: string, messages: readonly Sendable[]): Buffer[] {
  const start = startOf(id);
  return messages.flatMap(({ json }) => [textFrameHead(start.length + json.length + end.length), start, json, end]);
}

export class SocketTransport implements Transport {
  readonly kind = "websocket";
  readonly #socket: WebSocket;
  readonly #connection: Duplex;
  readonly #id: string;
  readonly #onFail: (error: GraphQLError) => void;
  readonly #ended = Promise.withResolvers<End>();

  /** `connection` is what the socket writes to; `onFail` is called when the stream has ended with an error. */
  constructor(socket: WebSocket, connection: Duplex, id: string, onFail: (error: GraphQLError) => void = () => {}) {
    this.#ended.promise.catch(() => {}); // it may fail before its results are awaited
    this.#onFail = onFail;
    this.#socket = socket;
    this.#connection = connection;
    this.#id = id;
  }

  /**
   * Writes frames that are made once for all streams with the same id, in order with the socket's own messages,
   * since without an extension it writes at once. Long messages are not copied for each id.
   */
  send(batch: Batch): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.extensions !== "") this.#sendAnew(batch);
    else if (batch.length <= copyLimit)
      this.#connection.write(batch.form(this.#id, (messages) => Buffer.concat(framesOf(this.#id, messages))));
    else {
      this.#connection.cork();
      for (const piece of framesOf(this.#id, batch.messages)) this.#connection.write(piece);
      this.#connection.uncork();
    }
  }

  /** The result of an extension such as compression belongs to one socket. */
  #sendAnew({ messages }: Batch): void {
    const start = startOf(this.#id);
    for (const { json } of messages) this.#socket.send(Buffer.concat([start, json, end]), { binary: false });
  }

  complete(): void {
    this.#ended.resolve(done);
  }

  fail([error]: readonly GraphQLError[]): void {
    this.#ended.reject(error ?? new Error("A stream failed without an error"));
    if (error) this.#onFail(error);
  }

  get bufferedBytes(): number {
    return this.#socket.bufferedAmount;
  }

  /** For the protocol library. `onEnd` is called once, when the stream has ended or the client has ended it. */
  results(onEnd: () => void): AsyncGenerator<never, void, void> {
    return new Results(this.#ended, onEnd);
  }
}

type End = IteratorResult<never, void>;

const done: End = { done: true, value: undefined };

/** The results that the protocol library waits for: only the end. */
class Results implements AsyncGenerator<never, void, void> {
  readonly #ended: PromiseWithResolvers<End>;

  constructor(ended: PromiseWithResolvers<End>, onEnd: () => void) {
    this.#ended = ended;
    ended.promise.then(onEnd, onEnd);
  }

  next(): Promise<End> {
    return this.#ended.promise;
  }

  /** The library awaits this when the client disconnects, and errors are not caught there: the end is enough. */
  return(): Promise<End> {
    this.#ended.resolve(done);
    return this.#ended.promise.catch(() => done);
  }

  throw(): Promise<End> {
    return this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }
}

/** The first bits of a text frame that is not continued. */
const finalText = 0x81;

/** The header of a text frame of a server: complete and never masked (RFC 6455, section 5.2). */
export function textFrameHead(length: number): Buffer {
  if (length < 126) return Buffer.from([finalText, length]);
  if (length < 2 ** 16) {
    const head = Buffer.from([finalText, 126, 0, 0]);
    head.writeUInt16BE(length, 2);
    return head;
  }
  const head = Buffer.from([finalText, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUIntBE(length, 4, 6); // 48 of 64 bits: more than fits into memory
  return head;
}
