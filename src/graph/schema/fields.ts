// Fields that declare their reads as data (columns, lists, rows), for resolvers and compiled operations.
import { type FieldRef, type InputFieldMap, type InputShapeFromFields, RootFieldBuilder } from "@pothos/core";
import type { FieldKind, ObjectRef, SchemaTypes, ShapeFromTypeParam, TypeParam } from "@pothos/core";
import type { PrismaModelTypes, prismaModelName } from "@pothos/plugin-prisma";
import type { GraphQLResolveInfo } from "graphql";
import type { Viewer } from "#src/access/viewer.ts";
import { found } from "#src/base/errors.ts";
import type { Entity } from "#src/db/reading/entity.ts";
import { type Page, type PageArguments, pageSize } from "#src/db/reading/page.ts";
import { type PageList, parentColumns, type RowKey } from "#src/db/reading/page-list.ts";
import type { Context } from "#src/domain/context.ts";
import type { Types } from "#src/graph/schema/builder.ts";
import { connectionTypeOf, pageArguments, typeOf } from "#src/graph/schema/nodes.ts";
import type {
  AnyEntity,
  AnyList,
  Arguments,
  FieldRead,
  Row,
  Scope,
  Value,
  ValueContext,
} from "#src/plan/read-declaration.ts";
import { columnsOf, projectionOf } from "#src/graph/run/selection.ts";

type Item = { id: string };

type Filter<Given extends InputFieldMap, Args> =
  Omit<InputShapeFromFields<Given>, keyof PageArguments> extends Args
    ? { readonly filter?: (args: InputShapeFromFields<Given>) => Args }
    : { readonly filter: (args: InputShapeFromFields<Given>) => Args };

/** `t.list`: a connection; null for viewers whom the list's policy rejects. `filter` translates arguments if given. */
type ListField<Types extends SchemaTypes, Parent extends object> = <
  Of extends Item,
  Args,
  Given extends InputFieldMap = Record<never, never>,
>(
  list: PageList<Of, Viewer, Args, Parent>,
  description: string,
  ...options: Options<
    // `type` if it is not the connection of the list's entity.
    { readonly args?: Given; readonly type?: ObjectRef<Types, Page<Of>> } & Filter<Given, Args>
  >
) => FieldRef<Types>;

type Options<Of> = object extends Of ? [options?: Of] : [options: Of];

/** `t.rows`: the rows of a list as a plain list, at most {@link pageSize}.max. */
type RowsField<Types extends SchemaTypes, Parent extends object> = <Of extends Item>(
  list: PageList<Of, Viewer, object, Parent>,
  description: string,
) => FieldRef<Types>;

/** `t.pick`: one row of a list by its id, or by `args` and `key`. Null and NOT_FOUND if missing. */
type PickField<Types extends SchemaTypes, Parent extends object> = <
  Of extends Item,
  Args,
  Given extends InputFieldMap = Record<never, never>,
>(
  list: PageList<Of, Viewer, Args, Parent>,
  description: string,
  options?: {
    readonly args?: Given;
    readonly key?: (args: InputShapeFromFields<Given>) => RowKey;
    readonly scope?: ScopeOf<Given>;
  },
) => FieldRef<Types>;

type ScopeOf<Given extends InputFieldMap> = (viewer: Viewer, args: InputShapeFromFields<Given>) => Viewer;

/**
 * `t.row`: the row with the id in a column of the parent, or a function of it. NOT_FOUND if not visible.
 * `t.rowOrNull`: the same, null if the id is null or the row is not visible.
 */
type RowField<Types extends SchemaTypes, Parent, Id extends string | null> = (
  entity: Entity<never, Viewer> | AnyEntity,
  by: ColumnOf<Parent, Id> | ((parent: Parent) => Id),
  description: string,
) => FieldRef<Types>;

type ColumnOf<Parent, Of> = { [Name in keyof Parent]: Parent[Name] extends Of ? Name : never }[keyof Parent] & string;

/** `t.find`: the row whose id is the argument `id`. Null and NOT_FOUND if not visible. */
type FindField<Types extends SchemaTypes> = <Of extends Item, Given extends InputFieldMap = Record<never, never>>(
  entity: Entity<Of, Viewer>,
  description: string,
  options?: { readonly args?: Given; readonly scope?: ScopeOf<Given> },
) => FieldRef<Types>;

