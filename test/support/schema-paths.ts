// Shortest paths through a schema: the fields that lead from the query type to a type.
import {
  getNamedType,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  isCompositeType,
  isObjectType,
} from "graphql";

export type Field = GraphQLField<unknown, unknown>;

/** A field of a type. */
export interface Step {
  readonly type: GraphQLObjectType | GraphQLInterfaceType;
  readonly field: Field;
}

/** `Space.title`. */
export const coordinateOf = ({ type, field }: Step): string => `${type.name}.${field.name}`;

/** The object types that queries reach, each with the fields to it from types nearer to the root. */
export function typesWithWays(schema: GraphQLSchema): ReadonlyMap<GraphQLObjectType, readonly Step[]> {
  const root = schema.getQueryType();
  if (!root) throw new Error("The schema has no queries.");
  const found = new Map<GraphQLObjectType, Step[]>([[root, []]]);
  const level = new Map<GraphQLObjectType, number>([[root, 0]]);
  for (const [type] of found)
    for (const field of Object.values(type.getFields()))
      for (const reached of objectTypesOf(schema, field)) {
        const here = (level.get(type) ?? 0) + 1;
        if (!level.has(reached)) level.set(reached, here);
        if (level.get(reached) !== here) continue;
        found.set(reached, [...(found.get(reached) ?? []), { type, field }]);
      }
  return found;
}

/** The object types that a field can return. */
export function objectTypesOf(schema: GraphQLSchema, field: Field): readonly GraphQLObjectType[] {
  const named = getNamedType(field.type);
  if (isObjectType(named)) return [named];
  return isCompositeType(named) && isAbstractType(named) ? schema.getPossibleTypes(named) : [];
}

/** Every field of every object type that queries reach. */
export function allFields(schema: GraphQLSchema): Step[] {
  return [...typesWithWays(schema).keys()].flatMap((type) =>
    Object.values(type.getFields()).map((field) => ({ type, field })),
  );
}
