// What the hub needs of WebSocket or server-sent events for one stream: to send messages, and to know how much waits.
import type { GraphQLError } from "graphql";

/** Where the messages of one stream go. None of these wait; after the connection is closed they do nothing. */
export interface Transport {
  /** The next message: a GraphQL result as JSON text, and the cursor in it. */
  send(result: string, cursor: string): void;
  /** Runs what sends many messages, and hands them to the network together. */
  together(sendMany: () => void): void;
  /** The end without an error. */
  complete(): void;
  /** The end with errors. */
  fail(errors: readonly GraphQLError[]): void;
  /** Bytes that are still to be sent, of all streams on the same connection. */
  readonly bufferedBytes: number;
}