/** `t.value`: a pure function of the named columns, or of the id alone; `t.valueOrNull` may be null. */
interface ValueField<Types extends SchemaTypes, Parent, Model extends boolean, Nullable extends boolean> {
  <Type extends TypeParam<Types>>(
    type: Type,
    description: string,
    value: ValueOf<Types, Type, Model extends true ? Pick<Parent, keyof Parent & "id"> : Parent, Nullable>,
  ): FieldRef<Types>;
  <Type extends TypeParam<Types>, Column extends keyof Parent & string>(
    type: Type,
    description: string,
    columns: readonly Column[],
    value: ValueOf<Types, Type, Pick<Parent, Column | (keyof Parent & "id")>, Nullable>,
  ): FieldRef<Types>;
}

/** `t.part`: the row itself, as another type shows it; lists the columns that type does not declare. */
type PartField<Types extends SchemaTypes, Parent> = (
  type: ObjectRef<Types, object>,
  description: string,
  columns?: readonly ColumnOf<Parent, unknown>[],
) => FieldRef<Types>;

type ValueOf<Types extends SchemaTypes, Type extends TypeParam<Types>, Of, Nullable extends boolean> = (
  row: Of,
  context: ValueContext,
) => ShapeFromTypeParam<Types, Type, Nullable extends true ? true : false>;

/** Whether a type is based on a model, so that its fields have only the columns that they name. */
type IsModel<Parent> = Parent extends { [prismaModelName]?: infer Name }
  ? unknown extends Name
    ? false
    : true
  : false;

/** The columns that a field may name: those of the model behind a type of plugin-prisma, or its parent's properties. */
type Columns<Types extends SchemaTypes, Parent> =
  IsModel<Parent> extends true
    ? (Types["PrismaTypes"][NonNullable<Parent[typeof prismaModelName & keyof Parent]> & keyof Types["PrismaTypes"]] &
        PrismaModelTypes)["Shape"] &
        object
    : Parent & object;

declare global {
  export namespace PothosSchemaTypes {
    // The parameters must be those of the extended class.
    // oxlint-disable-next-line no-unused-vars
    export interface RootFieldBuilder<Types extends SchemaTypes, ParentShape, Kind extends FieldKind = FieldKind> {
      list: ListField<Types, Columns<Types, ParentShape>>;
      rows: RowsField<Types, Columns<Types, ParentShape>>;
      pick: PickField<Types, Columns<Types, ParentShape>>;
      row: RowField<Types, Columns<Types, ParentShape>, string>;
      rowOrNull: RowField<Types, Columns<Types, ParentShape>, string | null>;
      value: ValueField<Types, Columns<Types, ParentShape>, IsModel<ParentShape>, false>;
      valueOrNull: ValueField<Types, Columns<Types, ParentShape>, IsModel<ParentShape>, true>;
      find: FindField<Types>;
      part: PartField<Types, Columns<Types, ParentShape>>;
    }
  }
}

type Resolve = (parent: Row, args: Arguments, context: Context, info: GraphQLResolveInfo) => unknown;

/** How each declaration is read when a document runs field by field. */
const resolvers: {
  [Kind in FieldRead["kind"]]: (read: Extract<FieldRead, { kind: Kind }>) => Resolve;
} = {
  value:
    ({ value }) =>
    (row, _args, context) =>
      value(row, context),
  part: () => (row) => row,
  list:
    ({ list, filter }) =>
    (parent, { first, after, last, before, ...others }, context, info) => {
      const page = { first, after, last, before } as PageArguments; // every connection has these arguments
      return context.reader.page(list, parent, { page, args: filter(others), projection: projectionOf(info) });
    },
  rows:
    ({ list }) =>
    async (parent, _args, context, info) => {
      const whole = { page: { first: pageSize.max }, args: {}, projection: projectionOf(info) };
      return (await context.reader.page(list, parent, whole)).nodes;
    },
  pick:
    ({ list, key, scope }) =>
    async (parent, args, context, info) => {
      const one = { key: key(args), projection: projectionOf(info) };
      return found(await readerFor(context, scope, args).pick(list, parent, one), list.entity.noun);
    },
  row:
    ({ entity, id: idIn, isNullable }) =>
    (parent, _args, { reader }, info) => {
      const id = idIn(parent);
      if (id === null) return null;
      const columns = projectionOf(info);
      return isNullable ? reader.row(entity, id, columns) : reader.found(entity, id, columns);
    },
  find:
    ({ entity, scope }) =>
    (_root, { id, ...others }, context, info) =>
      readerFor(context, scope, others).found(entity, id as string, projectionOf(info)),
};

function readerFor({ reader, viewer }: Context, scope: Scope, args: Arguments): Context["reader"] {
  const asked = scope?.(viewer, args) ?? viewer;
  return asked === viewer ? reader : reader.as(asked);
}

/** The arguments of a field as those of its list, without undefined ones, so that equal requests share reads. */
const asGiven = (args: Arguments): object =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value != null));

