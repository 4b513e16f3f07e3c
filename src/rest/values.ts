// What GraphQL types and fields say of themselves for REST: the values of enumerations, which nulls are written, and which lists become something else.
import type { GraphQLEnumType, GraphQLField, GraphQLNamedType } from "graphql";
import type {
  RestEntriesExtensions,
  RestEnumExtensions,
  RestNullExtensions,
  RestTreeExtensions,
} from "#src/graph/rest-forms.ts";

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

export type RestEntry = RestEntriesExtensions["restEntries"];

/** The fields of an entry that REST writes as a property, or null for any other type. */
export function restEntryOf(type: GraphQLNamedType): RestEntry | null {
  return (type.extensions as Partial<RestEntriesExtensions>).restEntries ?? null; // only types that say it have it
}

export type RestTree = RestTreeExtensions["restTree"];

/** How the list of a field is put together as a tree, or null where it is none. */
export function restTreeOf(field: GraphQLField<unknown, unknown>): RestTree | null {
  return (field.extensions as Partial<RestTreeExtensions>).restTree ?? null; // only fields that say it have it
}
