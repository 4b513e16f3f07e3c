// Compiling: from an operation and what its fields declare to selections of parts. Everything that is the same for all
// rows is made into bytes here.
import {
  type DocumentNode,
  getArgumentValues,
  getNamedType,
  getNullableType,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  visit,
} from "graphql";
import { collectFields, collectSubfields } from "graphql/execution/collectFields.js";
import type { Wanted } from "#src/db/reading/entity.ts";
import { type Arguments, readOf } from "#src/plan/read-declaration.ts";
import type { Form, OwnField } from "#src/plan/response-shape.ts";
import { Literal } from "#src/plan/byte-writer.ts";
import { leafOf } from "#src/plan/scalar-writer.ts";
import { type Child, columnsFor, type Part, PartKind, Selection } from "#src/plan/selection.ts";
import { Unfit } from "#src/plan/unsupported.ts";

/** An operation of a valid document, and how to make a plan of it. */
export interface Source {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  readonly form: Form;
  /** The columns that the selection below a field needs of its rows. */
  readonly wanted: (info: GraphQLResolveInfo) => Wanted;
  /** How many values the selection below a field takes of each item of its list. */
  readonly valuesOf: (info: GraphQLResolveInfo) => number;
}

type Fields = Map<string, readonly FieldNode[]>;

/** Where a selection is: on a row, on the connection of a list, or on an edge of it. */
interface Place {
  readonly of: "row" | "connection" | "edge";
  /** Of a connection and its pageInfo: the names of their fields that are selected. */
  readonly asked: Set<string>;
  /** Of a connection: how many values are taken of each row. */
  readonly values: number;
}

const onRow = (asked = new Set<string>()): Place => ({ of: "row", asked, values: 0 });

/** What becomes of a selection while its fields are added. */
interface Making extends Place {
  readonly selection: Selection;
  /** The selection of the row itself, which reads for all that show it. */
  readonly row: Selection;
  /** Literals since the last part. */
  pending: string;
}

/** Compiles for one choice of the variables that directives depend on. Throws {@link Unfit}. */
export class Compiler {
  readonly #source: Source;
  readonly #variables: Arguments;
  /** How many children there are; those of abstract types are made when their types first come. */
  #children = 0;

  constructor(source: Source, variables: Arguments) {
    this.#source = source;
    this.#variables = variables;
  }

  /** What is selected of the root. */
  root(): Selection {
    const { schema, fragments, operation } = this.#source;
    const type = schema.getRootType(operation.operation);
    if (!type) throw new Unfit("no root type");
    const fields = collectFields(schema, fragments, this.#variables, type, operation.selectionSet);
    return this.#selection(type, fields);
  }

  #selection(type: GraphQLObjectType, fields: Fields, place = onRow()): Selection {
    const selection = new Selection(type);
    this.#fill({ ...place, selection, row: selection, pending: "" }, fields);
    return selection;
  }