const asKey = (args: Arguments): RowKey => args as RowKey; // ids

interface FieldMaker {
  readonly kind: string;
  readonly arg: { id(options: object): never };
  field(options: object): FieldRef<Types>;
}

/** The results of a declaration: its field, and the columns of the parent that it reads. */
interface Made {
  readonly type: unknown;
  readonly description: string;
  readonly nullable?: boolean;
  readonly args?: InputFieldMap;
  readonly columns?: readonly string[];
}

function make(t: FieldMaker, read: FieldRead, { columns, ...options }: Made) {
  const resolve = resolvers[read.kind](read as never); // the resolver of its kind
  const select = t.kind === "PrismaObject" && columns?.length && { select: columnsOf(columns) };
  return t.field({ ...options, ...select, extensions: { reads: read }, resolve });
}

type ValueArguments = [type: unknown, description: string, ...([Value] | [columns: readonly string[], Value])];

function makeValue(t: FieldMaker, [type, description, ...of]: ValueArguments, nullable: boolean) {
  const [columns, value] = of.length === 1 ? [[], of[0]] : of;
  return make(t, { kind: "value", columns, value }, { type, description, nullable, columns });
}

function makeRow(
  t: FieldMaker,
  read: { entity: AnyEntity; isNullable: boolean },
  by: string | ((parent: Row) => string | null),
  description: string,
) {
  // A column that contains an id is text.
  const id = typeof by === "function" ? by : (parent: Row) => parent[by] as string | null;
  const columns = typeof by === "string" ? [by] : [];
  const options = { type: typeOf(read.entity), nullable: read.isNullable, description, columns };
  return make(t, { kind: "row", id, ...read }, options);
}

/** A variant of a model's type names its columns itself: plugin-prisma looks for them below a field that selects so. */
function makePart(t: FieldMaker, made: Made) {
  const read = { kind: "part" } as const;
  if (made.columns?.length) return make(t, read, made);
  const below = (_args: unknown, _context: unknown, nested: (query: object) => object) => nested({});
  const { columns: _none, ...options } = made;
  const extensions = { reads: read, pothosPrismaSelect: below };
  return t.field({ ...options, extensions, resolve: resolvers.part(read) });
}

const methods = {
  value(this: FieldMaker, ...of: ValueArguments) {
    return makeValue(this, of, false);
  },
  valueOrNull(this: FieldMaker, ...of: ValueArguments) {
    return makeValue(this, of, true);
  },
  part(this: FieldMaker, type: unknown, description: string, columns: readonly string[] = []) {
    return makePart(this, { type, description, columns });
  },
  list(
    this: FieldMaker,
    list: AnyList,
    description: string,
    { filter = asGiven, type, args }: { args?: InputFieldMap; filter?: typeof asGiven; type?: unknown } = {},
  ) {
    const nullable = list.policy?.refusal !== undefined;
    const columns = parentColumns(list);
    const of = { type: type ?? connectionTypeOf(list.entity), args: { ...pageArguments, ...args } };
    return make(this, { kind: "list", list, filter }, { ...of, description, nullable, columns });
  },
  rows(this: FieldMaker, list: AnyList, description: string) {
    const options = { type: [typeOf(list.entity)], description, columns: parentColumns(list) };
    return make(this, { kind: "rows", list }, options);
  },
  pick(
    this: FieldMaker,
    list: AnyList,
    description: string,
    { args, key = asKey, scope = null }: { args?: InputFieldMap; key?: typeof asKey; scope?: Scope } = {},
  ) {
    const given = args ?? { id: this.arg.id({ required: true, description: `Id of the ${list.entity.noun}.` }) };
    const options = { type: typeOf(list.entity), nullable: true, description, args: given };
    return make(this, { kind: "pick", list, key, scope }, { ...options, columns: parentColumns(list) });
  },
  row(this: FieldMaker, entity: AnyEntity, by: Parameters<typeof makeRow>[2], description: string) {
    return makeRow(this, { entity, isNullable: false }, by, description);
  },
  rowOrNull(this: FieldMaker, entity: AnyEntity, by: Parameters<typeof makeRow>[2], description: string) {
    return makeRow(this, { entity, isNullable: true }, by, description);
  },
  find(
    this: FieldMaker,
    entity: AnyEntity,
    description: string,
    { args, scope = null }: { args?: InputFieldMap; scope?: Scope } = {},
  ) {
    const given = { id: this.arg.id({ required: true, description: `Id of the ${entity.noun}.` }), ...args };
    const options = { type: typeOf(entity), nullable: true, description, args: given };
    return make(this, { kind: "find", entity, scope }, options);
  },
};

Object.assign(RootFieldBuilder.prototype, methods);
