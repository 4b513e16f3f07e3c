// Prepares the documents of pages, which are docgraph's own: they fit the schema, or it is a bug.
import { type Executor, isOperation, type Operation } from "#src/graph/run/execute.ts";

/** Throws if the document does not match the schema. */
export function prepareQuery(executor: Executor, document: string): Operation {
  const operation = executor.prepareOwn(document);
  if (isOperation(operation)) return operation;
  throw new Error(`${operation.map(({ message }) => message).join(" ")} in ${document}`);
}