  #fill(making: Making, fields: Fields): void {
    for (const [name, nodes] of fields) this.#add(making, name, nodes);
    if (making.pending !== "") push(making, { kind: PartKind.literal, name: "" });
    const { reference } = this.#source.form;
    if (reference !== null) making.selection.reference = making.selection.part(reference);
  }

  #add(making: Making, name: string, nodes: readonly FieldNode[]): void {
    const { type } = making.selection;
    const start = `,${JSON.stringify(name)}:`;
    const own = this.#source.form.ownField(type.name, name);
    if (own && "property" in own) {
      this.#addField(making, { name, start: `${start}{${JSON.stringify(own.property)}:` }, nodes);
      making.pending += "}"; // such a field is never null
    } else if (own?.isHidden) this.#addFixed(making, { name, start, ...own });
    else if (own) making.pending += own.json === null ? "" : start + own.json;
    else if (nodes[0]?.name.value === "__typename") making.pending += start + JSON.stringify(type.name);
    else this.#addField(making, { name, start }, nodes);
  }

  /** An object that is the same for all rows that show it. */
  #addFixed(making: Making, { name, start, json, isHidden }: Fixed): void {
    const selection = new Selection(making.selection.type);
    const pending = `,${json?.slice(1, -1) ?? ""}`;
    push({ ...making, selection, pending }, { kind: PartKind.literal, name: "" });
    push(making, { kind: PartKind.same, name, start, isNullable: true, omitsNull: true, selection, isHidden });
  }

  #addField(making: Making, { name, start }: { name: string; start: string }, nodes: readonly FieldNode[]): void {
    const { type } = making.selection;
    const fieldName = nodes[0]?.name.value ?? "";
    const field = type.getFields()[fieldName];
    if (!field) throw new Unfit(`${type.name} has no field ${fieldName}`);
    const { form } = this.#source;
    const read = readOf(field);
    const isNullable = !isNonNullType(field.type);
    const leaf = isLeafType(getNamedType(field.type)) ? leafOf(field.type, form) : null;
    const common = { name, isNullable, omitsNull: isNullable && form.omitsNull(field.type), leaf, start };
    if (making.of === "edge" && fieldName === "cursor") return push(making, { ...common, kind: PartKind.cursor });
    const column = field.extensions["pothosExposedField"] as string | undefined; // set for fields that expose one
    if (leaf && column !== undefined && !isListType(getNullableType(field.type)))
      return push(making, { ...common, kind: PartKind.column, column });
    if (leaf && read?.kind === "value" && read.value.length === 0 && !isNullable) {
      making.pending += `${start}${leaf.text(read.value({}, {} as never))}`; // it looks at nothing: the same for all
      return;
    }
    const isNode = making.of === "edge" && fieldName === "node" && isObjectType(getNamedType(field.type));
    if (read?.kind === "part" || isNode)
      return push(making, { ...common, kind: PartKind.same, ...this.#same(making, field, nodes) });
    const child = this.#child(making, field, nodes);
    const kind = leaf ? PartKind.leaf : child.isList ? PartKind.many : PartKind.one;
    push(making, { ...common, kind, child });
  }

  /** What is selected of a row as another type shows it: read with the row. */
  #same({ row }: Making, field: GraphQLField<unknown, unknown>, nodes: readonly FieldNode[]) {
    addColumns(field.extensions, row);
    const shown = getNamedType(field.type);
    if (!isObjectType(shown)) throw new Unfit("the same row, of an abstract type");
    const selection = new Selection(shown);
    this.#fill({ ...onRow(), selection, row, pending: "" }, this.#below(shown, nodes));
    return { selection };
  }

  #child(making: Making, field: GraphQLField<unknown, unknown>, nodes: readonly FieldNode[]): Child {
    const { selection: parent, row, of, asked } = making;
    asked.add(field.name);
    const shown = of === "edge" ? getNamedType(field.type).extensions : {}; // its row is that of the edge
    for (const extensions of [parent.type.extensions, row.type.extensions, field.extensions, shown])
      addColumns(extensions, row);
    const info = this.#infoOf(parent.type, field, nodes);
    const declared = readOf(field);
    const wanted = declared && !["value", "part"].includes(declared.kind) ? this.#source.wanted(info) : null;
    const isPage = of === "connection" && (field.name === "nodes" || field.name === "edges");
    const below: Place = {
      of: declared?.kind === "list" ? "connection" : isPage && field.name === "edges" ? "edge" : "row",
      asked: of === "connection" && field.name === "pageInfo" ? asked : new Set(),
      values: wanted?.selected.values ?? 0,
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
      argsOf: this.#argsOf(field, nodes),
      info,
      wanted,
      values: isPage ? making.values : type.isList ? (wanted?.selected.values ?? this.#source.valuesOf(info)) : 0,
      asked: below.asked,
    };
    row.children.push(child);
    if (isObjectType(type.of)) child.selectionOf?.(type.of); // now, since reading needs to know what is asked for
    return child;
  }

  /** What a child has by the type of its field. */
  #typeOf(field: GraphQLField<unknown, unknown>) {
    const { form } = this.#source;
    const named = getNamedType(field.type);
    const inner = getNullableType(field.type);
    const isList = isListType(inner);
    if (typeof field.extensions["pothosPrismaSelect"] === "function") throw new Unfit("a variant with a resolver");
    if (isList && isListType(getNullableType(inner.ofType)) && !isLeafType(named)) throw new Unfit("lists of lists");
    return {
      of: isObjectType(named) || isAbstractType(named) ? named : null,
      isList,
      isNullable: !isNonNullType(field.type),
      hasNullItems: isList && !isNonNullType(inner.ofType),
      tree: form.treeOf(field),
      entry: isList ? form.entryOf(named) : null,
    };
  }

  /** The selections below a field, by the types of its objects, each made when it is first needed. */
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

  #argsOf(field: GraphQLField<unknown, unknown>, [node]: readonly FieldNode[]): Child["argsOf"] {
    if (!node || field.args.length === 0) return () => ({});
    let dependsOnVariables = false;
    for (const argument of node.arguments ?? [])
      visit(argument, { [Kind.VARIABLE]: () => void (dependsOnVariables = true) });
    const read = (variables?: Arguments) => getArgumentValues(field, node, variables);
    if (dependsOnVariables) return read;
    const values = read();
    return () => values;
  }
}

type Fixed = { readonly name: string; readonly start: string } & Extract<OwnField, { readonly isHidden: unknown }>;

type Given = Partial<Omit<Part, "before">> & Pick<Part, "kind" | "name"> & { readonly start?: string };

/** Adds a part. Literals before it go with it, unless it may be left out. */
function push(making: Making, { start = "", ...given }: Given): void {
  const { selection } = making;
  if (making.pending !== "" && (given.omitsNull || given.kind === PartKind.literal)) {
    selection.parts.push({ ...noPart, before: new Literal(making.pending) });
    making.pending = "";
  }
  if (given.kind === PartKind.literal) return;
  selection.parts.push({ ...noPart, ...given, before: new Literal(making.pending + start) });
  making.pending = "";
}

const noPart = {
  kind: PartKind.literal,
  name: "",
  isNullable: false,
  omitsNull: false,
  leaf: null,
  column: "",
  child: null,
  selection: null,
  isHidden: null,
};

function addColumns(extensions: Readonly<Record<string, unknown>>, to: Selection): void {
  for (const name of columnsFor(extensions)) to.columns.add(name);
}
