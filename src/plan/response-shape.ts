// The ways in which the same rows are written: GraphQL or REST.
import type { GraphQLEnumType, GraphQLField, GraphQLNamedType, GraphQLOutputType } from "graphql";

/** How types and fields are written. */
export interface ResponseShape {
  /** Maps the names of an enumeration to their written form. */
  namesOf(type: GraphQLEnumType): (name: string) => string;
  /** Whether nulls of this type are omitted. */
  omitsNull(type: GraphQLOutputType): boolean;
  /** Whether properties with empty objects are omitted. */
  readonly omitsEmpty: boolean;
  /** For a list in depth-first order: the field with an item's level, and the property for the items below it. */
  treeOf(field: GraphQLField<unknown, unknown>): { readonly level: string; readonly below: string } | null;
  /** For a list that is written as one object: the fields with the name and value of a property. */
  entryOf(type: GraphQLNamedType): { readonly key: string; readonly value: string } | null;
  /** The response name of the field that is written instead of its whole object. */
  readonly reference: string | null;
}

/** As the GraphQL specification says (section 7). */
export const graphqlShape: ResponseShape = {
  namesOf: () => (name) => name,
  omitsNull: () => false,
  omitsEmpty: false,
  treeOf: () => null,
  entryOf: () => null,
  reference: null,
};
