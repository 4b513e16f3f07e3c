// The schema with nullable fields at the top, so that many of them are asked for in one request and each is refused by
// itself.
import { getNullableType, GraphQLObjectType, GraphQLSchema } from "graphql";

/** As `schema`, but an error in a mutation or in a query makes only its own answer null, and those beside it run. */
export function withNullableTop(schema: GraphQLSchema): GraphQLSchema {
  const { types, mutation, query, ...config } = schema.toConfig();
  if (!mutation || !query) throw new Error("The schema has no mutations or no queries.");
  return new GraphQLSchema({
    ...config,
    types: types.filter((type) => type !== mutation && type !== query),
    mutation: nullable(mutation),
    query: nullable(query),
  });
}

function nullable(type: GraphQLObjectType): GraphQLObjectType {
  const config = type.toConfig();
  const fields = Object.entries(config.fields).map(([name, field]) => [
    name,
    { ...field, type: getNullableType(field.type) },
  ]);
  return new GraphQLObjectType({ ...config, fields: Object.fromEntries(fields) as typeof config.fields });
}
