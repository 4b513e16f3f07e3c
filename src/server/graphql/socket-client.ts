// One client of the protocol on WebSockets: what the library of the protocol needs of its socket, and what is known of
// it.
import type { Duplex } from "node:stream";
import type { WebSocket as ProtocolSocket } from "graphql-ws";
import type { WebSocket } from "ws";
import { isRecord } from "#src/base/json.ts";
import type { Contexts } from "#src/server/http/request-contexts.ts";
import type { TimeLimit } from "#src/db/connection/time-limit.ts";
import type { SocketFlow } from "#src/server/graphql/socket-flow.ts";

type Upgrade = ReturnType<Contexts["ofUpgrade"]>;

/** The connection of one socket. */
export interface SocketConnection {
  readonly socket: WebSocket;
  /** What the socket writes to. */
  readonly connection: Duplex;
  readonly flow: SocketFlow;
  /** What the upgrade says of who is asking. */
  readonly known: Upgrade;
}

const noToken = "The token was revoked, or has expired";

/** One socket: what the protocol library needs of it, and what is known of it. */
export class Client implements SocketConnection, ProtocolSocket {
  readonly socket: WebSocket;
  readonly connection: Duplex;
  readonly flow: SocketFlow;
  readonly known: Upgrade;
  tokenId: string | undefined;
  /** Streams that are open or being opened. */
  streams = 0;
  /** The time of the operations that run: it ends with the socket. */
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

  /** Closes it when what is being said is said: its token is not good any more. */
  closeSoon(): void {
    setImmediate(() => this.close(4403, noToken));
  }

  onMessage(listener: (text: string) => Promise<void>): void {
    this.receive = (text) => listener(withQuery(text));
  }
}

/** The protocol library wants a document in each request: an empty one is added where an id stands for it. */
function withQuery(text: string): string {
  if (!text.includes('"documentId"') && !text.includes('"persistedQuery"')) return text;
  try {
    const message: unknown = JSON.parse(text);
    const payload = isRecord(message) ? message["payload"] : null;
    if (!isRecord(message) || !isRecord(payload) || payload["query"] !== undefined) return text;
    return JSON.stringify({ ...message, payload: { ...payload, query: "" } });
  } catch {
    return text; // which the library refuses
  }
}
