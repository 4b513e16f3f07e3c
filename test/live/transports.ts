// The transports of subscriptions behind one interface: WebSocket, server-sent events and multipart answers.
import { type IncomingMessage, request } from "node:http";
import { openKnown } from "#test/live/raw-socket.ts";
import type { Received } from "#test/live/stream.ts";

/** The next item: a message, an error code, or the end. */
export interface Heard extends Partial<Received> {
  readonly code?: string;
  /** `complete` by the protocol, or `cut` if only the connection ends. */
  readonly end?: "complete" | "cut";
}

export interface Subscription {
  readonly url: string;
  readonly token: string;
  readonly query: string;
  readonly variables: object;
  /** Headers of the request; not used by WebSockets. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface OpenStream {
  next(): Promise<Heard>;
  /** Stops reading from the connection until it is resumed. */
  pause(): void;
  resume(): void;
  close(): void;
}

export interface Transport {
  readonly name: string;
  open(subscription: Subscription): Promise<OpenStream>;
}

interface Result {
  readonly data?: Readonly<Record<string, Received>> | null;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

function resultFrom({ data, errors }: Result): Heard {
  const [message = {}] = Object.values(data ?? {});
  return errors ? { code: errors[0]?.extensions.code ?? "" } : message;
}

async function openWebSocket({ url, token, query, variables }: Subscription): Promise<OpenStream> {
  const raw = await openKnown(url, token);
  raw.send({ id: "1", type: "subscribe", payload: { query, variables } });
  let isOver = false;
  return {
    async next() {
      if (isOver) return { end: "complete" }; // an `error` is the last message
      const message = await raw.receive().catch(() => null);
      if (!message) return { end: "cut" };
      isOver = message.type === "error" || message.type === "complete";
      if (message.type === "complete") return { end: "complete" };
      const { payload } = message;
      return resultFrom((message.type === "error" ? { errors: payload } : payload) as Result); // by the protocol
    },
    pause: () => raw.socket.pause(),
    resume: () => raw.socket.resume(),
    close: () => raw.socket.terminate(),
  };
}

/** The pieces of a response up to a separator; null, with the rest, at the end. */
class Pieces {
  readonly #chunks: AsyncIterator<string>;
  rest = "";

  constructor(response: IncomingMessage) {
    this.#chunks = response.setEncoding("utf8")[Symbol.asyncIterator]();
  }

  async next(separator: string): Promise<string | null> {
    for (let at = this.rest.indexOf(separator); ; at = this.rest.indexOf(separator)) {
      if (at >= 0) {
        const found = this.rest.slice(0, at);
        this.rest = this.rest.slice(at + separator.length);
        return found;
      }
      const chunk = await this.#chunks.next().catch(() => null); // it was cut
      if (!chunk || chunk.done) return null;
      this.rest += chunk.value;
    }
  }
}

/** Sends the request; only `next` reads from the connection. */
async function openHttp(
  { url, token, query, variables, headers }: Subscription,
  accept: string,
  read: (pieces: Pieces) => Promise<Heard>,
): Promise<OpenStream> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const known = { authorization: `Bearer ${token}`, "content-type": "application/json", accept };
    const options = { method: "POST", agent: false, headers: { ...known, ...headers } };
    const sent = request(`${url}/graphql`, options, resolve);
    sent.on("error", reject);
    sent.end(JSON.stringify({ query, variables }));
  });
  const pieces = new Pieces(response);
  return {
    next: () => read(pieces),
    pause: () => {},
    resume: () => {},
    close: () => response.destroy(),
  };
}

async function readEvent(pieces: Pieces): Promise<Heard> {
  for (;;) {
    const block = await pieces.next("\n\n");
    if (block === null) return { end: "cut" };
    if (block.startsWith("event: complete")) return { end: "complete" };
    const data = /^data: (.*)$/m.exec(block)?.[1];
    if (data !== undefined) return resultFrom(JSON.parse(data) as Result);
  }
}

async function readPart(pieces: Pieces): Promise<Heard> {
  for (;;) {
    const part = await pieces.next("\r\n--graphql");
    if (part === null) return { end: pieces.rest.startsWith("--") ? "complete" : "cut" };
    const body = JSON.parse(part.slice(part.indexOf("\r\n\r\n") + 4)) as { payload?: Result | null } & Result;
    // A part without a payload is a heartbeat; a null payload has errors.
    if (body.payload !== undefined) return resultFrom(body.payload === null ? body : body.payload);
  }
}

const webSocket: Transport = { name: "WebSocket", open: openWebSocket };

/** Transports that accept the header Last-Event-ID. */
export const httpTransports: readonly Transport[] = [
  { name: "server-sent events", open: (subscription) => openHttp(subscription, "text/event-stream", readEvent) },
  {
    name: "multipart",
    open: (subscription) => openHttp(subscription, "multipart/mixed;subscriptionSpec=1.0", readPart),
  },
];

export const transports: readonly Transport[] = [webSocket, ...httpTransports];
