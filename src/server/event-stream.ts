// Subscriptions over server-sent events (the "distinct connections" mode of GraphQL over SSE): one request is one
// stream. The id of each event is its cursor: a client that comes back with `Last-Event-ID` goes on from there.
import type { ServerResponse } from "node:http";
import type { GraphQLError } from "graphql";
import { decodeEventCursor } from "#src/events/outbox-position.ts";
import type { Exchange } from "#src/server/exchange.ts";
import { leave, type Leaving } from "#src/server/leave.ts";
import type { Batch, Sendable } from "#src/server/live/batch.ts";
import type { Hub, StreamRequest } from "#src/server/live/hub.ts";
import type { Transport } from "#src/server/live/transport.ts";

/** How often a comment is sent, in milliseconds, so that no proxy takes a quiet stream for a dead one. */
const defaultKeepAliveMs = 12_000;

/** The form of a batch in which all event streams send it. */
const eventStreamForm = Symbol("server-sent events");

class EventStreamTransport implements Transport {
  readonly kind = "sse";
  readonly #response: ServerResponse;
  readonly #keepAlive: NodeJS.Timeout;

  constructor(response: ServerResponse, keepAliveMs: number) {
    this.#response = response;
    this.#keepAlive = setInterval(() => this.#write(":\n\n"), keepAliveMs);
  }

  get bufferedBytes(): number {
    return this.#response.writableLength;
  }

  send(batch: Batch): void {
    this.#write(batch.form(eventStreamForm, eventsOf));
  }

  complete(): void {
    this.close();
    this.#response.end("event: complete\ndata:\n\n");
  }

  fail(errors: readonly GraphQLError[]): void {
    this.#write(`event: next\ndata: ${JSON.stringify({ errors })}\n\n`);
    this.complete();
  }

  /** Ends the connection, not the subscription: a client comes back with its last cursor. */
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

const endOfEvent = Buffer.from("\n\n");

/** Each message as an event, with its cursor as id. */
function eventsOf(messages: readonly Sendable[]): Buffer {
  return Buffer.concat(
    messages.flatMap(({ cursor, json }) => [Buffer.from(`event: next\nid: ${cursor}\ndata: `), json, endOfEvent]),
  );
}

export type EventStreams = ReturnType<typeof createEventStreams>;

/** Makes what answers subscriptions over server-sent events. */
export function createEventStreams(hub: Hub, keepAliveMs = defaultKeepAliveMs) {
  const open = new Set<EventStreamTransport>();
  return {
    /**
     * Answers a subscription with a stream that ends with the request; a refusal is its only event. Throws
     * INVALID_INPUT for a bad `Last-Event-ID`.
     */
    async answer({ request, response, watched }: Exchange, asked: Omit<StreamRequest, "after">): Promise<void> {
      const { "last-event-id": id } = request.headers;
      const after = typeof id === "string" && id !== "" ? decodeEventCursor(id, "Last-Event-ID") : undefined;
      response.writeHead(200, {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-cache, no-transform",
        "x-accel-buffering": "no", // nginx sends it on at once
      });
      response.write(":\n\n"); // the headers are on their way before anything has happened
      const transport = new EventStreamTransport(response, keepAliveMs);
      const closed = new Promise<void>((resolve) => response.once("close", resolve));
      const opened = await hub.open({ ...asked, after }, transport);
      watched.take("refusal" in opened ? opened.refusal : undefined);
      watched.done();
      if ("refusal" in opened) transport.fail(opened.refusal);
      else open.add(transport);
      await closed;
      open.delete(transport);
      transport.close();
      if ("close" in opened) opened.close();
    },
    /** Ends all connections. */
    close: (leaving: Leaving) => leave(leaving, [...open], (transport) => transport.leave()),
  };
}
