// The schema with nullable mutations, so that many of them run in one request and each is refused by itself.
import { getNullableType, GraphQLObjectType, GraphQLSchema } from "graphql";

/** As `schema`, but an error in a mutation makes only its own answer null, and those beside it run. */
export function withNullableMutations(schema: GraphQLSchema): GraphQLSchema {
  const mutation = schema.getMutationType()?.toConfig();
  if (!mutation) throw new Error("The schema has no mutations.");
  const fields: typeof mutation.fields = Object.fromEntries(
    Object.entries(mutation.fields).map(([name, field]) => [name, { ...field, type: getNullableType(field.type) }]),
  );
  const { types, ...config } = schema.toConfig();
  return new GraphQLSchema({
    ...config,
    types: types.filter(({ name }) => name !== mutation.name),
    mutation: new GraphQLObjectType({ ...mutation, fields }),
  });
}
