// Subscriptions over server-sent events (the "distinct connections" mode of GraphQL over SSE): one request is one stream, each event carries its cursor
// as its id, so that whoever comes back with `Last-Event-ID` goes on from there.
import type { ServerResponse } from "node:http";
import type { GraphQLError } from "graphql";
import type { Context } from "#src/domain/context.ts";
import { decodePosition } from "#src/events/position.ts";
import type { Operation, Variables } from "#src/graph/execute.ts";
import type { Exchange } from "#src/server/exchange.ts";
import { leave, type Leaving } from "#src/server/leave.ts";
import type { Hub } from "#src/server/live/hub.ts";
import type { Sink } from "#src/server/live/sink.ts";

/** How often a comment is sent, in milliseconds, so that nobody between takes a quiet stream for a dead one. */
const defaultKeepAliveMs = 12_000;

class EventStream implements Sink {
  readonly #response: ServerResponse;
  readonly #keepAlive: NodeJS.Timeout;

  constructor(response: ServerResponse, keepAliveMs: number) {
    this.#response = response;
    this.#keepAlive = setInterval(() => this.#write(":\n\n"), keepAliveMs);
  }

  get bufferedBytes(): number {
    return this.#response.writableLength;
  }

  send(result: string, cursor: string): void {
    this.#write(`event: next\nid: ${cursor}\ndata: ${result}\n\n`);
  }

  together(sendMany: () => void): void {
    this.#response.cork();
    try {
      sendMany();
    } finally {
      this.#response.uncork();
    }
  }

  complete(): void {
    this.close();
    this.#response.end("event: complete\ndata:\n\n");
  }

  fail(errors: readonly GraphQLError[]): void {
    this.#write(`event: next\ndata: ${JSON.stringify({ errors })}\n\n`);
    this.complete();
  }

  /** Ends the connection, and not the subscription: a client comes back with its last cursor. */
  leave(): void {
    this.close();
    this.#response.end();
  }

  close(): void {
    clearInterval(this.#keepAlive);
  }

  #write(text: string): void {
    if (!this.#response.writableEnded) this.#response.write(text);
  }
}

export interface EventStreams {
  /** Answers a subscription with a stream that ends with the request; a refusal is its only event. Throws INVALID_INPUT for a bad `Last-Event-ID`. */
  answer(exchange: Exchange, of: { operation: Operation; variables: Variables; context: Context }): Promise<void>;
  /** Ends all connections. */
  close(leaving: Leaving): Promise<void>;
}

/** Makes the answering of subscriptions over server-sent events. */
export function createEventStreams(hub: Hub, keepAliveMs = defaultKeepAliveMs): EventStreams {
  const open = new Set<EventStream>();
  return {
    async answer({ request, response }, { operation, variables, context }) {
      const lastEventId = request.headers["last-event-id"];
      const after =
        typeof lastEventId === "string" && lastEventId !== ""
          ? decodePosition(lastEventId, "Last-Event-ID")
          : undefined;
      response.writeHead(200, {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-cache, no-transform",
        "x-accel-buffering": "no", // nginx hands it on at once
      });
      response.write(":\n\n"); // the headers are on their way before anything has happened
      const stream = new EventStream(response, keepAliveMs);
      const closed = new Promise<void>((resolve) => response.once("close", resolve));
      const opened = await hub.open({ operation, variables }, context, stream, after);
      if ("refusal" in opened) stream.fail(opened.refusal);
      else open.add(stream);
      await closed;
      open.delete(stream);
      stream.close();
      if ("close" in opened) opened.close();
    },
    close: (leaving) => leave(leaving, [...open], (stream) => stream.leave()),
  };
}
