// Selections: which columns a selection needs of the rows behind a field, planned by plugin-prisma once for each
// place in a document.
import { queryFromInfo } from "@pothos/plugin-prisma";
import {
  type DocumentNode,
  type GraphQLResolveInfo,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { type Projection, project } from "#src/db/reading/entity.ts";
import { selectedValues } from "#src/graph/run/selected-values.ts";

// A plan gives the same array of nodes to all its runs; graphql-js makes one for each run.
type Places = WeakMap<GraphQLResolveInfo["fieldNodes"], Map<string, Projection>>;

/** By the operation; by the variables of a run where they decide what is selected. */
const remembered = new WeakMap<object, Places>();

/** Where the rows are in what a field answers: in the fields of these names. */
type Paths = readonly (readonly { readonly name: string }[])[];

const inConnection: Paths = [[{ name: "nodes" }], [{ name: "edges" }, { name: "node" }]];

/** The same for the rows of one type in a connection of an interface. */
export function wantedInPage(info: GraphQLResolveInfo, typeName: string): Projection {
  return projectionOf(info, typeName, inConnection);
}

/**
 * What the selection under this field needs of its rows: of the row itself, of the rows of a list or connection, or,
 * where the field says only an interface, of rows of `typeName`.
 */
export function projectionOf(info: GraphQLResolveInfo, typeName = "", paths: Paths = []): Projection {
  const owner = isConditional(info.operation) ? info.variableValues : info.operation;
  let places = remembered.get(owner);
  if (!places) remembered.set(owner, (places = new WeakMap()));
  let byType = places.get(info.fieldNodes);
  if (!byType) places.set(info.fieldNodes, (byType = new Map()));
  let found = byType.get(typeName);
  if (!found) byType.set(typeName, (found = plan(info, typeName, paths)));
  return found;
}

const conditional = new WeakMap<OperationDefinitionNode | DocumentNode, boolean>();

/** Whether a document, or that of an operation, has directives by which variables may decide what is selected. */
export function isConditional(node: OperationDefinitionNode | DocumentNode): boolean {
  let found = conditional.get(node);
  if (found === undefined) {
    found = /@(skip|include)\b/.test(node.loc?.source.body ?? "@skip");
    conditional.set(node, found);
  }
  return found;
}

function plan(info: GraphQLResolveInfo, typeName: string, paths: Paths): Projection {
  const { select = paths.length > 0 ? {} : undefined } = queryFromInfo({
    context: {},
    info,
    skipDeferredFragments: false, // the row is there then, and is not read again
    ...(typeName && { typeName }),
    ...(paths.length > 0 && { paths: paths as never }),
  });
  if (!select)
    throw new Error(`The type of ${info.parentType.name}.${info.fieldName} does not say that it is selected`);
  const cursors = info.fieldNodes.some(({ selectionSet }) => asksForCursors(selectionSet, info.fragments));
  return project(Object.keys(select), cursors, selectedValues(info));
}

/** Whether a selection on a connection asks for a cursor. */
function asksForCursors(on: SelectionSetNode | undefined, fragments: GraphQLResolveInfo["fragments"]): boolean {
  return (on?.selections ?? []).some((node) => {
    if (node.kind === Kind.FRAGMENT_SPREAD) return asksForCursors(fragments[node.name.value]?.selectionSet, fragments);
    const name = node.kind === Kind.FIELD ? node.name.value : "";
    if (name === "cursor" || name === "startCursor" || name === "endCursor") return true;
    return ["", "edges", "pageInfo"].includes(name) && asksForCursors(node.selectionSet, fragments);
  });
}

/** Columns given by their names, as a `select`. */
export function columnsOf<const Name extends string>(names: readonly Name[]): { [Column in Name]: true } {
  return Object.fromEntries(names.map((name) => [name, true])) as { [Column in Name]: true };
}

/** For a type whose rows are no model's: the columns that are always wanted of them. */
export function rowsWith(...names: string[]) {
  const pothosPrismaFieldMap = { relations: new Map(), listRelations: new Set() };
  return { extensions: { pothosPrismaFieldMap, pothosPrismaSelect: columnsOf(names) } };
}
