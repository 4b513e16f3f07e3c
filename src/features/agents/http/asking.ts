// Runs documents of docgraph for an agent, with the limits and costs of other operations.
import type { Context } from "#src/domain/context.ts";
import { DomainError, errorCodes, type ErrorCode } from "#src/base/errors.ts";
import { findFailure } from "#src/graph/run/errors.ts";
import type { Variables } from "#src/graph/run/execute.ts";
import { withinLimits } from "#src/graph/run/within-limits.ts";
import type { OwnQuery } from "#src/http/page-request.ts";

/** Runs a document, and returns its data. Throws its first error with the code of the error. */
export type Ask = <Data>(query: OwnQuery, variables: Variables) => Promise<Data>;

export const asking =
  (context: Context): Ask =>
  async <Data>(query: OwnQuery, variables: Variables): Promise<Data> => {
    const operation = query();
    const { data, errors } = await withinLimits(context, operation, variables, () =>
      operation.kind === "query" ? operation.result(context, variables) : operation.run(context, variables),
    );
    const error = findFailure(errors) ?? errors?.[0];
    if (error) throw new DomainError(codeOf(error.extensions["code"]), error.message);
    return data as Data; // by the selection of the document
  };

const codeOf = (code: unknown): ErrorCode =>
  typeof code === "string" && Object.hasOwn(errorCodes, code) ? (code as ErrorCode) : "INTERNAL";
