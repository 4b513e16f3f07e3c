// What a transport gives for one stream, and what the hub does with it.
import type { GraphQLError } from "graphql";

/** Where the messages of one subscription go. None of these wait; a sink that is closed takes messages in vain. */
export interface Sink {
  /** The next message: a GraphQL result as JSON text, and the cursor in it. */
  send(result: string, cursor: string): void;
  /** Runs what sends many messages, and hands them to the network together. */
  together(sendMany: () => void): void;
  /** The end without an error. */
  complete(): void;
  /** The end with errors. */
  fail(errors: readonly GraphQLError[]): void;
  /** Bytes that are still to be sent, to all streams on the same connection. */
  readonly bufferedBytes: number;
}
