// The GraphQL type Variable: a value with a name, of a page or of a whole content.
import { builder } from "#src/graph/schema/builder.ts";
import type { RestEntriesExtensions } from "#src/graph/schema/rest-forms.ts";

export const Variable = builder.objectRef<{ name: string; value: string }>("Variable").implement({
  description: "A value that texts refer to by its name.",
  extensions: { restEntries: { key: "name", value: "value" } } satisfies RestEntriesExtensions,
  fields: (t) => ({
    name: t.exposeString("name", { description: "Its name." }),
    value: t.exposeString("value", { description: "Its value." }),
  }),
});

/** Variables by their names, sorted by them. */
export function variablesIn(values: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(values)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => ({ name, value }));
}
