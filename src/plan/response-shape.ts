// Forms: how the same rows are written for different callers.
import type { GraphQLEnumType, GraphQLField, GraphQLNamedType, GraphQLOutputType } from "graphql";
import type { Row, ValueContext } from "#src/plan/read-declaration.ts";

/** Whether a row is shown without a field. */
export type IsHidden = (row: Row, context: ValueContext) => boolean;

/** What a form alone has: an object around a field, or JSON in the place of `__typename`, null leaving it out. */
export type OwnField =
  | { readonly property: string }
  | { readonly json: string | null; readonly isHidden: IsHidden | null };

/** What a form makes of types and fields. */
export interface Form {
  /** What is written for the names of an enumeration. */
  namesOf(type: GraphQLEnumType): (name: string) => string;
  /** Whether a null of this type is left out. */
  omitsNull(type: GraphQLOutputType): boolean;
  /** Whether a property is left out whose object has none. */
  readonly omitsEmpty: boolean;
  /** Of a list that is a tree, item before what is below it: their levels, and the property for what is below. */
  treeOf(field: GraphQLField<unknown, unknown>): { readonly level: string; readonly below: string } | null;
  /** Of a type whose lists are written as one object: the fields with the name and the value of a property. */
  entryOf(type: GraphQLNamedType): { readonly key: string; readonly value: string } | null;
  /** The response name of a field whose value is written instead of the whole object that it is selected of. */
  readonly reference: string | null;
  /** What is written of a type under a response name, where that is not the field as it is. */
  ownField(type: string, name: string): OwnField | null;
}

/** As the GraphQL specification says (section 7). */
export const graphqlForm: Form = {
  namesOf: () => (name) => name,
  omitsNull: () => false,
  omitsEmpty: false,
  treeOf: () => null,
  entryOf: () => null,
  reference: null,
  ownField: () => null,
};
