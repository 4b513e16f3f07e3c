// Compiles an operation to selections of parts; everything that is the same for all rows becomes bytes here.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
} from "graphql";
import { collectFields, collectSubfields } from "graphql/execution/collectFields.js";
import type { Projection } from "#src/db/reading/entity.ts";
import { type Arguments, readOf } from "#src/plan/read-declaration.ts";
import type { OwnField, ResponseShape } from "#src/plan/response-shape.ts";
import { argumentsReader } from "#src/plan/inputs.ts";
import { Literal, Unsupported } from "#src/plan/byte-writer.ts";
import { scalarWriterOf } from "#src/plan/scalar-writer.ts";
import { type Child, columnsFor, type Part, PartKind, Selection } from "#src/plan/selection.ts";

export interface Source {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly shape: ResponseShape;
  readonly projectionOf: (info: GraphQLResolveInfo) => Projection;
  readonly valuesOf: (info: GraphQLResolveInfo) => number;
}

type Fields = Map<string, readonly FieldNode[]>;

/** Whether a selection is on a row, on the connection of a list, or on an edge of it. */
interface Place {
  readonly of: "row" | "connection" | "edge";
  /** The selected fields of a connection and its pageInfo. */
  readonly asked: Set<string>;
  /** Of a connection: how many values each row takes. */
  readonly values: number;
}

const onRow = (asked = new Set<string>()): Place => ({ of: "row", asked, values: 0 });

interface Draft extends Place {
  readonly selection: Selection;
  /** The selection of the row itself, which reads for every type that shows it. */
  readonly row: Selection;
  /** Literal JSON since the last part. */
  pending: string;
}

/** Compiles for one choice of the variables that directives depend on. Throws {@link Unsupported}. */
export class Compiler {
  readonly #source: Source;
  readonly #variables: Arguments;
  /** The number of children so far; those of abstract types are compiled when their types first occur. */
  #children = 0;

  constructor(source: Source, variables: Arguments) {
    this.#source = source;
    this.#variables = variables;
  }

  root(): Selection {
    const { schema, fragments, operation } = this.#source;
    const type = schema.getRootType(operation.operation);
    if (!type) throw new Unsupported("no root type");
    const fields = collectFields(schema, fragments, this.#variables, type, operation.selectionSet);
    return this.#selection(type, fields);
  }

  #selection(type: GraphQLObjectType, fields: Fields, place = onRow()): Selection {
    const selection = new Selection(type);
    this.#fill({ ...place, selection, row: selection, pending: "" }, fields);
    return selection;
  }

