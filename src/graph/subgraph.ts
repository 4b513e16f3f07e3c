// The schema as a subgraph of Apollo Federation 2: every node is an entity by its `id`, which gateways find with the
// rights of their caller, as `nodes` does.
import {
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLFieldConfigMap,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  isInterfaceType,
  Kind,
  lexicographicSortSchema,
  parse,
  print,
  printSchema,
  visit,
} from "graphql";
import { invalidInput } from "#src/base/errors.ts";
import { kindOfNode } from "#src/base/ids.ts";
import { pageSize } from "#src/db/reading/page.ts";
import type { Context } from "#src/domain/context.ts";
import { closedToVisitors } from "#src/graph/run/visitors.ts";
import { counting, findNodes } from "#src/graph/schema/builder.ts";

/** Gateways send the keys of a whole list at once. */
const mostEntities = pageSize.max;

const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])\n\n';

/** The text of a schema for composition, without the fields that only gateways use. */
export function subgraphText(schema: GraphQLSchema): string {
  const nodes = new Set(entityTypes(schema).map(({ name }) => name));
  const marked = visit(parse(printSchema(lexicographicSortSchema(schema))), {
    ObjectTypeDefinition(type) {
      if (nodes.has(type.name.value)) return { ...type, directives: key };
      // Other subgraphs with connections define the same type.
      return type.name.value === "PageInfo" ? { ...type, directives: shareable } : undefined;
    },
  });
  return `${link}${print(marked)}\n`;
}

const directivesOf = (text: string) => {
  const [type] = parse(`type Any ${text} { id: ID }`).definitions;
  return type?.kind === Kind.OBJECT_TYPE_DEFINITION ? type.directives : [];
};
const key = directivesOf('@key(fields: "id")');
const shareable = directivesOf("@shareable");

function entityTypes(schema: GraphQLSchema): readonly GraphQLObjectType[] {
  const node = schema.getType("Node");
  return isInterfaceType(node) ? schema.getPossibleTypes(node) : [];
}

/** A schema that also has `_service` and `_entities`. Its types are those of the given schema. */
export function subgraphOf(schema: GraphQLSchema): GraphQLSchema {
  const { query, ...config } = schema.toConfig();
  if (!query) throw new Error("The schema has no queries.");
  const { fields, ...own } = query.toConfig();
  return new GraphQLSchema({
    ...config,
    types: config.types.filter((type) => type !== query),
    query: new GraphQLObjectType({ ...own, fields: { ...fields, ...gatewayFields(schema) } }),
  });
}

function gatewayFields(schema: GraphQLSchema): GraphQLFieldConfigMap<unknown, Context> {
  let text: string | undefined;
  const entity = new GraphQLUnionType({
    name: "_Entity",
    description: "A node that gateways find by its key.",
    types: [...entityTypes(schema)],
    resolveType: (row: { id: string }) => kindOfNode(row.id) ?? undefined,
  });
  return {
    _service: {
      type: new GraphQLNonNull(service),
      description: "The schema for the composition of a supergraph (Apollo Federation 2).",
      resolve: closedToVisitors(() => ({ sdl: (text ??= subgraphText(schema)) })),
    },
    _entities: {
      type: new GraphQLNonNull(new GraphQLList(entity)),
      description: `Up to ${mostEntities} nodes by their keys, in the same order, with null for each that is not visible to you. INVALID_INPUT for representations without \`__typename\` and \`id\`.`,
      args: { representations: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(any))) } },
      resolve: closedToVisitors(
        counting((_root, args, context, info) =>
          findNodes(context as Context, info, idsIn(args["representations"] as readonly unknown[])),
        ),
      ),
    },
  };
}

const any = new GraphQLScalarType({ name: "_Any", description: "The key of a node: its `__typename` and `id`." });

const service = new GraphQLObjectType({
  name: "_Service",
  description: "What gateways know of this subgraph.",
  fields: { sdl: { type: new GraphQLNonNull(GraphQLString), description: "The schema." } },
});

/** The ids of representations; null for an id of another type. */
function idsIn(representations: readonly unknown[]): (string | null)[] {
  if (representations.length > mostEntities)
    throw invalidInput(
      "representations",
      `must have at most ${mostEntities} entries, and has ${representations.length}.`,
    );
  return representations.map((one, index) => {
    const { __typename: type, id } = { ...(one as { __typename?: unknown; id?: unknown }) };
    if (typeof type !== "string" || typeof id !== "string")
      throw invalidInput(`representations.${index}`, "must have `__typename` and `id`.");
    return kindOfNode(id) === type ? id : null;
  });
}
