// What makes an object the same one in a client's store: which types have an id of their own, which have that of
// another node, and which are a part of what they are in.
import { type GraphQLObjectType, type GraphQLSchema, isAbstractType, isObjectType } from "graphql";

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
export type Identity = "id" | "type and id" | "part";

/**
 * The identity of the objects of a type. Throws for a type with an `id` of which nothing is known: whoever adds one
 * makes it a node, or says above what its `id` is.
 */
export function identityOf(type: GraphQLObjectType): Identity {
  const { name } = type;
  if (!("id" in type.getFields()) || withNameAsId.has(name)) return "part";
  if (withIdOfOther.has(name)) return "type and id";
  const isOwn = type.getInterfaces().some((one) => one.name === "Node" || one.name === "Event");
  if (isOwn || withOwnId.has(name)) return "id";
  throw new Error(`${name} has an id and is no node: src/cli/clients/identity.ts has to say what the id is.`);
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
export function abstractTypes(schema: GraphQLSchema): Readonly<Record<string, readonly string[]>> {
  const abstract = Object.values(schema.getTypeMap()).filter((type) => isAbstractType(type));
  return Object.fromEntries(abstract.map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]));
}
