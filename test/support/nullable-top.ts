// The schema with nullable root fields, so that many of them can be run in one request and each fails alone.
import { getNullableType, GraphQLObjectType, GraphQLSchema } from "graphql";

/** Like `schema`, but an error in a root field makes only that field null. */
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
