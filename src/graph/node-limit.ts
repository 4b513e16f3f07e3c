// The node limit: how many rows an operation may ask for at most, told from its page sizes before anything runs (as GitHub's GraphQL API does).
import {
  type DocumentNode,
  type FieldNode,
  getNamedType,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLSchema,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { pageSize } from "#src/db/reader.ts";

/** The most rows that one operation may ask for, on all its lists together. */
export const nodeLimit = 500_000;

type Count = (variables: Readonly<Record<string, unknown>>) => number;

const noRows: Count = () => 0;

/**
 * Makes the check of one operation: the error when, with these variables, it could ask for more than {@link nodeLimit} rows.
 * A connection counts its page size (`first` or `last`, else the default), times what stands below it.
 */
export function makeNodeCheck(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): (variables: Readonly<Record<string, unknown>>) => GraphQLError | null {
  const defaults = Object.fromEntries(
    (operation.variableDefinitions ?? []).map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue?.kind === Kind.INT ? Number(defaultValue.value) : undefined,
    ]),
  );
  const count = countRows({ schema, document }, operation.selectionSet, schema.getRootType(operation.operation));
  return (variables) => {
    const rows = count({ ...defaults, ...variables });
    if (rows <= nodeLimit) return null;
    const message = `This asks for up to ${rows.toLocaleString("en")} rows; at most ${nodeLimit.toLocaleString("en")} are allowed. Ask for smaller pages.`;
    return new GraphQLError(message, { nodes: [operation], extensions: { code: "INVALID_INPUT" } });
  };
}

interface Source {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
}

function countRows(source: Source, selection: SelectionSetNode, type: GraphQLNamedType | null | undefined): Count {
  const parts = selection.selections.map((node): Count => {
    if (node.kind === Kind.FIELD) return countField(source, node, type);
    const fragment =
      node.kind === Kind.INLINE_FRAGMENT
        ? node
        : source.document.definitions.find(
            (known) => known.kind === Kind.FRAGMENT_DEFINITION && known.name.value === node.name.value,
          );
    if (fragment?.kind !== Kind.INLINE_FRAGMENT && fragment?.kind !== Kind.FRAGMENT_DEFINITION) return noRows;
    const condition = fragment.typeCondition?.name.value;
    return countRows(source, fragment.selectionSet, condition ? source.schema.getType(condition) : type);
  });
  const counting = parts.filter((part) => part !== noRows);
  if (counting.length === 0) return noRows;
  return (variables) => counting.reduce((sum, part) => sum + part(variables), 0);
}

function countField(source: Source, node: FieldNode, parent: GraphQLNamedType | null | undefined): Count {
  const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[node.name.value] : undefined;
  if (!field || !node.selectionSet) return noRows;
  const below = countRows(source, node.selectionSet, getNamedType(field.type));
  if (!field.args.some(({ name }) => name === "first")) return below;
  return (variables) => {
    const size = sizeOf(node, variables);
    return size + size * below(variables);
  };
}

function sizeOf(field: FieldNode, variables: Readonly<Record<string, unknown>>): number {
  for (const { name, value } of field.arguments ?? []) {
    if (name.value !== "first" && name.value !== "last") continue;
    const literal = value.kind === Kind.INT ? Number(value.value) : undefined;
    const size = value.kind === Kind.VARIABLE ? variables[value.name.value] : literal;
    if (typeof size === "number") return Math.min(Math.max(size, 0), pageSize.max); // beyond the range it is refused later
  }
  return pageSize.default;
}
