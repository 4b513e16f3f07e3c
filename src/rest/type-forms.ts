// Reads the REST forms in the extensions of GraphQL types and fields: values of enumerations, nulls, lists, trees.
import type { GraphQLEnumType, GraphQLField, GraphQLNamedType } from "graphql";
import type {
  RestEntriesExtensions,
  RestEnumExtensions,
  RestLimitsExtensions,
  RestNullExtensions,
  RestResourceExtensions,
  RestTreeExtensions,
  SchemaLimits,
} from "#src/graph/schema/rest-forms.ts";

const remembered = new WeakMap<GraphQLEnumType, ReadonlyMap<string, string>>();

/** From GraphQL names to REST values, in the order of the type. By default an enumeration keeps its names. */
export function restValuesOf(type: GraphQLEnumType): ReadonlyMap<string, string> {
  let values = remembered.get(type);
  if (!values) {
    const { restValues } = type.extensions as Partial<RestEnumExtensions>; // set by defineEnum
    values = new Map(type.getValues().map(({ name }) => [name, restValues?.[name] ?? name]));
    remembered.set(type, values);
  }
  return values;
}

/** The limits of the values of a field or argument; the fixed name of a resource for `object`. */
export function restLimitsOf(
  { name, extensions }: Pick<GraphQLField<unknown, unknown>, "name"> & { extensions: object },
  owner?: { extensions: object },
): SchemaLimits {
  const { restResource } = (owner?.extensions ?? {}) as Partial<RestResourceExtensions>; // set by defineNode
  if (name === "object" && restResource !== undefined) return { const: restResource };
  return (extensions as Partial<RestLimitsExtensions>).restLimits ?? {}; // set by `limited`
}

/** Whether a null of a type has a meaning, rather than a field that is not set. */
export function keepsNull(type: GraphQLNamedType): boolean {
  const { restNull = false } = type.extensions as Partial<RestNullExtensions>; // set for few types
  return restNull;
}

/** The response name of a field that REST writes instead of its object (`reference: id @skip(if: $expand)`). */
export const restReference = "reference";

/** The property with the links of a resource, which is present even if it has no link: clients read through it. */
export const restLinks = "urls";

export type RestEntry = RestEntriesExtensions["restEntries"];

/** The fields of an entry that REST writes as a property, or null for any other type. */
export function restEntryOf(type: GraphQLNamedType): RestEntry | null {
  return (type.extensions as Partial<RestEntriesExtensions>).restEntries ?? null; // set for few types
}

export type RestTree = RestTreeExtensions["restTree"];

/** How the list of a field becomes a tree, or null for any other field. */
export function restTreeOf(field: GraphQLField<unknown, unknown>): RestTree | null {
  return (field.extensions as Partial<RestTreeExtensions>).restTree ?? null; // set for few fields
}
