// The configuration of the stores of Apollo Client and urql's graphcache, as modules for a frontend.
import { getNamedType, introspectionFromSchema, isAbstractType, isObjectType } from "graphql";
import type { GraphQLObjectType, GraphQLSchema } from "graphql";

const notice = "// Made by `npm run print -- --clients` of docgraph. Make it again after a change of the schema.\n";

/** Arguments that choose a page of a list, and not another list. */
const paging: readonly string[] = ["first", "after", "last", "before"];

const written = (value: unknown): string => JSON.stringify(value, null, 2);

/** The lists that are connections, each with the arguments that distinguish lists. */
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

/** `field: known("Type")` for the fields of the query that find a node by its id alone. */
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

/** Objects without a key: they are kept in their parent, and merged with fields that are read later. */
const part = { keyFields: false, merge: true } as const;

/** A node in the store is not requested again. */
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

/** Objects without a key: they are kept in their parent. */
const parts = ${written(parts.map(({ name }) => name))};

export const keys: KeyingConfig = Object.fromEntries(parts.map((name) => [name, () => null]));

/** A node in the store is not requested again. */
const known =
  (__typename: string): Resolver =>
  (_parent, { id }) => ({ __typename, id: id as string });

export const resolvers: ResolverConfig = {
  Query: { ${[...fieldsOf(queryOf(schema)), ...foundById(schema)].join(", ")} },
${resolvers.map(({ name, fields }) => `  ${name}: { ${fields.join(", ")} },`).join("\n")}
};
`;
}

/** The `schema` of graphcache: the part of an introspection that it reads, a tenth of the size. */
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

/** Types whose `id` is that of another node: it is a key only together with the name of the type. */
const withIdOfOther: ReadonlySet<string> = new Set([
  "MemberTeam", // of the TeamMember, as /v1 has it
  "OrganizationPreview", // of the Organization, of which it shows less
  "PublishedSection", // of the SiteSection, as a visitor sees it
  "PublishedSectionGroup", // of the SiteSectionGroup, as a visitor sees it
  "PublishedSpace", // of the SiteSpace, as a visitor sees it
  "SsoLogin", // of the SamlProvider, for those who are not signed in
]);

/** Types whose `id` does not identify an object. */
const withNameAsId: ReadonlySet<string> = new Set([
  "CommentTargetNode", // of the node; what is said of it is the comment's
  "CommentTargetPage", // of the page; what is said of it is the comment's
  "IntegrationBlock", // a name within the integration
  "IntegrationContentSource", // a name within the integration
]);

/** Types that are not nodes, but have unique ids. */
const withOwnId: ReadonlySet<string> = new Set(["SiteSigningKey"]);

/** How a store identifies objects of a type: by `id`, by the type and `id`, or as part of their parent. */
type Identity = "id" | "type and id" | "part";

/**
 * The identity of the objects of a type. Throws for a type with an unlisted `id`: make the type a node, or add it to
 * the lists above.
 */
export function identityOf(type: GraphQLObjectType): Identity {
  const { name } = type;
  if (!("id" in type.getFields()) || withNameAsId.has(name)) return "part";
  if (withIdOfOther.has(name)) return "type and id";
  const isOwn = type.getInterfaces().some((one) => one.name === "Node" || one.name === "Event");
  if (isOwn || withOwnId.has(name)) return "id";
  throw new Error(`${name} has an id but is not a node: add it to a list of src/cli/printed/stores.ts.`);
}

/** The object types of a schema that contain data, by name: neither those of introspection nor the roots. */
export function dataTypes(schema: GraphQLSchema): GraphQLObjectType[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return Object.values(schema.getTypeMap())
    .filter((type) => isObjectType(type))
    .filter((type) => !type.name.startsWith("__") && !roots.includes(type))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Each interface and union with the names of its possible types. */
function abstractTypes(schema: GraphQLSchema): Readonly<Record<string, readonly string[]>> {
  const abstract = Object.values(schema.getTypeMap()).filter((type) => isAbstractType(type));
  return Object.fromEntries(abstract.map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]));
}
