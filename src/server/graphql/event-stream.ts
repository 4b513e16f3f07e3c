// Subscriptions over HTTP: one request is one stream, of server-sent events (the "distinct connections" mode of
// GraphQL over SSE) or of parts (Apollo's multipart protocol). The id of each event is its cursor: a client that
// reconnects with `Last-Event-ID` continues from there.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { GraphQLError } from "graphql";
import { callerOf } from "#src/domain/cost.ts";
import { DomainError } from "#src/base/errors.ts";
import { decodeEventCursor, type OutboxPosition } from "#src/events/outbox-position.ts";
import { OpenCounts } from "#src/runtime/open-items.ts";
import type { Exchange } from "#src/http/exchange.ts";
import { eventStreamHead } from "#src/http/send.ts";
import {
  type Batch,
  leave,
  type Leaving,
  type Sendable,
  type Transport,
  type TransportKind,
} from "#src/server/live/stream.ts";
import { beginParts, endOfParts, partOf, subscriptionParts } from "#src/server/graphql/answer.ts";
import type { Hub, StreamRequest } from "#src/server/live/hub.ts";

/** How often a heartbeat is sent, in milliseconds, so that proxies do not close an idle stream. */
const defaultKeepAliveMs = 12_000;

interface StreamForm {
  readonly kind: TransportKind;
  begin(response: ServerResponse): void;
  readonly signOfLife: string;
  /** The messages of a batch: formatted once for all streams of the form. */
  messages(messages: readonly Sendable[]): Buffer;
  errors(errors: readonly GraphQLError[]): string;
  readonly end: string;
}

/** How many streams of one user may be open: by default as many as sockets with one token. */
const defaultMostOfUser = 1000;

/** The key under which a formatted batch is cached. */
const keys = { sse: Symbol("server-sent events"), multipart: Symbol("parts") };

const endOfEvent = Buffer.from("\n\n");
const payloadStart = Buffer.from('{"payload":');

const forms = {
  sse: {
    kind: "sse",
    begin: (response) => {
      response.writeHead(200, eventStreamHead);
      response.write(":\n\n"); // sends the headers before the first event
    },
    signOfLife: ":\n\n",
    /** Each message as an event, with its cursor as id. */
    messages: (messages) =>
      Buffer.concat(
        messages.flatMap(({ cursor, json }) => [Buffer.from(`event: next\nid: ${cursor}\ndata: `), json, endOfEvent]),
      ),
    errors: (errors) => `event: next\ndata: ${JSON.stringify({ errors })}\n\n`,
    end: "event: complete\ndata:\n\n",
  },
  multipart: {
    kind: "multipart",
    begin: (response) => {
      beginParts(response, subscriptionParts);
      response.write(partOf("{}"));
    },
    signOfLife: partOf("{}"),
    messages: (messages) => {
      const [start, end] = partOf("\0")
        .split("\0")
        .map((text) => Buffer.from(text));
      if (!start || !end) throw new Error("A part must have a beginning and an end.");
      return Buffer.concat(messages.flatMap(({ json }) => [start, payloadStart, json, Buffer.from("}"), end]));
    },
    errors: (errors) => partOf(JSON.stringify({ payload: null, errors })),
    end: endOfParts,
  },
} as const satisfies Readonly<Record<string, StreamForm>>;

type StreamFormName = keyof typeof forms;

class HttpTransport implements Transport {
  readonly kind: TransportKind;
  readonly #response: ServerResponse;
  readonly #name: StreamFormName;
  readonly #keepAlive: NodeJS.Timeout;

  constructor(response: ServerResponse, name: StreamFormName, keepAliveMs: number) {
    this.kind = forms[name].kind;
    this.#response = response;
    this.#name = name;
    this.#keepAlive = setInterval(() => this.#write(forms[name].signOfLife), keepAliveMs);
  }

  get bufferedBytes(): number {
    return this.#response.writableLength;
  }

  send(batch: Batch): void {
    this.#write(batch.form(keys[this.#name], forms[this.#name].messages));
  }

  complete(): void {
    this.close();
    if (!this.#response.writableEnded) this.#response.end(forms[this.#name].end);
  }

  fail(errors: readonly GraphQLError[]): void {
    if (this.#response.writableEnded) return;
    this.#write(forms[this.#name].errors(errors));
    this.complete();
  }

  /** Ends the connection, not the subscription: the client reconnects with its last cursor. */
  leave(): void {
    this.close();
    this.#response.end();
  }

  close(): void {
    clearInterval(this.#keepAlive);
  }

  #write(bytes: Buffer | string): void {
    if (!this.#response.writableEnded) this.#response.write(bytes);
  }
}

export type EventStreams = ReturnType<typeof createEventStreams>;

type Asked = Omit<StreamRequest, "after">;

/** The position after which a client continues that reconnects. */
function lastEventOf({ headers: { "last-event-id": id } }: IncomingMessage): OutboxPosition | undefined {
  return typeof id === "string" && id !== "" ? decodeEventCursor(id, "Last-Event-ID") : undefined;
}

const tooMany = (most: number) => `At most ${most} streams of a user may be open: close some first.`;

export function createEventStreams(hub: Hub, keepAliveMs = defaultKeepAliveMs, mostOfUser = defaultMostOfUser) {
  const open = new Set<HttpTransport>();
  const ofUser = new OpenCounts(mostOfUser);
  return {
    /**
     * Several subscriptions share the response, which ends with the first of them; they start now. Throws INVALID_INPUT
     * for an invalid `Last-Event-ID`, RATE_LIMITED for too many; sends other errors as events.
     */
    async answer(
      { request, response, watched }: Exchange,
      name: StreamFormName,
      asked: readonly [Asked, ...Asked[]],
    ): Promise<void> {
      const after = asked.length === 1 ? lastEventOf(request) : undefined;
      const caller = callerOf(asked[0].context);
      if (!ofUser.add(caller)) throw new DomainError("RATE_LIMITED", tooMany(mostOfUser));
      if (response.closed) return ofUser.remove(caller); // the client has already disconnected
      response.once("close", () => ofUser.remove(caller));
      forms[name].begin(response);
      const transport = new HttpTransport(response, name, keepAliveMs);
      const closed = new Promise<void>((resolve) => response.once("close", resolve));
      const opened = await Promise.all(asked.map((one) => hub.open({ ...one, after }, transport)));
      const refused = opened.find((one) => "refusal" in one);
      watched.take(refused?.refusal);
      watched.done();
      if (refused) transport.fail(refused.refusal);
      else open.add(transport);
      await closed;
      open.delete(transport);
      transport.close();
      for (const one of opened) if ("close" in one) one.close();
    },
    close: (leaving: Leaving) => leave(leaving, [...open], (transport) => transport.leave()),
  };
}
