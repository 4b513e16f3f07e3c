// The reference of GraphQL: all operations and types of the schema. Their fields and arguments are in GraphiQL's
// explorer, to which each entry links.
import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isScalarType,
  isUnionType,
} from "graphql";
import type { Handler } from "#src/http/exchange.ts";
import { sendEmpty } from "#src/http/send.ts";
import { html, type Html } from "#src/http/html.ts";
import { prose, type ServePage } from "#src/server/pages/site.ts";

export const typePath = "/reference/graphql/";

export function graphqlReference(serve: ServePage, schema: GraphQLSchema, hasGraphiql: boolean): Handler {
  let body: Html | undefined;
  return serve(async () => ({ title: "GraphQL reference", body: (body ??= bodyOf(schema, hasGraphiql)) }));
}

/** Makes the handler of the former pages of types: they redirect to the list entry of the type. */
export function formerTypePages(serve: ServePage, schema: GraphQLSchema): Handler {
  const missing = serve(async () => null);
  return async (exchange) => {
    const name = exchange.path.slice(typePath.length);
    const type = schema.getType(name);
    if (!type) return missing(exchange);
    exchange.request.resume();
    // From a root type the browser takes its anchor along, which names an operation.
    const anchor = rootsOf(schema).some(([, root]) => root === type) ? "" : `#${name}`;
    exchange.response.setHeader("location", `/reference/graphql${anchor}`);
    sendEmpty(exchange.response, 308);
  };
}

const rootsOf = (schema: GraphQLSchema) =>
  [
    ["Queries", schema.getQueryType()],
    ["Mutations", schema.getMutationType()],
    ["Subscriptions", schema.getSubscriptionType()],
  ] as const;

const kinds: readonly (readonly [title: string, isOne: (type: GraphQLNamedType) => boolean])[] = [
  ["Objects", isObjectType],
  ["Interfaces", isInterfaceType],
  ["Unions", isUnionType],
  ["Inputs", isInputObjectType],
  ["Enums", isEnumType],
  ["Scalars", isScalarType],
];

interface Entry {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly signature?: string;
  readonly place: string;
}

function entriesOf(schema: GraphQLSchema): (readonly [title: string, entries: readonly Entry[]])[] {
  const roots = rootsOf(schema);
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type) && !roots.some(([, root]) => root === type))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map((type) => ({ type, name: type.name, description: type.description, place: type.name }));
  const operations = roots.map(([title, root]): readonly [string, Entry[]] => {
    const fields = Object.values(root?.getFields() ?? {}).filter((field) => field.deprecationReason == null);
    const entries = fields.map(({ name, description, args, type }) => {
      const taken = args.map((argument) => `${argument.name}: ${String(argument.type)}`).join(", ");
      const signature = `${taken === "" ? "" : `(${taken})`}: ${String(type)}`;
      return { name, description, signature, place: `${root?.name}.${name}` };
    });
    return [title, entries];
  });
  return [...operations, ...kinds.map(([title, isOne]) => [title, types.filter(({ type }) => isOne(type))] as const)];
}

function bodyOf(schema: GraphQLSchema, hasGraphiql: boolean): Html {
  const parts = entriesOf(schema);
  const linkOf = ({ name, place }: Entry) => (hasGraphiql ? `/graphql#docs=${place}` : `#${name}`);
  return html`<main id="main">
    <h1>GraphQL reference</h1>
    <p>
      Everything that <code>/graphql</code> takes, made from the schema that this gateway runs. Lists are connections;
      ids are opaque; what you may not see is not there. The <a href="/docs">documentation</a> has the rules that hold
      everywhere; <a href="/reference/errors">errors</a> are a reference of their own.
    </p>
    <p class="jumps">${parts.map(([title]) => html`<a href="#list-of-${title}">${title}</a> `)}</p>
    ${parts.map(
      ([title, entries]) =>
        html`<h2 id="list-of-${title}">${title}</h2>
          <ul class="entries">
            ${entries.map(
              (entry) =>
                html`<li id="${entry.name}">
                  <p class="signature"><a href="${linkOf(entry)}">${entry.name}</a>${entry.signature ?? ""}</p>
                  ${prose(entry.description ?? "")}
                </li>`,
            )}
          </ul>`,
    )}
  </main>`;
}
