// Mutations: one input and one payload each, the payload reading the changed rows with the client's own selection.
import type { FieldMap, InputFieldMap, InputShapeFromFields } from "@pothos/core";
import type { GraphQLResolveInfo } from "graphql";
import { type Reach, requireScope, type Viewer } from "#src/access/viewer.ts";
import { found } from "#src/base/errors.ts";
import { encodeCursor, type Order } from "#src/db/reading/cursor.ts";
import { type Entity, project, joinProjections, type Projection } from "#src/db/reading/entity.ts";
import { orderOf, type PageList, type RowKey } from "#src/db/reading/page-list.ts";
import type { Deleted } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { onceField } from "#src/domain/idempotency.ts";
import { beforeFiles, type CheckBeforeFiles } from "#src/graph/run/before-files.ts";
import { builder, type InputFields, type ObjectFields } from "#src/graph/schema/builder.ts";
import { edgeTypeOf, typeOf } from "#src/graph/schema/nodes.ts";
import { projectionOf } from "#src/graph/run/selection.ts";

/** Defines a mutation with `<Name>Input` and `<Name>Payload`, whose parent are the ids that `run` returns. */
export function defineMutation<Input extends InputFieldMap, Done extends object>(of: {
  name: string;
  description: string;
  /** The replacement of a deprecated mutation. */
  deprecationReason?: string;
  /** The kind of object that it changes, for the scope of tokens; by default `content`. */
  reach?: Reach;
  input: (t: InputFields) => Input;
  payload: (t: ObjectFields<Done>) => FieldMap;
  run: (input: InputShapeFromFields<Input>, context: Context) => Promise<Done>;
  /** For mutations with files: throws errors that do not depend on their bytes, before they are received. */
  checkBeforeFiles?: (input: InputShapeFromFields<Input>, context: Context) => Promise<void>;
}): void {
  const title = of.name.charAt(0).toUpperCase() + of.name.slice(1);
  const InputRef = builder.inputType(`${title}Input`, {
    description: `The input of \`${of.name}\`.`,
    fields: of.input,
  });
  const Payload = builder
    .objectRef<Done>(`${title}Payload`)
    .implement({ description: `The result of \`${of.name}\`.`, fields: of.payload });
  const { checkBeforeFiles } = of;
  const check: CheckBeforeFiles = async ({ input }, context) => {
    requireScope(context.viewer, of.reach ?? "content");
    await checkBeforeFiles?.(input as InputShapeFromFields<Input>, context); // as below
  };
  builder.mutationField(of.name, (t) =>
    t.field({
      type: Payload,
      description: of.description,
      ...(checkBeforeFiles && { extensions: beforeFiles(check) }),
      ...(of.deprecationReason !== undefined && { deprecationReason: of.deprecationReason }),
      args: { input: t.arg({ type: InputRef, required: true, description: "The input." }) },
      // The compiler cannot follow the input type through the builder; it is the type of the fields above.
      resolve: (_root, args, context, { path }) => {
        requireScope(context.viewer, of.reach ?? "content");
        const { input } = args as { input: InputShapeFromFields<Input> };
        return onceField(context.idempotency, String(path.key), () => of.run(input, context)) as never;
      },
    }),
  );
}

/** The payload of a mutation that returns the id of a row: the row under this name, by the client's own selection. */
export const rowPayload =
  <Row extends { id: string }>(name: string, entity: Entity<Row, Viewer>, description: string) =>
  (t: ObjectFields<{ id: string }>): FieldMap => ({ [name]: t.row(entity, "id", description) });

type Created = { readonly id: string; readonly $key: string | number };

/** The union of the columns that the fields of one payload need of the row, which is read once. */
class CreatedRow<Found extends Created | null> {
  readonly #all: Projection[] = [];
  readonly #row: Promise<Found>;

  /** `read` is called when all fields of the payload have declared theirs. */
  constructor(read: (projection: Projection) => Promise<Found>) {
    this.#row = Promise.resolve().then(() => read(joinProjections(this.#all)));
  }

  ask(projection: Projection): Promise<Found> {
    this.#all.push(projection);
    return this.#row;
  }
}

/** How the row that a mutation made is found, if not by its id alone. */
type Find<Done> = (done: Done, context: Context) => Promise<{ readonly parent: object; readonly key: RowKey }>;

interface CreatedOptions<Args, Done> {
  readonly description: string;
  readonly in: string;
  readonly args?: Args;
  /** Set if the viewer may no longer see the row. */
  readonly nullable?: true;
  readonly find?: Find<Done>;
}

