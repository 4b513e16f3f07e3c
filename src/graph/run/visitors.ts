// Fields of Query and Subscription that are open without an API token, for visitors of published sites. Others return
// UNAUTHENTICATED.
import {
  defaultFieldResolver,
  type DocumentNode,
  type GraphQLFieldResolver,
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

/** The names of the fields that are open. */
export function openFields(schema: GraphQLSchema): ReadonlySet<string> {
  const types = [schema.getQueryType(), schema.getSubscriptionType()];
  const fields = types.flatMap((type) => Object.values(type?.getFields() ?? {}));
  return new Set(fields.filter(({ extensions }) => extensions["openToVisitors"] === true).map(({ name }) => name));
}

/** Makes every other top-level field return UNAUTHENTICATED without an API token, before it does anything. */
export function closeToVisitors(schema: GraphQLSchema): GraphQLSchema {
  const open = openFields(schema);
  for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()])
    for (const [name, field] of Object.entries(type?.getFields() ?? {})) {
      if (type !== schema.getMutationType() && open.has(name)) continue;
      field.resolve = guarded(field.resolve ?? defaultFieldResolver);
      if (field.subscribe) field.subscribe = guarded(field.subscribe);
    }
  return schema;
}

function guarded(resolve: GraphQLFieldResolver<unknown, Context>): GraphQLFieldResolver<unknown, Context> {
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
  open: ReadonlySet<string>,
  document: DocumentNode,
  { operation, selectionSet }: OperationDefinitionNode,
): Openness {
  if (operation === "mutation") return "closed";
  const names = new Set(fieldsOf(document, selectionSet, new Set()));
  names.delete("__typename");
  const closed = [...names].filter((name) => !open.has(name));
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
