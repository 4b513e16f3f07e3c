// What the stores of Apollo Client and of urql's graphcache have to know of the schema, as modules for a frontend.
import { getNamedType, introspectionFromSchema, isAbstractType, isObjectType } from "graphql";
import type { GraphQLObjectType, GraphQLSchema } from "graphql";

const notice = "// Made by `npm run print -- --clients` of docgraph. Make it anew where the schema has changed.\n";

/** Arguments that choose a page of a list, and no other list. */
const paging: readonly string[] = ["first", "after", "last", "before"];

const written = (value: unknown): string => JSON.stringify(value, null, 2);

/** The lists that are connections, each with the arguments that choose which list it is. */
function listsOf(type: GraphQLObjectType) {
  return Object.values(type.getFields())
    .filter((field) => getNamedType(field.type).name.endsWith("Connection"))
    .map(({ name, args }) => ({
      field: name,
      chosenBy: args.map((one) => one.name).filter((one) => !paging.includes(one)),
    }));
}

function queryOf(schema: GraphQLSchema): GraphQLObjectType {
  const query = schema.getQueryType();
  if (!query) throw new Error("The schema has no queries.");
  return query;
}

/** `field: known("Type")` for the fields of the query that find a node by nothing but its id. */
function foundById(schema: GraphQLSchema): string[] {
  return Object.values(queryOf(schema).getFields()).flatMap(({ name, args, type }) => {
    const found = getNamedType(type);
    const isById = args.length === 1 && args[0]?.name === "id";
    return isById && isObjectType(found) && identityOf(found) === "id" ? [`${name}: known("${found.name}")`] : [];
  });
}

/** The module for `new InMemoryCache(…)` of Apollo Client: `possibleTypes` and `typePolicies`. */
export function apolloModule(schema: GraphQLSchema): string {
  const fieldsOf = (type: GraphQLObjectType) =>
    listsOf(type).map(
      ({ field, chosenBy: by }) => `${field}: relayStylePagination(${by.length > 0 ? JSON.stringify(by) : ""})`,
    );
  const policies = dataTypes(schema).flatMap((type) => {
    const fields = fieldsOf(type);
    const parts = [
      ...(identityOf(type) === "part" ? ["...part"] : []),
      ...(fields.length > 0 ? [`fields: { ${fields.join(", ")} }`] : []),
    ];
    return parts.length > 0 ? [`  ${type.name}: { ${parts.join(", ")} },`] : [];
  });
  return `${notice}import type { FieldFunctionOptions, Reference, TypePolicies } from "@apollo/client";
import { relayStylePagination } from "@apollo/client/utilities";

export const possibleTypes: Record<string, string[]> = ${written(abstractTypes(schema))};

/** What has no key: it is kept in what it is in, and what is read of it later comes to what is there. */
const part = { keyFields: false, merge: true } as const;

/** A node that was read before is not asked for again. */
const known = (__typename: string) => ({
  read: (found: Reference | undefined, { args, toReference }: FieldFunctionOptions) =>
    found ?? toReference({ __typename, id: args?.["id"] as string }),
});

export const typePolicies: TypePolicies = {
  Query: { fields: { ${[...fieldsOf(queryOf(schema)), ...foundById(schema)].join(", ")} } },
${policies.join("\n")}
};
`;
}

/** The module for `cacheExchange(…)` of urql's graphcache: `keys` and `resolvers`. */
export function graphcacheModule(schema: GraphQLSchema): string {
  const fieldsOf = (type: GraphQLObjectType) => listsOf(type).map(({ field }) => `${field}: relayPagination()`);
  const parts = dataTypes(schema).filter((type) => identityOf(type) === "part");
  const resolvers = dataTypes(schema)
    .map((type) => ({ name: type.name, fields: fieldsOf(type) }))
    .filter(({ fields }) => fields.length > 0);
  return `${notice}import type { KeyingConfig, Resolver, ResolverConfig } from "@urql/exchange-graphcache";
import { relayPagination } from "@urql/exchange-graphcache/extras";

/** What has no key: it is kept in what it is in. */
const parts = ${written(parts.map(({ name }) => name))};

export const keys: KeyingConfig = Object.fromEntries(parts.map((name) => [name, () => null]));

/** A node that was read before is not asked for again. */
const known =
  (__typename: string): Resolver =>
  (_parent, { id }) => ({ __typename, id: id as string });

export const resolvers: ResolverConfig = {
  Query: { ${[...fieldsOf(queryOf(schema)), ...foundById(schema)].join(", ")} },
${resolvers.map(({ name, fields }) => `  ${name}: { ${fields.join(", ")} },`).join("\n")}
};
`;
}

