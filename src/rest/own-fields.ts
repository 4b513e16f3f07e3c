// Fields of responses that the contract has and the graph lacks: constants, and objects around one field of the graph.
import type { IsHidden, OwnField } from "#src/plan/response-shape.ts";

type Json = Readonly<Record<string, unknown>>;

/** A field with a constant value. Documents select it as `name: __typename`. */
export interface FixedField {
  readonly description: string;
  readonly schema: Json;
  /** The value; by default absent. */
  readonly value?: unknown;
  readonly isHidden?: IsHidden;
}

/** A field of the graph that is returned as an object with a property of this name. It is never null. */
export interface WrappedField {
  readonly description: string;
  readonly property: string;
}

type RestField = FixedField | WrappedField;

const known = new Map<string, Readonly<Record<string, RestField>>>();

/** Declares such fields of a type by their names in responses. */
export function defineRestFields(type: string, fields: Readonly<Record<string, RestField>>): void {
  if (known.has(type)) throw new Error(`${type} already has fields of its own in /v1`);
  known.set(type, fields);
}

/** The field of a type with this name in responses, or undefined if it is a field of the graph. */
export const restFieldOf = (type: string, name: string): RestField | undefined => known.get(type)?.[name];

/** How compiled operations write it. */
export function writtenFieldOf(type: string, name: string): OwnField | null {
  const field = restFieldOf(type, name);
  if (!field || "property" in field) return field ?? null;
  const { value, isHidden = null } = field;
  return { json: value === undefined ? null : JSON.stringify(value), isHidden };
}
