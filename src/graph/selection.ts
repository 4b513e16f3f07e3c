// Selections: which columns, cursors and counts a selection needs of the rows behind a field, read from the document once.
import {
  type FieldNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  getNamedType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from "graphql";
import { type Wanted, want } from "#src/db/entity.ts";

type Info = Pick<GraphQLResolveInfo, "fieldNodes" | "fragments" | "schema" | "returnType">;

const remembered = new WeakMap<FieldNode, Map<string, Wanted>>();

/**
 * What the selection under this field needs of rows of `typeName`: the row itself, or the rows of a connection of it.
 * Parts under `@skip` and `@include` count as taken.
 */
export function wantedRows(info: Info, typeName: string): Wanted {
  const [node] = info.fieldNodes;
  // A field that is written twice merges its selections, and which of them meet depends on the place: those are read each time.
  if (!node || info.fieldNodes.length > 1) return readWanted(info, typeName);
  let byType = remembered.get(node);
  if (!byType) remembered.set(node, (byType = new Map()));
  let wanted = byType.get(typeName);
  if (!wanted) byType.set(typeName, (wanted = readWanted(info, typeName)));
  return wanted;
}

function readWanted(info: Info, typeName: string): Wanted {
  const rowType = info.schema.getType(typeName);
  if (!isObjectType(rowType)) throw new Error(`${typeName} is no object type`);
  const columns = new Set<string>();
  let everything = false;
  let cursors = false;

  function takeRow(selection: SelectionSetNode): void {
    for (const [name] of fieldsOf(info, selection, rowType as GraphQLObjectType)) {
      const field = (rowType as GraphQLObjectType).getFields()[name];
      const needs = field && columnsOf(field);
      if (needs) for (const column of needs) columns.add(column);
      else if (field) everything = true;
    }
  }

  function takeConnection(selection: SelectionSetNode, type: GraphQLObjectType): void {
    for (const [name, node] of fieldsOf(info, selection, type)) {
      if (name === "cursor" || name === "startCursor" || name === "endCursor") cursors = true;
      if (!node.selectionSet) continue;
      const field = type.getFields()[name];
      const below = field && getNamedType(field.type);
      if (below === rowType) takeRow(node.selectionSet);
      else if (isObjectType(below)) takeConnection(node.selectionSet, below);
    }
  }

  const returned = getNamedType(info.returnType);
  for (const { selectionSet } of info.fieldNodes) {
    if (!selectionSet) continue;
    if (isObjectType(returned) && returned !== rowType) takeConnection(selectionSet, returned);
    else takeRow(selectionSet);
  }
  return everything ? want(null, cursors) : want(columns, cursors);
}

/** The fields selected on an object type, through fragments that apply to it. */
function* fieldsOf(info: Info, selection: SelectionSetNode, type: GraphQLObjectType): Generator<[string, FieldNode]> {
  for (const node of selection.selections) {
    if (node.kind === Kind.FIELD) {
      yield [node.name.value, node];
      continue;
    }
    const fragment = node.kind === Kind.FRAGMENT_SPREAD ? info.fragments[node.name.value] : node;
    const condition = fragment?.typeCondition?.name.value;
    const applies =
      !condition || condition === type.name || type.getInterfaces().some(({ name }) => name === condition);
    if (fragment && applies) yield* fieldsOf(info, fragment.selectionSet, type);
  }
}

interface FieldExtensions {
  pothosExposedField?: string;
  pothosOptions?: { columns?: readonly string[] };
}

/** The columns that a field reads, or null when it does not say. */
function columnsOf(field: GraphQLField<unknown, unknown>): readonly string[] | null {
  const extensions = field.extensions as FieldExtensions;
  if (extensions.pothosOptions?.columns) return extensions.pothosOptions.columns;
  return extensions.pothosExposedField ? [extensions.pothosExposedField] : null;
}