/** The `schema` of graphcache: as much of an introspection as it reads, in a tenth of its size. */
export function graphcacheSchema(schema: GraphQLSchema): string {
  const { queryType, mutationType, subscriptionType, types } = introspectionFromSchema(schema).__schema;
  const kept = types.flatMap((type): object[] => {
    const { kind, name } = type;
    const possibleTypes = kind === "UNION" || kind === "INTERFACE" ? type.possibleTypes : undefined;
    if (name.startsWith("__")) return [];
    if (kind === "UNION") return [{ kind, name, possibleTypes }];
    if (kind !== "OBJECT" && kind !== "INTERFACE") return [];
    const fields = type.fields.map((field) => ({ name: field.name, args: [], type: field.type }));
    return [{ kind, name, fields, interfaces: type.interfaces, possibleTypes }];
  });
  return `${JSON.stringify({ __schema: { queryType, mutationType, subscriptionType, types: kept } })}\n`;
}

/** Types whose `id` is that of another node: with the name of the type it is a key, alone it is not. */
const withIdOfOther: ReadonlySet<string> = new Set([
  "MemberTeam", // of the TeamMember, as /v1 has it
  "OrganizationPreview", // of the Organization, of which it shows less
  "PublishedSection", // of the SiteSection, as a visitor sees it
  "PublishedSectionGroup", // of the SiteSectionGroup, as a visitor sees it
  "PublishedSpace", // of the SiteSpace, as a visitor sees it
  "SsoLogin", // of the SamlProvider, for those who are not signed in
]);

/** Types whose `id` does not say which object it is. */
const withNameAsId: ReadonlySet<string> = new Set([
  "CommentTargetNode", // of the node; what is said of it is the comment's
  "CommentTargetPage", // of the page; what is said of it is the comment's
  "IntegrationBlock", // a name within the integration
  "IntegrationContentSource", // a name within the integration
]);

/** Types that are no nodes, and have ids of their own all the same. */
const withOwnId: ReadonlySet<string> = new Set(["SiteSigningKey"]);

/** How a store keeps the objects of a type: by `id`, by the type and `id`, or in what they are in. */
type Identity = "id" | "type and id" | "part";

/**
 * The identity of the objects of a type. Throws for a type with an `id` of which nothing is known: make a new one a
 * node, or say above what its `id` is.
 */
export function identityOf(type: GraphQLObjectType): Identity {
  const { name } = type;
  if (!("id" in type.getFields()) || withNameAsId.has(name)) return "part";
  if (withIdOfOther.has(name)) return "type and id";
  const isOwn = type.getInterfaces().some((one) => one.name === "Node" || one.name === "Event");
  if (isOwn || withOwnId.has(name)) return "id";
  throw new Error(`${name} has an id but is not a node: src/cli/printed/stores.ts has to say what the id is.`);
}

/** The object types of a schema that hold data, by name: neither those of introspection nor the roots. */
export function dataTypes(schema: GraphQLSchema): GraphQLObjectType[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type))
    .filter((type) => !type.name.startsWith("__") && !roots.includes(type))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Each interface and union with the names of the types that it may be. */
function abstractTypes(schema: GraphQLSchema): Readonly<Record<string, readonly string[]>> {
  const abstract = Object.values(schema.getTypeMap()).filter((type) => isAbstractType(type));
  return Object.fromEntries(abstract.map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]));
}
