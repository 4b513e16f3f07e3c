// The one error of an operation that has gone beyond its limits, in the place of its answer.
import { type ExecutionResult, GraphQLError } from "graphql";
import type { Context } from "#src/domain/context.ts";
import { publicError } from "#src/graph/run/errors.ts";

/** The error of an answer that is beyond the budget, where every read fails: the caller gets it alone, and no data. */
export function excessOf(context: Context, { data, errors }: ExecutionResult): Promise<GraphQLError | null> {
  const { budget } = context.reader;
  return refusalOf(context, () => (errors ? budget.check() : budget.checkAnswer(data)));
}

/** Whether something was changed, now or by an earlier run with the same key. */
export const hasChanged = ({ reader, idempotency }: Context): boolean =>
  reader.budget.spent.changes > 0 || Object.keys(idempotency?.run?.done ?? {}).length > 0;

/** The same of a mutation that has changed something: who hears only of its answer would do it again. */
export const answerLeftOut = ({ message, extensions }: GraphQLError): GraphQLError =>
  new GraphQLError(`Something was changed, and stays: look before you send it again. ${message}`, { extensions });

/** The error of an operation that has gone beyond its budget, or whose caller is gone. */
export async function excessIn(context: Context): Promise<GraphQLError> {
  const check = () => {
    context.reader.budget.check();
    context.limit.check();
  };
  const excess = await refusalOf(context, check);
  if (!excess) throw new Error("The operation has kept to its limits.");
  return excess;
}

/** The error that a check throws, as the caller gets it; null where it throws none. */
export async function refusalOf(context: Context, check: () => void | Promise<void>): Promise<GraphQLError | null> {
  try {
    await check();
    return null;
  } catch (error) {
    return publicError(error, context);
  }
}
