// Runs documents of docgraph for an agent, with the limits and costs of other operations.
import type { Context } from "#src/domain/context.ts";
import { DomainError, errorCodes, type ErrorCode } from "#src/base/errors.ts";
import { findFailure } from "#src/graph/run/errors.ts";
import type { Executor, Operation, Variables } from "#src/graph/run/execute.ts";
import { withinLimits } from "#src/graph/run/within-limits.ts";
import { ownQuery } from "#src/http/page-request.ts";

/** Runs a document of docgraph, and returns its data. Throws its first error, with the code of the error. */
export type Ask = <Data>(document: string, variables: Variables) => Promise<Data>;

/** The documents are constants: each is prepared once. */
const prepared = new WeakMap<Executor, Map<string, () => Operation>>();

function operationOf(executor: Executor, document: string): Operation {
  const known = prepared.get(executor) ?? new Map<string, () => Operation>();
  prepared.set(executor, known);
  const query = known.get(document) ?? ownQuery(executor, document);
  known.set(document, query);
  return query();
}

export const asking =
  (executor: Executor, context: Context): Ask =>
  async <Data>(document: string, variables: Variables): Promise<Data> => {
    const operation = operationOf(executor, document);
    const { data, errors } = await withinLimits(context, operation, variables, () =>
      operation.kind === "query" ? operation.result(context, variables) : operation.run(context, variables),
    );
    const error = findFailure(errors) ?? errors?.[0];
    if (error) throw new DomainError(codeOf(error.extensions["code"]), error.message);
    return data as Data; // by the selection of the document
  };

const codeOf = (code: unknown): ErrorCode =>
  typeof code === "string" && Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : "INTERNAL";
