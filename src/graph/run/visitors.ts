// Fields of Query and Subscription that are open without an API token, for visitors of published sites. Others return
// UNAUTHENTICATED.
import {
  defaultFieldResolver,
  type DocumentNode,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLObjectType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { DomainError } from "#src/base/errors.ts";
import type { Context } from "#src/domain/context.ts";

export const openToVisitors = { openToVisitors: true } as const;

/** Which part of an operation is open to visitors. */
export type Openness = "open" | "partly" | "closed";

/** The names of the open fields, by the kind of operation: a field of another kind may have the same name. */
export type OpenFields = Readonly<Record<"query" | "subscription", ReadonlySet<string>>>;

/** The open fields of a schema. */
export function openFields(schema: GraphQLSchema): OpenFields {
  return { query: openIn(schema.getQueryType()), subscription: openIn(schema.getSubscriptionType()) };
}

const openIn = (type: GraphQLObjectType | null | undefined): ReadonlySet<string> =>
  new Set(Object.values(type?.getFields() ?? {}).flatMap((field) => (isOpen(field) ? [field.name] : [])));

const isOpen = ({ extensions }: GraphQLField<unknown, unknown>): boolean => extensions["openToVisitors"] === true;

/** Makes every other top-level field return UNAUTHENTICATED without an API token, before it does anything. */
export function closeToVisitors(schema: GraphQLSchema): GraphQLSchema {
  for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()])
    for (const field of Object.values(type?.getFields() ?? {})) {
      if (type !== schema.getMutationType() && isOpen(field)) continue;
      field.resolve = closedToVisitors(field.resolve ?? defaultFieldResolver);
      if (field.subscribe) field.subscribe = closedToVisitors(field.subscribe);
    }
  return schema;
}

/** Makes a resolver return UNAUTHENTICATED without an API token. */
export function closedToVisitors(
  resolve: GraphQLFieldResolver<unknown, Context>,
): GraphQLFieldResolver<unknown, Context> {
  return (root, args, context, info) => {
    if (context.isAnonymous) throw new DomainError("UNAUTHENTICATED");
    return resolve(root, args, context, info);
  };
}

/** The names of the top-level fields of an operation of a valid document, fragments expanded; each once. */
export const topFields = (document: DocumentNode, { selectionSet }: OperationDefinitionNode): Set<string> =>
  new Set(fieldsOf(document, selectionSet, new Set()));

/** Which part of an operation of a valid document is open. Introspection is closed. */
export function opennessOf(
  open: OpenFields,
  document: DocumentNode,
  { operation, selectionSet }: OperationDefinitionNode,
): Openness {
  if (operation === "mutation") return "closed";
  const names = new Set(fieldsOf(document, selectionSet, new Set()));
  names.delete("__typename");
  const closed = [...names].filter((name) => !open[operation].has(name));
  if (closed.length === names.size || closed.some((name) => name.startsWith("__"))) return "closed";
  return closed.length > 0 ? "partly" : "open";
}

function fieldsOf(document: DocumentNode, { selections }: SelectionSetNode, seen: Set<string>): string[] {
  return selections.flatMap((node) => {
    if (node.kind === Kind.FIELD) return [node.name.value];
    if (node.kind === Kind.INLINE_FRAGMENT) return fieldsOf(document, node.selectionSet, seen);
    const name = node.name.value;
    if (seen.has(name)) return [];
    seen.add(name);
    const fragment = document.definitions.find(
      (one) => one.kind === Kind.FRAGMENT_DEFINITION && one.name.value === name,
    );
    return fragment && "selectionSet" in fragment ? fieldsOf(document, fragment.selectionSet, seen) : [];
  });
}
