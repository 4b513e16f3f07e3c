// What GraphQL types and fields say in their `extensions` of their form in REST, for the REST mapping to read.
import type { Length } from "#src/domain/input.ts";

/** Of an enumeration: what REST writes for each of its values. */
export interface RestEnumExtensions {
  readonly restValues: Readonly<Record<string, string>>;
}

/** Of a type whose null is an answer of its own in REST; every other null is left out there as not set. */
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

/** What a JSON Schema says of a value beside its type, such as `maxLength`. */
export type SchemaLimits = Readonly<Record<string, unknown>>;

/** Of a field or argument: the limits of its values, which the description of REST tells. */
// A type, since the extensions of fields have to be an index of names.
export type RestLimitsExtensions = { readonly restLimits: SchemaLimits };

/** Of an object type that is a resource: the fixed text of its field `object`. */
export interface RestResourceExtensions {
  readonly restResource: string;
}

export const limited = (restLimits: SchemaLimits): RestLimitsExtensions => ({ restLimits });

/** The same for the length of a text, by the limits that commands check it by. */
export const ofLength = ({ min = 0, max }: Length): RestLimitsExtensions =>
  limited({ ...(min > 0 && { minLength: min }), maxLength: max });
