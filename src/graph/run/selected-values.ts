// How many values a selection takes of each row: what the budget of an operation multiplies by the rows.
import {
  getNamedType,
  getNullableType,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  isListType,
  Kind,
} from "graphql";
import type { SelectionSetNode } from "graphql";

/** What is selected of each row behind a field, down to the lists below it, which count for themselves. */
export interface Selected {
  /** Fields. */
  readonly values: number;
  /** Those among them that show a long text of the row: they have the extension {@link longText}. */
  readonly texts: number;
}

/** For a field that exposes a column which the entity names among its `texts`: it needs no resolver to count. */
export const longText = { longText: true };

/** By place in a document: all runs of a plan have the same nodes, all rows of a run by graphql-js. */
const known = new WeakMap<GraphQLResolveInfo["fieldNodes"], Selected>();

/** Counted once for each place in a document. */
export function selectedValues(info: GraphQLResolveInfo): Selected {
  let selected = known.get(info.fieldNodes);
  if (!selected) {
    const count = { values: 0, texts: 0 };
    const type = getNamedType(info.returnType);
    for (const { selectionSet } of info.fieldNodes) countIn(selectionSet, type, info, count);
    known.set(info.fieldNodes, (selected = { ...count, values: Math.max(count.values, 1) }));
  }
  return selected;
}

const isConnection = (type: GraphQLNamedType): boolean => type.name.endsWith("Connection");

function countIn(
  set: SelectionSetNode | undefined,
  type: GraphQLNamedType,
  info: GraphQLResolveInfo,
  count: { values: number; texts: number },
): void {
  const typeNamed = (name: string | undefined) => (name === undefined ? type : (info.schema.getType(name) ?? type));
  for (const node of set?.selections ?? []) {
    if (node.kind === Kind.FIELD) {
      const field = "getFields" in type ? type.getFields()[node.name.value] : undefined;
      count.values += 1;
      if (field?.extensions["longText"]) count.texts += 1;
      const below = field && getNamedType(field.type);
      if (!below) continue;
      const isList = isListType(getNullableType(field.type)) || isConnection(below);
      if (!isList || isConnection(type)) countIn(node.selectionSet, below, info, count);
    } else {
      const fragment = node.kind === Kind.FRAGMENT_SPREAD ? info.fragments[node.name.value] : node;
      countIn(fragment?.selectionSet, typeNamed(fragment?.typeCondition?.name.value), info, count);
    }
  }
}
