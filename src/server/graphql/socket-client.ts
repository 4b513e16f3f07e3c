// One client of the WebSocket protocol: the socket interface for the protocol library, and the state of the client.
import type { Duplex } from "node:stream";
import type { WebSocket as ProtocolSocket } from "graphql-ws";
import type { WebSocket } from "ws";
import { isRecord } from "#src/base/json.ts";
import type { Contexts } from "#src/server/http/request-contexts.ts";
import type { TimeLimit } from "#src/db/connection/time-limit.ts";
import { setTimeout as wait } from "node:timers/promises";

type Upgrade = ReturnType<Contexts["ofUpgrade"]>;

export interface SocketConnection {
  readonly socket: WebSocket;
  readonly connection: Duplex;
  readonly flow: SocketFlow;
  readonly known: Upgrade;
}

const noToken = "The token was revoked, or has expired";

export class Client implements SocketConnection, ProtocolSocket {
  readonly socket: WebSocket;
  readonly connection: Duplex;
  readonly flow: SocketFlow;
  readonly known: Upgrade;
  tokenId: string | undefined;
  streams = 0;
  /** The time limits of running operations: they end with the socket. */
  readonly running = new Set<TimeLimit>();
  receive: (text: string) => Promise<void> = () => Promise.resolve();

  constructor({ socket, connection, flow, known }: SocketConnection) {
    this.socket = socket;
    this.connection = connection;
    this.flow = flow;
    this.known = known;
  }

  get protocol(): string {
    return this.socket.protocol;
  }

  send(text: string): void {
    if (this.socket.readyState === this.socket.OPEN) this.socket.send(text);
  }

  close(code: number, reason: string): void {
    this.socket.close(code, reason);
  }

  /** Closes it after the pending messages: its token has expired or was revoked. */
  closeSoon(): void {
    setImmediate(() => this.close(4403, noToken));
  }

  onMessage(listener: (text: string) => Promise<void>): void {
    this.receive = (text) => listener(withQuery(text));
  }
}

/** The protocol library requires a document in each request: an empty one is added beside an id. */
function withQuery(text: string): string {
  if (!text.includes('"documentId"') && !text.includes('"persistedQuery"')) return text;
  try {
    const message: unknown = JSON.parse(text);
    const payload = isRecord(message) ? message["payload"] : null;
    if (!isRecord(message) || !isRecord(payload) || payload["query"] !== undefined) return text;
    return JSON.stringify({ ...message, payload: { ...payload, query: "" } });
  } catch {
    return text; // rejected by the library
  }
}

const limits = {
  /** Operations that run concurrently. Streams do not count once they are open. */
  running: 10,
  /** Operations that were read and wait for others to end. */
  waiting: 100,
  /** Unsent bytes up to which a further message is read. */
  bufferedBytes: 1024 * 1024,
} as const;

/** How often a socket with too many unsent bytes is checked, in milliseconds. */
const lookMs = 20;

/** While too many operations run or bytes wait, nothing more is read: so unread responses cannot fill the memory. */
export class SocketFlow {
  readonly #socket: WebSocket;
  readonly #receive: (text: string) => void;
  readonly #held: string[] = [];
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #isScheduled = false;

  /** `receive` takes each message of the socket when there is room for its operation. */
  constructor(socket: WebSocket, receive: (text: string) => void) {
    this.#socket = socket;
    this.#receive = receive;
  }

  take(text: string): void {
    if (this.#held.length === 0 && this.#mayTake) {
      this.#receive(text);
      return;
    }
    this.#held.push(text);
    this.#socket.pause();
    this.#schedule();
  }

  /** Waits until one more operation may run. Call {@link done} once afterwards. */
  async begin(): Promise<void> {
    if (this.#waiting.length === 0 && this.#mayRun) {
      this.#running++;
      return;
    }
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#schedule();
    });
  }

  /** An operation has ended, or has become a stream. It counts until its response has been passed to the socket. */
  done(): void {
    setImmediate(() => {
      this.#running--;
      this.#schedule();
    });
  }

  /** Waits until the client has read so much that more may be sent, or has disconnected. */
  async room(): Promise<void> {
    while (this.#isFull) await wait(lookMs, undefined, { ref: false });
  }

  get #isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  get #isFull(): boolean {
    return this.#isOpen && this.#socket.bufferedAmount > limits.bufferedBytes;
  }

  get #mayTake(): boolean {
    return this.#waiting.length < limits.waiting && !this.#isFull;
  }

  get #mayRun(): boolean {
    return this.#running < limits.running && !this.#isFull;
  }

  /** Soon continues with waiting messages. If an operation has to end first, {@link done} calls this again. */
  #schedule(): void {
    if (this.#isScheduled) return;
    const isNext = (this.#held.length > 0 && this.#mayTake) || (this.#waiting.length > 0 && this.#mayRun);
    if (!this.#isFull && !isNext) return;
    this.#isScheduled = true;
    const goOn = () => {
      this.#isScheduled = false;
      this.#goOn();
    };
    if (this.#isFull) setTimeout(goOn, lookMs).unref();
    else setImmediate(goOn);
  }

  /** Takes at most one message: its effects are complete when the next one is taken. */
  #goOn(): void {
    if (!this.#isOpen) this.#held.length = 0;
    while (this.#waiting.length > 0 && this.#mayRun) {
      this.#running++;
      this.#waiting.shift()?.();
    }
    const next = this.#mayTake ? this.#held.shift() : undefined;
    if (next !== undefined) this.#receive(next);
    if (this.#held.length === 0) this.#socket.resume();
    if (this.#held.length > 0 || this.#waiting.length > 0) this.#schedule();
  }
}
