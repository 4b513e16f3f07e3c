// Requests with files: before any of these is received, each mutation that takes one checks what is known without it.
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

/** Throws what a mutation would refuse its arguments with, as far as that does not depend on the bytes of files. */
export type CheckBeforeFiles = (args: Readonly<Record<string, unknown>>, context: Context) => Promise<void>;

export const beforeFiles = (check: CheckBeforeFiles) => ({ beforeFiles: check });

interface Asked {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Parameters<typeof collectFields>[1];
  /** With an `Upload` in the place of each file; those that an argument takes know it afterwards. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether it was done before, and is answered by that. */
  readonly isDone: () => Promise<boolean>;
}

/** The refusal of a mutation that does not depend on its files; null if missing. One refused field refuses all. */
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
    const check = field?.extensions["beforeFiles"] as CheckBeforeFiles | undefined; // of `beforeFiles`
    try {
      if (field && node) await check?.(getArgumentValues(field, node, coerced), context);
    } catch (error) {
      return { data: null, errors: [publicError(locatedError(error, nodes, [name]), context)] };
    }
  }
  return null;
}
