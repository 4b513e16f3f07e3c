// What the hub needs of WebSocket, server-sent events or parts for one stream: to send messages, and to know how much
// waits.
import type { GraphQLError } from "graphql";
import type { Batch } from "#src/server/live/batch.ts";

/** The transports of streams. */
export type TransportKind = "websocket" | "sse" | "multipart";

/** Where the messages of one stream go. None of these wait; after the connection is closed they do nothing. */
export interface Transport {
  readonly kind: TransportKind;
  /** Hands the messages of a batch to the network together. */
  send(batch: Batch): void;
  /** The end without an error. */
  complete(): void;
  /** The end with errors. */
  fail(errors: readonly GraphQLError[]): void;
  /** Bytes that are still to be sent, of all streams on the same connection. */
  readonly bufferedBytes: number;
}
