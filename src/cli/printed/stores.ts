// The configuration of the stores of Apollo Client and urql's graphcache, as modules for a frontend.
import {
  getNamedType,
  introspectionFromSchema,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
} from "graphql";
import type { GraphQLObjectType, GraphQLSchema } from "graphql";
import { idPrefixes } from "#src/base/ids.ts";

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

/** `field: known("Type")` for the fields of a type that find a node by its id. */
function foundById(type: GraphQLObjectType): string[] {
  return Object.values(type.getFields()).flatMap(({ name, args, type: of }) => {
    const found = getNamedType(of);
    const required = args.filter((one) => isRequiredArgument(one)).map((one) => one.name);
    if (required.length !== 1 || required[0] !== "id") return [];
    if (isInterfaceType(found) && found.name === "Node") return [`${name}: known()`];
    return isObjectType(found) && identityOf(found) === "id" ? [`${name}: known("${found.name}")`] : [];
  });
}

/** The types of nodes by the prefixes of their ids, as the start of a module. */
function typesOfIds(schema: GraphQLSchema): string {
  const prefixes = new Map<string, string>(Object.entries(idPrefixes));
  const nodes = dataTypes(schema).flatMap((type) => {
    const prefix = prefixes.get(type.name);
    return prefix === undefined || identityOf(type) !== "id" ? [] : [[prefix, type.name]];
  });
  return `/** The types of nodes, by the start of their ids. */
const types: Readonly<Record<string, string>> = ${written(Object.fromEntries(nodes))};

const typeOf = (id: string): string | undefined => types[id.slice(0, id.indexOf("_"))];
`;
}

/** The module for `new InMemoryCache(…)` of Apollo Client: `possibleTypes` and `typePolicies`. */
export function apolloModule(schema: GraphQLSchema): string {
  const fieldsOf = (type: GraphQLObjectType) => [
    ...listsOf(type).map(
      ({ field, chosenBy: by }) => `${field}: relayStylePagination(${by.length > 0 ? JSON.stringify(by) : ""})`,
    ),
    ...foundById(type),
  ];
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

${typesOfIds(schema)}
/** A node in the store is not requested again. */
const known = (type?: string) => ({
  read(found: Reference | null | undefined, { args, toReference }: FieldFunctionOptions) {
    const id = String(args?.["id"]);
    const __typename = type ?? typeOf(id);
    return found !== undefined || __typename === undefined ? found : toReference({ __typename, id });
  },
});

export const typePolicies: TypePolicies = {
  Query: { fields: { ${fieldsOf(queryOf(schema)).join(", ")} } },
${policies.join("\n")}
};
`;
}

/** The module for `cacheExchange(…)` of urql's graphcache: `keys` and `resolvers`. */
export function graphcacheModule(schema: GraphQLSchema): string {
  const fieldsOf = (type: GraphQLObjectType) => [
    ...listsOf(type).map(({ field }) => `${field}: relayPagination()`),
    ...foundById(type),
  ];
  const parts = dataTypes(schema).filter((type) => identityOf(type) === "part");
  const resolvers = dataTypes(schema)
    .map((type) => ({ name: type.name, fields: fieldsOf(type) }))
    .filter(({ fields }) => fields.length > 0);
  return `${notice}import type { KeyingConfig, Resolver, ResolverConfig } from "@urql/exchange-graphcache";
import { relayPagination } from "@urql/exchange-graphcache/extras";

/** Objects without a key: they are kept in their parent. */
const parts = ${written(parts.map(({ name }) => name))};

export const keys: KeyingConfig = Object.fromEntries(parts.map((name) => [name, () => null]));

${typesOfIds(schema)}
/** A node in the store is not requested again. */
const known =
  (type?: string): Resolver =>
  (parent, args, cache, { parentKey, fieldName }) => {
    const found = cache.resolve(parentKey, fieldName, args);
    const id = String(args["id"]);
    const __typename = type ?? typeOf(id);
    if (found !== undefined || __typename === undefined) return found;
    return cache.keyOfEntity({ __typename, id }) ?? undefined; // an object would count as read, with its id
  };

export const resolvers: ResolverConfig = {
  Query: { ${fieldsOf(queryOf(schema)).join(", ")} },
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
  "SsoLogin", // of the SamlProvider or OidcProvider, for those who are not signed in
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
