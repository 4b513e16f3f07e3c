// The formats in which the same rows are written: GraphQL or REST.
import type { GraphQLEnumType, GraphQLField, GraphQLNamedType, GraphQLOutputType } from "graphql";
import type { Row, ValueContext } from "#src/plan/read-declaration.ts";

/** Whether a row is shown without a field. */
export type IsHidden = (row: Row, context: ValueContext) => boolean;

/** Specific to one format: an object around a field, or JSON in place of `__typename`, which null omits. */
export type OwnField =
  | { readonly property: string }
  | { readonly json: string | null; readonly isHidden: IsHidden | null };

export interface ResponseShape {
  /** Maps the names of an enumeration to their written form. */
  namesOf(type: GraphQLEnumType): (name: string) => string;
  /** Whether nulls of this type are omitted. */
  omitsNull(type: GraphQLOutputType): boolean;
  /** Whether a property with this name is omitted if its object is empty. */
  omitsEmpty(name: string): boolean;
  /** For a list in depth-first order: the field with an item's level, and the property for the items below it. */
  treeOf(field: GraphQLField<unknown, unknown>): { readonly level: string; readonly below: string } | null;
  /** For a list that is written as one object: the fields with the name and value of a property. */
  entryOf(type: GraphQLNamedType): { readonly key: string; readonly value: string } | null;
  /** The response name of the field that is written instead of its whole object. */
  readonly reference: string | null;
  /** The written form of a type under a response name, if it differs from the field. */
  ownField(type: string, name: string): OwnField | null;
}

/** As the GraphQL specification defines it (section 7). */
export const graphqlShape: ResponseShape = {
  namesOf: () => (name) => name,
  omitsNull: () => false,
  omitsEmpty: () => false,
  treeOf: () => null,
  entryOf: () => null,
  reference: null,
  ownField: () => null,
};
