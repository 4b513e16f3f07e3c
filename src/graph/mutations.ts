// Mutations: one input and one payload each, the payload re-reading what changed with the client's own selection.
import type { FieldMap, InputFieldMap, InputShapeFromFields } from "@pothos/core";
import type { Viewer } from "#src/access/viewer.ts";
import type { Entity } from "#src/db/entity.ts";
import type { Deleted } from "#src/domain/change.ts";
import type { Context } from "#src/domain/context.ts";
import { builder, type InputFields, type ObjectFields } from "#src/graph/builder.ts";

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
