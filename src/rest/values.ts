// Values of enumerations as REST writes them; `defineEnum` keeps them on the GraphQL type.
import type { GraphQLEnumType } from "graphql";
import type { RestEnumExtensions } from "#src/graph/scalars.ts";

const remembered = new WeakMap<GraphQLEnumType, ReadonlyMap<string, string>>();

/** From GraphQL names to REST values, in the order of the type. An enumeration that says nothing keeps its names. */
export function restValuesOf(type: GraphQLEnumType): ReadonlyMap<string, string> {
  let values = remembered.get(type);
  if (!values) {
    const { restValues } = type.extensions as Partial<RestEnumExtensions>; // only defineEnum writes them
    values = new Map(type.getValues().map(({ name }) => [name, restValues?.[name] ?? name]));
    remembered.set(type, values);
  }
  return values;
}
