// Limits of inputs: what the arguments and input fields that variables of a document fill say of their values.
import {
  type DocumentNode,
  getNamedType,
  type GraphQLSchema,
  isInputObjectType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import type { SchemaLimits } from "#src/graph/schema/rest-forms.ts";
import { restLimitsOf } from "#src/rest/type-forms.ts";

/** The limits by the names of the variables; of a variable that fills several, those of the last. */
export function limitsOfVariables(schema: GraphQLSchema, document: DocumentNode): ReadonlyMap<string, SchemaLimits> {
  const found = new Map<string, SchemaLimits>();
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Argument({ value }) {
        const argument = types.getArgument();
        if (value.kind === Kind.VARIABLE && argument) found.set(value.name.value, restLimitsOf(argument));
      },
      ObjectField({ name, value }) {
        const input = types.getParentInputType();
        const parent = input && getNamedType(input);
        const field = isInputObjectType(parent) ? parent.getFields()[name.value] : undefined;
        if (value.kind === Kind.VARIABLE && field) found.set(value.name.value, restLimitsOf(field));
      },
    }),
  );
  return found;
}
