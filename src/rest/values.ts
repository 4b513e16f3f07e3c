// What GraphQL types say of themselves for REST: the values of enumerations, kept there by `defineEnum`, and which nulls are written.
import type { GraphQLEnumType, GraphQLNamedType } from "graphql";
import type { RestEnumExtensions, RestNullExtensions } from "#src/graph/scalars.ts";

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

/** Whether null in the place of a type is an answer of its own, and no field that is not set. */
export function keepsNull(type: GraphQLNamedType): boolean {
  const { restNull = false } = type.extensions as Partial<RestNullExtensions>; // only types that say it have it
  return restNull;
}
