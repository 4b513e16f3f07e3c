// Selections: the columns that a selection needs of a field's rows (planned by plugin-prisma, once for each position in
// a document), and the number of values that it reads of each row.
import { queryFromInfo } from "@pothos/plugin-prisma";
import {
  type DocumentNode,
  getNamedType,
  getNullableType,
  type GraphQLNamedType,
  type GraphQLResolveInfo,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { type Projection, project } from "#src/db/reading/entity.ts";

// Compiled operations pass the same array of nodes to all runs; graphql-js makes one for each run.
type Places = WeakMap<GraphQLResolveInfo["fieldNodes"], Map<string, Projection>>;

/** Keyed by operation; by the variables of a run if they decide what is selected. */
const remembered = new WeakMap<object, Places>();

/** The fields of these names contain the rows in the value of a field. */
type Paths = readonly (readonly { readonly name: string }[])[];

const inConnection: Paths = [[{ name: "nodes" }], [{ name: "edges" }, { name: "node" }]];

export const wantedInPage = (info: GraphQLResolveInfo, typeName: string): Projection =>
  projectionOf(info, typeName, inConnection);

/** The columns that a field's selection needs: of the row itself, of a list or connection, or of `typeName`. */
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
    skipDeferredFragments: false, // the row is read once, with all columns
    ...(typeName && { typeName }),
    ...(paths.length > 0 && { paths: paths as never }),
  });
  if (!select) throw new Error(`The type of ${info.parentType.name}.${info.fieldName} does not declare its selection`);
  const cursors = info.fieldNodes.some(({ selectionSet }) => asksForCursors(selectionSet, info.fragments));
  return project(Object.keys(select), cursors, selectedValues(info));
}

function asksForCursors(on: SelectionSetNode | undefined, fragments: GraphQLResolveInfo["fragments"]): boolean {
  return (on?.selections ?? []).some((node) => {
    if (node.kind === Kind.FRAGMENT_SPREAD) return asksForCursors(fragments[node.name.value]?.selectionSet, fragments);
    const name = node.kind === Kind.FIELD ? node.name.value : "";
    if (name === "cursor" || name === "startCursor" || name === "endCursor") return true;
    return ["", "edges", "pageInfo"].includes(name) && asksForCursors(node.selectionSet, fragments);
  });
}

export const columnsOf = <const Name extends string>(names: readonly Name[]): { [Column in Name]: true } =>
  Object.fromEntries(names.map((name) => [name, true])) as { [Column in Name]: true };

/** For a type whose rows are not of a Prisma model: the columns that are always read. */
export function rowsWith(...names: string[]) {
  const pothosPrismaFieldMap = { relations: new Map(), listRelations: new Set() };
  return { extensions: { pothosPrismaFieldMap, pothosPrismaSelect: columnsOf(names) } };
}

/** The values selected of each row of a field, down to the lists below it, which are counted separately. */
export interface Selected {
  readonly values: number;
  /** Those of them that show a long text of the row: they have the extension {@link longText}. */
  readonly texts: number;
}

/** For a field that exposes a column among the entity's `texts`: it is counted without a resolver. */
export const longText = { longText: true };

/** Keyed by position in a document: all compiled runs have the same nodes, all rows of a graphql-js run, too. */
const known = new WeakMap<GraphQLResolveInfo["fieldNodes"], Selected>();

/** Counted once for each position in a document. */
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
