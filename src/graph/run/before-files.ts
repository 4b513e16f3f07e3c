// Requests with files: before receiving any file, each mutation that takes one runs the checks that do not need it.
import {
  type ExecutionResult,
  getArgumentValues,
  getVariableValues,
  type GraphQLSchema,
  locatedError,
  type OperationDefinitionNode,
} from "graphql";
import { collectFields } from "graphql/execution/collectFields.js";
import type { Context } from "#src/domain/context.ts";
import { publicError } from "#src/graph/run/errors.ts";

/** Throws the error of a mutation for its arguments, as far as that does not depend on the bytes of files. */
export type CheckBeforeFiles = (args: Readonly<Record<string, unknown>>, context: Context) => Promise<void>;

export const beforeFiles = (check: CheckBeforeFiles) => ({ beforeFiles: check });

interface Asked {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Parameters<typeof collectFields>[1];
  /** With an `Upload` in place of each file; the ones that an argument uses are known afterwards. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether it was executed before, and returns that response. */
  readonly isDone: () => Promise<boolean>;
}

/** The error of a mutation that does not depend on its files; null if missing. One rejected field rejects all. */
export async function refusedBeforeFiles(
  { schema, operation, fragments, variables, isDone }: Asked,
  context: Context,
): Promise<ExecutionResult | null> {
  const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
  if (errors) return { errors: errors.map((error) => publicError(error, context)) };
  const type = schema.getMutationType();
  if (!type || (await isDone())) return null;
  for (const [name, nodes] of collectFields(schema, fragments, coerced, type, operation.selectionSet)) {
    const [node] = nodes;
    const field = node && type.getFields()[node.name.value];
    const check = field?.extensions["beforeFiles"] as CheckBeforeFiles | undefined; // set by `beforeFiles`
    try {
      if (field && node) await check?.(getArgumentValues(field, node, coerced), context);
    } catch (error) {
      return { data: null, errors: [publicError(locatedError(error, nodes, [name]), context)] };
    }
  }
  return null;
}