/** The rows of a list, each with the key by which the list sorts it. */
function keyedList<Of extends { id: string }, Args, Parent extends object>(
  list: PageList<Of, Viewer, Args, Parent>,
  order: Order,
): PageList<Created, Viewer, Args, object> {
  const derived = { ...list.entity.derived, $key: () => order.key };
  const keyed = { ...list, entity: { ...list.entity, derived } };
  return keyed as unknown as PageList<Created, Viewer, Args, object>; // its rows have `$key` now
}

function wantedOfEdge(info: GraphQLResolveInfo, entity: Pick<Entity<{ id: string }, Viewer>, "stored">): Projection {
  const { columns, selected } = projectionOf(info);
  return project([...(columns ?? entity.stored), "$key"], false, selected);
}

const edgeOf = (order: Order, node: Created) => ({
  node,
  cursor: encodeCursor(order, { key: node.$key, id: node.id }),
});

/** The payload of a creation: the row, and as `<name>Edge` its edge in the list (without arguments) below `in`. */
export function createdPayload<
  Of extends { id: string },
  Args,
  Parent extends object,
  Done extends object = { id: string },
>(name: string, list: PageList<Of, Viewer, Args, Parent>, of: CreatedOptions<Args, Done>) {
  const order = orderOf(list, of.args ?? ({} as Args));
  let keyed: ReturnType<typeof keyedList<Of, Args, Parent>> | undefined;
  const rows = new WeakMap<Done, CreatedRow<Created | null>>();
  const find = async (done: Done, context: Context, all: Projection): Promise<Created | null> => {
    keyed ??= keyedList(list, order);
    if (!of.find) return context.reader.row(keyed.entity, (done as unknown as { id: string }).id, all); // by default
    const { parent, key } = await of.find(done, context);
    return context.reader.pick(keyed, parent, { key, projection: all });
  };
  const read = async (done: Done, context: Context, projection: Projection): Promise<Created | null> => {
    let row = rows.get(done);
    if (!row) rows.set(done, (row = new CreatedRow((all) => find(done, context, all))));
    const created = await row.ask(projection);
    return created === null && !of.nullable ? found(created, list.entity.noun) : created;
  };
  const nullable = of.nullable ?? false;
  return (t: ObjectFields<Done>): FieldMap => ({
    [name]: t.field({
      type: typeOf(list.entity),
      nullable,
      description: of.description,
      // Null only if the field is nullable.
      resolve: (done, _args, context, info) => read(done, context, projectionOf(info)) as never,
    }),
    [`${name}Edge`]: t.field({
      type: edgeTypeOf(list.entity),
      nullable,
      description: `The same as an edge of \`${of.in}\`, for client stores that cache the list.`,
      resolve: async (done, _args, context, info) => {
        const node = await read(done, context, wantedOfEdge(info, list.entity));
        return (node && edgeOf(order, node)) as never; // as above
      },
    }),
  });
}

/** The payload of a mutation that makes several rows of a list (`ids`): their edges in the list, in its order. */
export function createdEdges<Of extends { id: string }, Args, Parent extends object>(
  name: string,
  list: PageList<Of, Viewer, Args, Parent>,
  of: { readonly description: string; readonly in: string },
) {
  const order = orderOf(list, {} as Args);
  let keyed: ReturnType<typeof keyedList<Of, Args, Parent>> | undefined;
  return (t: ObjectFields<{ ids: readonly string[] }>): FieldMap => ({
    [name]: t.field({
      type: [edgeTypeOf(list.entity)],
      description: `${of.description} Edges of \`${of.in}\`, for client stores that cache the list, in its order.`,
      resolve: async ({ ids }, _args, { reader }, info) => {
        const { entity } = (keyed ??= keyedList(list, order));
        const needed = wantedOfEdge(info, list.entity);
        const rows = await Promise.all(ids.map((id) => reader.found(entity, id, needed)));
        const sorted = rows.toSorted((one, other) => compare(one.$key, other.$key) || compare(one.id, other.id));
        return (order.direction === "asc" ? sorted : sorted.toReversed()).map((node) => edgeOf(order, node));
      },
    }),
  });
}

const compare = <Key extends string | number>(one: Key, other: Key): number => (one < other ? -1 : Number(one > other));

/** The payload of a deletion: the id. Others add the parent object, to be read again. */
export const deletedPayload = (t: ObjectFields<Deleted>): FieldMap => ({
  deletedId: t.exposeID("deletedId", {
    nullable: true,
    description: "Id of the deleted object; null if it did not exist.",
  }),
});
