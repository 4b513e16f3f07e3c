// The error about documents of frontends: it is known where errors of a start are told, without all of GraphQL.

/** What is wrong with documents of a frontend; the message has a line for each, with the file. */
export class DocumentsError extends Error {
  override readonly name = "DocumentsError";
}