  #fill(draft: Draft, fields: Fields): void {
    for (const [name, nodes] of fields) this.#add(draft, name, nodes);
    if (draft.pending !== "") push(draft, { kind: PartKind.literal, name: "" });
    const { reference } = this.#source.shape;
    if (reference !== null) draft.selection.reference = draft.selection.part(reference);
  }

  #add(draft: Draft, name: string, nodes: readonly FieldNode[]): void {
    const { type } = draft.selection;
    const start = `,${JSON.stringify(name)}:`;
    const own = this.#source.shape.ownField(type.name, name);
    if (own && "property" in own) {
      this.#addField(draft, { name, start: `${start}{${JSON.stringify(own.property)}:` }, nodes);
      draft.pending += "}"; // such a field is never null
    } else if (own?.isHidden) this.#addFixed(draft, { name, start, ...own });
    else if (own) draft.pending += own.json === null ? "" : start + own.json;
    else if (nodes[0]?.name.value === "__typename") draft.pending += start + JSON.stringify(type.name);
    else this.#addField(draft, { name, start }, nodes);
  }

  /** An object that is the same for all rows that show it. */
  #addFixed(draft: Draft, { name, start, json, isHidden }: Fixed): void {
    const selection = new Selection(draft.selection.type);
    const pending = `,${json?.slice(1, -1) ?? ""}`;
    push({ ...draft, selection, pending }, { kind: PartKind.literal, name: "" });
    push(draft, { kind: PartKind.same, name, start, isNullable: true, omitsNull: true, selection, isHidden });
  }

  #addField(draft: Draft, { name, start }: { name: string; start: string }, nodes: readonly FieldNode[]): void {
    const { type } = draft.selection;
    const fieldName = nodes[0]?.name.value ?? "";
    const field = type.getFields()[fieldName];
    if (!field) throw new Unsupported(`${type.name} does not have the field ${fieldName}`);
    const { shape } = this.#source;
    const read = readOf(field);
    const isNullable = !isNonNullType(field.type);
    const scalar = isLeafType(getNamedType(field.type)) ? scalarWriterOf(field.type, shape) : null;
    const common = { name, isNullable, omitsNull: isNullable && shape.omitsNull(field.type), scalar, start };
    if (draft.of === "edge" && fieldName === "cursor") return push(draft, { ...common, kind: PartKind.cursor });
    const column = field.extensions["pothosExposedField"] as string | undefined; // set for fields that expose one
    if (scalar && column !== undefined && !isListType(getNullableType(field.type)))
      return push(draft, { ...common, kind: PartKind.column, column });
    if (scalar && read?.kind === "value" && read.value.length === 0 && !isNullable) {
      // A constant: it depends on nothing.
      draft.pending += `${start}${scalar.text(read.value({}, {} as never)).toString()}`;
      return;
    }
    const isNode = draft.of === "edge" && fieldName === "node" && isObjectType(getNamedType(field.type));
    if (read?.kind === "part" || isNode)
      return push(draft, { ...common, kind: PartKind.same, ...this.#same(draft, field, nodes) });
    const child = this.#child(draft, field, nodes);
    const kind = scalar ? PartKind.scalar : child.isList ? PartKind.many : PartKind.one;
    push(draft, { ...common, kind, child });
  }

  /** The selection of the same row shown as another type: read with the row. */
  #same({ row }: Draft, field: GraphQLField<unknown, unknown>, nodes: readonly FieldNode[]) {
    addColumns(field.extensions, row);
    const shown = getNamedType(field.type);
    if (!isObjectType(shown)) throw new Unsupported("the same row, of an abstract type");
    const selection = new Selection(shown);
    this.#fill({ ...onRow(), selection, row, pending: "" }, this.#below(shown, nodes));
    return { selection };
  }

  #child(draft: Draft, field: GraphQLField<unknown, unknown>, nodes: readonly FieldNode[]): Child {
    const { selection: parent, row, of, asked } = draft;
    asked.add(field.name);
    const shown = of === "edge" ? getNamedType(field.type).extensions : {}; // its row is that of the edge
    for (const extensions of [parent.type.extensions, row.type.extensions, field.extensions, shown])
      addColumns(extensions, row);
    const info = this.#infoOf(parent.type, field, nodes);
    const declared = readOf(field);
    const projection = declared && !["value", "part"].includes(declared.kind) ? this.#source.projectionOf(info) : null;
    const isPage = of === "connection" && (field.name === "nodes" || field.name === "edges");
    const below: Place = {
      of: declared?.kind === "list" ? "connection" : isPage && field.name === "edges" ? "edge" : "row",
      asked: of === "connection" && field.name === "pageInfo" ? asked : new Set(),
      values: projection?.selected.values ?? 0,
    };
    const type = this.#typeOf(field);
    const child: Child = {
      ...type,
      index: this.#children++,
      field,
      read: isPage
        ? { kind: field.name as "nodes" | "edges" }
        : (declared ?? { kind: of === "edge" ? "node" : "resolver" }),
      selectionOf: type.of ? this.#selections(nodes, below) : undefined,
      argsOf: argumentsReader(field, nodes[0]),
      info,
      projection,
      values: isPage ? draft.values : type.isList ? (projection?.selected.values ?? this.#source.valuesOf(info)) : 0,
      connectionFields: below.asked,
    };
    row.children.push(child);
    if (isObjectType(type.of)) child.selectionOf?.(type.of); // compiled now, since reading needs the selection
    return child;
  }

  /** The properties of a child that depend on its field's type. */
  #typeOf(field: GraphQLField<unknown, unknown>) {
    const { shape } = this.#source;
    const named = getNamedType(field.type);
    const inner = getNullableType(field.type);
    const isList = isListType(inner);
    if (typeof field.extensions["pothosPrismaSelect"] === "function")
      throw new Unsupported("a variant with a resolver");
    if (isList && isListType(getNullableType(inner.ofType)) && !isLeafType(named))
      throw new Unsupported("lists of lists");
    return {
      of: isObjectType(named) || isAbstractType(named) ? named : null,
      isList,
      isNullable: !isNonNullType(field.type),
      hasNullItems: isList && !isNonNullType(inner.ofType),
      tree: shape.treeOf(field),
      entry: isList ? shape.entryOf(named) : null,
    };
  }

  #selections(nodes: readonly FieldNode[], place: Place): (type: GraphQLObjectType) => Selection {
    const made = new Map<GraphQLObjectType, Selection>();
    return (type) => {
      let selection = made.get(type);
      if (!selection) made.set(type, (selection = this.#selection(type, this.#below(type, nodes), place)));
      return selection;
    };
  }

  #infoOf(
    parentType: GraphQLObjectType,
    { name: fieldName, type: returnType }: GraphQLField<unknown, unknown>,
    fieldNodes: readonly FieldNode[],
  ): GraphQLResolveInfo {
    const { schema, operation, fragments } = this.#source;
    const key = fieldNodes[0]?.alias?.value ?? fieldName;
    const path = { prev: undefined, key, typename: parentType.name };
    const run = { rootValue: undefined, variableValues: this.#variables };
    return { fieldName, fieldNodes, returnType, parentType, path, schema, fragments, operation, ...run };
  }

  #below(type: GraphQLObjectType, nodes: readonly FieldNode[]): Fields {
    const { schema, fragments } = this.#source;
    return collectSubfields(schema, fragments, this.#variables, type, nodes);
  }
}

type Fixed = { readonly name: string; readonly start: string } & Extract<OwnField, { readonly isHidden: unknown }>;

type PartInit = Partial<Omit<Part, "before">> & Pick<Part, "kind" | "name"> & { readonly start?: string };

/** Adds a part. Literals before it belong to it, unless it may be omitted. */
function push(draft: Draft, { start = "", ...given }: PartInit): void {
  const { selection } = draft;
  if (draft.pending !== "" && (given.omitsNull || given.kind === PartKind.literal)) {
    selection.parts.push({ ...noPart, before: new Literal(draft.pending) });
    draft.pending = "";
  }
  if (given.kind === PartKind.literal) return;
  selection.parts.push({ ...noPart, ...given, before: new Literal(draft.pending + start) });
  draft.pending = "";
}

const noPart = {
  kind: PartKind.literal,
  name: "",
  isNullable: false,
  omitsNull: false,
  scalar: null,
  column: "",
  child: null,
  selection: null,
  isHidden: null,
};

function addColumns(extensions: Readonly<Record<string, unknown>>, to: Selection): void {
  for (const name of columnsFor(extensions)) to.columns.add(name);
}
