// The REST form of GraphQL types and fields in their `extensions`, for the REST mapping.
import type { Length } from "#src/domain/input.ts";

/** Of an enumeration: the REST form of each of its values. */
export interface RestEnumExtensions {
  readonly restValues: Readonly<Record<string, string>>;
}

/** Of a type whose null is a value of its own in REST; every other null is omitted there. */
export interface RestNullExtensions {
  readonly restNull: boolean;
}

/** Marks a type whose lists REST writes as one object, and the fields with the name and value of its properties. */
export interface RestEntriesExtensions {
  readonly restEntries: { readonly key: string; readonly value: string };
}

/** Marks a list in depth-first order that REST nests: items get a property `below`; `level` is omitted. */
export interface RestTreeExtensions {
  readonly restTree: { readonly level: string; readonly below: string };
}

/** Properties of a value's JSON Schema beside its type, such as `maxLength`. */
export type SchemaLimits = Readonly<Record<string, unknown>>;

/** Of a field or argument: the limits of its values, for the description of REST. */
// A type, since the extensions of fields must have an index signature.
export type RestLimitsExtensions = { readonly restLimits: SchemaLimits };

/** Of an object type that is a resource: the fixed text of its field `object`. */
export interface RestResourceExtensions {
  readonly restResource: string;
}

export const limited = (restLimits: SchemaLimits): RestLimitsExtensions => ({ restLimits });

/** The same for the length of a text, by the limits that commands check. */
export const ofLength = ({ min = 0, max }: Length): RestLimitsExtensions =>
  limited({ ...(min > 0 && { minLength: min }), maxLength: max });
