// Mutations: one input and one payload each, the payload re-reading what changed with the client's own selection.
import type { FieldMap, InputFieldMap, InputShapeFromFields } from "@pothos/core";
import type { Viewer } from "#src/access/viewer.ts";
import { encodeCursor } from "#src/db/cursor.ts";
import { type Entity, want, wantAll, type Wanted } from "#src/db/entity.ts";
import { orderOf, type PageList } from "#src/db/page-list.ts";
import type { Deleted } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { builder, type InputFields, type ObjectFields } from "#src/graph/builder.ts";
import { edgeTypeOf, typeOf } from "#src/graph/nodes.ts";
import { wanted } from "#src/graph/selection.ts";

/**
 * Defines the mutation `name` with `<Name>Input` and `<Name>Payload`.
 *
 * `run` calls a command; what it answers (ids) is the parent of the payload's fields, which read the rows again.
 */
export function defineMutation<Input extends InputFieldMap, Done extends object>(of: {
  name: string;
  description: string;
  input: (t: InputFields) => Input;
  payload: (t: ObjectFields<Done>) => FieldMap;
  run: (input: InputShapeFromFields<Input>, context: Context) => Promise<Done>;
}): void {
  const title = of.name.charAt(0).toUpperCase() + of.name.slice(1);
  const InputRef = builder.inputType(`${title}Input`, {
    description: `The input of \`${of.name}\`.`,
    fields: of.input,
  });
  const Payload = builder
    .objectRef<Done>(`${title}Payload`)
    .implement({ description: `The result of \`${of.name}\`.`, fields: of.payload });
  builder.mutationField(of.name, (t) =>
    t.field({
      type: Payload,
      description: of.description,
      args: { input: t.arg({ type: InputRef, required: true, description: "The input." }) },
      // The compiler cannot follow the input type through the builder; it is the type of the fields above.
      resolve: (_root, args, context) =>
        of.run((args as { input: InputShapeFromFields<Input> }).input, context) as never,
    }),
  );
}

/** The payload of a mutation that answers the id of a row: the row under this name, by the client's own selection. */
export const rowPayload =
  <Row extends { id: string }>(name: string, entity: Entity<Row, Viewer>, description: string) =>
  (t: ObjectFields<{ id: string }>): FieldMap => ({ [name]: t.row(entity, "id", description) });

/** A row that a mutation made, with what is needed for its cursor. */
type Created = { readonly id: string; readonly $key: string | number };

/** What several fields of one payload need of the row, which is read once for all of them. */
class CreatedRow {
  readonly #all: Wanted[] = [];
  readonly #row: Promise<Created>;

  /** `read` is called when all fields of the payload have asked. */
  constructor(read: (wanted: Wanted) => Promise<Created>) {
    this.#row = Promise.resolve().then(() => read(wantAll(this.#all)));
  }

  ask(wanted: Wanted): Promise<Created> {
    this.#all.push(wanted);
    return this.#row;
  }
}

/**
 * The payload of a mutation that makes a row of a list: the row under a name, and under that name with `Edge` the same
 * row as an edge of the list, as it is without arguments: `in` says where that is. `args` are the presets of its
 * arguments.
 */
export function createdPayload<Of extends { id: string }, Args, Parent extends object>(
  name: string,
  list: PageList<Of, Viewer, Args, Parent>,
  of: { readonly description: string; readonly in: string; readonly args?: Args },
) {
  const order = orderOf(list, of.args ?? ({} as Args));
  let keyed: typeof list.entity | undefined;
  const rows = new WeakMap<object, CreatedRow>();
  const read = (done: { id: string }, { reader }: Context, wanted: Wanted): Promise<Created> => {
    keyed ??= { ...list.entity, derived: { ...list.entity.derived, $key: () => order.key } };
    const entity = keyed as unknown as Entity<Created, Viewer>;
    let row = rows.get(done);
    if (!row) rows.set(done, (row = new CreatedRow((all) => reader.found(entity, done.id, all))));
    return row.ask(wanted);
  };
  return (t: ObjectFields<{ id: string }>): FieldMap => ({
    [name]: t.field({
      type: typeOf(list.entity),
      description: of.description,
      resolve: (done, _args, context, info) => read(done, context, wanted(info)),
    }),
    [`${name}Edge`]: t.field({
      type: edgeTypeOf(list.entity),
      description: `The same as an edge of \`${of.in}\`, for stores that keep that list.`,
      resolve: async (done, _args, context, info) => {
        const { columns, selected } = wanted(info);
        const node = await read(done, context, want([...(columns ?? list.entity.stored), "$key"], false, selected));
        return { node, cursor: encodeCursor(order, { key: node.$key, id: node.id }) };
      },
    }),
  });
}

/** The payload of a mutation that deletes: what was deleted. Others add what it was in, to be read again. */
export const deletedPayload = (t: ObjectFields<Deleted>): FieldMap => ({
  deletedId: t.exposeID("deletedId", {
    nullable: true,
    description: "Id of what was deleted; null when it was not there.",
  }),
  deleted: t.boolean({
    description: "Whether it existed.",
    deprecationReason: "Use `deletedId`, which is null when it did not exist.",
    resolve: ({ deletedId }) => deletedId !== null,
  }),
});
