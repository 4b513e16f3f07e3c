// Why the embedded PostgreSQL cannot be had, for the person who starts docgraph.

/** The message says what to do. */
export class EmbeddedError extends Error {
  override readonly name = "EmbeddedError";
}
