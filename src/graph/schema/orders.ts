// Orders of lists in the graph: `orderBy`, an input of a field and a direction.
import type { InputRef } from "@pothos/core";
import type { OrderBy } from "#src/db/reading/orders.ts";
import { builder } from "#src/graph/schema/builder.ts";
import { defineEnum, SortOrder } from "#src/graph/schema/scalars.ts";

/** Defines `<Type>Order` and `<Type>OrderField`: the fields by which a list can be sorted, described by `describe`. */
export function defineOrder<Field extends string>(
  type: string,
  nouns: string,
  describe: Readonly<Record<Field, string>>,
): InputRef<OrderBy<Field>> {
  const Fields = defineEnum(`${type}OrderField`, `The fields that a list of ${nouns} can be sorted by.`, describe);
  const ref = builder.inputType(`${type}Order`, {
    description: `How a list of ${nouns} is sorted. Rows with the same value are sorted by their ids.`,
    fields: (t) => ({
      field: t.field({ type: Fields, required: true, description: "The field to sort by." }),
      direction: t.field({ type: SortOrder, required: true, defaultValue: "asc", description: "The direction." }),
    }),
  });
  return ref as unknown as InputRef<OrderBy<Field>>; // of the fields above
}
