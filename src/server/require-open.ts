// What may be asked without an API token is looked at before anything is run.
import { DomainError } from "#src/base/errors.ts";
import type { Refusal } from "#src/graph/documents.ts";
import { type Executor, isOperation, type Operation } from "#src/graph/execute.ts";

/** UNAUTHENTICATED where nothing is asked for that is open to visitors. Errors of documents that do ask are told. */
export function requireOpen({ openFields }: Executor, text: string, operation: Operation | Refusal | null): void {
  const isOpen =
    operation && isOperation(operation)
      ? operation.openness !== "closed"
      : (text.match(/\w+/g) ?? []).some((word) => openFields.has(word));
  if (!isOpen) throw new DomainError("UNAUTHENTICATED");
}
