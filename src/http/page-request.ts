// Queries of docgraph's own that pages are made of.
import type { Context } from "#src/domain/context.ts";
import { findFailure } from "#src/graph/run/errors.ts";
import { type Executor, isOperation, type Operation, type Variables } from "#src/graph/run/execute.ts";

type OwnQuery = () => Operation;

/** A query of docgraph, prepared when it is first run. Throws then if it does not match the schema. */
export function ownQuery(executor: Executor, document: string): OwnQuery {
  let known: Operation | undefined;
  return () => (known ??= prepare(executor, document));
}

function prepare(executor: Executor, document: string): Operation {
  const operation = executor.prepareOwn(document);
  if (!isOperation(operation)) throw new Error(`${operation.map(({ message }) => message).join(" ")} in ${document}`);
  return operation;
}

/** The data of a query; null if something in it does not exist or is not visible. Throws all other errors. */
export async function ask<Data>(query: OwnQuery, context: Context, variables: Variables): Promise<Data | null> {
  const { data, errors = [] } = await query().run(context, variables);
  const failure = findFailure(errors);
  if (failure) throw failure.originalError ?? new Error(failure.message);
  for (const { extensions, message } of errors)
    if (!refusals.includes(String(extensions["code"]))) throw new Error(message);
  return errors.length > 0 ? null : (data as Data); // by the selection of the document
}

const refusals = ["NOT_FOUND", "FORBIDDEN", "INVALID_INPUT"];
